#pragma once
/// \file
/// Solutions of chapter 4's exercises that are code.

#include "../shared/print.hpp"

#include <multihead/loops/multi_head.hpp>

#include <vector>

namespace chapters {

/// Exercise 4.4: for each head, the largest change of an output entry when its block of W^O is set to zero.
// [importance]
template <class F>
std::vector<double> importance(const multihead::MultiHeadWeights<double>& weights, const multihead::Matrix<double>& Q,
                               const multihead::Matrix<double>& K, const multihead::Matrix<double>& V, const F& f) {
    const multihead::Matrix<double> whole = multihead::loops::multi_head(weights, Q, K, V, f);
    std::vector<double> changes;
    for (std::size_t h = 0; h < weights.size(); ++h) {
        auto silenced = weights;
        silenced[h].W_O *= 0;
        changes.push_back(largest_difference(whole, multihead::loops::multi_head(silenced, Q, K, V, f)));
    }
    return changes;
}
// [importance]

}  // namespace chapters
