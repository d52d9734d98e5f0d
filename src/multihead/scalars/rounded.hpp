#pragma once
/// \file
/// Floating point that is the same on every machine.
///
/// IEEE 754 fixes every bit of a sum, a product, a quotient and a root. It does not fix the exponential: the last bit
/// of `std::exp` depends on the C library and on the processor. Here it is computed with 50 digits and then rounded:
/// the nearest number, unless the true value is within 10⁻⁴⁹ of the middle between two.

#include <multihead/matrix.hpp>
#include <multihead/scalar.hpp>
#include <multihead/scalars/truth.hpp>

#include <cmath>
#include <compare>
#include <concepts>
#include <type_traits>

namespace multihead {

/// A `float` or a `double` that brings an exponential of its own.
template <std::floating_point T>
class Rounded {
  public:
    /// Zero.
    Rounded() = default;

    /// The number nearest to n.
    template <class N>
    requires std::is_arithmetic_v<N>
    explicit Rounded(N n) : value_(static_cast<T>(n)) {}

    /// The number itself.
    T value() const { return value_; }

    Rounded& operator+=(const Rounded& y) { return *this = *this + y; }
    Rounded& operator-=(const Rounded& y) { return *this = *this - y; }
    Rounded& operator*=(const Rounded& y) { return *this = *this * y; }
    Rounded& operator/=(const Rounded& y) { return *this = *this / y; }

    friend Rounded operator+(const Rounded& x, const Rounded& y) { return Rounded(x.value_ + y.value_); }
    friend Rounded operator-(const Rounded& x, const Rounded& y) { return Rounded(x.value_ - y.value_); }
    friend Rounded operator*(const Rounded& x, const Rounded& y) { return Rounded(x.value_ * y.value_); }
    friend Rounded operator/(const Rounded& x, const Rounded& y) { return Rounded(x.value_ / y.value_); }
    friend Rounded operator-(const Rounded& x) { return Rounded(-x.value_); }
    friend bool operator==(const Rounded&, const Rounded&) = default;
    friend std::partial_ordering operator<=>(const Rounded&, const Rounded&) = default;

  private:
    T value_ = 0;
};

/// \f$e^x\f$, rounded.
template <std::floating_point T>
Rounded<T> exponential(const Rounded<T>& x) {
    return Rounded<T>(exp(Truth(x.value())).template convert_to<T>());
}

/// The natural logarithm, rounded.
template <std::floating_point T>
Rounded<T> log(const Rounded<T>& x) {
    return Rounded<T>(log(Truth(x.value())).template convert_to<T>());
}

/// The larger of the two, as for T.
template <std::floating_point T>
Rounded<T> pivot(const Rounded<T>& c, const Rounded<T>& s) {
    return Rounded<T>(pivot(c.value(), s.value()));
}

/// The root, which IEEE 754 rounds to nearest.
template <std::floating_point T>
Rounded<T> sqrt(const Rounded<T>& x) {
    return Rounded<T>(std::sqrt(x.value()));
}

/// The entries of X as numbers of the other kind.
template <std::floating_point T>
Matrix<Rounded<T>> rounded(const Matrix<T>& X) {
    Matrix<Rounded<T>> Y(X.size1(), X.size2());
    for (std::size_t i = 0; i < X.size1(); ++i)
        for (std::size_t j = 0; j < X.size2(); ++j) Y(i, j) = Rounded<T>(X(i, j));
    return Y;
}

/// The entries of X as they are.
template <std::floating_point T>
Matrix<T> values(const Matrix<Rounded<T>>& X) {
    Matrix<T> Y(X.size1(), X.size2());
    for (std::size_t i = 0; i < X.size1(); ++i)
        for (std::size_t j = 0; j < X.size2(); ++j) Y(i, j) = X(i, j).value();
    return Y;
}

}  // namespace multihead
