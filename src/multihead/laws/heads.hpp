#pragma once
/// \file
/// The laws of chapter 3: heads.

#include <multihead/laws/attention_entrywise.hpp>
#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <string>
#include <tuple>

namespace multihead::laws {

/// 3.0: column j of a head is Σ_i W_V v_i e^{s_ij} / Σ_i e^{s_ij} with s_ij = (W_K k_i)ᵀ W (W_Q q_j), or the dot
/// product without W.
struct HeadEntrywise {
    static constexpr Id id{"3.0", "head-entrywise"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Head<T> head = draw.head(shape);
        const Matrix<T> Q = draw.matrix(shape.d_model, shape.n);
        const Matrix<T> K = draw.matrix(shape.d_model, shape.m);
        const Matrix<T> V = draw.matrix(shape.d_model, shape.m);
        const Matrix<T> W = draw.matrix(shape.d_k, shape.d_k);
        const Matrix<T> queries = product(head.W_Q, Q);
        const Matrix<T> keys = product(head.W_K, K);
        const Matrix<T> values = product(head.W_V, V);
        return {
            {"dot product", hand.head(head, Q, K, V, hand.dot()), averaged(values, product(transposed(keys), queries))},
            {"bilinear", hand.head(head, Q, K, V, hand.form(W)),
             averaged(values, product(transposed(keys), product(W, queries)))}};
    }
};

/// 3.1: a head whose projections are identities is attention. The law takes d_k = d_v = d_model.
struct IdentityProjections {
    static constexpr Id id{"3.1", "identity-projections"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const std::size_t d = shape.d_model;
        const Matrix<T> I = draw.identity(d);
        const Matrix<T> Q = draw.matrix(d, shape.n);
        const Matrix<T> K = draw.matrix(d, shape.m);
        const Matrix<T> V = draw.matrix(d, shape.m);
        const Score<T> f = hand.form(draw.matrix(d, d));
        return {{"identities", hand.head({I, I, I, I}, Q, K, V, f), hand.attention(Q, K, V, f)}};
    }
};

/// 3.2: W (W'X) = (W W') X inside a head: a linear map of the inputs can be moved into the projections. The inputs
/// have d_v features, which W' maps to d_model.
struct ComposedProjections {
    static constexpr Id id{"3.2", "composed-projections"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Head<T> head = draw.head(shape);
        const Matrix<T> for_Q = draw.matrix(shape.d_model, shape.d_v);
        const Matrix<T> for_K = draw.matrix(shape.d_model, shape.d_v);
        const Matrix<T> for_V = draw.matrix(shape.d_model, shape.d_v);
        const Matrix<T> Q = draw.matrix(shape.d_v, shape.n);
        const Matrix<T> K = draw.matrix(shape.d_v, shape.m);
        const Matrix<T> V = draw.matrix(shape.d_v, shape.m);
        const Head<T> composed{product(head.W_Q, for_Q), product(head.W_K, for_K), product(head.W_V, for_V), head.W_O};
        const Score<T> f = hand.form(draw.matrix(shape.d_k, shape.d_k));
        return {{"composed", hand.head(composed, Q, K, V, f),
                 hand.head(head, product(for_Q, Q), product(for_K, K), product(for_V, V), f)}};
    }
};

/// 3.3: the slices of [W_1; …; W_H] are the heads' matrices, and the slices of [W_1; …; W_H] X are the heads'
/// projections W_h X; for queries, keys and values.
struct PackedProjections {
    static constexpr Id id{"3.3", "packed-projections"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const MultiHeadWeights<T> weights = draw.weights(shape);
        const Matrix<T> X = draw.matrix(shape.d_model, shape.n);
        Equations<T> equations;
        const auto claim = [&](const std::string& name, const Matrix<T>& packed, Matrix<T> Head<T>::*kind) {
            const Matrix<T> projected = product(packed, X);
            for (std::size_t h = 0; h < shape.H; ++h) {
                const std::string of = name + " of head " + std::to_string(h + 1);
                equations.push_back({of, hand.slice(packed, h, shape.H), weights[h].*kind});
                equations.push_back({of + " times X", hand.slice(projected, h, shape.H), product(weights[h].*kind, X)});
            }
        };
        claim("W_Q", hand.packed_W_Q(weights), &Head<T>::W_Q);
        claim("W_K", hand.packed_W_K(weights), &Head<T>::W_K);
        claim("W_V", hand.packed_W_V(weights), &Head<T>::W_V);
        return equations;
    }
};

/// Chapter 3.
inline constexpr std::tuple<HeadEntrywise, IdentityProjections, ComposedProjections, PackedProjections> heads{};

}  // namespace multihead::laws
