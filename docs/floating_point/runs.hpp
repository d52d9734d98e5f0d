#pragma once
/// \file
/// What "How exact is floating point?" runs: softmax without its pivot, and inputs that hurt.

#include "bounds.hpp"

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>
#include <multihead/scalar.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace floating_point {

using multihead::exponential;
using multihead::pivot;

/// Softmax of every column as its definition says, without a pivot. Shapes: S and the result m×n.
// [naive_softmax]
template <class T>
Matrix<T> naive_softmax(const Matrix<T>& S) {
    Matrix<T> A(S.size1(), S.size2());
    for (std::size_t j = 0; j < S.size2(); ++j) {
        T sum(0);
        for (std::size_t i = 0; i < S.size1(); ++i) {
            A(i, j) = exponential(S(i, j));
            sum += A(i, j);
        }
        for (std::size_t i = 0; i < S.size1(); ++i) A(i, j) = A(i, j) / sum;
    }
    return A;
}
// [naive_softmax]

/// A column with these entries.
template <std::floating_point T>
Matrix<T> column(const std::vector<T>& entries) {
    return multihead::matrix_of(entries.size(), 1, [&](std::size_t i, std::size_t) { return entries[i]; });
}

/// m scores, drawn uniformly from an interval of length R around 0.
template <std::floating_point T>
Matrix<T> drawn_scores(multihead::Draw<T>& draw, std::size_t m, double R) {
    Matrix<T> S = draw.matrix(m, 1);
    S *= T(R / 2);
    return S;
}

/// The first number is 1 or its logarithm 0, and all others are so small that none of them changes a sum that is 1:
/// the sum of the others is lost.
template <std::floating_point T>
Matrix<T> one_and_many(std::size_t m, T one, T small) {
    std::vector<T> entries(m, small);
    entries[0] = one;
    return column(entries);
}

/// Scores whose exponentials are just below u, beside one whose exponential is 1.
template <std::floating_point T>
Matrix<T> one_dominates(std::size_t m) {
    return one_and_many(m, T(0), T(std::numeric_limits<T>::digits == 24 ? -16.65 : -36.75));
}

/// A column of scores, and what is said of it.
template <std::floating_point T>
struct Nasty {
    std::string name;
    Matrix<T> S;
};

/// Scores that hurt: large, subnormal, all equal, one far above the others.
template <std::floating_point T>
std::vector<Nasty<T>> nasty_scores() {
    constexpr bool is_double = std::numeric_limits<T>::digits == 53;
    constexpr T tiny = std::numeric_limits<T>::denorm_min();
    constexpr T huge = is_double ? T(1e308) : T(1e38);
    return {
        {"all equal, 0", column<T>({0, 0, 0})},
        {"all equal, -800", column<T>({-800, -800, -800})},
        {"700, 20000 times", column(std::vector<T>(20000, 700))},
        {"700, 0, -700", column<T>({700, 0, -700})},
        {is_double ? "1e308, 0, -1e308" : "1e38, 0, -1e38", column<T>({huge, 0, -huge})},
        {"subnormal scores", column<T>({tiny, -tiny, 5 * tiny})},
        {"a subnormal weight", column<T>({0, is_double ? T(-740) : T(-100)})},
        {"one dominates 1000", one_dominates<T>(1001)},
    };
}

}  // namespace floating_point
