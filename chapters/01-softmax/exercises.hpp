#pragma once
/// \file
/// Solutions of chapter 1's exercises that are code.

#include <multihead/matrix.hpp>

#include <algorithm>
#include <cmath>

namespace chapters {

/// Exercise 1.3: L_j = log Σ_i e^{s_ij}, without overflow. Shapes: S m × n with m ≥ 1, result 1 × n.
// [log_sum_exp]
inline multihead::Matrix<double> log_sum_exp(const multihead::Matrix<double>& S) {
    multihead::Matrix<double> L(1, S.size2());
    for (std::size_t j = 0; j < S.size2(); ++j) {
        double c = S(0, j);
        for (std::size_t i = 0; i < S.size1(); ++i) c = std::max(c, S(i, j));
        double sum = 0;
        for (std::size_t i = 0; i < S.size1(); ++i) sum += std::exp(S(i, j) - c);
        L(0, j) = c + std::log(sum);
    }
    return L;
}
// [log_sum_exp]

}  // namespace chapters
