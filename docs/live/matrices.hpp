#pragma once
/// \file
/// Matrices into and out of a live figure's numbers, row by row.

#include <multihead/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace live {

/// Takes the next rows × columns numbers away from `in`, which has them.
inline multihead::Matrix<double> taken(std::span<const double>& in, std::size_t rows, std::size_t columns) {
    multihead::Matrix<double> X(rows, columns);
    std::copy_n(in.begin(), rows * columns, X.data().begin());
    in = in.subspan(rows * columns);
    return X;
}

/// Writes the entries of X to `place` and returns the place after them.
inline double* put(const multihead::Matrix<double>& X, double* place) {
    return std::copy(X.data().begin(), X.data().end(), place);
}

/// The largest distance between two entries at one place. The shapes must agree.
inline double largest_difference(const multihead::Matrix<double>& A, const multihead::Matrix<double>& B) {
    double largest = 0;
    for (std::size_t i = 0; i < A.size1(); ++i)
        for (std::size_t j = 0; j < A.size2(); ++j) largest = std::max(largest, std::abs(A(i, j) - B(i, j)));
    return largest;
}

}  // namespace live
