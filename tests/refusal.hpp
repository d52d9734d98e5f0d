#pragma once
/// \file
/// What the tests of wrong shapes use: calls that are refused, and score functions that never refuse.

#include "expected.hpp"

#include <functional>
#include <string>

namespace judge {

/// A matrix of zeros.
inline Matrix<double> zero(std::size_t rows, std::size_t columns) { return {rows, columns, 0.0}; }

/// What a call says when it refuses its arguments; nothing if it accepts them.
inline std::string refusal(const std::function<void()>& call) {
    try {
        call();
    } catch (const multihead::shape_error& error) {
        return error.what();
    }
    return "";
}

/// A reader's score function that takes any queries and keys: all scores are 0.
inline Matrix<double> any_score(const Matrix<double>& Q, const Matrix<double>& K) { return zero(K.size2(), Q.size2()); }
/// The same in rows.
inline Matrix<double> any_score_in_rows(const Matrix<double>& Q, const Matrix<double>& K) {
    return zero(Q.size1(), K.size1());
}

/// The backward function of both: scores that do not depend on queries and keys have gradients of 0.
inline multihead::ScoreGradients<double> no_gradient(const Matrix<double>& Q, const Matrix<double>& K,
                                                     const Matrix<double>&) {
    return {zero(Q.size1(), Q.size2()), zero(K.size1(), K.size2())};
}

}  // namespace judge
