#pragma once
/// \file
/// One result in all its forms: in columns, in rows brought back to columns, and the forms of multi-head attention.

#include "expected.hpp"

#include <multihead/weights.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace judge {

using multihead::Head;
using multihead::MultiHeadWeights;
using multihead::Score;

/// One score function in both conventions.
template <class T>
struct Scores {
    Score<T> columns;
    Score<T> rows;
};

template <class T>
Scores<T> dot(const Hand<T>& hand) {
    return {hand.dot(), hand.row_dot()};
}

template <class T>
Scores<T> scaled(const Hand<T>& hand) {
    return {[&](const Matrix<T>& Q, const Matrix<T>& K) { return hand.scaled_dot_product(Q, K); },
            [&](const Matrix<T>& Q, const Matrix<T>& K) { return hand.row_scaled_dot_product(Q, K); }};
}

template <class T>
using Results = std::vector<Matrix<T>>;

/// The same result in both conventions, brought back to columns.
template <class T>
Results<T> weights(const Hand<T>& hand, const Scores<T>& f, const Matrix<T>& Q, const Matrix<T>& K) {
    return {hand.attention_weights(Q, K, f.columns),
            transposed(hand.row_softmax(f.rows(transposed(Q), transposed(K))))};
}

template <class T>
Results<T> attention(const Hand<T>& hand, const Scores<T>& f, const Matrix<T>& Q, const Matrix<T>& K,
                     const Matrix<T>& V) {
    return {hand.attention(Q, K, V, f.columns),
            transposed(hand.row_attention(transposed(Q), transposed(K), transposed(V), f.rows))};
}

template <class T>
Results<T> head(const Hand<T>& hand, const Scores<T>& f, const Head<T>& h, const Matrix<T>& X, const Matrix<T>& C) {
    const auto in_rows = multihead::row::transposed(MultiHeadWeights<T>{h});
    return {hand.head(h, X, C, C, f.columns),
            transposed(hand.row_head(in_rows[0], transposed(X), transposed(C), transposed(C), f.rows))};
}

/// All forms of multi-head attention.
template <class T>
Results<T> multi_head(const Hand<T>& hand, const Scores<T>& f, const MultiHeadWeights<T>& w, const Matrix<T>& X,
                      const Matrix<T>& C) {
    const auto w_row = multihead::row::transposed(w);
    const Matrix<T> X_row = transposed(X);
    const Matrix<T> C_row = transposed(C);
    return {hand.multi_head(w, X, C, C, f.columns), hand.multi_head_sum(w, X, C, C, f.columns),
            hand.multi_head_expanded(w, X, C, C, f.columns),
            transposed(hand.row_multi_head(w_row, X_row, C_row, C_row, f.rows)),
            transposed(hand.row_multi_head_sum(w_row, X_row, C_row, C_row, f.rows))};
}

/// Self-attention plus the original, in the math papers' form and in rows.
template <class T>
Results<T> with_residual(const Hand<T>& hand, const MultiHeadWeights<T>& w, const Matrix<T>& X) {
    return {hand.residual_attention(hand.fold(w), X),
            transposed(hand.row_self_attention(multihead::row::transposed(w), transposed(X), hand.row_dot()))};
}

/// Heads of the matrices that stack all queries, all keys, all values.
template <class T>
MultiHeadWeights<T> heads(std::size_t H, const Matrix<T>& W_Q, const Matrix<T>& W_K, const Matrix<T>& W_V,
                          const Matrix<T>& W_O) {
    return multihead::unfused(multihead::above(multihead::above(W_Q, W_K), W_V), W_O, H, W_Q.size1() / H,
                              multihead::FusedLayout::by_kind);
}

/// Every form agrees with the expected result and none with a wrong one.
inline void check(const Results<double>& results, const Matrix<double>& expected,
                  const std::vector<Matrix<double>>& wrong = {}) {
    for (const Matrix<double>& X : results) {
        CHECK(difference(X, expected) == "");
        for (const Matrix<double>& Y : wrong) CHECK(difference(X, Y) != "");
    }
}

/// Every form equals the expected result exactly.
template <class T>
void check_exactly(const Results<T>& results, const Matrix<T>& expected) {
    for (const Matrix<T>& X : results) CHECK(exact_difference(X, expected) == "");
}

}  // namespace judge
