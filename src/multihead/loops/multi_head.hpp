#pragma once
/// \file
/// Heads, equation (2), and multi-head attention in its three forms, in plain loops.

#include <multihead/checks.hpp>
#include <multihead/loops/attention.hpp>
#include <multihead/matrix.hpp>
#include <multihead/weights.hpp>

#include <string_view>

namespace multihead::loops {

/// The matrix product W X: the columns of X, mapped by W. Shapes: W d' × d, X d × n, result d' × n. Throws shape_error
/// unless W has as many columns as X rows.
// [project]
template <class T>
Matrix<T> project(const Matrix<T>& W, const Matrix<T>& X) {
    checks::Check{"project"}.project(W, X);
    Matrix<T> Y(W.size1(), X.size2());
    for (std::size_t i = 0; i < W.size1(); ++i)
        for (std::size_t j = 0; j < X.size2(); ++j) {
            T y(0);
            for (std::size_t l = 0; l < W.size2(); ++l) y += W(i, l) * X(l, j);
            Y(i, j) = y;
        }
    return Y;
}
// [project]

/// Equation (2): head_h = Attention(W_Q Q, W_K K, W_V V). Shapes: Q d_model × n, K and V d_model × m, result d_v × n.
/// Throws shape_error unless the weights fit their inputs and each other.
// [head]
template <class T, class F>
Matrix<T> head(const Head<T>& head_h, const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V, const F& f) {
    checks::Check{"head"}.projections(head_h, Q, K, V);
    return attention(project(head_h.W_Q, Q), project(head_h.W_K, K), project(head_h.W_V, V), f);
}
// [head]

/// Multi-head attention, the concat form: W^O [head_1; …; head_H].
/// Shapes: Q d_model × n, K and V d_model × m, result d_model × n. Throws shape_error unless all weights fit.
// [multi_head]
template <class T, class F>
Matrix<T> multi_head(const MultiHeadWeights<T>& weights, const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V,
                     const F& f) {
    checks::Check{"multi_head"}.multi_head(weights, Q, K, V);
    const std::size_t d_v = weights[0].W_V.size1();
    Matrix<T> stacked(weights.size() * d_v, Q.size2());
    for (std::size_t h = 0; h < weights.size(); ++h) {
        const Matrix<T> head_h = head(weights[h], Q, K, V, f);
        for (std::size_t l = 0; l < d_v; ++l)
            for (std::size_t j = 0; j < Q.size2(); ++j) stacked(h * d_v + l, j) = head_h(l, j);
    }
    return project(W_O(weights), stacked);
}
// [multi_head]

/// Multi-head attention, the sum form: Σ_h W_h^O head_h. Shapes and errors as multi_head.
// [multi_head_sum]
template <class T, class F>
Matrix<T> multi_head_sum(const MultiHeadWeights<T>& weights, const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V,
                         const F& f) {
    checks::Check{"multi_head_sum"}.multi_head(weights, Q, K, V);
    Matrix<T> O(weights[0].W_O.size1(), Q.size2(), T(0));
    for (const Head<T>& head_h : weights) {
        const Matrix<T> contribution = project(head_h.W_O, head(head_h, Q, K, V, f));
        for (std::size_t i = 0; i < O.size1(); ++i)
            for (std::size_t j = 0; j < O.size2(); ++j) O(i, j) += contribution(i, j);
    }
    return O;
}
// [multi_head_sum]

/// Multi-head attention written out: Σ_h W_h^O (W_h^V V) Softmax(f(W_h^Q Q, W_h^K K)). Shapes and errors as multi_head.
// [multi_head_expanded]
template <class T, class F>
Matrix<T> multi_head_expanded(const MultiHeadWeights<T>& weights, const Matrix<T>& Q, const Matrix<T>& K,
                              const Matrix<T>& V, const F& f) {
    constexpr checks::Check check{"multi_head_expanded"};
    check.multi_head(weights, Q, K, V);
    Matrix<T> O(weights[0].W_O.size1(), Q.size2(), T(0));
    for (const Head<T>& head_h : weights) {
        const Matrix<T> S = f(project(head_h.W_Q, Q), project(head_h.W_K, K));
        check.score_matrix(S, Q, K);
        const Matrix<T> contribution = project(project(head_h.W_O, project(head_h.W_V, V)), softmax(S));
        for (std::size_t i = 0; i < O.size1(); ++i)
            for (std::size_t j = 0; j < O.size2(); ++j) O(i, j) += contribution(i, j);
    }
    return O;
}
// [multi_head_expanded]

/// The heads' matrices of one kind stacked, [W_1; …; W_H]: H d × d_model. `kind` is `&Head<T>::W_Q`, `W_K` or `W_V`.
/// Throws shape_error if there is no head or shapes differ; `function` is the name in its message.
// [packed]
template <class T>
Matrix<T> packed(const MultiHeadWeights<T>& weights, Matrix<T> Head<T>::*kind, std::string_view function = "packed") {
    checks::Check{function}.heads(weights);
    const std::size_t d = (weights[0].*kind).size1();
    Matrix<T> W(weights.size() * d, (weights[0].*kind).size2());
    for (std::size_t h = 0; h < weights.size(); ++h)
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = 0; j < W.size2(); ++j) W(h * d + i, j) = (weights[h].*kind)(i, j);
    return W;
}
// [packed]

/// All query projections stacked, H d_k × d_model. Throws shape_error if there is no head or shapes differ.
template <class T>
Matrix<T> packed_W_Q(const MultiHeadWeights<T>& weights) {
    return packed(weights, &Head<T>::W_Q, "packed_W_Q");
}

/// All key projections stacked, H d_k × d_model. Throws shape_error if there is no head or shapes differ.
template <class T>
Matrix<T> packed_W_K(const MultiHeadWeights<T>& weights) {
    return packed(weights, &Head<T>::W_K, "packed_W_K");
}

/// All value projections stacked, H d_v × d_model. Throws shape_error if there is no head or shapes differ.
template <class T>
Matrix<T> packed_W_V(const MultiHeadWeights<T>& weights) {
    return packed(weights, &Head<T>::W_V, "packed_W_V");
}

/// Slice h of a packed matrix of H parts, counted from 0: rows h d to (h + 1) d − 1. X is a packed projection
/// (H d × d_model) or packed queries, keys or values (H d × n). Throws shape_error unless H divides its rows and h < H.
// [slice]
template <class T>
Matrix<T> slice(const Matrix<T>& X, std::size_t h, std::size_t H) {
    checks::Check{"slice"}.slice(X, h, H);
    const std::size_t d = X.size1() / H;
    Matrix<T> part(d, X.size2());
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < X.size2(); ++j) part(i, j) = X(h * d + i, j);
    return part;
}
// [slice]

}  // namespace multihead::loops
