#pragma once
/// \file
/// The parameters of attention: heads, their blocks of W^O, and the two ways to lay them out.

#include <multihead/checks.hpp>
#include <multihead/matrix.hpp>

#include <vector>

namespace multihead {

/// The weights of one head, in columns. If keys and values come from other tokens than queries, with other features,
/// W_K and W_V have as many columns as those.
template <class T>
struct Head {
    Matrix<T> W_Q;  ///< d_k × d_model
    Matrix<T> W_K;  ///< d_k × d_model
    Matrix<T> W_V;  ///< d_v × d_model
    Matrix<T> W_O;  ///< d_model × d_v: this head's block of W^O
};

/// The weights of multi-head attention: H heads of one shape. `weights[h]` is head h, counted from 0.
template <class T>
using MultiHeadWeights = std::vector<Head<T>>;

/// The weights of one head in the math papers' form, where W^O is already part of W^V (law 5.1).
template <class T>
struct ResidualHead {
    Matrix<T> W_Q;  ///< d_k × d_model
    Matrix<T> W_K;  ///< d_k × d_model
    Matrix<T> W_V;  ///< d_model × d_model
};

/// The whole W^O = [W_1^O … W_H^O], d_model × H d_v: the blocks side by side, in the order of the heads.
/// Throws shape_error if there is no head or the blocks differ in shape.
template <class T>
Matrix<T> W_O(const MultiHeadWeights<T>& weights) {
    checks::Check{"W_O"}.blocks(weights);
    const std::size_t d_model = weights[0].W_O.size1();
    const std::size_t d_v = weights[0].W_O.size2();
    Matrix<T> whole(d_model, weights.size() * d_v);
    for (std::size_t h = 0; h < weights.size(); ++h)
        for (std::size_t i = 0; i < d_model; ++i)
            for (std::size_t l = 0; l < d_v; ++l) whole(i, h * d_v + l) = weights[h].W_O(i, l);
    return whole;
}

/// In which order a fused matrix stacks the blocks of its heads. Nothing in its shape tells.
enum class FusedLayout {
    by_kind,  ///< [W_1^Q; …; W_H^Q; W_1^K; …; W_H^K; W_1^V; …; W_H^V]
    by_head,  ///< [W_1^Q; W_1^K; W_1^V; …; W_H^Q; W_H^K; W_H^V]
};

/// The heads of a fused matrix, in which trained networks often store all projections, and of the whole W^O.
/// Shapes: W H (2 d_k + d_v) × d_model, W_O d_model × H d_v. Throws shape_error unless they fit H, d_k and each other.
template <class T>
MultiHeadWeights<T> unfused(const Matrix<T>& W, const Matrix<T>& W_O, std::size_t H, std::size_t d_k,
                            FusedLayout layout) {
    checks::Check{"unfused"}.fused(W, W_O, H, d_k);
    const std::size_t d_model = W_O.size1();
    const std::size_t d_v = W_O.size2() / H;
    const auto block = [](const Matrix<T>& X, std::size_t i, std::size_t j, std::size_t rows, std::size_t columns) {
        Matrix<T> part(rows, columns);
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = 0; c < columns; ++c) part(r, c) = X(i + r, j + c);
        return part;
    };
    MultiHeadWeights<T> weights;
    for (std::size_t h = 0; h < H; ++h) {
        const bool by_kind = layout == FusedLayout::by_kind;
        const std::size_t queries = by_kind ? h * d_k : h * (2 * d_k + d_v);
        const std::size_t keys = by_kind ? (H + h) * d_k : queries + d_k;
        const std::size_t values = by_kind ? 2 * H * d_k + h * d_v : keys + d_k;
        weights.push_back({block(W, queries, 0, d_k, d_model), block(W, keys, 0, d_k, d_model),
                           block(W, values, 0, d_v, d_model), block(W_O, 0, h * d_v, d_model, d_v)});
    }
    return weights;
}

namespace row {

/// The weights of one head in the transformer paper's convention: every matrix is the transpose of its column twin.
template <class T>
struct Head {
    Matrix<T> W_Q;  ///< d_model × d_k
    Matrix<T> W_K;  ///< d_model × d_k
    Matrix<T> W_V;  ///< d_model × d_v
    Matrix<T> W_O;  ///< d_v × d_model: this head's block of W^O, which stacks the blocks
};

/// The weights of multi-head attention in rows.
template <class T>
using MultiHeadWeights = std::vector<Head<T>>;

/// The same heads written in rows: every matrix transposed.
template <class T>
MultiHeadWeights<T> transposed(const multihead::MultiHeadWeights<T>& weights) {
    MultiHeadWeights<T> in_rows;
    for (const auto& head : weights)
        in_rows.push_back({multihead::transposed(head.W_Q), multihead::transposed(head.W_K),
                           multihead::transposed(head.W_V), multihead::transposed(head.W_O)});
    return in_rows;
}

}  // namespace row
}  // namespace multihead
