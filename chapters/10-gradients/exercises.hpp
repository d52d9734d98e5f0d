#pragma once
/// \file
/// Solutions of chapter 10's exercises that are code.

#include "prediction.hpp"

#include <multihead/gradients.hpp>

#include <vector>

namespace chapters {

/// Exercise 10.3: the backward function of gaussian_kernel{h}, S_ij = −‖q_j − k_i‖² / (2 h²).
// [gaussian_kernel_backward]
template <class T>
struct GaussianKernelBackward {
    T h;

    multihead::ScoreGradients<T> operator()(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& dS) const {
        Matrix<T> dQ(Q.size1(), Q.size2(), T(0));
        Matrix<T> dK(K.size1(), K.size2(), T(0));
        for (std::size_t l = 0; l < Q.size1(); ++l)
            for (std::size_t i = 0; i < K.size2(); ++i)
                for (std::size_t j = 0; j < Q.size2(); ++j) {
                    const T pull = dS(i, j) * (K(l, i) - Q(l, j)) / (h * h);  // S_ij = … − (Q_lj − K_li)² / (2 h²)
                    dQ(l, j) += pull;
                    dK(l, i) -= pull;
                }
        return {dQ, dK};
    }
};
// [gaussian_kernel_backward]

/// Exercise 10.5: the mean of (predicted − next)² over all examples, for each attribute: d × 1.
// [loss_by_attribute]
template <class Hand>
Matrix<double> loss_by_attribute(const MultiHeadWeights<double>& weights, const std::vector<Example<double>>& all) {
    Matrix<double> means(all.front().next.size1(), 1, 0.0);
    for (const Example<double>& e : all) {
        const Matrix<double> error = predicted<Hand>(weights, e) - e.next;
        for (std::size_t i = 0; i < error.size1(); ++i) means(i, 0) += error(i, 0) * error(i, 0) / double(all.size());
    }
    return means;
}
// [loss_by_attribute]

/// Exercise 10.7: what gradient descent keeps, up to the square of its rate: W_Q W_Qᵀ − W_K W_Kᵀ of one head, d_k ×
/// d_k.
// [kept]
template <class T>
Matrix<T> kept(const multihead::Head<T>& h) {
    return multihead::loops::project(h.W_Q, multihead::transposed(h.W_Q)) -
           multihead::loops::project(h.W_K, multihead::transposed(h.W_K));
}
// [kept]

}  // namespace chapters
