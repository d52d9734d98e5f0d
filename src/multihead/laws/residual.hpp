#pragma once
/// \file
/// The laws of chapter 5: the math papers' form.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>
#include <multihead/laws/multi_head.hpp>
#include <multihead/laws/rank.hpp>

#include <algorithm>
#include <string>
#include <tuple>

namespace multihead::laws {

/// A − B, entry by entry.
template <class T>
Matrix<T> difference(const Matrix<T>& A, const Matrix<T>& B) {
    return matrix_of(A.size1(), A.size2(), [&](std::size_t i, std::size_t j) { return A(i, j) - B(i, j); });
}

/// 5.0: entry (i, j) is X_ij + Σ_h Σ_k (W_h^V X)_ik e^{s_kj} / Σ_k e^{s_kj} with s_kj = (W_h^K x_k) · (W_h^Q x_j).
struct ResidualEntrywise {
    static constexpr Id id{"5.0", "residual-entrywise"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const auto heads = draw.residual_heads(shape);
        const Matrix<T> X = draw.matrix(shape.d_model, shape.n);
        std::vector<Matrix<T>> contributions;
        for (const ResidualHead<T>& h : heads) {
            const Matrix<T> queries = product(h.W_Q, X);
            const Matrix<T> keys = product(h.W_K, X);
            const Matrix<T> scores = matrix_of(shape.n, shape.n, [&](std::size_t k, std::size_t j) {
                return sum_of(shape.d_k, [&](std::size_t a) { return keys(a, k) * queries(a, j); });
            });
            contributions.push_back(averaged(product(h.W_V, X), scores));
        }
        return {{"residual_attention", hand.residual_attention(heads, X),
                 matrix_of(shape.d_model, shape.n, [&](std::size_t i, std::size_t j) {
                     return X(i, j) + sum_of(shape.H, [&](std::size_t h) { return contributions[h](i, j); });
                 })}};
    }
};

/// 5.1: with W_h^V := W_h^O W_h^V the residual form is multi-head self-attention plus its input, and `fold` makes
/// those weights.
struct FoldedOutput {
    static constexpr Id id{"5.1", "folded-output"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const auto weights = draw.weights(shape);
        const Matrix<T> X = draw.matrix(shape.d_model, shape.n);
        const Matrix<T> expected = sum(X, hand.multi_head(weights, X, X, X, hand.dot()));
        std::vector<ResidualHead<T>> products;
        for (const Head<T>& h : weights) products.push_back({h.W_Q, h.W_K, product(h.W_O, h.W_V)});
        return {{"products", hand.residual_attention(products, X), expected},
                {"fold", hand.residual_attention(hand.fold(weights), X), expected}};
    }
};

/// 5.2: if every W_h^V is zero, the output is X.
struct ZeroValues {
    static constexpr Id id{"5.2", "zero-values"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        auto heads = draw.residual_heads(shape);
        for (ResidualHead<T>& h : heads) h.W_V = Matrix<T>(shape.d_model, shape.d_model, T(0));
        const Matrix<T> X = draw.matrix(shape.d_model, shape.n);
        return {{"X", hand.residual_attention(heads, X), X}};
    }
};

/// 5.3: permuted tokens, permuted outputs: the output for X P is that for X, times P.
struct PermutedTokens {
    static constexpr Id id{"5.3", "permuted-tokens"};
    static constexpr Worlds worlds = RF;
    static bool admits(const Shape& shape) { return shape.n >= 2; }

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const auto heads = draw.residual_heads(shape);
        const Matrix<T> X = draw.matrix(shape.d_model, shape.n);
        const auto order = draw.permutation(shape.n);
        return {{"tokens", hand.residual_attention(heads, permuted_columns(X, order)),
                 permuted_columns(hand.residual_attention(heads, X), order)}};
    }
};

/// 5.4: only (W_h^K)ᵀ W_h^Q counts: that product and the identity in place of (W_h^Q, W_h^K) change nothing, and
/// neither do (G_h W_h^Q, G_h^{-T} W_h^K).
struct QueryKeyProduct {
    static constexpr Id id{"5.4", "query-key-product"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const auto heads = draw.residual_heads(shape);
        const Matrix<T> X = draw.matrix(shape.d_model, shape.n);
        auto changed = heads;
        for (ResidualHead<T>& h : changed) {
            const auto [G, inverse] = draw.unimodular(shape.d_k);
            h.W_Q = product(G, h.W_Q);
            h.W_K = product(transposed(inverse), h.W_K);
        }
        auto products = heads;
        for (ResidualHead<T>& h : products) {
            h.W_Q = product(transposed(h.W_K), h.W_Q);
            h.W_K = draw.identity(shape.d_model);
        }
        const Matrix<T> Y = hand.residual_attention(heads, X);
        return {{"changed basis", hand.residual_attention(changed, X), Y},
                {"products", hand.residual_attention(products, X), Y}};
    }
};

/// 5.5: what two sets of heads contribute adds up: Y(all) − X = (Y(some heads) − X) + (Y(the rest) − X), H ≥ 2. The
/// heads are parted after the first, the second, … in an order that is drawn.
struct ContributionsAdd {
    static constexpr Id id{"5.5", "contributions-add"};
    static constexpr Worlds worlds = RF;
    static bool admits(const Shape& shape) { return shape.H >= 2; }

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        using Heads = std::vector<ResidualHead<T>>;
        const Heads heads = draw.residual_heads(shape);
        Heads in_order;
        for (const std::size_t h : draw.permutation(shape.H)) in_order.push_back(heads[h]);
        const Matrix<T> X = draw.matrix(shape.d_model, shape.n);
        const auto contribution = [&](const Heads& some) { return difference(hand.residual_attention(some, X), X); };
        Equations<T> equations;
        for (std::size_t first = 1; first < shape.H; ++first) {
            const auto parting = in_order.begin() + static_cast<std::ptrdiff_t>(first);
            equations.push_back(
                {std::to_string(first) + " and the rest", contribution(heads),
                 sum(contribution(Heads(in_order.begin(), parting)), contribution(Heads(parting, in_order.end())))});
        }
        return equations;
    }
};

/// 5.6, the converse of 5.1: if W_h^V has rank r, the residual form is multi-head attention plus its input with
/// d_v = r, where W_h^V = C R gives W_h^O := C and the new W_h^V := R. No smaller d_v will do: whatever a head with
/// d_v = r − 1 is, it folds to a rank of at most r − 1, while W_h^V and what it contributes have rank r. Here
/// r = d_model / 2, and there are at least r tokens.
///
/// In the exact world C and R are found by elimination, and ranks are counted; in the real world W_h^V is made from
/// drawn factors.
struct ValuesFactor {
    static constexpr Id id{"5.6", "values-factor"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const std::size_t d_model = shape.d_model;
        const std::size_t r = d_model / 2;
        const Matrix<T> X = draw.matrix(d_model, shape.n + r);
        const auto heads = draw.residual_heads(shape);
        Equations<T> equations;
        std::vector<ResidualHead<T>> residual_heads;
        MultiHeadWeights<T> weights;
        for (ResidualHead<T> h : heads) {
            Matrix<T> C = draw.matrix(d_model, r);
            Matrix<T> R = draw.matrix(r, d_model);
            h.W_V = product(C, R);
            if constexpr (is_exact<T>) {
                const RankFactors<T> found = rank_factors(h.W_V);
                C = found.C;
                R = found.R;
                add_ranks(equations, hand, draw, h, X, r);
            }
            residual_heads.push_back(h);
            weights.push_back({h.W_Q, h.W_K, R, C});
        }
        equations.push_back({"d_v = r", hand.residual_attention(residual_heads, X),
                             sum(X, hand.multi_head(weights, X, X, X, hand.dot()))});
        return equations;
    }

  private:
    // Through no smaller d_v than r.
    template <class T>
    static void add_ranks(Equations<T>& equations, const Hand<T>& hand, Draw<T>& draw, const ResidualHead<T>& h,
                          const Matrix<T>& X, std::size_t r) {
        const std::size_t d_model = X.size1();
        const Matrix<T> contribution = difference(hand.residual_attention({h}, X), X);
        const auto smaller =
            hand.fold({{h.W_Q, h.W_K, draw.matrix(r - 1, d_model), draw.matrix(d_model, r - 1)}}).at(0);
        equations.push_back({"rank of W_V", number(T(rank(h.W_V))), number(T(r))});
        equations.push_back({"rank of the contribution", number(T(rank(contribution))), number(T(r))});
        equations.push_back(
            {"max(rank, r - 1) with d_v = r - 1", number(T(std::max(rank(smaller.W_V), r - 1))), number(T(r - 1))});
    }
};

/// Chapter 5.
inline constexpr std::tuple<ResidualEntrywise, FoldedOutput, ZeroValues, PermutedTokens, QueryKeyProduct,
                            ContributionsAdd, ValuesFactor>
    residual{};

}  // namespace multihead::laws
