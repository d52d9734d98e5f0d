#pragma once
/// \file
/// The backward functions of softmax, scores and attention, in uBLAS.
///
/// Each takes the inputs of its forward function and the gradient of that function's result, and returns the gradients
/// of the inputs. Beside every backward line stands the forward line it belongs to.

#include <multihead/algebra/attention.hpp>
#include <multihead/gradient_checks.hpp>
#include <multihead/gradients.hpp>
#include <multihead/matrix.hpp>

#include <boost/numeric/ublas/matrix_proxy.hpp>
#include <boost/numeric/ublas/vector.hpp>

#include <cmath>

namespace multihead::algebra {

/// The gradient of one column a = Softmax(s): (diag(a) − a aᵀ) da = a ∘ da − (aᵀ da) a. Throws shape_error unless da
/// has as many entries as a.
// [softmax_gradient_of]
template <class T>
ublas::vector<T> softmax_gradient_of(const ublas::vector<T>& a, const ublas::vector<T>& da) {
    checks::same_size("softmax_gradient_of", "da", da.size(), "a", a.size());
    return ublas::element_prod(a, da) - ublas::inner_prod(a, da) * a;
}
// [softmax_gradient_of]

/// The gradient of A = Softmax(S), column by column. Shapes: A, dA and dS m×n.
/// Throws shape_error unless dA has the shape of A.
// [softmax_backward]
template <class T>
Matrix<T> softmax_backward(const Matrix<T>& A, const Matrix<T>& dA) {
    checks::GradientCheck{{"softmax_backward"}}.softmax(A, dA);
    Matrix<T> dS(A.size1(), A.size2());
    for (std::size_t j = 0; j < A.size2(); ++j)
        ublas::column(dS, j) = softmax_gradient_of<T>(ublas::column(A, j), ublas::column(dA, j));
    return dS;
}
// [softmax_backward]

/// The gradients of O = V A: dV = dO Aᵀ and dA = Vᵀ dO. Shapes: V and dV d_v×m, A and dA m×n, dO d_v×n.
/// Throws shape_error unless they fit.
// [mix_backward]
template <class T>
MixGradients<T> mix_backward(const Matrix<T>& V, const Matrix<T>& A, const Matrix<T>& dO) {
    checks::GradientCheck{{"mix_backward"}}.mix(V, A, dO);
    return {ublas::prod(dO, ublas::trans(A)), ublas::prod(ublas::trans(V), dO)};  // O = V A
}
// [mix_backward]

/// The gradients of S = KᵀQ: dQ = K dS and dK = Q dSᵀ. Shapes: Q and dQ d_k×n, K and dK d_k×m, dS m×n.
/// Throws shape_error unless they fit.
struct DotProductBackward {
    // [dot_product_backward]
    template <class T>
    ScoreGradients<T> operator()(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& dS) const {
        checks::GradientCheck{{"dot_product_backward"}}.scores(Q, K, dS);
        return {ublas::prod(K, dS), ublas::prod(Q, ublas::trans(dS))};  // S = KᵀQ
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
        return {ublas::prod(K, dS) / root, ublas::prod(Q, ublas::trans(dS)) / root};  // S = KᵀQ / √d_k
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
    const Matrix<T> WQ = ublas::prod(W, Q);
    const Matrix<T> dWQ = ublas::prod(K, dS);  // S = Kᵀ (W Q)
    return {ublas::prod(dWQ, ublas::trans(Q)), ublas::prod(ublas::trans(W), dWQ), ublas::prod(WQ, ublas::trans(dS))};
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
    const Matrix<T> dA = ublas::prod(ublas::trans(V), dO);    // O = V A
    const Matrix<T> dS = softmax_backward(A, dA);             // A = Softmax(S)
    const ScoreGradients<T> compared = f_backward(Q, K, dS);  // S = f(Q, K)
    check.score_gradients(compared, Q, K);
    return {compared.dQ, compared.dK, ublas::prod(dO, ublas::trans(A))};  // O = V A
}
// [attention_backward]

}  // namespace multihead::algebra
