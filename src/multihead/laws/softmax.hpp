#pragma once
/// \file
/// The laws of chapter 1: softmax.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <tuple>

namespace multihead::laws {

/// 1.0: a_ij = e^{s_ij} / Σ_k e^{s_kj}.
struct SoftmaxEntrywise {
    static constexpr Id id{"1.0", "softmax-entrywise"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const SoftmaxHand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> S = draw.matrix(shape.m, shape.n);
        return {{"softmax", hand.softmax(S), matrix_of(shape.m, shape.n, [&](std::size_t i, std::size_t j) {
                     return exponential(S(i, j)) / sum_of(shape.m, [&](std::size_t k) { return exponential(S(k, j)); });
                 })}};
    }
};

/// 1.1: the entries of every column sum to 1, m ≥ 1.
struct ColumnsSumToOne {
    static constexpr Id id{"1.1", "columns-sum-to-one"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const SoftmaxHand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> A = hand.softmax(draw.matrix(shape.m, shape.n));
        return {{"column sums",
                 matrix_of(1, shape.n,
                           [&](std::size_t, std::size_t j) {
                               return sum_of(shape.m, [&](std::size_t i) { return A(i, j); });
                           }),
                 Matrix<T>(1, shape.n, T(1))}};
    }
};

/// 1.2: Softmax(S + 1 cᵀ) = Softmax(S): one constant per column changes nothing, however large. In the real world
/// scores far apart are asked too, whose exponentials overflow unless the pivot is the largest.
struct ShiftInvariance {
    static constexpr Id id{"1.2", "shift-invariance"};
    static constexpr Worlds worlds = RH;

    template <class T>
    Equations<Value<T>> operator()(const SoftmaxHand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> S = draw.matrix(shape.m, shape.n);
        const Matrix<T> c =
            matrix_of(1, shape.n, [&](std::size_t, std::size_t) { return T(2000) + T(1000) * draw.number(); });
        const auto shifted = [&](const Matrix<T>& scores) {
            return matrix_of(shape.m, shape.n, [&](std::size_t i, std::size_t j) { return scores(i, j) + c(0, j); });
        };
        Equations<Value<T>> equations{{"shifted", hand.softmax(shifted(S)), hand.softmax(S)}};
        if constexpr (!is_exact<T>) {
            const Matrix<T> apart = scaled(T(2000), S);
            equations.push_back({"far apart", hand.softmax(shifted(apart)), hand.softmax(apart)});
        }
        return equations;
    }
};

/// 1.3: Softmax(P S) = P Softmax(S) for a permutation P of the rows.
struct PermutedRows {
    static constexpr Id id{"1.3", "permuted-rows"};
    static constexpr Worlds worlds = RF;
    static bool admits(const Shape& shape) { return shape.m >= 2; }

    template <class T>
    Equations<T> operator()(const SoftmaxHand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> S = draw.matrix(shape.m, shape.n);
        const auto order = draw.permutation(shape.m);
        return {{"rows", hand.softmax(permuted_rows(S, order)), permuted_rows(hand.softmax(S), order)}};
    }
};

/// 1.4: Softmax(S P) = Softmax(S) P for a permutation P of the columns.
struct PermutedColumns {
    static constexpr Id id{"1.4", "permuted-columns"};
    static constexpr Worlds worlds = RF;
    static bool admits(const Shape& shape) { return shape.n >= 2; }

    template <class T>
    Equations<T> operator()(const SoftmaxHand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> S = draw.matrix(shape.m, shape.n);
        const auto order = draw.permutation(shape.n);
        return {{"columns", hand.softmax(permuted_columns(S, order)), permuted_columns(hand.softmax(S), order)}};
    }
};

/// 1.5: a_ij e^{s_kj} = a_kj e^{s_ij}: the odds of two weights are those of their exponentials. k is the next row.
struct Odds {
    static constexpr Id id{"1.5", "odds"};
    static constexpr Worlds worlds = RFH;
    static bool admits(const Shape& shape) { return shape.m >= 2; }

    template <class T>
    Equations<Value<T>> operator()(const SoftmaxHand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> S = draw.matrix(shape.m, shape.n);
        const Matrix<Value<T>> A = hand.softmax(S);
        const auto side = [&](bool left) {
            return matrix_of(shape.m, shape.n, [&, left](std::size_t i, std::size_t j) {
                const std::size_t k = (i + 1) % shape.m;
                return left ? A(i, j) * exponential(S(k, j)) : A(k, j) * exponential(S(i, j));
            });
        };
        return {{"odds", side(true), side(false)}};
    }
};

/// 1.6: e^{s_ij − c_j} / Σ_k e^{s_kj − c_j} is softmax for every pivot c, one number per column.
struct AnyPivot {
    static constexpr Id id{"1.6", "any-pivot"};
    static constexpr Worlds worlds = RH;

    template <class T>
    Equations<Value<T>> operator()(const SoftmaxHand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> S = draw.matrix(shape.m, shape.n);
        const Matrix<T> c = scaled(T(4), draw.matrix(1, shape.n));
        return {{"pivot", hand.softmax(S), matrix_of(shape.m, shape.n, [&](std::size_t i, std::size_t j) {
                     return exponential(S(i, j) - c(0, j)) /
                            sum_of(shape.m, [&](std::size_t k) { return exponential(S(k, j) - c(0, j)); });
                 })}};
    }
};

/// 1.7: of two scores x, y the weight of x is 1 / (1 + e^{−(x − y)}).
struct TwoScores {
    static constexpr Id id{"1.7", "two-scores"};
    static constexpr Worlds worlds = RH;

    template <class T>
    Equations<Value<T>> operator()(const SoftmaxHand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> S = draw.matrix(2, shape.n);
        const Value<T> one(1);
        return {{"logistic", hand.softmax(S), matrix_of(2, shape.n, [&](std::size_t i, std::size_t j) {
                     return one / (one + exponential(-(S(i, j) - S(1 - i, j))));
                 })}};
    }
};

/// 1.8: if t scores are maximal and the others lie at least δ > 0 below, then for β ≥ 0
/// 1 − (weight on the t maxima of Softmax(β S)) ≤ ((m − t) / t) e^{−βδ}; at β = 0 all weights are 1/m.
struct Sharpening {
    static constexpr Id id{"1.8", "sharpening"};
    static constexpr Worlds worlds = R;

    template <class T>
    Equations<T> operator()(const SoftmaxHand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const std::size_t m = shape.m + 2;
        const std::size_t t = 2;
        const T delta(1);
        const Matrix<T> below = draw.matrix(m, shape.n);
        const Matrix<T> maximum = draw.matrix(1, shape.n);
        const Matrix<T> S = matrix_of(m, shape.n, [&](std::size_t i, std::size_t j) {
            return i < t ? maximum(0, j) : maximum(0, j) - delta - (below(i, j) + T(1));
        });
        Equations<T> equations;
        for (const int beta : {1, 2, 4, 8}) {
            const Matrix<T> A = hand.softmax(scaled(T(beta), S));
            equations.push_back({"beta = " + std::to_string(beta),
                                 matrix_of(1, shape.n,
                                           [&](std::size_t, std::size_t j) {
                                               return T(1) - sum_of(t, [&](std::size_t i) { return A(i, j); });
                                           }),
                                 Matrix<T>(1, shape.n, T(m - t) / T(t) * exponential(-(T(beta) * delta))),
                                 Relation::at_most});
        }
        equations.push_back({"beta = 0", hand.softmax(scaled(T(0), S)), Matrix<T>(m, shape.n, T(1) / T(m))});
        return equations;
    }
};

/// Chapter 1.
inline constexpr std::tuple<SoftmaxEntrywise, ColumnsSumToOne, ShiftInvariance, PermutedRows, PermutedColumns, Odds,
                            AnyPivot, TwoScores, Sharpening>
    softmax{};

}  // namespace multihead::laws
