#pragma once
/// \file
/// Solutions of the exercises of "How exact is floating point?" that are code.

#include "runs.hpp"

#include <cmath>
#include <cstddef>

namespace floating_point {

/// Exercise 0.6: the sum of entries `from` to `to` − 1 of a column, the halves first.
// [sum_of_halves]
template <class T>
T sum_of_halves(const Matrix<T>& X, std::size_t from, std::size_t to) {
    if (to - from == 1) return X(from, 0);
    const std::size_t middle = from + (to - from) / 2;
    return sum_of_halves(X, from, middle) + sum_of_halves(X, middle, to);
}
// [sum_of_halves]

/// Softmax of one column, m ≥ 1, with its pivot and the sum of halves.
template <class T>
Matrix<T> softmax_by_halves(const Matrix<T>& S) {
    T c = S(0, 0);
    for (std::size_t i = 0; i < S.size1(); ++i) c = pivot(c, S(i, 0));
    Matrix<T> A(S.size1(), 1);
    for (std::size_t i = 0; i < S.size1(); ++i) A(i, 0) = exponential(S(i, 0) - c);
    const T sum = sum_of_halves(A, 0, A.size1());
    for (std::size_t i = 0; i < S.size1(); ++i) A(i, 0) = A(i, 0) / sum;
    return A;
}

/// Exercise 0.7: softmax of one column, m ≥ 1, without a division: e^{s − log Σ}.
// [without_division]
template <class T>
Matrix<T> softmax_without_division(const Matrix<T>& S) {
    using std::log;
    T c = S(0, 0);
    for (std::size_t i = 0; i < S.size1(); ++i) c = pivot(c, S(i, 0));
    T sum(0);
    for (std::size_t i = 0; i < S.size1(); ++i) sum += exponential(S(i, 0) - c);
    const T log_of_sum = c + log(sum);
    Matrix<T> A(S.size1(), 1);
    for (std::size_t i = 0; i < S.size1(); ++i) A(i, 0) = exponential(S(i, 0) - log_of_sum);
    return A;
}
// [without_division]

}  // namespace floating_point
