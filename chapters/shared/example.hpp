#pragma once
/// \file
/// The example that chapters 3, 4 and 6 compute by hand: n = 2 queries, m = 3 keys and values, d_model = 4, and two
/// heads with d_k = 2 and d_v = 1. Every weight in it is a simple fraction and every head a row of whole numbers.

#include "small.hpp"

#include <multihead/matrix.hpp>
#include <multihead/weights.hpp>

#include <cmath>

namespace chapters::example {

/// log 2: scores that are multiples of it have powers of two as exponentials.
inline const double log_2 = std::log(2.0);

/// Queries, d_model × n.
inline const multihead::Matrix<double> Q = matrix({{log_2, 0}, {0, log_2}, {0, 0}, {0, log_2}});
/// Keys, d_model × m.
inline const multihead::Matrix<double> K = matrix({{0, 1, 2}, {5, 5, 5}, {3, 3, 3}, {1, 0, 0}});
/// Values, d_model × m.
inline const multihead::Matrix<double> V = matrix({{1, 2, 4}, {7, 0, 0}, {0, 7, 0}, {4, 4, 4}});

/// Head 1 has the scores of chapter 2; head 2 turns the queries round.
inline const multihead::MultiHeadWeights<double> heads = {
    {.W_Q = matrix({{1, 0, 1, 0}, {0, 1, 0, 1}}),
     .W_K = matrix({{1, 0, 0, 0}, {0, 0, 0, 1}}),
     .W_V = matrix({{0, 1, 2, 0}}),
     .W_O = matrix({{1}, {0}, {1}, {2}})},
    {.W_Q = matrix({{0, 1, 0, 0}, {1, 0, 0, 0}}),
     .W_K = matrix({{1, 0, 0, 0}, {0, 0, 0, 1}}),
     .W_V = matrix({{1, 0, 0, 0}}),
     .W_O = matrix({{0}, {1}, {-1}, {1}})},
};

}  // namespace chapters::example
