#pragma once
/// \file
/// The math papers' form with the residual, in plain loops.

#include <multihead/checks.hpp>
#include <multihead/loops/multi_head.hpp>
#include <multihead/matrix.hpp>
#include <multihead/weights.hpp>

namespace multihead::loops {

/// X + Σ_h (W_h^V X) Softmax[(W_h^K X)ᵀ (W_h^Q X)]. Shapes: X and the result d_model × n, W_V d_model × d_model.
/// Throws shape_error unless all weights fit.
// [residual_attention]
template <class T>
Matrix<T> residual_attention(const std::vector<ResidualHead<T>>& heads, const Matrix<T>& X) {
    checks::Check{"residual_attention"}.residual(heads, X);
    Matrix<T> Y = X;
    for (const ResidualHead<T>& h : heads) {
        const Matrix<T> O = attention(project(h.W_Q, X), project(h.W_K, X), project(h.W_V, X), dot_product);
        for (std::size_t i = 0; i < Y.size1(); ++i)
            for (std::size_t j = 0; j < Y.size2(); ++j) Y(i, j) += O(i, j);
    }
    return Y;
}
// [residual_attention]

/// Multi-head weights in the math papers' form: W_h^V becomes W_h^O W_h^V (law 5.1).
/// Throws shape_error if there is no head, shapes differ, or queries, keys and values have different features.
// [fold]
template <class T>
std::vector<ResidualHead<T>> fold(const MultiHeadWeights<T>& weights) {
    checks::Check{"fold"}.self_attention(weights);
    std::vector<ResidualHead<T>> heads;
    for (const Head<T>& h : weights) heads.push_back({h.W_Q, h.W_K, project(h.W_O, h.W_V)});
    return heads;
}
// [fold]

}  // namespace multihead::loops
