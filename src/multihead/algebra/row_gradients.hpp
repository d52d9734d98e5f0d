#pragma once
/// \file
/// The backward functions in rows, in uBLAS: written out in rows, not as transposes of the column functions.

#include <multihead/algebra/gradients.hpp>
#include <multihead/algebra/row.hpp>
#include <multihead/gradient_checks.hpp>
#include <multihead/gradients.hpp>
#include <multihead/matrix.hpp>
#include <multihead/weights.hpp>

#include <cmath>

namespace multihead::algebra::row {

using multihead::row::HeadGradients;
using multihead::row::MultiHeadGradients;

/// The gradient of softmax of every row, row by row. Shapes: A, dA and dS n×m.
/// Throws shape_error unless dA has the shape of A.
// [row_softmax_backward]
template <class T>
Matrix<T> softmax_backward(const Matrix<T>& A, const Matrix<T>& dA) {
    checks::GradientCheck{{"row::softmax_backward", Tokens::in_rows}}.softmax(A, dA);
    Matrix<T> dS(A.size1(), A.size2());
    for (std::size_t i = 0; i < A.size1(); ++i)
        ublas::row(dS, i) = softmax_gradient_of<T>(ublas::row(A, i), ublas::row(dA, i));
    return dS;
}
// [row_softmax_backward]

/// The gradients of S = QKᵀ: dQ = dS K and dK = dSᵀ Q. Shapes: Q and dQ n×d_k, K and dK m×d_k, dS n×m.
/// Throws shape_error unless they fit.
struct DotProductBackward {
    // [row_dot_product_backward]
    template <class T>
    ScoreGradients<T> operator()(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& dS) const {
        checks::GradientCheck{{"row::dot_product_backward", Tokens::in_rows}}.scores(Q, K, dS);
        return {ublas::prod(dS, K), ublas::prod(ublas::trans(dS), Q)};  // S = QKᵀ
    }
    // [row_dot_product_backward]
};
/// The backward function of dot_product.
inline constexpr DotProductBackward dot_product_backward{};

/// The gradients of S = QKᵀ / √d_k. Shapes and errors as dot_product_backward.
struct ScaledDotProductBackward {
    // [row_scaled_dot_product_backward]
    template <class T>
    ScoreGradients<T> operator()(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& dS) const {
        checks::GradientCheck{{"row::scaled_dot_product_backward", Tokens::in_rows}}.scores(Q, K, dS);
        using std::sqrt;
        const T root = sqrt(T(Q.size2()));
        return {ublas::prod(dS, K) / root, ublas::prod(ublas::trans(dS), Q) / root};  // S = QKᵀ / √d_k
    }
    // [row_scaled_dot_product_backward]
};
/// The backward function of scaled_dot_product.
inline constexpr ScaledDotProductBackward scaled_dot_product_backward{};

/// The gradients of S = Q W Kᵀ: dW = Qᵀ dS K, dQ = dS K Wᵀ and dK = dSᵀ Q W. Shapes: Q with n rows, K with m, W
/// (dimension of queries) × (dimension of keys), dS n×m. Throws shape_error unless they fit.
// [row_bilinear_backward]
template <class T>
BilinearGradients<T> bilinear_backward(const Matrix<T>& W, const Matrix<T>& Q, const Matrix<T>& K,
                                       const Matrix<T>& dS) {
    checks::GradientCheck{{"row::bilinear_backward", Tokens::in_rows}}.bilinear(W, Q, K, dS);
    const Matrix<T> QW = ublas::prod(Q, W);
    const Matrix<T> dQW = ublas::prod(dS, K);  // S = (Q W) Kᵀ
    return {ublas::prod(ublas::trans(Q), dQW), ublas::prod(dQW, ublas::trans(W)), ublas::prod(ublas::trans(dS), QW)};
}
// [row_bilinear_backward]

/// The gradients of O = Softmax(f(Q, K)) V, for a score function f and its backward function f_backward(Q, K, dS).
/// Shapes: Q and dQ n×d_k, K and dK m×d_k, V and dV m×d_v, dO n×d_v.
/// Throws shape_error unless they fit and f and f_backward return the right shapes.
// [row_attention_backward]
template <class T, class F, class G>
AttentionGradients<T> attention_backward(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V, const F& f,
                                         const G& f_backward, const Matrix<T>& dO) {
    constexpr checks::GradientCheck check{{"row::attention_backward", Tokens::in_rows}};
    check.attention(Q, K, V, dO);
    const Matrix<T> S = f(Q, K);
    check.score_matrix(S, Q, K);
    const Matrix<T> A = softmax(S);
    const Matrix<T> dA = ublas::prod(dO, ublas::trans(V));    // O = A V
    const Matrix<T> dS = softmax_backward(A, dA);             // A = Softmax(S)
    const ScoreGradients<T> compared = f_backward(Q, K, dS);  // S = f(Q, K)
    check.score_gradients(compared, Q, K);
    return {compared.dQ, compared.dK, ublas::prod(ublas::trans(A), dO)};  // O = A V
}
// [row_attention_backward]

/// The gradients of one head, O = Attention(Q W_Q, K W_K, V W_V). Shapes: Q n×d_model, K and V m×d_model, dO n×d_v.
/// The head does not use its W_O, whose gradient here is 0.
/// Throws shape_error unless they fit and f and f_backward return the right shapes.
// [row_head_backward]
template <class T, class F, class G>
HeadGradients<T> head_backward(const Head<T>& head_h, const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V,
                               const F& f, const G& f_backward, const Matrix<T>& dO) {
    checks::GradientCheck{{"row::head_backward", Tokens::in_rows}}.head(head_h, Q, K, V, dO);
    const Matrix<T> Q_h = ublas::prod(Q, head_h.W_Q);
    const Matrix<T> K_h = ublas::prod(K, head_h.W_K);
    const Matrix<T> V_h = ublas::prod(V, head_h.W_V);
    const AttentionGradients<T> d =
        attention_backward(Q_h, K_h, V_h, f, f_backward, dO);  // O = Attention(Q_h, K_h, V_h)
    return {{ublas::prod(ublas::trans(Q), d.dQ),               // Q_h = Q W_Q
             ublas::prod(ublas::trans(K), d.dK),               // K_h = K W_K
             ublas::prod(ublas::trans(V), d.dV),               // V_h = V W_V
             ublas::zero_matrix<T>(head_h.W_O.size1(), head_h.W_O.size2())},
            ublas::prod(d.dQ, ublas::trans(head_h.W_Q)),   // Q_h = Q W_Q
            ublas::prod(d.dK, ublas::trans(head_h.W_K)),   // K_h = K W_K
            ublas::prod(d.dV, ublas::trans(head_h.W_V))};  // V_h = V W_V
}
// [row_head_backward]

/// The gradients of multi-head attention, O = Σ_h head_h W_h^O. Shapes: Q n×d_model, K and V m×d_model, dO n×d_model.
/// All heads read the same Q, K and V, so their gradients add.
/// Throws shape_error unless they fit and f and f_backward return the right shapes.
// [row_multi_head_backward]
template <class T, class F, class G>
MultiHeadGradients<T> multi_head_backward(const MultiHeadWeights<T>& weights, const Matrix<T>& Q, const Matrix<T>& K,
                                          const Matrix<T>& V, const F& f, const G& f_backward, const Matrix<T>& dO) {
    checks::GradientCheck{{"row::multi_head_backward", Tokens::in_rows}}.multi_head(weights, Q, K, V, dO);
    MultiHeadGradients<T> sum{{},
                              ublas::zero_matrix<T>(Q.size1(), Q.size2()),
                              ublas::zero_matrix<T>(K.size1(), K.size2()),
                              ublas::zero_matrix<T>(V.size1(), V.size2())};
    for (const Head<T>& h : weights) {
        const Matrix<T> head_h = head(h, Q, K, V, f);
        const Matrix<T> dhead_h = ublas::prod(dO, ublas::trans(h.W_O));          // O = … + head_h W_h^O
        HeadGradients<T> d = head_backward(h, Q, K, V, f, f_backward, dhead_h);  // head_h = head(h, Q, K, V)
        d.dhead.W_O = ublas::prod(ublas::trans(head_h), dO);                     // O = … + head_h W_h^O
        sum.dweights.push_back(d.dhead);
        ublas::noalias(sum.dQ) += d.dQ;
        ublas::noalias(sum.dK) += d.dK;
        ublas::noalias(sum.dV) += d.dV;
    }
    return sum;
}
// [row_multi_head_backward]

}  // namespace multihead::algebra::row
