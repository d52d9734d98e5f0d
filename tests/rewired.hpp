#pragma once
/// \file
/// A hand whose functions are written in terms of each other, so that a mistake in one reaches all that use it.
///
/// A refutation derives from it and replaces the functions that its mistake touches. Without a replacement it is right,
/// which the tests check.

#include <multihead/loops/hand.hpp>
#include <multihead/scalars/interval.hpp>
#include <multihead/scalars/modular.hpp>

#include <vector>

namespace judge {

using multihead::Matrix;
using multihead::MultiHeadWeights;
using multihead::ResidualHead;
using multihead::Score;
namespace loops_ = multihead::loops;

template <class T>
struct Rewired : multihead::Loops<T> {
    using M = Matrix<T>;
    using Weights = MultiHeadWeights<T>;
    using RowWeights = multihead::row::MultiHeadWeights<T>;

    /// W X, where heads project their inputs.
    virtual M project(const M& W, const M& X) const { return loops_::project(W, X); }
    /// X W in rows.
    virtual M row_project(const M& X, const M& W) const { return loops_::row::project(X, W); }
    /// [head_1; …; head_H].
    virtual M stacked(const std::vector<M>& heads) const { return joined(heads, true); }
    /// [head_1 … head_H] in rows.
    virtual M side_by_side(const std::vector<M>& heads) const { return joined(heads, false); }
    /// The whole W^O.
    virtual M whole_W_O(const Weights& w) const { return multihead::W_O(w); }
    /// The whole W^O in rows.
    virtual M row_whole_W_O(const RowWeights& w) const {
        std::vector<M> blocks;
        for (const auto& h : w) blocks.push_back(h.W_O);
        return joined(blocks, true);
    }
    /// Σ of equal shapes.
    virtual M total(const std::vector<M>& terms) const {
        M sum = terms.at(0);
        for (std::size_t t = 1; t < terms.size(); ++t) {
            refuse_unless(same_shape(sum, terms[t]));
            sum += terms[t];
        }
        return sum;
    }
    /// X + Y, where a residual is added.
    virtual M plus_residual(const M& X, const M& Y) const {
        refuse_unless(same_shape(X, Y));
        return X + Y;
    }

    M scaled_dot_product(const M& Q, const M& K) const override {
        using std::sqrt;
        M S = this->dot_product(Q, K);
        S /= sqrt(T(Q.size1()));
        return S;
    }

    M attention_weights(const M& Q, const M& K, const Score<T>& f) const override { return this->softmax(f(Q, K)); }
    M attention(const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return this->mix(V, this->attention_weights(Q, K, f));
    }
    M head(const multihead::Head<T>& h, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return this->attention(project(h.W_Q, Q), project(h.W_K, K), project(h.W_V, V), f);
    }
    M multi_head(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        std::vector<M> heads;
        for (const auto& h : w) heads.push_back(this->head(h, Q, K, V, f));
        return project(whole_W_O(w), stacked(heads));
    }
    M multi_head_sum(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        std::vector<M> terms;
        for (const auto& h : w) terms.push_back(project(h.W_O, this->head(h, Q, K, V, f)));
        return total(terms);
    }
    M multi_head_expanded(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        std::vector<M> terms;
        for (const auto& h : w)
            terms.push_back(this->mix(project(h.W_O, project(h.W_V, V)),
                                      this->attention_weights(project(h.W_Q, Q), project(h.W_K, K), f)));
        return total(terms);
    }
    M residual_attention(const std::vector<ResidualHead<T>>& heads, const M& X) const override {
        std::vector<M> terms;
        for (const auto& h : heads)
            terms.push_back(this->attention(project(h.W_Q, X), project(h.W_K, X), project(h.W_V, X), this->dot()));
        return plus_residual(X, total(terms));
    }

    M row_scaled_dot_product(const M& Q, const M& K) const override {
        using std::sqrt;
        M S = this->row_dot_product(Q, K);
        S /= sqrt(T(Q.size2()));
        return S;
    }
    M row_attention(const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return row_project(this->row_softmax(f(Q, K)), V);
    }
    M row_head(const multihead::row::Head<T>& h, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return this->row_attention(row_project(Q, h.W_Q), row_project(K, h.W_K), row_project(V, h.W_V), f);
    }
    M row_multi_head(const RowWeights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        std::vector<M> heads;
        for (const auto& h : w) heads.push_back(this->row_head(h, Q, K, V, f));
        return row_project(side_by_side(heads), row_whole_W_O(w));
    }
    M row_multi_head_sum(const RowWeights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        std::vector<M> terms;
        for (const auto& h : w) terms.push_back(row_project(this->row_head(h, Q, K, V, f), h.W_O));
        return total(terms);
    }
    M row_self_attention(const RowWeights& w, const M& X, const Score<T>& f) const override {
        return plus_residual(X, this->row_multi_head(w, X, X, X, f));
    }
    std::vector<M> row_self_attention(const RowWeights& w, const std::vector<M>& batch,
                                      const Score<T>& f) const override {
        std::vector<M> outputs;
        for (const M& X : batch) outputs.push_back(this->row_self_attention(w, X, f));
        return outputs;
    }

    using Product = multihead::ProductGradients<T>;
    using Inputs = multihead::AttentionGradients<T>;
    using Backward = multihead::ScoreBackward<T>;

    /// Backward of project.
    virtual Product project_backward(const M& W, const M& X, const M& dY) const {
        return loops_::project_backward(W, X, dY);
    }
    /// Backward of row_project.
    virtual Product row_project_backward(const M& X, const M& W, const M& dY) const {
        return loops_::row::project_backward(X, W, dY);
    }
    /// Σ of the gradients of what is used more than once.
    virtual M added(const std::vector<M>& gradients) const {
        M sum = gradients.at(0);
        for (std::size_t t = 1; t < gradients.size(); ++t) sum += gradients[t];
        return sum;
    }

    multihead::ScoreGradients<T> scaled_dot_product_backward(const M& Q, const M& K, const M& dS) const override {
        using std::sqrt;
        return this->dot_product_backward(Q, K, dS / sqrt(T(Q.size1())));
    }
    Inputs attention_backward(const M& Q, const M& K, const M& V, const Score<T>& f, const Backward& f_backward,
                              const M& dO) const override {
        const M A = this->attention_weights(Q, K, f);
        const auto [dV, dA] = this->mix_backward(V, A, dO);
        const auto [dQ, dK] = f_backward(Q, K, this->softmax_backward(A, dA));
        return {dQ, dK, dV};
    }
    multihead::HeadGradients<T> head_backward(const multihead::Head<T>& h, const M& Q, const M& K, const M& V,
                                              const Score<T>& f, const Backward& f_backward,
                                              const M& dO) const override {
        const Inputs d =
            this->attention_backward(project(h.W_Q, Q), project(h.W_K, K), project(h.W_V, V), f, f_backward, dO);
        const Product q = project_backward(h.W_Q, Q, d.dQ);
        const Product k = project_backward(h.W_K, K, d.dK);
        const Product v = project_backward(h.W_V, V, d.dV);
        return {{q.dW, k.dW, v.dW, M(h.W_O.size1(), h.W_O.size2(), T(0))}, q.dX, k.dX, v.dX};
    }
    multihead::MultiHeadGradients<T> multi_head_backward(const Weights& w, const M& Q, const M& K, const M& V,
                                                         const Score<T>& f, const Backward& f_backward,
                                                         const M& dO) const override {
        Weights dweights;
        std::vector<M> dQ, dK, dV;
        for (const auto& h : w) {
            const Product out = project_backward(h.W_O, this->head(h, Q, K, V, f), dO);
            const auto d = this->head_backward(h, Q, K, V, f, f_backward, out.dX);
            dweights.push_back({d.dhead.W_Q, d.dhead.W_K, d.dhead.W_V, out.dW});
            dQ.push_back(d.dQ);
            dK.push_back(d.dK);
            dV.push_back(d.dV);
        }
        return {dweights, added(dQ), added(dK), added(dV)};
    }
    multihead::ResidualGradients<T> residual_attention_backward(const std::vector<ResidualHead<T>>& heads, const M& X,
                                                                const M& dY) const override {
        std::vector<ResidualHead<T>> dheads;
        std::vector<M> dX;
        for (const auto& h : heads) {
            const Inputs d = this->attention_backward(project(h.W_Q, X), project(h.W_K, X), project(h.W_V, X),
                                                      this->dot(), this->dot_backward(), dY);
            const Product q = project_backward(h.W_Q, X, d.dQ);
            const Product k = project_backward(h.W_K, X, d.dK);
            const Product v = project_backward(h.W_V, X, d.dV);
            dheads.push_back({q.dW, k.dW, v.dW});
            dX.push_back(tied(q.dX, k.dX, v.dX));
        }
        return {dheads, residual_backward(dY, added(dX))};
    }
    /// The gradient of what is queries, keys and values at once.
    virtual M tied(const M& dQ, const M& dK, const M& dV) const { return added({dQ, dK, dV}); }
    /// Backward of plus_residual: dY and what comes through the heads.
    virtual M residual_backward(const M& dY, const M& dX) const { return added({dY, dX}); }

    multihead::ScoreGradients<T> row_scaled_dot_product_backward(const M& Q, const M& K, const M& dS) const override {
        using std::sqrt;
        return this->row_dot_product_backward(Q, K, dS / sqrt(T(Q.size2())));
    }
    Inputs row_attention_backward(const M& Q, const M& K, const M& V, const Score<T>& f, const Backward& f_backward,
                                  const M& dO) const override {
        const M A = this->row_softmax(f(Q, K));
        const auto [dV, dA] = row_project_backward(A, V, dO);
        const auto [dQ, dK] = f_backward(Q, K, this->row_softmax_backward(A, dA));
        return {dQ, dK, dV};
    }
    multihead::row::HeadGradients<T> row_head_backward(const multihead::row::Head<T>& h, const M& Q, const M& K,
                                                       const M& V, const Score<T>& f, const Backward& f_backward,
                                                       const M& dO) const override {
        const Inputs d = this->row_attention_backward(row_project(Q, h.W_Q), row_project(K, h.W_K),
                                                      row_project(V, h.W_V), f, f_backward, dO);
        const Product q = row_project_backward(Q, h.W_Q, d.dQ);
        const Product k = row_project_backward(K, h.W_K, d.dK);
        const Product v = row_project_backward(V, h.W_V, d.dV);
        return {{q.dW, k.dW, v.dW, M(h.W_O.size1(), h.W_O.size2(), T(0))}, q.dX, k.dX, v.dX};
    }
    multihead::row::MultiHeadGradients<T> row_multi_head_backward(const RowWeights& w, const M& Q, const M& K,
                                                                  const M& V, const Score<T>& f,
                                                                  const Backward& f_backward,
                                                                  const M& dO) const override {
        RowWeights dweights;
        std::vector<M> dQ, dK, dV;
        for (const auto& h : w) {
            const Product out = row_project_backward(this->row_head(h, Q, K, V, f), h.W_O, dO);
            const auto d = this->row_head_backward(h, Q, K, V, f, f_backward, out.dX);
            dweights.push_back({d.dhead.W_Q, d.dhead.W_K, d.dhead.W_V, out.dW});
            dQ.push_back(d.dQ);
            dK.push_back(d.dK);
            dV.push_back(d.dV);
        }
        return {dweights, added(dQ), added(dK), added(dV)};
    }

  protected:
    /// A mistake that does not have the right shape in some instance is refused there, as every hand refuses it.
    static void refuse_unless(bool fits) {
        if (!fits) throw multihead::shape_error("the mistake has a wrong shape in this instance");
    }
    static bool same_shape(const M& X, const M& Y) { return X.size1() == Y.size1() && X.size2() == Y.size2(); }

    /// Matrices one above the other, or side by side.
    static M joined(const std::vector<M>& parts, bool above) {
        const std::size_t r = parts.at(0).size1();
        const std::size_t c = parts.at(0).size2();
        M whole(above ? parts.size() * r : r, above ? c : parts.size() * c);
        for (std::size_t h = 0; h < parts.size(); ++h)
            for (std::size_t i = 0; i < r; ++i)
                for (std::size_t j = 0; j < c; ++j)
                    whole(above ? h * r + i : i, above ? j : h * c + j) = parts[h](i, j);
        return whole;
    }
};

}  // namespace judge

// Compiled once, in rewired.cpp, for the worlds that judge refutations.
extern template struct multihead::Loops<double>;
extern template struct multihead::Loops<multihead::Interval<double>>;
extern template struct multihead::Loops<multihead::Free>;
extern template struct judge::Rewired<double>;
extern template struct judge::Rewired<multihead::Interval<double>>;
extern template struct judge::Rewired<multihead::Free>;
