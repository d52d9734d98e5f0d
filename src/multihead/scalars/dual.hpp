#pragma once
/// \file
/// Dual numbers: a + b ε with ε² = 0. A function that is computed with them brings its derivative along,
/// \f$f(a+b\,\varepsilon)=f(a)+f'(a)\,b\,\varepsilon\f$, exactly and without a limit (Clifford 1873).
///
/// Over F_p the exponential is the random function E, which has no derivative of its own. It is *given* one here, E' =
/// E: a law of gradients that holds in the free world uses nothing else of e^x, whatever E is.

#include <multihead/scalar.hpp>

#include <cmath>
#include <concepts>
#include <type_traits>
#include <utility>

namespace multihead {

/// a + b ε over the numbers T.
template <class T>
struct Dual {
    T value;  ///< a
    T slope;  ///< b

    /// Zero.
    constexpr Dual() : value(0), slope(0) {}
    /// a + b ε; a constant when b is left out.
    constexpr explicit Dual(T a, T b = T(0)) : value(std::move(a)), slope(std::move(b)) {}
    /// A whole number.
    template <std::integral I>
    constexpr explicit Dual(I n) : value(T(n)), slope(0) {}

    constexpr Dual& operator+=(const Dual& y) { return *this = *this + y; }
    constexpr Dual& operator-=(const Dual& y) { return *this = *this - y; }
    constexpr Dual& operator*=(const Dual& y) { return *this = *this * y; }
    constexpr Dual& operator/=(const Dual& y) { return *this = *this / y; }

    friend constexpr Dual operator+(const Dual& x, const Dual& y) { return Dual(x.value + y.value, x.slope + y.slope); }
    friend constexpr Dual operator-(const Dual& x, const Dual& y) { return Dual(x.value - y.value, x.slope - y.slope); }
    friend constexpr Dual operator-(const Dual& x) { return Dual(-x.value, -x.slope); }
    friend constexpr Dual operator*(const Dual& x, const Dual& y) {
        return Dual(x.value * y.value, x.slope * y.value + x.value * y.slope);
    }
    friend constexpr Dual operator/(const Dual& x, const Dual& y) {
        const T quotient = x.value / y.value;
        return Dual(quotient, (x.slope - quotient * y.slope) / y.value);
    }
    friend constexpr bool operator==(const Dual& x, const Dual& y) { return x.value == y.value && x.slope == y.slope; }
};

/// e^{a + b ε} = e^a + e^a b ε: the exponential is its own derivative.
template <class T>
requires std::is_same_v<Value<T>, T> Dual<T> exponential(const Dual<T>& x) {
    const T e = exponential(x.value);
    return Dual<T>(e, e * x.slope);
}

/// The pivot of the values, as a constant: softmax is the same for every pivot (law 1.6), and so is its derivative.
template <class T>
Dual<T> pivot(const Dual<T>& c, const Dual<T>& s) {
    return Dual<T>(pivot(c.value, s.value));
}

/// Whether the value is 0, so that nothing can be divided by it.
template <class T>
bool is_zero(const Dual<T>& x) {
    return is_zero(x.value);
}

/// √(a + b ε) = √a + b / (2√a) ε.
template <class T>
Dual<T> sqrt(const Dual<T>& x) {
    using std::sqrt;
    const T root = sqrt(x.value);
    return Dual<T>(root, x.slope / (T(2) * root));
}

/// tanh(a + b ε) = tanh a + (1 − tanh² a) b ε.
template <class T>
Dual<T> tanh(const Dual<T>& x) {
    using std::tanh;
    const T t = tanh(x.value);
    return Dual<T>(t, (T(1) - t * t) * x.slope);
}

}  // namespace multihead
