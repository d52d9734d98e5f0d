#pragma once
/// \file
/// The backward functions of heads, multi-head attention and the residual form, in uBLAS.

#include <multihead/algebra/gradients.hpp>
#include <multihead/algebra/multi_head.hpp>
#include <multihead/gradient_checks.hpp>
#include <multihead/gradients.hpp>
#include <multihead/matrix.hpp>
#include <multihead/weights.hpp>

#include <vector>

namespace multihead::algebra {

/// The gradients of one head, O = Attention(W_Q Q, W_K K, W_V V). Shapes: Q d_model×n, K and V d_model×m, dO d_v×n;
/// each gradient has the shape of what it belongs to. The head does not use its W_O, whose gradient here is 0. Throws
/// shape_error unless they fit and f and f_backward return the right shapes.
// [head_backward]
template <class T, class F, class G>
HeadGradients<T> head_backward(const Head<T>& head_h, const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V,
                               const F& f, const G& f_backward, const Matrix<T>& dO) {
    checks::GradientCheck{{"head_backward"}}.head(head_h, Q, K, V, dO);
    const Matrix<T> Q_h = ublas::prod(head_h.W_Q, Q);
    const Matrix<T> K_h = ublas::prod(head_h.W_K, K);
    const Matrix<T> V_h = ublas::prod(head_h.W_V, V);
    const AttentionGradients<T> d =
        attention_backward(Q_h, K_h, V_h, f, f_backward, dO);  // O = Attention(Q_h, K_h, V_h)
    return {{ublas::prod(d.dQ, ublas::trans(Q)),               // Q_h = W_Q Q
             ublas::prod(d.dK, ublas::trans(K)),               // K_h = W_K K
             ublas::prod(d.dV, ublas::trans(V)),               // V_h = W_V V
             ublas::zero_matrix<T>(head_h.W_O.size1(), head_h.W_O.size2())},
            ublas::prod(ublas::trans(head_h.W_Q), d.dQ),   // Q_h = W_Q Q
            ublas::prod(ublas::trans(head_h.W_K), d.dK),   // K_h = W_K K
            ublas::prod(ublas::trans(head_h.W_V), d.dV)};  // V_h = W_V V
}
// [head_backward]

/// The gradients of multi-head attention, O = Σ_h W_h^O head_h. Shapes: Q d_model×n, K and V d_model×m, dO d_model×n;
/// each gradient has the shape of what it belongs to. All heads read the same Q, K and V, so their gradients add.
/// Throws shape_error unless they fit and f and f_backward return the right shapes.
// [multi_head_backward]
template <class T, class F, class G>
MultiHeadGradients<T> multi_head_backward(const MultiHeadWeights<T>& weights, const Matrix<T>& Q, const Matrix<T>& K,
                                          const Matrix<T>& V, const F& f, const G& f_backward, const Matrix<T>& dO) {
    checks::GradientCheck{{"multi_head_backward"}}.multi_head(weights, Q, K, V, dO);
    MultiHeadGradients<T> sum{{},
                              ublas::zero_matrix<T>(Q.size1(), Q.size2()),
                              ublas::zero_matrix<T>(K.size1(), K.size2()),
                              ublas::zero_matrix<T>(V.size1(), V.size2())};
    for (const Head<T>& h : weights) {
        const Matrix<T> head_h = head(h, Q, K, V, f);
        const Matrix<T> dhead_h = ublas::prod(ublas::trans(h.W_O), dO);          // O = … + W_h^O head_h
        HeadGradients<T> d = head_backward(h, Q, K, V, f, f_backward, dhead_h);  // head_h = head(h, Q, K, V)
        d.dhead.W_O = ublas::prod(dO, ublas::trans(head_h));                     // O = … + W_h^O head_h
        sum.dweights.push_back(d.dhead);
        ublas::noalias(sum.dQ) += d.dQ;
        ublas::noalias(sum.dK) += d.dK;
        ublas::noalias(sum.dV) += d.dV;
    }
    return sum;
}
// [multi_head_backward]

/// The gradients of Y = X + Σ_h (W_h^V X) Softmax[(W_h^K X)ᵀ (W_h^Q X)]. Shapes: X, dY and dX d_model×n; each gradient
/// of a weight has its shape. X enters once by itself and three times in every head: all of these gradients add. Throws
/// shape_error unless they fit.
// [residual_attention_backward]
template <class T>
ResidualGradients<T> residual_attention_backward(const std::vector<ResidualHead<T>>& heads, const Matrix<T>& X,
                                                 const Matrix<T>& dY) {
    checks::GradientCheck{{"residual_attention_backward"}}.residual(heads, X, dY);
    ResidualGradients<T> sum{{}, dY};  // Y = X + …
    for (const ResidualHead<T>& h : heads) {
        const Matrix<T> Q = ublas::prod(h.W_Q, X);
        const Matrix<T> K = ublas::prod(h.W_K, X);
        const Matrix<T> V = ublas::prod(h.W_V, X);
        const AttentionGradients<T> d =
            attention_backward(Q, K, V, dot_product, dot_product_backward, dY);  // Y = … + V Softmax(KᵀQ)
        sum.dheads.push_back({ublas::prod(d.dQ, ublas::trans(X)),                // Q = W_Q X
                              ublas::prod(d.dK, ublas::trans(X)),                // K = W_K X
                              ublas::prod(d.dV, ublas::trans(X))});              // V = W_V X
        ublas::noalias(sum.dX) += ublas::prod(ublas::trans(h.W_Q), d.dQ);        // Q = W_Q X
        ublas::noalias(sum.dX) += ublas::prod(ublas::trans(h.W_K), d.dK);        // K = W_K X
        ublas::noalias(sum.dX) += ublas::prod(ublas::trans(h.W_V), d.dV);        // V = W_V X
    }
    return sum;
}
// [residual_attention_backward]

}  // namespace multihead::algebra
