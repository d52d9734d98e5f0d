#pragma once
/// \file
/// The hand `algebra` as an object: it names the functions of its namespace and adds nothing.

#include <multihead/algebra/attention.hpp>
#include <multihead/algebra/gradients.hpp>
#include <multihead/algebra/multi_head.hpp>
#include <multihead/algebra/multi_head_gradients.hpp>
#include <multihead/algebra/residual.hpp>
#include <multihead/algebra/row.hpp>
#include <multihead/algebra/row_gradients.hpp>
#include <multihead/hand.hpp>

namespace multihead {

/// Softmax of `algebra`, in the worlds where nothing else is asked.
template <class T>
struct AlgebraSoftmax : SoftmaxHand<T> {
    Matrix<Value<T>> softmax(const Matrix<T>& S) const override { return algebra::softmax(S); }
};

/// All functions of `algebra`.
template <class T>
struct Algebra : Hand<T> {
    using M = Matrix<T>;
    using Weights = MultiHeadWeights<T>;
    using RowWeights = row::MultiHeadWeights<T>;

    M dot_product(const M& Q, const M& K) const override { return algebra::dot_product(Q, K); }
    M scaled_dot_product(const M& Q, const M& K) const override { return algebra::scaled_dot_product(Q, K); }
    M bilinear(const M& W, const M& Q, const M& K) const override { return algebra::bilinear<T>{W}(Q, K); }
    M additive(const M& W_q, const M& W_k, const M& w, const M& Q, const M& K) const override {
        return algebra::additive<T>{W_q, W_k, w}(Q, K);
    }
    M gaussian_kernel(const T& h, const M& Q, const M& K) const override {
        return algebra::gaussian_kernel<T>{h}(Q, K);
    }

    M softmax(const M& S) const override { return algebra::softmax(S); }
    M mix(const M& V, const M& A) const override { return algebra::mix(V, A); }
    M attention(const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return algebra::attention(Q, K, V, f);
    }
    M attention_weights(const M& Q, const M& K, const Score<T>& f) const override {
        return algebra::attention_weights(Q, K, f);
    }

    M head(const Head<T>& head_h, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return algebra::head(head_h, Q, K, V, f);
    }
    M multi_head(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return algebra::multi_head(w, Q, K, V, f);
    }
    M multi_head_sum(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return algebra::multi_head_sum(w, Q, K, V, f);
    }
    M multi_head_expanded(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return algebra::multi_head_expanded(w, Q, K, V, f);
    }
    M packed_W_Q(const Weights& w) const override { return algebra::packed_W_Q(w); }
    M packed_W_K(const Weights& w) const override { return algebra::packed_W_K(w); }
    M packed_W_V(const Weights& w) const override { return algebra::packed_W_V(w); }
    M slice(const M& X, std::size_t h, std::size_t H) const override { return algebra::slice(X, h, H); }

    M residual_attention(const std::vector<ResidualHead<T>>& heads, const M& X) const override {
        return algebra::residual_attention(heads, X);
    }
    std::vector<ResidualHead<T>> fold(const Weights& w) const override { return algebra::fold(w); }

    M row_dot_product(const M& Q, const M& K) const override { return algebra::row::dot_product(Q, K); }
    M row_scaled_dot_product(const M& Q, const M& K) const override { return algebra::row::scaled_dot_product(Q, K); }
    M row_bilinear(const M& W, const M& Q, const M& K) const override { return algebra::row::bilinear<T>{W}(Q, K); }
    M row_additive(const M& W_q, const M& W_k, const M& w, const M& Q, const M& K) const override {
        return algebra::row::additive<T>{W_q, W_k, w}(Q, K);
    }
    M row_gaussian_kernel(const T& h, const M& Q, const M& K) const override {
        return algebra::row::gaussian_kernel<T>{h}(Q, K);
    }
    M row_softmax(const M& S) const override { return algebra::row::softmax(S); }
    M row_attention(const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return algebra::row::attention(Q, K, V, f);
    }
    M row_head(const row::Head<T>& head_h, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return algebra::row::head(head_h, Q, K, V, f);
    }
    M row_multi_head(const RowWeights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return algebra::row::multi_head(w, Q, K, V, f);
    }
    M row_multi_head_sum(const RowWeights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return algebra::row::multi_head_sum(w, Q, K, V, f);
    }
    M row_self_attention(const RowWeights& w, const M& X, const Score<T>& f) const override {
        return algebra::row::self_attention(w, X, f);
    }
    std::vector<M> row_self_attention(const RowWeights& w, const std::vector<M>& batch,
                                      const Score<T>& f) const override {
        return algebra::row::self_attention(w, batch, f);
    }

    M softmax_backward(const M& A, const M& dA) const override { return algebra::softmax_backward(A, dA); }
    MixGradients<T> mix_backward(const M& V, const M& A, const M& dO) const override {
        return algebra::mix_backward(V, A, dO);
    }
    ScoreGradients<T> dot_product_backward(const M& Q, const M& K, const M& dS) const override {
        return algebra::dot_product_backward(Q, K, dS);
    }
    ScoreGradients<T> scaled_dot_product_backward(const M& Q, const M& K, const M& dS) const override {
        return algebra::scaled_dot_product_backward(Q, K, dS);
    }
    BilinearGradients<T> bilinear_backward(const M& W, const M& Q, const M& K, const M& dS) const override {
        return algebra::bilinear_backward(W, Q, K, dS);
    }
    AttentionGradients<T> attention_backward(const M& Q, const M& K, const M& V, const Score<T>& f,
                                             const ScoreBackward<T>& f_backward, const M& dO) const override {
        return algebra::attention_backward(Q, K, V, f, f_backward, dO);
    }
    HeadGradients<T> head_backward(const Head<T>& head_h, const M& Q, const M& K, const M& V, const Score<T>& f,
                                   const ScoreBackward<T>& f_backward, const M& dO) const override {
        return algebra::head_backward(head_h, Q, K, V, f, f_backward, dO);
    }
    MultiHeadGradients<T> multi_head_backward(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f,
                                              const ScoreBackward<T>& f_backward, const M& dO) const override {
        return algebra::multi_head_backward(w, Q, K, V, f, f_backward, dO);
    }
    ResidualGradients<T> residual_attention_backward(const std::vector<ResidualHead<T>>& heads, const M& X,
                                                     const M& dY) const override {
        return algebra::residual_attention_backward(heads, X, dY);
    }

    M row_softmax_backward(const M& A, const M& dA) const override { return algebra::row::softmax_backward(A, dA); }
    ScoreGradients<T> row_dot_product_backward(const M& Q, const M& K, const M& dS) const override {
        return algebra::row::dot_product_backward(Q, K, dS);
    }
    ScoreGradients<T> row_scaled_dot_product_backward(const M& Q, const M& K, const M& dS) const override {
        return algebra::row::scaled_dot_product_backward(Q, K, dS);
    }
    BilinearGradients<T> row_bilinear_backward(const M& W, const M& Q, const M& K, const M& dS) const override {
        return algebra::row::bilinear_backward(W, Q, K, dS);
    }
    AttentionGradients<T> row_attention_backward(const M& Q, const M& K, const M& V, const Score<T>& f,
                                                 const ScoreBackward<T>& f_backward, const M& dO) const override {
        return algebra::row::attention_backward(Q, K, V, f, f_backward, dO);
    }
    row::HeadGradients<T> row_head_backward(const row::Head<T>& head_h, const M& Q, const M& K, const M& V,
                                            const Score<T>& f, const ScoreBackward<T>& f_backward,
                                            const M& dO) const override {
        return algebra::row::head_backward(head_h, Q, K, V, f, f_backward, dO);
    }
    row::MultiHeadGradients<T> row_multi_head_backward(const RowWeights& w, const M& Q, const M& K, const M& V,
                                                       const Score<T>& f, const ScoreBackward<T>& f_backward,
                                                       const M& dO) const override {
        return algebra::row::multi_head_backward(w, Q, K, V, f, f_backward, dO);
    }
};

}  // namespace multihead
