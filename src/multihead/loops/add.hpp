#pragma once
/// \file
/// Gradients that add up, in plain loops.

#include <multihead/checks.hpp>
#include <multihead/matrix.hpp>

namespace multihead::loops {

/// X += dX, entry by entry: what is used twice gets the sum of two gradients. Throws shape_error unless both have one
/// shape.
// [add]
template <class T>
void add(Matrix<T>& X, const Matrix<T>& dX) {
    checks::Check{"add"}.add(X, dX);
    for (std::size_t i = 0; i < X.size1(); ++i)
        for (std::size_t j = 0; j < X.size2(); ++j) X(i, j) += dX(i, j);
}
// [add]

}  // namespace multihead::loops
