#pragma once
/// \file
/// Solutions of chapter 3's exercises that are code.

#include <multihead/loops/multi_head.hpp>

#include <vector>

namespace chapters {

/// Exercise 3.4: all heads from three products. Shapes: Q d_model × n, K and V d_model × m, each head d_v × n.
// [heads_at_once]
template <class F>
std::vector<multihead::Matrix<double>> heads_at_once(const multihead::MultiHeadWeights<double>& weights,
                                                     const multihead::Matrix<double>& Q,
                                                     const multihead::Matrix<double>& K,
                                                     const multihead::Matrix<double>& V, const F& f) {
    using namespace multihead::loops;
    const std::size_t H = weights.size();
    const auto queries = project(packed_W_Q(weights), Q);
    const auto keys = project(packed_W_K(weights), K);
    const auto values = project(packed_W_V(weights), V);
    std::vector<multihead::Matrix<double>> heads;
    for (std::size_t h = 0; h < H; ++h)
        heads.push_back(attention(slice(queries, h, H), slice(keys, h, H), slice(values, h, H), f));
    return heads;
}
// [heads_at_once]

}  // namespace chapters
