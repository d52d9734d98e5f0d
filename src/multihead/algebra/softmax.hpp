#pragma once
/// \file
/// Softmax of every column, with uBLAS's column proxies.

#include <multihead/matrix.hpp>
#include <multihead/scalar.hpp>

#include <boost/numeric/ublas/matrix_proxy.hpp>
#include <boost/numeric/ublas/vector.hpp>

#include <algorithm>
#include <numeric>

namespace multihead::algebra {

namespace ublas = boost::numeric::ublas;

/// Softmax of one column s: a_i = e^{s_i − c} / Σ_k e^{s_k − c}.
// [softmax_of]
template <class T>
ublas::vector<Value<T>> softmax_of(const ublas::vector<T>& s) {
    ublas::vector<Value<T>> a(s.size());
    if (s.empty()) return a;
    const T c = std::accumulate(s.begin(), s.end(), s(0), [](const T& x, const T& y) { return pivot(x, y); });
    std::transform(s.begin(), s.end(), a.begin(), [&](const T& x) { return exponential(x - c); });
    const Value<T> sum = ublas::sum(a);
    if (!is_zero(sum)) a /= sum;  // a column of nothing but −∞ stays 0
    return a;
}
// [softmax_of]

/// Softmax of every column: A_ij = e^{S_ij} / Σ_k e^{S_kj}. Shapes: S and A are m × n.
///
/// Every m and n is allowed. A score of −∞ has weight 0; a column of nothing but −∞ is all 0, as m = 0 leaves
/// nothing to attend to. A NaN or +∞ makes the whole column NaN, and no other.
// [softmax]
template <class T>
Matrix<Value<T>> softmax(const Matrix<T>& S) {
    Matrix<Value<T>> A(S.size1(), S.size2());
    for (std::size_t j = 0; j < S.size2(); ++j) ublas::column(A, j) = softmax_of<T>(ublas::column(S, j));
    return A;
}
// [softmax]

}  // namespace multihead::algebra
