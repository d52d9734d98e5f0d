#pragma once
/// \file
/// The backward functions in rows, in plain loops: written out in rows, not as transposes of the column functions.

#include <multihead/gradient_checks.hpp>
#include <multihead/gradients.hpp>
#include <multihead/loops/add.hpp>
#include <multihead/loops/row.hpp>
#include <multihead/matrix.hpp>
#include <multihead/weights.hpp>

#include <cmath>

namespace multihead::loops::row {

using multihead::row::HeadGradients;
using multihead::row::MultiHeadGradients;

/// The gradients of Y = X W: dX = dY Wᵀ and dW = Xᵀ dY. Shapes: X n×c, W c×r, dY n×r. Throws shape_error unless they
/// fit.
// [row_project_backward]
template <class T>
ProductGradients<T> project_backward(const Matrix<T>& X, const Matrix<T>& W, const Matrix<T>& dY) {
    checks::GradientCheck{{"row::project_backward", Tokens::in_rows}}.project(W, X, dY);
    Matrix<T> dX(X.size1(), X.size2(), T(0));
    Matrix<T> dW(W.size1(), W.size2(), T(0));
    for (std::size_t i = 0; i < X.size1(); ++i)
        for (std::size_t l = 0; l < X.size2(); ++l)
            for (std::size_t j = 0; j < W.size2(); ++j) {
                dX(i, l) += dY(i, j) * W(l, j);  // Y_ij = … + X_il W_lj
                dW(l, j) += X(i, l) * dY(i, j);
            }
    return {dW, dX};
}
// [row_project_backward]

/// The gradient of softmax of every row: dS_i = da_i (diag(a_i) − a_iᵀ a_i), row by row. Shapes: A, dA and dS n×m.
/// Throws shape_error unless dA has the shape of A.
// [row_softmax_backward]
template <class T>
Matrix<T> softmax_backward(const Matrix<T>& A, const Matrix<T>& dA) {
    checks::GradientCheck{{"row::softmax_backward", Tokens::in_rows}}.softmax(A, dA);
    Matrix<T> dS(A.size1(), A.size2());
    for (std::size_t i = 0; i < A.size1(); ++i) {
        T mean(0);
        for (std::size_t k = 0; k < A.size2(); ++k) mean += A(i, k) * dA(i, k);
        for (std::size_t j = 0; j < A.size2(); ++j) dS(i, j) = A(i, j) * (dA(i, j) - mean);  // A_ij = e^{S_ij} / Σ
    }
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
        Matrix<T> dQ(Q.size1(), Q.size2(), T(0));
        Matrix<T> dK(K.size1(), K.size2(), T(0));
        for (std::size_t i = 0; i < Q.size1(); ++i)
            for (std::size_t j = 0; j < K.size1(); ++j)
                for (std::size_t l = 0; l < Q.size2(); ++l) {
                    dQ(i, l) += dS(i, j) * K(j, l);  // S_ij = … + Q_il K_jl
                    dK(j, l) += dS(i, j) * Q(i, l);
                }
        return {dQ, dK};
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
        Matrix<T> dQKt(dS.size1(), dS.size2());
        for (std::size_t i = 0; i < dS.size1(); ++i)
            for (std::size_t j = 0; j < dS.size2(); ++j) dQKt(i, j) = dS(i, j) / root;  // S_ij = (QKᵀ)_ij / √d_k
        return dot_product_backward(Q, K, dQKt);
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
    Matrix<T> dW(W.size1(), W.size2(), T(0));
    Matrix<T> dQ(Q.size1(), Q.size2(), T(0));
    Matrix<T> dK(K.size1(), K.size2(), T(0));
    for (std::size_t i = 0; i < Q.size1(); ++i)
        for (std::size_t j = 0; j < K.size1(); ++j)
            for (std::size_t a = 0; a < Q.size2(); ++a)
                for (std::size_t b = 0; b < K.size2(); ++b) {
                    dW(a, b) += Q(i, a) * dS(i, j) * K(j, b);  // S_ij = … + Q_ia W_ab K_jb
                    dQ(i, a) += dS(i, j) * W(a, b) * K(j, b);
                    dK(j, b) += dS(i, j) * Q(i, a) * W(a, b);
                }
    return {dW, dQ, dK};
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
    const ProductGradients<T> product = project_backward(A, V, dO);  // O = A V
    const Matrix<T> dS = softmax_backward(A, product.dX);            // A = Softmax(S)
    const ScoreGradients<T> compared = f_backward(Q, K, dS);         // S = f(Q, K)
    check.score_gradients(compared, Q, K);
    return {compared.dQ, compared.dK, product.dW};
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
    const Matrix<T> Q_h = project(Q, head_h.W_Q);
    const Matrix<T> K_h = project(K, head_h.W_K);
    const Matrix<T> V_h = project(V, head_h.W_V);
    const AttentionGradients<T> d =
        attention_backward(Q_h, K_h, V_h, f, f_backward, dO);                // O = Attention(Q_h, K_h, V_h)
    const ProductGradients<T> of_Q = project_backward(Q, head_h.W_Q, d.dQ);  // Q_h = Q W_Q
    const ProductGradients<T> of_K = project_backward(K, head_h.W_K, d.dK);  // K_h = K W_K
    const ProductGradients<T> of_V = project_backward(V, head_h.W_V, d.dV);  // V_h = V W_V
    const Matrix<T> dW_O(head_h.W_O.size1(), head_h.W_O.size2(), T(0));
    return {{of_Q.dW, of_K.dW, of_V.dW, dW_O}, of_Q.dX, of_K.dX, of_V.dX};
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
                              Matrix<T>(Q.size1(), Q.size2(), T(0)),
                              Matrix<T>(K.size1(), K.size2(), T(0)),
                              Matrix<T>(V.size1(), V.size2(), T(0))};
    for (const Head<T>& h : weights) {
        const Matrix<T> head_h = head(h, Q, K, V, f);
        const ProductGradients<T> out = project_backward(head_h, h.W_O, dO);    // O = … + head_h W_h^O
        HeadGradients<T> d = head_backward(h, Q, K, V, f, f_backward, out.dX);  // head_h = head(h, Q, K, V)
        d.dhead.W_O = out.dW;
        sum.dweights.push_back(d.dhead);
        add(sum.dQ, d.dQ);
        add(sum.dK, d.dK);
        add(sum.dV, d.dV);
    }
    return sum;
}
// [row_multi_head_backward]

}  // namespace multihead::loops::row
