#pragma once
/// \file
/// Solutions of chapter 7's exercises that are code.

#include <multihead/loops/row.hpp>

#include <limits>

namespace chapters {

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
