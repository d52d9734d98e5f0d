#pragma once
/// \file
/// Solutions of chapter 6's exercises that are code.

#include <multihead/algebra/multi_head.hpp>

namespace chapters {

/// Exercise 6.3: multi-head attention in rows from the function for columns. Shapes: Q n × d_model, K and V
/// m × d_model, result n × d_model; f is a score function in rows.
// [by_transposing]
template <class F>
multihead::Matrix<double> by_transposing(const multihead::row::MultiHeadWeights<double>& weights,
                                         const multihead::Matrix<double>& Q, const multihead::Matrix<double>& K,
                                         const multihead::Matrix<double>& V, const F& f) {
    using multihead::transposed;
    multihead::MultiHeadWeights<double> columns;
    for (const auto& h : weights)
        columns.push_back({transposed(h.W_Q), transposed(h.W_K), transposed(h.W_V), transposed(h.W_O)});
    const auto f_columns = [&](const multihead::Matrix<double>& q, const multihead::Matrix<double>& k) {
        return transposed(f(transposed(q), transposed(k)));
    };
    return transposed(multihead::algebra::multi_head(columns, transposed(Q), transposed(K), transposed(V), f_columns));
}
// [by_transposing]

}  // namespace chapters
