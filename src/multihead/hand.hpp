#pragma once
/// \file
/// A hand: one complete implementation of the book's functions, as an object, so that a law can be asked of any hand.

#include <multihead/gradients.hpp>
#include <multihead/matrix.hpp>
#include <multihead/patches.hpp>
#include <multihead/scalar.hpp>
#include <multihead/weights.hpp>

#include <functional>
#include <vector>

namespace multihead {

/// A score function with its type erased: f(Q, K) → S.
template <class T>
using Score = std::function<Matrix<T>(const Matrix<T>&, const Matrix<T>&)>;

/// The backward function of a score function with its type erased: f_backward(Q, K, dS) → {dQ, dK}.
template <class T>
using ScoreBackward = std::function<ScoreGradients<T>(const Matrix<T>&, const Matrix<T>&, const Matrix<T>&)>;

/// The one function that makes sense in every world, also where weights are other numbers than scores.
template <class T>
struct SoftmaxHand {
    virtual ~SoftmaxHand() = default;
    /// Softmax of every column.
    virtual Matrix<Value<T>> softmax(const Matrix<T>& S) const = 0;
};

/// Every function of the book under one name. The functions are those of `loops` and `algebra`; `row_` stands for their
/// namespace `row`. Shapes and errors are documented there.
template <class T>
struct Hand : SoftmaxHand<T> {
    using M = Matrix<T>;                          ///< shorthand
    using Weights = MultiHeadWeights<T>;          ///< shorthand
    using RowWeights = row::MultiHeadWeights<T>;  ///< shorthand

    virtual M dot_product(const M& Q, const M& K) const = 0;
    virtual M scaled_dot_product(const M& Q, const M& K) const = 0;
    virtual M bilinear(const M& W, const M& Q, const M& K) const = 0;
    virtual M additive(const M& W_q, const M& W_k, const M& w, const M& Q, const M& K) const = 0;
    virtual M gaussian_kernel(const T& h, const M& Q, const M& K) const = 0;

    virtual M mix(const M& V, const M& A) const = 0;
    virtual M attention(const M& Q, const M& K, const M& V, const Score<T>& f) const = 0;
    virtual M attention_weights(const M& Q, const M& K, const Score<T>& f) const = 0;

    virtual M head(const Head<T>& head_h, const M& Q, const M& K, const M& V, const Score<T>& f) const = 0;
    virtual M multi_head(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const = 0;
    virtual M multi_head_sum(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const = 0;
    virtual M multi_head_expanded(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const = 0;
    virtual M packed_W_Q(const Weights& w) const = 0;
    virtual M packed_W_K(const Weights& w) const = 0;
    virtual M packed_W_V(const Weights& w) const = 0;
    virtual M slice(const M& X, std::size_t h, std::size_t H) const = 0;

    virtual M residual_attention(const std::vector<ResidualHead<T>>& heads, const M& X) const = 0;
    virtual std::vector<ResidualHead<T>> fold(const Weights& w) const = 0;

    virtual M row_dot_product(const M& Q, const M& K) const = 0;
    virtual M row_scaled_dot_product(const M& Q, const M& K) const = 0;
    virtual M row_bilinear(const M& W, const M& Q, const M& K) const = 0;
    virtual M row_additive(const M& W_q, const M& W_k, const M& w, const M& Q, const M& K) const = 0;
    virtual M row_gaussian_kernel(const T& h, const M& Q, const M& K) const = 0;
    virtual M row_softmax(const M& S) const = 0;
    virtual M row_attention(const M& Q, const M& K, const M& V, const Score<T>& f) const = 0;
    virtual M row_head(const row::Head<T>& head_h, const M& Q, const M& K, const M& V, const Score<T>& f) const = 0;
    virtual M row_multi_head(const RowWeights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const = 0;
    virtual M row_multi_head_sum(const RowWeights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const = 0;
    virtual M row_self_attention(const RowWeights& w, const M& X, const Score<T>& f) const = 0;
    virtual std::vector<M> row_self_attention(const RowWeights& w, const std::vector<M>& batch,
                                              const Score<T>& f) const = 0;

    virtual M softmax_backward(const M& A, const M& dA) const = 0;
    virtual MixGradients<T> mix_backward(const M& V, const M& A, const M& dO) const = 0;
    virtual ScoreGradients<T> dot_product_backward(const M& Q, const M& K, const M& dS) const = 0;
    virtual ScoreGradients<T> scaled_dot_product_backward(const M& Q, const M& K, const M& dS) const = 0;
    virtual BilinearGradients<T> bilinear_backward(const M& W, const M& Q, const M& K, const M& dS) const = 0;
    virtual AttentionGradients<T> attention_backward(const M& Q, const M& K, const M& V, const Score<T>& f,
                                                     const ScoreBackward<T>& f_backward, const M& dO) const = 0;
    virtual HeadGradients<T> head_backward(const Head<T>& head_h, const M& Q, const M& K, const M& V, const Score<T>& f,
                                           const ScoreBackward<T>& f_backward, const M& dO) const = 0;
    virtual MultiHeadGradients<T> multi_head_backward(const Weights& w, const M& Q, const M& K, const M& V,
                                                      const Score<T>& f, const ScoreBackward<T>& f_backward,
                                                      const M& dO) const = 0;
    virtual ResidualGradients<T> residual_attention_backward(const std::vector<ResidualHead<T>>& heads, const M& X,
                                                             const M& dY) const = 0;

    virtual M row_softmax_backward(const M& A, const M& dA) const = 0;
    virtual ScoreGradients<T> row_dot_product_backward(const M& Q, const M& K, const M& dS) const = 0;
    virtual ScoreGradients<T> row_scaled_dot_product_backward(const M& Q, const M& K, const M& dS) const = 0;
    virtual BilinearGradients<T> row_bilinear_backward(const M& W, const M& Q, const M& K, const M& dS) const = 0;
    virtual AttentionGradients<T> row_attention_backward(const M& Q, const M& K, const M& V, const Score<T>& f,
                                                         const ScoreBackward<T>& f_backward, const M& dO) const = 0;
    virtual row::HeadGradients<T> row_head_backward(const row::Head<T>& head_h, const M& Q, const M& K, const M& V,
                                                    const Score<T>& f, const ScoreBackward<T>& f_backward,
                                                    const M& dO) const = 0;
    virtual row::MultiHeadGradients<T> row_multi_head_backward(const RowWeights& w, const M& Q, const M& K, const M& V,
                                                               const Score<T>& f, const ScoreBackward<T>& f_backward,
                                                               const M& dO) const = 0;

    /// Views that both hands share; a refutation may still get them wrong.
    virtual M patches(const M& picture, std::size_t rows, std::size_t columns) const {
        return multihead::patches(picture, rows, columns);
    }
    /// The inverse of patches.
    virtual M picture(const M& tokens, std::size_t rows, std::size_t columns, std::size_t height) const {
        return multihead::picture(tokens, rows, columns, height);
    }

    /// This hand's dot product as a score function.
    Score<T> dot() const {
        return [this](const M& Q, const M& K) { return dot_product(Q, K); };
    }
    /// This hand's bilinear form as a score function.
    Score<T> form(const M& W) const {
        return [this, W](const M& Q, const M& K) { return bilinear(W, Q, K); };
    }
    /// This hand's dot product in rows as a score function.
    Score<T> row_dot() const {
        return [this](const M& Q, const M& K) { return row_dot_product(Q, K); };
    }
    /// This hand's bilinear form in rows as a score function.
    Score<T> row_form(const M& W) const {
        return [this, W](const M& Q, const M& K) { return row_bilinear(W, Q, K); };
    }

    /// The backward function of dot().
    ScoreBackward<T> dot_backward() const {
        return [this](const M& Q, const M& K, const M& dS) { return dot_product_backward(Q, K, dS); };
    }
    /// The backward function of form(W).
    ScoreBackward<T> form_backward(const M& W) const {
        return [this, W](const M& Q, const M& K, const M& dS) -> ScoreGradients<T> {
            const BilinearGradients<T> d = bilinear_backward(W, Q, K, dS);
            return {d.dQ, d.dK};
        };
    }
    /// The backward function of row_dot().
    ScoreBackward<T> row_dot_backward() const {
        return [this](const M& Q, const M& K, const M& dS) { return row_dot_product_backward(Q, K, dS); };
    }
    /// The backward function of row_form(W).
    ScoreBackward<T> row_form_backward(const M& W) const {
        return [this, W](const M& Q, const M& K, const M& dS) -> ScoreGradients<T> {
            const BilinearGradients<T> d = row_bilinear_backward(W, Q, K, dS);
            return {d.dQ, d.dK};
        };
    }
};

}  // namespace multihead
