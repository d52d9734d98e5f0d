#include "refutations.hpp"
#include "rewired.hpp"

namespace judge {

namespace {

using multihead::exponential;
using multihead::pivot;
using multihead::transposed;

// Softmax as the loops have it, with a mistake at a chosen place.
template <class T>
struct OverRows : Rewired<T> {
    Matrix<T> softmax(const Matrix<T>& S) const override { return loops_::row::softmax(S); }
};

template <class T>
struct Unnormalised : Rewired<T> {
    Matrix<T> softmax(const Matrix<T>& S) const override {
        Matrix<T> A(S.size1(), S.size2());
        for (std::size_t i = 0; i < A.size1(); ++i)
            for (std::size_t j = 0; j < A.size2(); ++j) A(i, j) = exponential(S(i, j));
        return A;
    }
};

}  // namespace

std::vector<Refutation> wrong_softmax() {
    return {
        refutation<OverRows>("softmax over rows", {"1.0", "1.1", "1.2", "1.5"}),
        refutation<Unnormalised>("softmax not normalised", {"1.0", "1.1", "1.2"}),
    };
}

}  // namespace judge
