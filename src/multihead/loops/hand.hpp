#pragma once
/// \file
/// The hand `loops` as an object: it names the functions of its namespace and adds nothing.

#include <multihead/hand.hpp>
#include <multihead/loops/attention.hpp>
#include <multihead/loops/gradients.hpp>
#include <multihead/loops/multi_head.hpp>
#include <multihead/loops/multi_head_gradients.hpp>
#include <multihead/loops/residual.hpp>
#include <multihead/loops/row.hpp>
#include <multihead/loops/row_gradients.hpp>

namespace multihead {

/// Softmax of `loops`, in the worlds where nothing else is asked.
template <class T>
struct LoopsSoftmax : SoftmaxHand<T> {
    Matrix<Value<T>> softmax(const Matrix<T>& S) const override { return loops::softmax(S); }
};

/// All functions of `loops`.
template <class T>
struct Loops : Hand<T> {
    using M = Matrix<T>;
    using Weights = MultiHeadWeights<T>;
    using RowWeights = row::MultiHeadWeights<T>;

    M dot_product(const M& Q, const M& K) const override { return loops::dot_product(Q, K); }
    M scaled_dot_product(const M& Q, const M& K) const override { return loops::scaled_dot_product(Q, K); }
    M bilinear(const M& W, const M& Q, const M& K) const override { return loops::bilinear<T>{W}(Q, K); }
    M additive(const M& W_q, const M& W_k, const M& w, const M& Q, const M& K) const override {
        return loops::additive<T>{W_q, W_k, w}(Q, K);
    }
    M gaussian_kernel(const T& h, const M& Q, const M& K) const override { return loops::gaussian_kernel<T>{h}(Q, K); }

    M softmax(const M& S) const override { return loops::softmax(S); }
    M mix(const M& V, const M& A) const override { return loops::mix(V, A); }
    M attention(const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return loops::attention(Q, K, V, f);
    }
    M attention_weights(const M& Q, const M& K, const Score<T>& f) const override {
        return loops::attention_weights(Q, K, f);
    }

    M head(const Head<T>& head_h, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return loops::head(head_h, Q, K, V, f);
    }
    M multi_head(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return loops::multi_head(w, Q, K, V, f);
    }
    M multi_head_sum(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return loops::multi_head_sum(w, Q, K, V, f);
    }
    M multi_head_expanded(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return loops::multi_head_expanded(w, Q, K, V, f);
    }
    M packed_W_Q(const Weights& w) const override { return loops::packed_W_Q(w); }
    M packed_W_K(const Weights& w) const override { return loops::packed_W_K(w); }
    M packed_W_V(const Weights& w) const override { return loops::packed_W_V(w); }
    M slice(const M& X, std::size_t h, std::size_t H) const override { return loops::slice(X, h, H); }

    M residual_attention(const std::vector<ResidualHead<T>>& heads, const M& X) const override {
        return loops::residual_attention(heads, X);
    }
    std::vector<ResidualHead<T>> fold(const Weights& w) const override { return loops::fold(w); }

    M row_dot_product(const M& Q, const M& K) const override { return loops::row::dot_product(Q, K); }
    M row_scaled_dot_product(const M& Q, const M& K) const override { return loops::row::scaled_dot_product(Q, K); }
    M row_bilinear(const M& W, const M& Q, const M& K) const override { return loops::row::bilinear<T>{W}(Q, K); }
    M row_additive(const M& W_q, const M& W_k, const M& w, const M& Q, const M& K) const override {
        return loops::row::additive<T>{W_q, W_k, w}(Q, K);
    }
    M row_gaussian_kernel(const T& h, const M& Q, const M& K) const override {
        return loops::row::gaussian_kernel<T>{h}(Q, K);
    }
    M row_softmax(const M& S) const override { return loops::row::softmax(S); }
    M row_attention(const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return loops::row::attention(Q, K, V, f);
    }
    M row_head(const row::Head<T>& head_h, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return loops::row::head(head_h, Q, K, V, f);
    }
    M row_multi_head(const RowWeights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return loops::row::multi_head(w, Q, K, V, f);
    }
    M row_multi_head_sum(const RowWeights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return loops::row::multi_head_sum(w, Q, K, V, f);
    }
    M row_self_attention(const RowWeights& w, const M& X, const Score<T>& f) const override {
        return loops::row::self_attention(w, X, f);
    }
    std::vector<M> row_self_attention(const RowWeights& w, const std::vector<M>& batch,
                                      const Score<T>& f) const override {
        return loops::row::self_attention(w, batch, f);
    }

    M softmax_backward(const M& A, const M& dA) const override { return loops::softmax_backward(A, dA); }
    MixGradients<T> mix_backward(const M& V, const M& A, const M& dO) const override {
        return loops::mix_backward(V, A, dO);
    }
    ScoreGradients<T> dot_product_backward(const M& Q, const M& K, const M& dS) const override {
        return loops::dot_product_backward(Q, K, dS);
    }
    ScoreGradients<T> scaled_dot_product_backward(const M& Q, const M& K, const M& dS) const override {
        return loops::scaled_dot_product_backward(Q, K, dS);
    }
    BilinearGradients<T> bilinear_backward(const M& W, const M& Q, const M& K, const M& dS) const override {
        return loops::bilinear_backward(W, Q, K, dS);
    }
    AttentionGradients<T> attention_backward(const M& Q, const M& K, const M& V, const Score<T>& f,
                                             const ScoreBackward<T>& f_backward, const M& dO) const override {
        return loops::attention_backward(Q, K, V, f, f_backward, dO);
    }
    HeadGradients<T> head_backward(const Head<T>& head_h, const M& Q, const M& K, const M& V, const Score<T>& f,
                                   const ScoreBackward<T>& f_backward, const M& dO) const override {
        return loops::head_backward(head_h, Q, K, V, f, f_backward, dO);
    }
    MultiHeadGradients<T> multi_head_backward(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f,
                                              const ScoreBackward<T>& f_backward, const M& dO) const override {
        return loops::multi_head_backward(w, Q, K, V, f, f_backward, dO);
    }
    ResidualGradients<T> residual_attention_backward(const std::vector<ResidualHead<T>>& heads, const M& X,
                                                     const M& dY) const override {
        return loops::residual_attention_backward(heads, X, dY);
    }

    M row_softmax_backward(const M& A, const M& dA) const override { return loops::row::softmax_backward(A, dA); }
    ScoreGradients<T> row_dot_product_backward(const M& Q, const M& K, const M& dS) const override {
        return loops::row::dot_product_backward(Q, K, dS);
    }
    ScoreGradients<T> row_scaled_dot_product_backward(const M& Q, const M& K, const M& dS) const override {
        return loops::row::scaled_dot_product_backward(Q, K, dS);
    }
    BilinearGradients<T> row_bilinear_backward(const M& W, const M& Q, const M& K, const M& dS) const override {
        return loops::row::bilinear_backward(W, Q, K, dS);
    }
    AttentionGradients<T> row_attention_backward(const M& Q, const M& K, const M& V, const Score<T>& f,
                                                 const ScoreBackward<T>& f_backward, const M& dO) const override {
        return loops::row::attention_backward(Q, K, V, f, f_backward, dO);
    }
    row::HeadGradients<T> row_head_backward(const row::Head<T>& head_h, const M& Q, const M& K, const M& V,
                                            const Score<T>& f, const ScoreBackward<T>& f_backward,
                                            const M& dO) const override {
        return loops::row::head_backward(head_h, Q, K, V, f, f_backward, dO);
    }
    row::MultiHeadGradients<T> row_multi_head_backward(const RowWeights& w, const M& Q, const M& K, const M& V,
                                                       const Score<T>& f, const ScoreBackward<T>& f_backward,
                                                       const M& dO) const override {
        return loops::row::multi_head_backward(w, Q, K, V, f, f_backward, dO);
    }
};

}  // namespace multihead
