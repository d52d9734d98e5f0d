#pragma once
/// \file
/// What a number must bring so that attention can be computed with it: its exponential and its pivot.
///
/// The definitions are written once, over any scalar type `T`. They call `exponential(x)` and `pivot(c, s)`, which are
/// found by argument-dependent lookup; here stand those of the real numbers, in `scalars/` those of the other worlds.
/// Score functions that need a root or a hyperbolic tangent find `sqrt` and `tanh` in the same way.

#include <cmath>
#include <concepts>
#include <limits>
#include <utility>

namespace multihead {

/// \f$e^x\f$.
template <std::floating_point T>
T exponential(T x) {
    return std::exp(x);
}

/// The pivot c of a column of scores, updated by one more score s: the larger of the two.
/// Softmax subtracts it before it exponentiates, so that no exponential overflows (law 1.6: the result is the same).
/// A pivot is never −∞: otherwise a column of nothing but −∞ would turn into −∞ − (−∞), which is NaN.
template <std::floating_point T>
T pivot(T c, T s) {
    constexpr T lowest = std::numeric_limits<T>::lowest();
    if (c < lowest) c = lowest;
    return s > c ? s : c;
}

/// Whether a sum of exponentials is 0: in real numbers, only if every score is −∞. Intervals have their own.
template <class T>
bool is_zero(const T& x) {
    return x == T(0);
}

/// The type of `exponential(x)` for an x of type T: the numbers in which weights are computed.
/// It is T itself for real numbers.
template <class T>
using Value = decltype(exponential(std::declval<const T&>()));

}  // namespace multihead
