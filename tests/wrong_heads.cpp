// Mistakes in multi-head attention. H heads, their stack, the blocks of W^O.
#include "refutations.hpp"
#include "rewired.hpp"

namespace judge {

namespace {

using multihead::Head;
using multihead::transposed;

// A hand whose multi-head attention takes one wrong step between the heads' weights and their stack.
template <class T>
struct WithHeads : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Weights;

    /// The heads that are stacked.
    virtual std::vector<M> heads(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const = 0;

    M multi_head(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const final {
        return this->project(this->whole_W_O(w), this->stacked(heads(w, Q, K, V, f)));
    }

  protected:
    M weights_of(const Head<T>& h, const M& Q, const M& K, const Score<T>& f) const {
        return this->attention_weights(this->project(h.W_Q, Q), this->project(h.W_K, K), f);
    }
};

// All heads' projections of X in one matrix, H d × n, stored token by token, and that buffer read as H matrices.
template <class T>
struct SplitByReinterpreting : WithHeads<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Weights;

    std::vector<M> heads(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        const M queries = this->project(this->packed_W_Q(w), Q);
        const M keys = this->project(this->packed_W_K(w), K);
        const M values = this->project(this->packed_W_V(w), V);
        std::vector<M> heads;
        for (std::size_t h = 0; h < w.size(); ++h)
            heads.push_back(
                this->attention(part(queries, h, w.size()), part(keys, h, w.size()), part(values, h, w.size()), f));
        return heads;
    }

  private:
    static M part(const M& packed, std::size_t h, std::size_t H) {
        const std::size_t d = packed.size1() / H;
        M X(d, packed.size2());
        for (std::size_t l = 0; l < d; ++l)
            for (std::size_t j = 0; j < X.size2(); ++j) {
                const std::size_t place = (h * X.size2() + j) * d + l;
                X(l, j) = packed(place % packed.size1(), place / packed.size1());
            }
        return X;
    }
};

template <class T>
struct StackedInReverse : Rewired<T> {
    using typename Rewired<T>::M;
    M stacked(const std::vector<M>& heads) const override {
        return Rewired<T>::stacked(std::vector<M>(heads.rbegin(), heads.rend()));
    }
};

// Feature 1 of every head, then feature 2 of every head, …
template <class T>
struct Interleaved : Rewired<T> {
    using typename Rewired<T>::M;
    M stacked(const std::vector<M>& heads) const override {
        M whole(heads.size() * heads[0].size1(), heads[0].size2());
        for (std::size_t r = 0; r < whole.size1(); ++r)
            for (std::size_t j = 0; j < whole.size2(); ++j) whole(r, j) = heads[r % heads.size()](r / heads.size(), j);
        return whole;
    }
};

template <class T>
struct OutputTransposed : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Weights;
    M whole_W_O(const Weights& w) const override { return transposed(multihead::W_O(w)); }
};

// The blocks, one after the other in memory, read as one matrix.
template <class T>
struct OutputReinterpreted : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Weights;
    M whole_W_O(const Weights& w) const override {
        M whole = multihead::W_O(w);
        std::size_t place = 0;
        for (const auto& h : w)
            for (const T& x : h.W_O.data()) {
                whole(place / whole.size2(), place % whole.size2()) = x;
                ++place;
            }
        return whole;
    }
};

template <class T>
struct NoOutput : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Weights;
    M multi_head(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        this->refuse_unless(w[0].W_O.size1() == w[0].W_O.size2());
        std::vector<M> heads;
        for (const auto& h : w) heads.push_back(this->head(h, Q, K, V, f));
        return this->total(heads);
    }
};

template <class T>
struct WeightsOfHeadOne : WithHeads<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Weights;
    std::vector<M> heads(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        const M A = this->weights_of(w[0], Q, K, f);
        std::vector<M> heads;
        for (const auto& h : w) heads.push_back(this->mix(this->project(h.W_V, V), A));
        return heads;
    }
};

template <class T>
struct WeightsAveraged : WithHeads<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Weights;
    std::vector<M> heads(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        std::vector<M> weights;
        for (const auto& h : w) weights.push_back(this->weights_of(h, Q, K, f));
        M A = this->total(weights);
        A /= T(w.size());
        std::vector<M> heads;
        for (const auto& h : w) heads.push_back(this->mix(this->project(h.W_V, V), A));
        return heads;
    }
};

// The scores of all heads stacked, and softmax over all of them.
template <class T>
struct OneSoftmaxForAllHeads : WithHeads<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Weights;
    std::vector<M> heads(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        std::vector<M> scores;
        for (const auto& h : w) scores.push_back(f(this->project(h.W_Q, Q), this->project(h.W_K, K)));
        const M A = this->softmax(this->joined(scores, true));
        std::vector<M> heads;
        for (std::size_t h = 0; h < w.size(); ++h)
            heads.push_back(this->mix(this->project(w[h].W_V, V), this->slice(A, h, w.size())));
        return heads;
    }
};

template <class T>
struct OnlyHeadOne : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Weights;
    M multi_head(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return Rewired<T>::multi_head({w[0]}, Q, K, V, f);
    }
};

template <class T>
struct MeanOfHeads : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Weights;
    M multi_head(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return Rewired<T>::multi_head(w, Q, K, V, f) / T(w.size());
    }
};

template <class T>
struct ResidualInside : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Weights;
    M multi_head(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return this->plus_residual(Q, Rewired<T>::multi_head(w, Q, K, V, f));
    }
};

// f comes with its scale; here one more is applied.
template <class T>
struct ScaledAgain : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Weights;
    M multi_head(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        const Score<T> scaled = [&f](const M& q, const M& k) -> M { return f(q, k) / T(q.size1()); };
        return Rewired<T>::multi_head(w, Q, K, V, scaled);
    }
};

// (Σ_h W_h^O) (Σ_h head_h)
template <class T>
struct ProductOfSums : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Weights;
    M multi_head_sum(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        std::vector<M> blocks;
        std::vector<M> heads;
        for (const auto& h : w) {
            blocks.push_back(h.W_O);
            heads.push_back(this->head(h, Q, K, V, f));
        }
        return this->project(this->total(blocks), this->total(heads));
    }
};

template <class T>
struct ExpandedWithOneValue : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::Weights;
    M multi_head_expanded(const Weights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        Weights one_value = w;
        for (auto& h : one_value) h.W_V = w[0].W_V;
        return Rewired<T>::multi_head_expanded(one_value, Q, K, V, f);
    }
};

// d_model = d_v: there every block of W^O is square.
const std::vector<Shape> square_blocks = {
    {.n = 3, .m = 5, .d_model = 6, .d_k = 4, .d_v = 6, .H = 2},
    {.n = 6, .m = 4, .d_model = 5, .d_k = 2, .d_v = 5, .H = 3},
};

}  // namespace

std::vector<Refutation> wrong_heads() {
    return {
        refutation<SplitByReinterpreting>("heads split by reinterpreting the buffer",
                                          {"4.0", "4.1", "4.2", "4.4", "4.6", "4.7", "5.1", "5.6", "6.5"}),
        refutation<StackedInReverse>("heads stacked in reverse of the blocks of W^O",
                                     {"4.0", "4.1", "4.2", "4.6", "4.7", "5.1", "5.6", "6.5"}),
        refutation<Interleaved>("heads interleaved feature by feature",
                                {"4.0", "4.1", "4.2", "4.4", "4.6", "4.7", "5.1", "5.6", "6.5"}),
        refutation<OutputTransposed>("W^O transposed", {"4.0", "4.1", "4.2", "4.4", "5.1", "6.5"}, square_W_O),
        refutation<OutputReinterpreted>("W^O read from the memory of its blocks",
                                        {"4.0", "4.1", "4.2", "4.4", "4.6", "4.7", "5.1", "5.6", "6.5"}),
        refutation<NoOutput>("no W^O, heads added", {"4.0", "4.1", "4.2", "4.6", "4.7", "5.1", "6.5"}, square_blocks),
        refutation<WeightsOfHeadOne>("weights of head 1 used for all heads",
                                     {"4.0", "4.1", "4.2", "4.4", "4.6", "5.1", "5.6", "6.5"}),
        refutation<WeightsAveraged>("weights averaged over the heads",
                                    {"4.0", "4.1", "4.2", "4.6", "5.1", "5.6", "6.5"}),
        refutation<OneSoftmaxForAllHeads>("one softmax over the scores of all heads",
                                          {"4.0", "4.1", "4.2", "4.6", "5.1", "5.6", "6.5"}),
        refutation<OnlyHeadOne>("only head 1 counted", {"4.0", "4.1", "4.2", "4.4", "4.6", "5.1", "5.6", "6.5"}),
        refutation<MeanOfHeads>("the heads' sum divided by H", {"4.0", "4.1", "4.2", "4.6", "5.1", "5.6", "6.5"}),
        refutation<ResidualInside>("residual inside multi-head attention",
                                   {"4.0", "4.1", "4.2", "4.5", "4.8", "5.1", "5.6", "6.5"}),
        refutation<ScaledAgain>("scores scaled again inside multi-head attention",
                                {"4.0", "4.1", "4.2", "4.5", "5.1", "5.6", "6.5"}),
        refutation<ProductOfSums>("product of sums for sum of products", {"4.2", "4.3", "6.6"}),
        refutation<ExpandedWithOneValue>("values of head 1 in every expanded term", {"4.3"}),
    };
}

}  // namespace judge
