#pragma once
/// \file
/// The enclosing world: intervals that contain the true value and every floating-point run of the same operations.
///
/// Boost.Interval with a rounding of our own. It computes to nearest, as every run does, and then widens the result
/// outward: one step for an operation that IEEE 754 rounds correctly, more for the C library's functions. No rounding
/// mode is changed, so no compiler flag is needed for it to be right.

#include <multihead/scalar.hpp>

// Not <boost/numeric/interval.hpp>, which asks for the rounding modes of a processor: WebAssembly has none.
#include <boost/numeric/interval/arith.hpp>
#include <boost/numeric/interval/arith2.hpp>
#include <boost/numeric/interval/checking.hpp>
#include <boost/numeric/interval/interval.hpp>
#include <boost/numeric/interval/policies.hpp>
#include <boost/numeric/interval/transc.hpp>
#include <boost/numeric/interval/utility.hpp>

#include <cmath>
#include <concepts>
#include <limits>

namespace multihead {

/// Rounding outward by steps between neighbouring floating-point numbers.
template <std::floating_point T>
struct Outward {
    using unprotected_rounding = Outward;  ///< Boost asks for it; nothing needs protection here

    /// x, `steps` neighbours lower.
    static T down(T x, int steps = 1) {
        for (; steps > 0; --steps) x = std::nextafter(x, -std::numeric_limits<T>::infinity());
        return x;
    }
    /// x, `steps` neighbours higher.
    static T up(T x, int steps = 1) {
        for (; steps > 0; --steps) x = std::nextafter(x, std::numeric_limits<T>::infinity());
        return x;
    }

    // IEEE 754: rounded to nearest, so the true value lies between the neighbours of the result.
    static T add_down(T x, T y) { return down(x + y); }
    static T add_up(T x, T y) { return up(x + y); }
    static T sub_down(T x, T y) { return down(x - y); }
    static T sub_up(T x, T y) { return up(x - y); }
    static T mul_down(T x, T y) { return down(x * y); }
    static T mul_up(T x, T y) { return up(x * y); }
    static T div_down(T x, T y) { return down(x / y); }
    static T div_up(T x, T y) { return up(x / y); }
    static T sqrt_down(T x) { return down(std::sqrt(x)); }
    static T sqrt_up(T x) { return up(std::sqrt(x)); }

    // The C library lists 1 ulp for exp and 2 ulp for tanh (GNU C Library manual, known maximum errors, x86_64:
    // measured, not proved). A run errs by that much and so does the end of the interval, which makes twice as much
    // between them. An ulp is at most two steps, namely just above a power of two.
    static T exp_down(T x) { return std::fmax(T(0), down(std::exp(x), 4)); }
    static T exp_up(T x) { return up(std::exp(x), 4); }
    static T tanh_down(T x) { return down(std::tanh(x), 8); }
    static T tanh_up(T x) { return up(std::tanh(x), 8); }

    /// The midpoint.
    static T median(T x, T y) { return x / 2 + y / 2; }

    /// A whole number, exactly if T holds it.
    template <class U>
    static T conv_down(const U& n) {
        const T x = static_cast<T>(n);
        return static_cast<U>(x) == n ? x : down(x);
    }
    /// A whole number, exactly if T holds it.
    template <class U>
    static T conv_up(const U& n) {
        const T x = static_cast<T>(n);
        return static_cast<U>(x) == n ? x : up(x);
    }
};

/// An interval of T that encloses.
template <std::floating_point T>
using Interval = boost::numeric::interval<
    T, boost::numeric::interval_lib::policies<Outward<T>, boost::numeric::interval_lib::checking_base<T>>>;

/// Encloses \f$e^x\f$ and every run's `std::exp` of any number in x.
template <std::floating_point T>
Interval<T> exponential(const Interval<T>& x) {
    return boost::numeric::exp(x);
}

/// Equal, where that is certain; an exception where it is not. This is Boost.Interval's own comparison, whose parameter
/// types alone would make x == y ambiguous with y == x in C++20.
template <std::floating_point T>
bool operator==(const Interval<T>& x, const Interval<T>& y) {
    return x.operator==(y);
}

/// The maximum of two intervals: it encloses the pivot of every run.
template <std::floating_point T>
Interval<T> pivot(const Interval<T>& c, const Interval<T>& s) {
    return boost::numeric::max(c, s);
}

/// Whether x is 0 for certain.
template <std::floating_point T>
bool is_zero(const Interval<T>& x) {
    return x.lower() == 0 && x.upper() == 0;
}

}  // namespace multihead
