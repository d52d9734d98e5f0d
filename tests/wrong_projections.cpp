#include "refutations.hpp"
#include "rewired.hpp"

#include <multihead/laws/entries.hpp>

#include <cmath>

namespace judge {

namespace {

using multihead::Head;
using multihead::matrix_of;
using multihead::scaled;
using multihead::transposed;

// The product as `mix` has it, which refuses a transpose that does not fit.
template <class T>
struct ProjectionTransposed : Rewired<T> {
    using M = Matrix<T>;
    M project(const M& W, const M& X) const override { return loops_::mix(transposed(W), X); }
};

template <class T>
struct ProjectionBiased : Rewired<T> {
    using M = Matrix<T>;
    M project(const M& W, const M& X) const override {
        const M Y = Rewired<T>::project(W, X);
        return Y + M(Y.size1(), Y.size2(), T(1));
    }
};

template <class T>
struct QueriesByKeyWeights : Rewired<T> {
    using M = Matrix<T>;
    M head(const Head<T>& h, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return Rewired<T>::head({h.W_K, h.W_K, h.W_V, h.W_O}, Q, K, V, f);
    }
};

template <class T>
struct HeadExchangesInputs : Rewired<T> {
    using M = Matrix<T>;
    M head(const Head<T>& h, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return Rewired<T>::head(h, Q, V, K, f);
    }
};

template <class T>
struct HeadIgnoresScore : Rewired<T> {
    using M = Matrix<T>;
    M head(const Head<T>& h, const M& Q, const M& K, const M& V, const Score<T>&) const override {
        return Rewired<T>::head(h, Q, K, V, this->dot());
    }
};

template <class T>
struct ScaledByModel : Rewired<T> {
    using M = Matrix<T>;
    M head(const Head<T>& h, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        using std::sqrt;
        const T factor = sqrt(T(h.W_Q.size1())) / sqrt(T(h.W_Q.size2()));
        return Rewired<T>::head(h, Q, K, V, [&](const M& q, const M& k) { return scaled(factor, f(q, k)); });
    }
};

template <class T>
struct SlicesInterleaved : Rewired<T> {
    using M = Matrix<T>;
    M slice(const M& X, std::size_t h, std::size_t H) const override {
        return matrix_of(X.size1() / H, X.size2(), [&](std::size_t i, std::size_t j) { return X(i * H + h, j); });
    }
};

// The buffer of X, H d × n, read as if it were n × H d, and head h cut from that: right only where tokens are rows.
template <class T>
struct SlicesReinterpreted : Rewired<T> {
    using M = Matrix<T>;
    M slice(const M& X, std::size_t h, std::size_t H) const override {
        const std::size_t d = X.size1() / H;
        return matrix_of(d, X.size2(), [&](std::size_t i, std::size_t j) {
            const std::size_t place = j * X.size1() + h * d + i;
            return X(place / X.size2(), place % X.size2());
        });
    }
};

template <class T>
struct PackedBackwards : Rewired<T> {
    using M = Matrix<T>;
    using Weights = multihead::MultiHeadWeights<T>;
    static Weights reversed(const Weights& w) { return {w.rbegin(), w.rend()}; }
    M packed_W_Q(const Weights& w) const override { return Rewired<T>::packed_W_Q(reversed(w)); }
    M packed_W_K(const Weights& w) const override { return Rewired<T>::packed_W_K(reversed(w)); }
    M packed_W_V(const Weights& w) const override { return Rewired<T>::packed_W_V(reversed(w)); }
};

template <class T>
struct PackedKeysAreQueries : Rewired<T> {
    using M = Matrix<T>;
    M packed_W_K(const multihead::MultiHeadWeights<T>& w) const override { return this->packed_W_Q(w); }
};

}  // namespace

std::vector<Refutation> wrong_projections() {
    return {
        refutation<ProjectionTransposed>("projections transposed", {"3.0", "3.2"}, square_projections),
        refutation<ProjectionBiased>("projections with a bias", {"3.0", "3.1"}),
        refutation<QueriesByKeyWeights>("queries projected by the weights of the keys", {"3.0", "3.2"}),
        refutation<HeadExchangesInputs>("a head exchanges keys and values", {"3.0", "3.1", "3.2"}),
        refutation<HeadIgnoresScore>("a head ignores the score function", {"3.0", "3.1"}),
        refutation_in_reals<ScaledByModel>("d_model in the scale", {"3.0", "3.2"}),
        refutation<SlicesInterleaved>("slices interleaved", {"3.3"}),
        refutation<SlicesReinterpreted>("slices of a reinterpreted buffer", {"3.3"}),
        refutation<PackedBackwards>("heads packed backwards", {"3.3"}),
        refutation<PackedKeysAreQueries>("query weights packed for the keys", {"3.3"}),
    };
}

}  // namespace judge
