// Mistakes in the transformer's rows: what a reader of columns writes there, and buffers read in the wrong shape.
#include "refutations.hpp"
#include "rewired.hpp"

namespace judge {

namespace {

using multihead::transposed;

template <class T>
struct SoftmaxOverColumns : Rewired<T> {
    using typename Rewired<T>::M;
    M row_softmax(const M& S) const override { return loops_::softmax(S); }
};

// The projections as they are stored in columns, d_k × d_model, multiplied from the right.
template <class T>
struct StoredWeightsUntransposed : Rewired<T> {
    using typename Rewired<T>::M;
    M row_head(const multihead::row::Head<T>& h, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        const multihead::row::Head<T> stored{transposed(h.W_Q), transposed(h.W_K), transposed(h.W_V), h.W_O};
        return Rewired<T>::row_head(stored, Q, K, V, f);
    }
};

template <class T>
struct OutputUntransposed : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::RowWeights;
    M row_whole_W_O(const RowWeights& w) const override { return transposed(Rewired<T>::row_whole_W_O(w)); }
};

template <class T>
struct KeysTimesQueries : Rewired<T> {
    using typename Rewired<T>::M;
    M row_dot_product(const M& Q, const M& K) const override {
        this->refuse_unless(Q.size1() == K.size1());
        return loops_::row::dot_product(K, Q);
    }
};

template <class T>
struct RowFormTransposed : Rewired<T> {
    using typename Rewired<T>::M;
    M row_bilinear(const M& W, const M& Q, const M& K) const override {
        return loops_::row::bilinear<T>{transposed(W)}(Q, K);
    }
};

// size1 is d_k in columns and n in rows.
template <class T>
struct ScaledByTokens : Rewired<T> {
    using typename Rewired<T>::M;
    M row_scaled_dot_product(const M& Q, const M& K) const override {
        using std::sqrt;
        return this->row_dot_product(Q, K) / sqrt(T(Q.size1()));
    }
};

// Kᵀ made by reading the memory of K, m × d_k, as d_k × m.
template <class T>
struct RowKeysReinterpreted : Rewired<T> {
    using typename Rewired<T>::M;
    M row_dot_product(const M& Q, const M& K) const override {
        this->refuse_unless(Q.size2() == K.size2());
        M K_T(K.size2(), K.size1());
        K_T.data() = K.data();
        return loops_::row::project(Q, K_T);
    }
};

// Aᵀ V: the weights as columns have them.
template <class T>
struct RowWeightsTransposed : Rewired<T> {
    using typename Rewired<T>::M;
    M row_attention(const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return this->row_project(transposed(this->row_softmax(f(Q, K))), V);
    }
};

// X W_h for all heads in one matrix, n × H d, its buffer read as H matrices n × d.
template <class T>
struct RowsSplitByReinterpreting : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::RowWeights;
    M row_multi_head(const RowWeights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        std::vector<M> queries;
        std::vector<M> keys;
        std::vector<M> values;
        for (const auto& h : w) {
            queries.push_back(this->row_project(Q, h.W_Q));
            keys.push_back(this->row_project(K, h.W_K));
            values.push_back(this->row_project(V, h.W_V));
        }
        std::vector<M> heads;
        for (std::size_t h = 0; h < w.size(); ++h)
            heads.push_back(this->row_attention(part(queries, h), part(keys, h), part(values, h), f));
        return this->row_project(this->side_by_side(heads), this->row_whole_W_O(w));
    }

  private:
    static M part(const std::vector<M>& projections, std::size_t h) {
        const M packed = Rewired<T>::joined(projections, false);
        M X(projections[h].size1(), projections[h].size2());
        for (std::size_t place = 0; place < X.data().size(); ++place)
            X.data()[place] = packed.data()[h * X.data().size() + place];
        return X;
    }
};

// The heads one above the other, H n × d_v, their buffer read as n × H d_v.
template <class T>
struct JoinedByReinterpreting : Rewired<T> {
    using typename Rewired<T>::M;
    M side_by_side(const std::vector<M>& heads) const override {
        M whole = this->joined(heads, false);
        whole.data() = this->joined(heads, true).data();
        return whole;
    }
};

template <class T>
struct RowsInterleaved : Rewired<T> {
    using typename Rewired<T>::M;
    M side_by_side(const std::vector<M>& heads) const override {
        M whole = this->joined(heads, false);
        for (std::size_t i = 0; i < whole.size1(); ++i)
            for (std::size_t c = 0; c < whole.size2(); ++c) whole(i, c) = heads[c % heads.size()](i, c / heads.size());
        return whole;
    }
};

template <class T>
struct BlocksInReverse : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::RowWeights;
    M row_whole_W_O(const RowWeights& w) const override {
        return Rewired<T>::row_whole_W_O(RowWeights(w.rbegin(), w.rend()));
    }
};

template <class T>
struct HeadsAddedBeforeBlocks : Rewired<T> {
    using typename Rewired<T>::M, typename Rewired<T>::RowWeights;
    M row_multi_head_sum(const RowWeights& w, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        std::vector<M> heads;
        for (const auto& h : w) heads.push_back(this->row_head(h, Q, K, V, f));
        return this->row_project(this->total(heads), w[0].W_O);
    }
};

// d_model = d_k = d_v, as in square_projections but with more features.
const std::vector<Shape> square_row_projections = {
    {.n = 3, .m = 5, .d_model = 6, .d_k = 6, .d_v = 6, .H = 2},
    {.n = 6, .m = 4, .d_model = 5, .d_k = 5, .d_v = 5, .H = 3},
};
// n = m: scores are square.
const std::vector<Shape> square_scores = {
    {.n = 5, .m = 5, .d_model = 7, .d_k = 4, .d_v = 6, .H = 2},
    {.n = 4, .m = 4, .d_model = 5, .d_k = 2, .d_v = 7, .H = 3},
};
// d_k = d_v: so law 6.1 takes a square form.
const std::vector<Shape> square_form = {
    {.n = 3, .m = 5, .d_model = 7, .d_k = 4, .d_v = 4, .H = 2},
    {.n = 6, .m = 4, .d_model = 5, .d_k = 2, .d_v = 2, .H = 3},
};
// n is a square number, so that the free world knows its root.
const std::vector<Shape> square_n = {
    {.n = 4, .m = 5, .d_model = 7, .d_k = 3, .d_v = 6, .H = 2},
    {.n = 9, .m = 4, .d_model = 5, .d_k = 2, .d_v = 7, .H = 3},
};

}  // namespace

std::vector<Refutation> wrong_row() {
    return {
        refutation<SoftmaxOverColumns>("rows: softmax over columns", {"6.2", "6.3", "6.4", "6.5", "6.6"}),
        refutation<StoredWeightsUntransposed>("rows: projections as columns store them", {"6.4", "6.5", "6.6"},
                                              square_row_projections),
        refutation<OutputUntransposed>("rows: W^O as columns store it", {"6.5", "6.6"}, square_W_O),
        refutation<KeysTimesQueries>("rows: K Q^T for Q K^T", {"6.1"}, square_scores),
        refutation<RowFormTransposed>("rows: the form transposed", {"6.1", "6.3", "6.4", "6.5", "6.6"}, square_form),
        refutation<ScaledByTokens>("rows: scaled by the root of n", {"6.1"}, square_n),
        refutation<RowKeysReinterpreted>("rows: keys transposed by reinterpreting the buffer", {"6.1"}),
        refutation<RowWeightsTransposed>("rows: weights transposed", {"6.3", "6.4", "6.5", "6.6"}, square_scores),
        refutation<RowsSplitByReinterpreting>("rows: heads split by reinterpreting the buffer", {"6.5", "6.6"}),
        refutation<JoinedByReinterpreting>("rows: heads joined by reinterpreting the buffer", {"6.5", "6.6"}),
        refutation<RowsInterleaved>("rows: heads interleaved feature by feature", {"6.5", "6.6"}),
        refutation<BlocksInReverse>("rows: blocks of W^O in reverse", {"6.5", "6.6"}),
        refutation<HeadsAddedBeforeBlocks>("rows: heads added before W^O", {"6.6"}),
    };
}

}  // namespace judge
