#pragma once
/// \file
/// Solutions of chapter 5's exercises that are code.

#include <multihead/matrix.hpp>

#include <algorithm>
#include <cmath>

namespace chapters {

/// Exercise 5.4: the largest distance between two tokens, columns of X.
// [diameter]
inline double diameter(const multihead::Matrix<double>& X) {
    double largest = 0;
    for (std::size_t i = 0; i < X.size2(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            double square = 0;
            for (std::size_t l = 0; l < X.size1(); ++l) square += (X(l, i) - X(l, j)) * (X(l, i) - X(l, j));
            largest = std::max(largest, std::sqrt(square));
        }
    return largest;
}
// [diameter]

}  // namespace chapters
