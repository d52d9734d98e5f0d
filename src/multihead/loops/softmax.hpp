#pragma once
/// \file
/// Softmax of every column, in plain loops.

#include <multihead/matrix.hpp>
#include <multihead/scalar.hpp>

namespace multihead::loops {

/// Softmax of every column: A_ij = e^{S_ij} / Σ_k e^{S_kj}. Shapes: S and A are m × n.
///
/// Every m and n is allowed. A score of −∞ has weight 0; a column of nothing but −∞ is all 0, as m = 0 leaves
/// nothing to attend to. A NaN or +∞ makes the whole column NaN, and no other.
// [softmax]
template <class T>
Matrix<Value<T>> softmax(const Matrix<T>& S) {
    const std::size_t m = S.size1();
    const std::size_t n = S.size2();
    Matrix<Value<T>> A(m, n);
    if (m == 0) return A;
    for (std::size_t j = 0; j < n; ++j) {
        T c = S(0, j);
        for (std::size_t i = 0; i < m; ++i) c = pivot(c, S(i, j));

        Value<T> sum(0);
        for (std::size_t i = 0; i < m; ++i) {
            A(i, j) = exponential(S(i, j) - c);
            sum += A(i, j);
        }
        if (is_zero(sum)) continue;  // only −∞: nothing to attend to
        for (std::size_t i = 0; i < m; ++i) A(i, j) = A(i, j) / sum;
    }
    return A;
}
// [softmax]

}  // namespace multihead::loops
