#pragma once
/// \file
/// The one container of the book: a matrix whose columns are tokens.

#include <boost/numeric/ublas/matrix.hpp>

#include <cstddef>
#include <stdexcept>

namespace multihead {

/// A dense matrix with entries of type `T`, stored row by row. `X(i, j)` is row i, column j, counted from 0;
/// `X.size1()` is the number of rows, `X.size2()` the number of columns.
/// A new matrix is *not* zero: write `Matrix<T> X(rows, columns, T(0))` where a sum starts.
template <class T>
using Matrix = boost::numeric::ublas::matrix<T>;

/// A matrix has a shape that a definition does not allow.
/// The message names the function, the symbol, the shape it has and the shape it should have:
/// `attention: V is 3x5, but K has m = 6 columns`.
class shape_error : public std::invalid_argument {
  public:
    using std::invalid_argument::invalid_argument;
};

/// The transpose: entry (i, j) of the result is X(j, i). Shape: X is r×c, the result c×r.
template <class T>
Matrix<T> transposed(const Matrix<T>& X) {
    Matrix<T> Y(X.size2(), X.size1());
    for (std::size_t i = 0; i < Y.size1(); ++i)
        for (std::size_t j = 0; j < Y.size2(); ++j) Y(i, j) = X(j, i);
    return Y;
}

}  // namespace multihead
