#pragma once
/// \file
/// What the tests of single values use: matrices in braces, both hands, and comparisons, exact or with a stated
/// tolerance.

#include "../chapters/shared/small.hpp"
#include "judge.hpp"
#include "laws.hpp"

#include <multihead/laws/entries.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>

namespace judge {

using chapters::matrix;
using multihead::Draw;
using multihead::Hand;
using multihead::Matrix;
using multihead::transposed;

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// One number as a 1 × 1 matrix.
inline Matrix<double> matrix(double x) { return matrix({{x}}); }

/// x agrees with an expected number given with 17 digits: relative tolerance 1e-14, which is 45 units in the last
/// place, enough for the few operations of each case; absolute tolerance 0. Infinities agree if they are equal, NaN
/// agrees only where NaN is expected.
inline bool agrees(double x, double expected) {
    if (std::isnan(expected)) return std::isnan(x);
    if (std::isinf(expected)) return x == expected;
    return std::fabs(x - expected) <= 1e-14 * std::fabs(expected);
}

/// x equals the expected number exactly. Again NaN agrees only where NaN is expected.
template <class T>
bool equals(const T& x, const T& expected) {
    if constexpr (std::is_floating_point_v<T>)
        if (std::isnan(expected)) return std::isnan(x);
    return x == expected;
}

/// A number as text can show it: that of an exact world by its residue.
template <class T>
auto printable(const T& x) {
    if constexpr (requires { x.residue(); })
        return x.residue();
    else
        return x;
}

/// Nothing if `same` is true of every entry and what is expected there, otherwise what differs.
template <class T, class Same>
std::string difference(const Matrix<T>& X, const Matrix<T>& expected, Same same) {
    std::ostringstream text;
    text.precision(17);
    if (X.size1() != expected.size1() || X.size2() != expected.size2()) {
        text << "shape " << X.size1() << "x" << X.size2() << " instead of " << expected.size1() << "x"
             << expected.size2();
        return text.str();
    }
    for (std::size_t i = 0; i < X.size1(); ++i)
        for (std::size_t j = 0; j < X.size2(); ++j)
            if (!same(X(i, j), expected(i, j))) {
                text << "entry (" << i << ", " << j << ") is " << printable(X(i, j)) << " instead of "
                     << printable(expected(i, j));
                return text.str();
            }
    return "";
}

/// Nothing if all entries agree, otherwise what differs: a test says `CHECK(difference(X, expected) == "")`.
inline std::string difference(const Matrix<double>& X, const Matrix<double>& expected) {
    return difference(X, expected, agrees);
}

/// The same for entries that equal what is expected exactly.
template <class T>
std::string exact_difference(const Matrix<T>& X, const Matrix<T>& expected) {
    return difference(X, expected, equals<T>);
}

/// X with x in all of column j.
inline Matrix<double> with_column(Matrix<double> X, std::size_t j, double x) {
    for (std::size_t i = 0; i < X.size1(); ++i) X(i, j) = x;
    return X;
}

/// Both hands in the scalar T, one after the other.
template <class T, class Test>
void with_both_hands(const Test& test) {
    for (const AnyHand* hand : all_hands()) {
        INFO("hand ", hand->name);
        test(hand->in<T>());
    }
}

/// Both hands on three drawn instances in the free world, where equal means equal: what holds there holds for every
/// input up to a chance of about 1e-17.
template <class Test>
void in_free_world(const Test& test) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
        with_both_hands<Free>([&](const Hand<Free>& hand) {
            INFO("seed ", seed);
            Draw<Free> draw(seed);
            test(hand, draw);
        });
}

}  // namespace judge
