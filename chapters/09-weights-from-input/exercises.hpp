#pragma once
/// \file
/// Solutions of chapter 9's exercises that are code.

#include "layers.hpp"

namespace chapters {

/// Exercise 9.5: V shifted by one with a zero at the edge, by attention alone. One more place, n + 1, has the value 0,
/// and the last token asks for it. V is d × n, and so is the result.
// [shift_by_attention]
template <class Hand>
Matrix<double> shift_by_attention(const Matrix<double>& V, double beta) {
    const std::size_t n = V.size2();
    Matrix<double> values(V.size1(), n + 1, 0.0);
    boost::numeric::ublas::subrange(values, 0, V.size1(), 0, n) = V;
    const Matrix<double> places = boost::numeric::ublas::identity_matrix<double>(n + 1);
    const Matrix<double> queries = beta * boost::numeric::ublas::subrange(cycle(n + 1), 0, n + 1, 0, n);
    return Hand::mix(values, Hand::weights(queries, places));
}
// [shift_by_attention]

}  // namespace chapters
