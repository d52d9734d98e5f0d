#include "refutations.hpp"
#include "rewired.hpp"

#include <multihead/laws/entries.hpp>

namespace judge {

namespace {

using multihead::matrix_of;

// Mistakes with given weights.
template <class T>
struct MixWithBias : Rewired<T> {
    Matrix<T> mix(const Matrix<T>& V, const Matrix<T>& A) const override {
        return multihead::sum(loops_::mix(V, A), Matrix<T>(V.size1(), A.size2(), T(1)));
    }
};

// Not frozen: what the given weights yield is a query to the values.
template <class T>
struct WeightsFromValues : Rewired<T> {
    Matrix<T> mix(const Matrix<T>& V, const Matrix<T>& A) const override {
        return loops_::mix(V, loops_::softmax(loops_::dot_product(loops_::mix(V, A), V)));
    }
};

template <class T>
struct SoftmaxAgain : Rewired<T> {
    Matrix<T> mix(const Matrix<T>& V, const Matrix<T>& A) const override { return loops_::mix(V, loops_::softmax(A)); }
};

template <class T>
struct MeanInsteadOfSum : Rewired<T> {
    Matrix<T> mix(const Matrix<T>& V, const Matrix<T>& A) const override {
        Matrix<T> O = loops_::mix(V, A);
        if (V.size2() > 0) O /= T(V.size2());
        return O;
    }
};

// Rows of A for queries and columns for keys: only a square A lets it pass.
template <class T>
struct WeightsTransposed : Rewired<T> {
    Matrix<T> mix(const Matrix<T>& V, const Matrix<T>& A) const override {
        return loops_::mix(V, A.size1() == A.size2() ? multihead::transposed(A) : A);
    }
};

// Slips that only a comparison with the other hand, or the law of that very function, can see.
template <class T>
struct ScoresDividedByKeys : Rewired<T> {
    Matrix<T> dot_product(const Matrix<T>& Q, const Matrix<T>& K) const override {
        Matrix<T> S = loops_::dot_product(Q, K);
        if (K.size2() > 0) S /= T(K.size2());
        return S;
    }
};

template <class T>
struct KeysByQueryWeights : Rewired<T> {
    using M = Matrix<T>;
    M head(const multihead::Head<T>& h, const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return Rewired<T>::head({h.W_Q, h.W_Q, h.W_V, h.W_O}, Q, K, V, f);
    }
};

template <class T>
struct SliceInterleaved : Rewired<T> {
    Matrix<T> slice(const Matrix<T>& X, std::size_t h, std::size_t H) const override {
        return matrix_of(X.size1() / H, X.size2(), [&](std::size_t i, std::size_t j) { return X(i * H + h, j); });
    }
};

template <class T>
struct FoldWithFirstBlock : Rewired<T> {
    std::vector<ResidualHead<T>> fold(const MultiHeadWeights<T>& w) const override {
        std::vector<ResidualHead<T>> heads;
        for (const auto& h : w) heads.push_back({h.W_Q, h.W_K, loops_::project(w.at(0).W_O, h.W_V)});
        return heads;
    }
};

}  // namespace

std::vector<Refutation> wrong_hands() {
    return {
        refutation<MixWithBias>("mix with a bias", {"9.1", "9.2", "0.1"}),
        refutation<WeightsFromValues>("mix with weights computed from the values", {"9.1", "9.2", "0.1"}),
        refutation<SoftmaxAgain>("softmax of weights that are given", {"9.2", "0.1"}),
        refutation<MeanInsteadOfSum>("mix divided by the number of values", {"9.2", "0.1"}),
        refutation<WeightsTransposed>("given weights transposed", {"9.2"}),
        refutation<ScoresDividedByKeys>("scores divided by the number of keys", {"0.1"}),
        refutation<KeysByQueryWeights>("keys projected by the weights of the queries", {"0.1"}),
        refutation<SliceInterleaved>("slices interleaved", {"0.1"}),
        refutation<FoldWithFirstBlock>("every head folded with the first block of W^O", {"0.1"}),
    };
}

}  // namespace judge
