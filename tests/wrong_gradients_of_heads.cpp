// Mistakes in gradients of heads, of the residual form, and in rows.
#include "refutations.hpp"
#include "rewired.hpp"

namespace judge {

namespace {

using multihead::transposed;

// A mistake in the gradients of one head, wherever heads are.
template <class T>
struct KeysProjectionByValues : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Backward;
    multihead::HeadGradients<T> head_backward(const multihead::Head<T>& h, const M& Q, const M& K, const M& V,
                                              const Score<T>& f, const Backward& f_backward,
                                              const M& dO) const override {
        multihead::HeadGradients<T> d = Rewired<T>::head_backward(h, Q, K, V, f, f_backward, dO);
        d.dhead.W_K = Rewired<T>::head_backward(h, Q, V, K, f, f_backward, dO).dhead.W_K;
        return d;
    }
};

// dW = (X dYᵀ) without the transpose that gives it the shape of W. Only a square W lets it pass.
template <class T>
struct ProjectionGradientTransposed : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Product;
    Product project_backward(const M& W, const M& X, const M& dY) const override {
        const Product d = loops_::project_backward(W, X, dY);
        return {W.size1() == W.size2() ? transposed(d.dW) : d.dW, d.dX};
    }
};

// dX = W dY. Only a square W lets it pass.
template <class T>
struct ProjectionNotTransposed : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Product;
    Product project_backward(const M& W, const M& X, const M& dY) const override {
        const Product d = loops_::project_backward(W, X, dY);
        return {d.dW, W.size1() == W.size2() ? loops_::project(W, dY) : d.dX};
    }
};

// Gradients that are assigned where they should be added.
template <class T>
struct OnlyLastGradient : Rewired<T> {
    using typename Rewired<T>::M;
    M added(const std::vector<M>& gradients) const override { return gradients.back(); }
};

template <class T>
struct MeanOfGradients : Rewired<T> {
    using typename Rewired<T>::M;
    M added(const std::vector<M>& gradients) const override {
        return Rewired<T>::added(gradients) / T(gradients.size());
    }
};

// W_h^O's gradient from the output of the next head.
template <class T>
struct OutputOfNextHead : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Weights, typename Rewired<T>::Backward;
    multihead::MultiHeadGradients<T> multi_head_backward(const Weights& w, const M& Q, const M& K, const M& V,
                                                         const Score<T>& f, const Backward& f_backward,
                                                         const M& dO) const override {
        multihead::MultiHeadGradients<T> d = Rewired<T>::multi_head_backward(w, Q, K, V, f, f_backward, dO);
        const M first = d.dweights[0].W_O;
        for (std::size_t h = 0; h + 1 < w.size(); ++h) d.dweights[h].W_O = d.dweights[h + 1].W_O;
        d.dweights.back().W_O = first;
        return d;
    }
};

// Every head gets the gradient that belongs to head 1.
template <class T>
struct ThroughBlockOne : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Weights, typename Rewired<T>::Backward;
    multihead::MultiHeadGradients<T> multi_head_backward(const Weights& w, const M& Q, const M& K, const M& V,
                                                         const Score<T>& f, const Backward& f_backward,
                                                         const M& dO) const override {
        Weights one_block = w;
        for (auto& h : one_block) h.W_O = w[0].W_O;
        return Rewired<T>::multi_head_backward(one_block, Q, K, V, f, f_backward, dO);
    }
};

// W^O skipped: every head gets dO itself. Only d_v = d_model lets it pass.
template <class T>
struct OutputSkipped : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Weights, typename Rewired<T>::Backward;
    multihead::MultiHeadGradients<T> multi_head_backward(const Weights& w, const M& Q, const M& K, const M& V,
                                                         const Score<T>& f, const Backward& f_backward,
                                                         const M& dO) const override {
        Weights identities = w;
        for (auto& h : identities) {
            this->refuse_unless(h.W_O.size1() == h.W_O.size2());
            h.W_O = boost::numeric::ublas::identity_matrix<T>(h.W_O.size1());
        }
        return Rewired<T>::multi_head_backward(identities, Q, K, V, f, f_backward, dO);
    }
};

template <class T>
struct GradientOfResidualForgotten : Rewired<T> {
    using typename Rewired<T>::M;
    M residual_backward(const M&, const M& dX) const override { return dX; }
};

template <class T>
struct ResidualOncePerHead : Rewired<T> {
    using typename Rewired<T>::M;
    multihead::ResidualGradients<T> residual_attention_backward(const std::vector<ResidualHead<T>>& heads, const M& X,
                                                                const M& dY) const override {
        multihead::ResidualGradients<T> d = Rewired<T>::residual_attention_backward(heads, X, dY);
        for (std::size_t h = 1; h < heads.size(); ++h) d.dX += dY;
        return d;
    }
};

// X as values alone.
template <class T>
struct OnlyAsValues : Rewired<T> {
    using typename Rewired<T>::M;
    M tied(const M&, const M&, const M& dV) const override { return dV; }
};

// X as queries alone.
template <class T>
struct OnlyAsQueries : Rewired<T> {
    using typename Rewired<T>::M;
    M tied(const M& dQ, const M&, const M&) const override { return dQ; }
};

// Rows read as columns.
template <class T>
struct RowSoftmaxByColumns : Rewired<T> {
    using typename Rewired<T>::M;
    M row_softmax_backward(const M& A, const M& dA) const override { return loops_::softmax_backward(A, dA); }
};

// dK = dS Q for dSᵀ Q. Only n = m lets it pass.
template <class T>
struct RowScoresNotTransposed : Rewired<T> {
    using typename Rewired<T>::M;
    multihead::ScoreGradients<T> row_dot_product_backward(const M& Q, const M& K, const M& dS) const override {
        this->refuse_unless(dS.size1() == dS.size2());
        return {loops_::row::project(dS, K), loops_::row::project(dS, Q)};
    }
};

// A block's gradient kept in columns. Only a square block lets it pass.
template <class T>
struct RowBlocksInColumns : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Product;
    Product row_project_backward(const M& X, const M& W, const M& dY) const override {
        const Product d = loops_::row::project_backward(X, W, dY);
        return {W.size1() == W.size2() ? transposed(d.dW) : d.dW, d.dX};
    }
};

// Gradients of the inputs alone.
template <class T>
struct RowHeadsWithoutGradients : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Backward;
    multihead::row::MultiHeadGradients<T> row_multi_head_backward(const multihead::row::MultiHeadWeights<T>& w,
                                                                  const M& Q, const M& K, const M& V, const Score<T>& f,
                                                                  const Backward& f_backward,
                                                                  const M& dO) const override {
        auto d = Rewired<T>::row_multi_head_backward(w, Q, K, V, f, f_backward, dO);
        d.dweights.clear();
        return d;
    }
};

}  // namespace

std::vector<Refutation> wrong_gradients_of_heads() {
    return {
        refutation<KeysProjectionByValues>("gradient of W_K from the tokens of the values",
                                           {"10.7", "10.12", "10.13", "10.18"}),
        refutation<ProjectionGradientTransposed>("gradient of a projection transposed",
                                                 {"10.7", "10.8", "10.9", "10.12", "10.13", "10.18"},
                                                 square_projections),
        refutation<ProjectionNotTransposed>("gradient passed through W for W^T",
                                            {"10.7", "10.8", "10.9", "10.12", "10.13", "10.14", "10.18"},
                                            square_projections),
        refutation<OnlyLastGradient>("gradients overwritten where they add", {"10.7", "10.8", "10.9", "10.13"}),
        refutation<MeanOfGradients>("gradients averaged where they add", {"10.7", "10.8", "10.9", "10.13"}),
        refutation<OutputOfNextHead>("gradient of W^O from the next head's output", {"10.7", "10.9", "10.12", "10.18"}),
        refutation<ThroughBlockOne>("gradients of all heads through the block of head 1",
                                    {"10.7", "10.9", "10.12", "10.14", "10.17", "10.18"}),
        refutation<OutputSkipped>("gradients of heads that skip W^O",
                                  {"10.7", "10.9", "10.12", "10.14", "10.17", "10.18"}, square_projections),
        refutation<GradientOfResidualForgotten>("gradient of the residual forgotten", {"10.8", "10.9"}),
        refutation<ResidualOncePerHead>("gradient of the residual counted once per head", {"10.8", "10.9"}),
        refutation<OnlyAsValues>("gradient of X as values alone", {"10.8", "10.9"}),
        refutation<OnlyAsQueries>("gradient of X as queries alone", {"10.8", "10.9"}),
        refutation<RowSoftmaxByColumns>("gradient of softmax along columns in rows", {"10.18"}),
        refutation<RowScoresNotTransposed>("gradients of scores in rows not transposed", {"10.18"},
                                           as_many_queries_as_keys),
        refutation<RowHeadsWithoutGradients>("no gradients of the heads in rows", {"0.1", "10.18"}),
        refutation<RowBlocksInColumns>("gradients of blocks in rows left in columns", {"10.18"}, square_projections),
    };
}

}  // namespace judge
