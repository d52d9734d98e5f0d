#pragma once
/// \file
/// Chapter 8: patches as tokens, and how much two of them look alike. Tokens are columns.

#include <multihead/matrix.hpp>
#include <multihead/patches.hpp>

#include <cmath>
#include <cstddef>

namespace chapters {

using multihead::Matrix;

/// Every column minus its mean.
// [without_means]
inline Matrix<double> without_means(Matrix<double> X) {
    for (std::size_t j = 0; j < X.size2(); ++j) {
        double mean = 0;
        for (std::size_t i = 0; i < X.size1(); ++i) mean += X(i, j) / double(X.size1());
        for (std::size_t i = 0; i < X.size1(); ++i) X(i, j) -= mean;
    }
    return X;
}
// [without_means]

/// A picture as tokens: rows × columns patches in reading order, each one column, minus its mean.
inline Matrix<double> patch_tokens(const Matrix<double>& picture, std::size_t rows, std::size_t columns) {
    return without_means(multihead::patches(picture, rows, columns));
}

/// How much two columns of one length look alike, from −1 to 1: their scalar product over their lengths.
inline double likeness(const Matrix<double>& X, std::size_t i, const Matrix<double>& Y, std::size_t j) {
    double xy = 0;
    double xx = 0;
    double yy = 0;
    for (std::size_t l = 0; l < X.size1(); ++l) {
        xy += X(l, i) * Y(l, j);
        xx += X(l, i) * X(l, i);
        yy += Y(l, j) * Y(l, j);
    }
    return xx * yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

}  // namespace chapters
