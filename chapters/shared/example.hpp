#pragma once
/// \file
/// The examples that several chapters compute by hand. Every weight in them is a simple fraction.
///
/// That of chapters 3, 4, 6 and 10 has n = 2 queries, m = 3 keys and values, d_model = 4, and two heads with d_k = 2
/// and d_v = 1, each a row of whole numbers.

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

/// The example of chapters 2, 6 and 10, without heads: two queries, three keys with their values, d_k = d_v = 2.
namespace attention {

/// Queries, d_k × n.
inline const multihead::Matrix<double> Q = matrix({{log_2, 0}, {0, 2 * log_2}});
/// Keys, d_k × m.
inline const multihead::Matrix<double> K = matrix({{0, 1, 2}, {1, 0, 0}});
/// Values, d_v × m.
inline const multihead::Matrix<double> V = matrix({{7, 0, 0}, {0, 7, 14}});

}  // namespace attention

/// The example of chapters 5 and 10: three tokens of two features, and two heads with d_k = d_v = 1.
namespace residual {

/// Tokens, d_model × n.
inline const multihead::Matrix<double> X = matrix({{0, 1, 2}, {21, 0, 0}});
/// Both heads average the second feature.
inline const multihead::MultiHeadWeights<double> heads = {
    {.W_Q = matrix({{log_2, 0}}), .W_K = matrix({{1, 0}}), .W_V = matrix({{0, 1}}), .W_O = matrix({{1}, {2}})},
    {.W_Q = matrix({{0, log_2 / 21}}), .W_K = matrix({{1, 0}}), .W_V = matrix({{0, 1}}), .W_O = matrix({{1}, {-1}})},
};

}  // namespace residual

}  // namespace chapters::example
