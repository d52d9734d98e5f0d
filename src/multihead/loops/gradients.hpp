#pragma once
/// \file
/// The backward functions of softmax, scores and attention, in plain loops.
///
/// Each takes the inputs of its forward function and the gradient of that function's result, and returns the gradients
/// of the inputs. Beside every backward line stands the forward line it belongs to.

#include <multihead/gradient_checks.hpp>
#include <multihead/gradients.hpp>
#include <multihead/loops/attention.hpp>
#include <multihead/matrix.hpp>

#include <cmath>

namespace multihead::loops {

/// The gradients of Y = W X: dW = dY Xᵀ and dX = Wᵀ dY. Shapes: W r×c, X c×n, dY r×n; each gradient has the shape of
/// its factor. Throws shape_error unless they fit.
// [project_backward]
template <class T>
ProductGradients<T> project_backward(const Matrix<T>& W, const Matrix<T>& X, const Matrix<T>& dY) {
    checks::GradientCheck{{"project_backward"}}.project(W, X, dY);
    Matrix<T> dW(W.size1(), W.size2(), T(0));
    Matrix<T> dX(X.size1(), X.size2(), T(0));
    for (std::size_t i = 0; i < W.size1(); ++i)
        for (std::size_t l = 0; l < W.size2(); ++l)
            for (std::size_t j = 0; j < X.size2(); ++j) {
                dW(i, l) += dY(i, j) * X(l, j);  // Y_ij = … + W_il X_lj
                dX(l, j) += W(i, l) * dY(i, j);
            }
    return {dW, dX};
}
// [project_backward]

/// The gradient of A = Softmax(S): dS_j = (diag(a_j) − a_j a_jᵀ) da_j, column by column. Shapes: A, dA and dS m×n.
/// Throws shape_error unless dA has the shape of A.
// [softmax_backward]
template <class T>
Matrix<T> softmax_backward(const Matrix<T>& A, const Matrix<T>& dA) {
    checks::GradientCheck{{"softmax_backward"}}.softmax(A, dA);
    Matrix<T> dS(A.size1(), A.size2());
    for (std::size_t j = 0; j < A.size2(); ++j) {
        T mean(0);
        for (std::size_t k = 0; k < A.size1(); ++k) mean += A(k, j) * dA(k, j);
        for (std::size_t i = 0; i < A.size1(); ++i) dS(i, j) = A(i, j) * (dA(i, j) - mean);  // A_ij = e^{S_ij} / Σ
    }
    return dS;
}
// [softmax_backward]

/// The gradients of O = V A: dV = dO Aᵀ and dA = Vᵀ dO. Shapes: V and dV d_v×m, A and dA m×n, dO d_v×n.
/// Throws shape_error unless they fit.
// [mix_backward]
template <class T>
MixGradients<T> mix_backward(const Matrix<T>& V, const Matrix<T>& A, const Matrix<T>& dO) {
    checks::GradientCheck{{"mix_backward"}}.mix(V, A, dO);
    Matrix<T> dV(V.size1(), V.size2(), T(0));
    Matrix<T> dA(A.size1(), A.size2(), T(0));
    for (std::size_t r = 0; r < V.size1(); ++r)
        for (std::size_t i = 0; i < V.size2(); ++i)
            for (std::size_t j = 0; j < A.size2(); ++j) {
                dV(r, i) += dO(r, j) * A(i, j);  // O_rj = … + V_ri A_ij
                dA(i, j) += V(r, i) * dO(r, j);
            }
    return {dV, dA};
}
// [mix_backward]

/// The gradients of S = KᵀQ: dQ = K dS and dK = Q dSᵀ. Shapes: Q and dQ d_k×n, K and dK d_k×m, dS m×n.
/// Throws shape_error unless they fit.
struct DotProductBackward {
    // [dot_product_backward]
    template <class T>
    ScoreGradients<T> operator()(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& dS) const {
        checks::GradientCheck{{"dot_product_backward"}}.scores(Q, K, dS);
        Matrix<T> dQ(Q.size1(), Q.size2(), T(0));
        Matrix<T> dK(K.size1(), K.size2(), T(0));
        for (std::size_t l = 0; l < Q.size1(); ++l)
            for (std::size_t i = 0; i < K.size2(); ++i)
                for (std::size_t j = 0; j < Q.size2(); ++j) {
                    dQ(l, j) += K(l, i) * dS(i, j);  // S_ij = … + K_li Q_lj
                    dK(l, i) += Q(l, j) * dS(i, j);
                }
        return {dQ, dK};
    }
    // [dot_product_backward]
};
/// The backward function of dot_product.
inline constexpr DotProductBackward dot_product_backward{};

/// The gradients of S = KᵀQ / √d_k. Shapes and errors as dot_product_backward.
struct ScaledDotProductBackward {
    // [scaled_dot_product_backward]
    template <class T>
    ScoreGradients<T> operator()(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& dS) const {
        checks::GradientCheck{{"scaled_dot_product_backward"}}.scores(Q, K, dS);
        using std::sqrt;
        const T root = sqrt(T(Q.size1()));
        Matrix<T> dKtQ(dS.size1(), dS.size2());
        for (std::size_t i = 0; i < dS.size1(); ++i)
            for (std::size_t j = 0; j < dS.size2(); ++j) dKtQ(i, j) = dS(i, j) / root;  // S_ij = (KᵀQ)_ij / √d_k
        return dot_product_backward(Q, K, dKtQ);
    }
    // [scaled_dot_product_backward]
};
/// The backward function of scaled_dot_product.
inline constexpr ScaledDotProductBackward scaled_dot_product_backward{};

/// The gradients of S = Kᵀ W Q: dW = K dS Qᵀ, dQ = Wᵀ K dS and dK = W Q dSᵀ. Shapes: W (dimension of keys) × (dimension
/// of queries), Q with n columns, K with m, dS m×n; each gradient has the shape of what it belongs to.
/// Throws shape_error unless they fit.
// [bilinear_backward]
template <class T>
BilinearGradients<T> bilinear_backward(const Matrix<T>& W, const Matrix<T>& Q, const Matrix<T>& K,
                                       const Matrix<T>& dS) {
    checks::GradientCheck{{"bilinear_backward"}}.bilinear(W, Q, K, dS);
    Matrix<T> dW(W.size1(), W.size2(), T(0));
    Matrix<T> dQ(Q.size1(), Q.size2(), T(0));
    Matrix<T> dK(K.size1(), K.size2(), T(0));
    for (std::size_t i = 0; i < K.size2(); ++i)
        for (std::size_t j = 0; j < Q.size2(); ++j)
            for (std::size_t a = 0; a < K.size1(); ++a)
                for (std::size_t b = 0; b < Q.size1(); ++b) {
                    dW(a, b) += K(a, i) * Q(b, j) * dS(i, j);  // S_ij = … + K_ai W_ab Q_bj
                    dQ(b, j) += K(a, i) * W(a, b) * dS(i, j);
                    dK(a, i) += W(a, b) * Q(b, j) * dS(i, j);
                }
    return {dW, dQ, dK};
}
// [bilinear_backward]

/// The gradients of O = Attention(Q, K, V), for a score function f and its backward function f_backward(Q, K, dS),
/// which returns ScoreGradients. Shapes: Q and dQ d_k×n, K and dK d_k×m, V and dV d_v×m, dO d_v×n. Throws shape_error
/// unless they fit and f and f_backward return the right shapes.
// [attention_backward]
template <class T, class F, class G>
AttentionGradients<T> attention_backward(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V, const F& f,
                                         const G& f_backward, const Matrix<T>& dO) {
    constexpr checks::GradientCheck check{{"attention_backward"}};
    check.attention(Q, K, V, dO);
    const Matrix<T> A = attention_weights(Q, K, f);
    const MixGradients<T> product = mix_backward(V, A, dO);   // O = V A
    const Matrix<T> dS = softmax_backward(A, product.dA);     // A = Softmax(S)
    const ScoreGradients<T> compared = f_backward(Q, K, dS);  // S = f(Q, K)
    check.score_gradients(compared, Q, K);
    return {compared.dQ, compared.dK, product.dV};
}
// [attention_backward]

}  // namespace multihead::loops
