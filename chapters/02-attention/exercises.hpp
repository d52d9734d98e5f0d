#pragma once
/// \file
/// Solutions of chapter 2's exercises that are code.

#include <multihead/matrix.hpp>

#include <cmath>

namespace chapters {

/// Exercise 2.4: S_ij = cos of the angle between query j and key i. Shapes: Q d × n, K d × m, result m × n.
// [cosine]
inline multihead::Matrix<double> cosine(const multihead::Matrix<double>& Q, const multihead::Matrix<double>& K) {
    multihead::Matrix<double> S(K.size2(), Q.size2());
    for (std::size_t i = 0; i < K.size2(); ++i)
        for (std::size_t j = 0; j < Q.size2(); ++j) {
            double kq = 0;
            double kk = 0;
            double qq = 0;
            for (std::size_t l = 0; l < Q.size1(); ++l) {
                kq += K(l, i) * Q(l, j);
                kk += K(l, i) * K(l, i);
                qq += Q(l, j) * Q(l, j);
            }
            S(i, j) = kq / std::sqrt(kk * qq);
        }
    return S;
}
// [cosine]

}  // namespace chapters
