#pragma once
/// \file
/// The bounds of the page "How exact is floating point?", as it derives them.

#include <multihead/loops/scores.hpp>
#include <multihead/matrix.hpp>
#include <multihead/scalars/truth.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>

namespace floating_point {

using multihead::Matrix;
using multihead::Truth;
using multihead::truth_of;

/// The unit roundoff of T: the largest relative error of one rounding, 2^(−p) with p digits.
template <std::floating_point T>
Truth unit_roundoff() {
    return Truth(std::numeric_limits<T>::epsilon()) / 2;
}

/// The smallest positive number of T, a subnormal one.
template <std::floating_point T>
Truth smallest() {
    return Truth(std::numeric_limits<T>::denorm_min());
}

/// γ_N = N u / (1 − N u): how much N roundings change a product at most, relatively. Infinity unless N u < 1.
// [gamma]
template <std::floating_point T>
Truth gamma(const Truth& N) {
    const Truth Nu = N * unit_roundoff<T>();
    return Nu < 1 ? Truth(Nu / (1 - Nu)) : std::numeric_limits<Truth>::infinity();
}
// [gamma]

/// R: the largest distance between two scores of a column. Shape: S is m×1, m ≥ 1.
template <class T>
Truth largest_distance(const Matrix<T>& S) {
    T low = S(0, 0);
    T high = S(0, 0);
    for (std::size_t i = 0; i < S.size1(); ++i) {
        low = std::min(low, S(i, 0));
        high = std::max(high, S(i, 0));
    }
    return Truth(high) - Truth(low);
}

// [roundings]
/// Bound 2: how many roundings a weight has, with the pivot and without it.
inline Truth roundings_of_softmax(std::size_t m, const Truth& R) { return m + 4 + 2 * R; }
/// The same without the pivot.
inline Truth roundings_of_naive_softmax(std::size_t m) { return Truth(m + 4); }
// [roundings]

/// L: from this distance to the pivot on, an exponential is 0 or the smallest number.
template <std::floating_point T>
Truth limit_of_distance() {
    return 1 - log(smallest<T>());
}

/// Bound 3: the largest error of a weight, for any finite scores.
// [underflow]
template <std::floating_point T>
class WeightBound {
  public:
    WeightBound(std::size_t m, const Truth& R) : gamma_(gamma<T>(m + 5 + 2 * std::min(R, limit_of_distance<T>()))) {}

    /// The bound of a weight whose true value is a.
    Truth operator()(const Truth& a) const { return gamma_ * a + 2 * smallest<T>(); }

  private:
    Truth gamma_;
};
// [underflow]

/// Bound 4: how many roundings an output of attention has. Computed scores may be 2D further apart than the true ones.
/// Shapes: Q d_k×1, K d_k×m.
// [attention]
template <std::floating_point T>
Truth roundings_of_attention(const Matrix<T>& Q, const Matrix<T>& K) {
    const std::size_t d_k = Q.size1();
    const std::size_t m = K.size2();
    Truth size = 0;  // the largest Σ_l |k_li| |q_l|
    for (std::size_t i = 0; i < m; ++i) {
        Truth sum = 0;
        for (std::size_t l = 0; l < d_k; ++l) sum += abs(Truth(K(l, i)) * Truth(Q(l, 0)));
        size = std::max(size, sum);
    }
    const Truth D = gamma<T>(d_k) * size;  // the error of a score
    const Truth R = largest_distance(multihead::loops::dot_product(truth_of(Q), truth_of(K))) + 2 * D;
    return 2 * m + 4 + 2 * R + 2 * D / unit_roundoff<T>();
}
// [attention]

}  // namespace floating_point
