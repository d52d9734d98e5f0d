#pragma once
/// \file
/// Truth: floating point with 50 decimal digits, beside which the 7 of `float` and the 16 of `double` are measured.
///
/// Every float and every double is such a number exactly, so a run and its truth start from the same inputs. Its
/// exponents reach far: no product of doubles overflows, and an exponential is 0 only below 10^(−600000000).

#include <multihead/matrix.hpp>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <concepts>
#include <limits>

namespace multihead {

/// A number with 50 decimal digits. Without expression templates, so that the type of x + y is that of x.
using Truth = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;

/// The entries of X as numbers of 50 digits, exactly.
template <std::floating_point T>
Matrix<Truth> truth_of(const Matrix<T>& X) {
    Matrix<Truth> Y(X.size1(), X.size2());
    for (std::size_t i = 0; i < X.size1(); ++i)
        for (std::size_t j = 0; j < X.size2(); ++j) Y(i, j) = Truth(X(i, j));
    return Y;
}

// [ulps]
/// One unit in the last place of T at x: the distance of neighbours in the binade [2^e, 2^{e+1}) that holds |x|. Below
/// the smallest normal number it is the smallest subnormal number, above the largest finite one that of the last
/// binade.
template <std::floating_point T>
Truth ulp(const Truth& x) {
    using Limits = std::numeric_limits<T>;
    int e = 0;  // |x| = f 2^e with 1/2 <= f < 1
    if (x != 0 && isfinite(x)) frexp(x, &e);
    if (x == 0 || e < Limits::min_exponent) e = Limits::min_exponent;
    if (!isfinite(x) || e > Limits::max_exponent) e = Limits::max_exponent;
    return ldexp(Truth(1), e - Limits::digits);
}

/// |run − truth| in units in the last place of T at the truth: 1/2 or less if the run is the truth, correctly rounded.
/// A NaN or an infinity is infinitely far from everything but its like.
template <std::floating_point T>
Truth ulps(T run, const Truth& truth) {
    const Truth x(run);
    if (isnan(x) && isnan(truth)) return Truth(0);
    if (!isfinite(x) || !isfinite(truth)) return x == truth ? Truth(0) : std::numeric_limits<Truth>::infinity();
    return abs(x - truth) / ulp<T>(truth);
}
// [ulps]

}  // namespace multihead

// Found by argument-dependent lookup, so they stand where the number does.
namespace boost::multiprecision {

/// \f$e^x\f$, to the last digits.
template <class Backend>
number<Backend, et_off> exponential(const number<Backend, et_off>& x) {
    return exp(x);
}

/// The larger of the two, and never −∞, as for `double`.
template <class Backend>
number<Backend, et_off> pivot(const number<Backend, et_off>& c, const number<Backend, et_off>& s) {
    const number<Backend, et_off> lowest = std::numeric_limits<number<Backend, et_off>>::lowest();
    const number<Backend, et_off>& from = c < lowest ? lowest : c;
    return s > from ? s : from;
}

}  // namespace boost::multiprecision
