#pragma once
/// \file
/// The backward functions of heads, multi-head attention and the residual form, in plain loops.

#include <multihead/gradient_checks.hpp>
#include <multihead/gradients.hpp>
#include <multihead/loops/add.hpp>
#include <multihead/loops/gradients.hpp>
#include <multihead/loops/multi_head.hpp>
#include <multihead/matrix.hpp>
#include <multihead/weights.hpp>

#include <vector>

namespace multihead::loops {

/// The gradients of one head, O = Attention(W_Q Q, W_K K, W_V V). Shapes: Q d_model×n, K and V d_model×m, dO d_v×n;
/// each gradient has the shape of what it belongs to. The head does not use its W_O, whose gradient here is 0. Throws
/// shape_error unless they fit and f and f_backward return the right shapes.
// [head_backward]
template <class T, class F, class G>
HeadGradients<T> head_backward(const Head<T>& head_h, const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V,
                               const F& f, const G& f_backward, const Matrix<T>& dO) {
    checks::GradientCheck{{"head_backward"}}.head(head_h, Q, K, V, dO);
    const Matrix<T> Q_h = project(head_h.W_Q, Q);
    const Matrix<T> K_h = project(head_h.W_K, K);
    const Matrix<T> V_h = project(head_h.W_V, V);
    const AttentionGradients<T> d =
        attention_backward(Q_h, K_h, V_h, f, f_backward, dO);                // O = Attention(Q_h, K_h, V_h)
    const ProductGradients<T> of_Q = project_backward(head_h.W_Q, Q, d.dQ);  // Q_h = W_Q Q
    const ProductGradients<T> of_K = project_backward(head_h.W_K, K, d.dK);  // K_h = W_K K
    const ProductGradients<T> of_V = project_backward(head_h.W_V, V, d.dV);  // V_h = W_V V
    const Matrix<T> dW_O(head_h.W_O.size1(), head_h.W_O.size2(), T(0));
    return {{of_Q.dW, of_K.dW, of_V.dW, dW_O}, of_Q.dX, of_K.dX, of_V.dX};
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
                              Matrix<T>(Q.size1(), Q.size2(), T(0)),
                              Matrix<T>(K.size1(), K.size2(), T(0)),
                              Matrix<T>(V.size1(), V.size2(), T(0))};
    for (const Head<T>& h : weights) {
        const Matrix<T> head_h = head(h, Q, K, V, f);
        const ProductGradients<T> out = project_backward(h.W_O, head_h, dO);    // O = … + W_h^O head_h
        HeadGradients<T> d = head_backward(h, Q, K, V, f, f_backward, out.dX);  // head_h = head(h, Q, K, V)
        d.dhead.W_O = out.dW;
        sum.dweights.push_back(d.dhead);
        add(sum.dQ, d.dQ);
        add(sum.dK, d.dK);
        add(sum.dV, d.dV);
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
        const Matrix<T> Q = project(h.W_Q, X);
        const Matrix<T> K = project(h.W_K, X);
        const Matrix<T> V = project(h.W_V, X);
        const AttentionGradients<T> d =
            attention_backward(Q, K, V, dot_product, dot_product_backward, dY);  // Y = … + V Softmax(KᵀQ)
        const ProductGradients<T> of_Q = project_backward(h.W_Q, X, d.dQ);       // Q = W_Q X
        const ProductGradients<T> of_K = project_backward(h.W_K, X, d.dK);       // K = W_K X
        const ProductGradients<T> of_V = project_backward(h.W_V, X, d.dV);       // V = W_V X
        sum.dheads.push_back({of_Q.dW, of_K.dW, of_V.dW});
        add(sum.dX, of_Q.dX);
        add(sum.dX, of_K.dX);
        add(sum.dX, of_V.dX);
    }
    return sum;
}
// [residual_attention_backward]

}  // namespace multihead::loops
