#pragma once
/// \file
/// What laws are written with: matrices entry by entry, permuted, stacked. None of it comes from a hand.

#include <multihead/matrix.hpp>

#include <vector>

namespace multihead {

/// The matrix with entries entry(i, j).
template <class Entry>
auto matrix_of(std::size_t rows, std::size_t columns, Entry entry) {
    Matrix<decltype(entry(rows, columns))> X(rows, columns);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) X(i, j) = entry(i, j);
    return X;
}

/// A 1×1 matrix.
template <class T>
Matrix<T> number(const T& x) {
    return Matrix<T>(1, 1, x);
}

/// Σ_{k < count} term(k), in the order of k.
template <class Term>
auto sum_of(std::size_t count, Term term) {
    decltype(term(count)) sum(0);
    for (std::size_t k = 0; k < count; ++k) sum += term(k);
    return sum;
}

/// Entry (i, j) of A B as a sum.
template <class T>
T product_entry(const Matrix<T>& A, const Matrix<T>& B, std::size_t i, std::size_t j) {
    return sum_of(A.size2(), [&](std::size_t k) { return A(i, k) * B(k, j); });
}

/// A B, entry by entry.
template <class T>
Matrix<T> product(const Matrix<T>& A, const Matrix<T>& B) {
    return matrix_of(A.size1(), B.size2(), [&](std::size_t i, std::size_t j) { return product_entry(A, B, i, j); });
}

/// A + B, entry by entry.
template <class T>
Matrix<T> sum(const Matrix<T>& A, const Matrix<T>& B) {
    return matrix_of(A.size1(), A.size2(), [&](std::size_t i, std::size_t j) { return A(i, j) + B(i, j); });
}

/// A with one number t times every entry.
template <class T>
Matrix<T> scaled(const T& t, const Matrix<T>& A) {
    return matrix_of(A.size1(), A.size2(), [&](std::size_t i, std::size_t j) { return t * A(i, j); });
}

/// The matrix whose column j is column order[j] of X: X P.
template <class T>
Matrix<T> permuted_columns(const Matrix<T>& X, const std::vector<std::size_t>& order) {
    return matrix_of(X.size1(), X.size2(), [&](std::size_t i, std::size_t j) { return X(i, order[j]); });
}

/// The matrix whose row i is row order[i] of X: Pᵀ X.
template <class T>
Matrix<T> permuted_rows(const Matrix<T>& X, const std::vector<std::size_t>& order) {
    return matrix_of(X.size1(), X.size2(), [&](std::size_t i, std::size_t j) { return X(order[i], j); });
}

/// [A B]: side by side.
template <class T>
Matrix<T> beside(const Matrix<T>& A, const Matrix<T>& B) {
    return matrix_of(A.size1(), A.size2() + B.size2(),
                     [&](std::size_t i, std::size_t j) { return j < A.size2() ? A(i, j) : B(i, j - A.size2()); });
}

/// [A; B]: A above B.
template <class T>
Matrix<T> above(const Matrix<T>& A, const Matrix<T>& B) {
    return matrix_of(A.size1() + B.size1(), A.size2(),
                     [&](std::size_t i, std::size_t j) { return i < A.size1() ? A(i, j) : B(i - A.size1(), j); });
}

}  // namespace multihead
