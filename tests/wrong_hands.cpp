#include "refutations.hpp"
#include "rewired.hpp"

#include <multihead/laws/entries.hpp>

namespace judge {

namespace {

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
struct GivenWeightsTransposed : Rewired<T> {
    Matrix<T> mix(const Matrix<T>& V, const Matrix<T>& A) const override {
        return loops_::mix(V, A.size1() == A.size2() ? multihead::transposed(A) : A);
    }
};

}  // namespace

std::vector<Refutation> wrong_hands() {
    return {
        refutation<MixWithBias>("mix with a bias", {"9.1", "9.2", "0.1"}),
        refutation<WeightsFromValues>("mix with weights computed from the values", {"9.1", "9.2", "0.1"}),
        refutation<SoftmaxAgain>("softmax of weights that are given", {"9.2", "0.1"}),
        refutation<MeanInsteadOfSum>("mix divided by the number of values", {"9.2", "0.1"}),
        refutation<GivenWeightsTransposed>("given weights transposed", {"9.2"}),
    };
}

}  // namespace judge
