#pragma once
/// \file
/// Solutions of chapter 7's exercises that are code.

#include <multihead/loops/row.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace chapters {

/// Exercise 7.2: the lengths of the rows of X.
// [lengths]
inline std::vector<double> lengths(const multihead::Matrix<double>& X) {
    std::vector<double> of_rows;
    for (std::size_t i = 0; i < X.size1(); ++i) {
        double squared = 0;
        for (std::size_t l = 0; l < X.size2(); ++l) squared += X(i, l) * X(i, l);
        of_rows.push_back(std::sqrt(squared));
    }
    return of_rows;
}
// [lengths]

/// Exercise 7.4: dot products in rows with which no query sees a later key: S_ij = q_i k_jᵀ if j ≤ i, else −∞.
// [no_look_ahead]
inline multihead::Matrix<double> no_look_ahead(const multihead::Matrix<double>& Q, const multihead::Matrix<double>& K) {
    multihead::Matrix<double> S = multihead::loops::row::dot_product(Q, K);
    for (std::size_t i = 0; i < S.size1(); ++i)
        for (std::size_t j = i + 1; j < S.size2(); ++j) S(i, j) = -std::numeric_limits<double>::infinity();
    return S;
}
// [no_look_ahead]

}  // namespace chapters
