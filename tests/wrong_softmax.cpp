#include "refutations.hpp"
#include "rewired.hpp"

#include <multihead/laws/entries.hpp>

#include <numbers>

namespace judge {

namespace {

using multihead::exponential;
using multihead::is_zero;
using multihead::matrix_of;
using multihead::pivot;
using multihead::sum_of;

// Softmax in two steps, for mistakes in either. First e^{change(s, c)} for every score s, where c is the pivot of its
// column.
template <class T, class Change>
Matrix<T> exponentials(const Matrix<T>& S, Change change) {
    return matrix_of(S.size1(), S.size2(), [&](std::size_t i, std::size_t j) {
        T c = S(0, j);
        for (std::size_t k = 0; k < S.size1(); ++k) c = pivot(c, S(k, j));
        return exponential(change(S(i, j), c));
    });
}

// The first step without a mistake.
template <class T>
Matrix<T> exponentials(const Matrix<T>& S) {
    return exponentials(S, [](const T& s, const T& c) { return s - c; });
}

// True if x and y are one number; for intervals, if their ends are.
template <class T>
bool same(const T& x, const T& y) {
    if constexpr (requires { x.lower(); })
        return x.lower() == y.lower() && x.upper() == y.upper();
    else
        return x == y;
}

// Then every column j divided by denominator(j), unless that is 0.
template <class T, class Denominator>
Matrix<T> divided(const Matrix<T>& E, Denominator denominator) {
    return matrix_of(E.size1(), E.size2(), [&](std::size_t i, std::size_t j) {
        const T sum = denominator(j);
        return is_zero(sum) ? E(i, j) : E(i, j) / sum;
    });
}

// The sum of column j.
template <class T>
T column_sum(const Matrix<T>& E, std::size_t j) {
    return sum_of(E.size1(), [&](std::size_t i) { return E(i, j); });
}

// The second step without a mistake.
template <class T>
Matrix<T> normalised(const Matrix<T>& E) {
    return divided(E, [&](std::size_t j) { return column_sum(E, j); });
}

template <class T>
struct OverRows : Rewired<T> {
    Matrix<T> softmax(const Matrix<T>& S) const override { return loops_::row::softmax(S); }
};

template <class T>
struct SameForEvery : Rewired<T> {
    // [uniform]
    Matrix<T> softmax(const Matrix<T>& S) const override {
        return Matrix<T>(S.size1(), S.size2(), T(1) / T(S.size1()));
    }
    // [uniform]
};

template <class T>
struct OverEverything : Rewired<T> {
    Matrix<T> softmax(const Matrix<T>& S) const override {
        const Matrix<T> E = exponentials(S);
        return divided(E,
                       [&](std::size_t) { return sum_of(E.size2(), [&](std::size_t j) { return column_sum(E, j); }); });
    }
};

template <class T>
struct Unnormalised : Rewired<T> {
    Matrix<T> softmax(const Matrix<T>& S) const override { return exponentials(S); }
};

template <class T>
struct BaseTwo : Rewired<T> {
    Matrix<T> softmax(const Matrix<T>& S) const override {
        return normalised(exponentials(S, [](const T& s, const T& c) { return (s - c) * T(std::numbers::ln2); }));
    }
};

template <class T>
struct PivotAdded : Rewired<T> {
    Matrix<T> softmax(const Matrix<T>& S) const override {
        return normalised(exponentials(S, [](const T& s, const T& c) { return s + c; }));
    }
};

template <class T>
struct NoPivot : Rewired<T> {
    Matrix<T> softmax(const Matrix<T>& S) const override {
        return normalised(exponentials(S, [](const T& s, const T&) { return s; }));
    }
};

template <class T>
struct FirstAsPivot : Rewired<T> {
    Matrix<T> softmax(const Matrix<T>& S) const override {
        const Matrix<T> from_first =
            matrix_of(S.size1(), S.size2(), [&](std::size_t i, std::size_t j) { return S(i, j) - S(0, j); });
        return normalised(exponentials(from_first, [](const T& s, const T&) { return s; }));
    }
};

template <class T>
struct SharpenedTwice : Rewired<T> {
    Matrix<T> softmax(const Matrix<T>& S) const override {
        return normalised(exponentials(S, [](const T& s, const T& c) { return T(2) * (s - c); }));
    }
};

template <class T>
struct DividedByKeys : Rewired<T> {
    Matrix<T> softmax(const Matrix<T>& S) const override {
        return normalised(exponentials(S, [&](const T& s, const T& c) { return (s - c) / T(S.size1()); }));
    }
};

template <class T>
struct LeastScoreWins : Rewired<T> {
    Matrix<T> softmax(const Matrix<T>& S) const override {
        return normalised(exponentials(S, [](const T& s, const T& c) { return c - s; }));
    }
};

template <class T>
struct NoExponential : Rewired<T> {
    Matrix<T> softmax(const Matrix<T>& S) const override { return normalised(S); }
};

template <class T>
struct CarriedDenominator : Rewired<T> {
    Matrix<T> softmax(const Matrix<T>& S) const override {
        const Matrix<T> E = exponentials(S);
        return divided(
            E, [&](std::size_t j) { return sum_of(j + 1, [&](std::size_t before) { return column_sum(E, before); }); });
    }
};

template <class T>
struct LastNotSummed : Rewired<T> {
    Matrix<T> softmax(const Matrix<T>& S) const override {
        const Matrix<T> E = exponentials(S);
        return divided(E, [&](std::size_t j) { return sum_of(E.size1() - 1, [&](std::size_t i) { return E(i, j); }); });
    }
};

template <class T>
struct DividedTooEarly : Rewired<T> {
    Matrix<T> softmax(const Matrix<T>& S) const override {
        const Matrix<T> E = exponentials(S);
        return matrix_of(S.size1(), S.size2(), [&](std::size_t i, std::size_t j) {
            return E(i, j) / sum_of(i + 1, [&](std::size_t k) { return E(k, j); });
        });
    }
};

template <class T>
struct OneInDenominator : Rewired<T> {
    Matrix<T> softmax(const Matrix<T>& S) const override {
        const Matrix<T> E = exponentials(S);
        return divided(E, [&](std::size_t j) { return T(1) + column_sum(E, j); });
    }
};

template <class T>
struct DiagonalSkipped : Rewired<T> {
    Matrix<T> softmax(const Matrix<T>& S) const override {
        Matrix<T> E = exponentials(S);
        for (std::size_t j = 0; j < E.size1() && j < E.size2(); ++j) E(j, j) = T(0);
        return normalised(E);
    }
};

template <class T>
struct FirstOfEqualScores : Rewired<T> {
    Matrix<T> softmax(const Matrix<T>& S) const override {
        Matrix<T> E = exponentials(S);
        for (std::size_t j = 0; j < S.size2(); ++j)
            for (std::size_t i = 0; i < S.size1(); ++i)
                for (std::size_t k = 0; k < i; ++k)
                    if (same(S(i, j), S(k, j))) E(i, j) = T(0);
        return normalised(E);
    }
};

}  // namespace

std::vector<Refutation> wrong_softmax() {
    return {
        refutation<OverRows>("softmax over rows", {"1.0", "1.1", "1.2", "1.5", "1.6", "1.7", "1.8", "2.0", "2.4", "2.5",
                                                   "2.8", "2.11", "3.0"}),
        refutation<OverEverything>("softmax over the whole matrix",
                                   {"1.0", "1.1", "1.6", "1.7", "1.8", "2.0", "2.4", "2.5", "2.11", "3.0"}),
        refutation<SameForEvery>("the same weight for every key",
                                 {"1.0", "1.5", "1.6", "1.7", "1.8", "2.0", "2.11", "3.0"}),
        refutation<Unnormalised>("softmax not normalised",
                                 {"1.0", "1.1", "1.6", "1.7", "1.8", "2.0", "2.5", "2.8", "2.9", "2.11", "3.0"}),
        refutation_in_reals<BaseTwo>("softmax of base 2", {"1.0", "1.5", "1.6", "1.7", "2.0", "2.11", "3.0"}),
        refutation<PivotAdded>("pivot added instead of subtracted", {"1.2"}),
        refutation<NoPivot>("softmax without a pivot", {"1.2"}),
        refutation_in_reals<FirstAsPivot>("the first score as pivot", {"1.2"}),
        refutation<SharpenedTwice>("softmax of twice the scores", {"1.0", "1.5", "1.6", "1.7", "2.0", "2.11", "3.0"}),
        refutation<DividedByKeys>("scores divided by the number of keys",
                                  {"1.0", "1.5", "1.6", "1.7", "1.8", "2.0", "2.8", "2.11", "3.0"}),
        refutation<LeastScoreWins>("softmax of the scores with the wrong sign",
                                   {"1.0", "1.5", "1.6", "1.7", "1.8", "2.0", "2.11", "3.0"}),
        refutation<NoExponential>("scores normalised without an exponential",
                                  {"1.0", "1.2", "1.5", "1.6", "1.7", "1.8", "2.0", "2.9", "2.11", "3.0"}),
        refutation<CarriedDenominator>(
            "denominator not reset between columns",
            {"1.0", "1.1", "1.4", "1.6", "1.7", "1.8", "2.0", "2.3", "2.4", "2.5", "2.11", "3.0"}),
        refutation<LastNotSummed>("denominator one term short",
                                  {"1.0", "1.1", "1.6", "1.7", "1.8", "2.0", "2.5", "2.8", "2.11", "3.0"}),
        refutation<DividedTooEarly>(
            "divided before the sum is complete",
            {"1.0", "1.1", "1.3", "1.5", "1.6", "1.7", "1.8", "2.0", "2.2", "2.5", "2.8", "2.11", "3.0"}),
        refutation<OneInDenominator>("denominator that starts at 1",
                                     {"1.0", "1.1", "1.6", "1.7", "1.8", "2.0", "2.4", "2.5", "2.8", "2.11", "3.0"}),
        refutation<DiagonalSkipped>("diagonal skipped", {"1.0", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8", "2.0", "2.2",
                                                         "2.3", "2.4", "2.5", "2.8", "2.11", "3.0"}),
        refutation<FirstOfEqualScores>("only the first of equal scores counted", {"1.8", "2.5"}),
    };
}

}  // namespace judge
