#pragma once
/// \file
/// The weights of a layer, drawn from a seed.

#include <multihead/laws/draw.hpp>
#include <multihead/weights.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace chapters {

/// H heads from a seed, for tokens of d_model features, with d_k = d_v = latent. They are so small that queries, keys
/// and values are about as large as the tokens.
inline multihead::MultiHeadWeights<double> draw_weights(std::uint64_t seed, std::size_t d_model, std::size_t latent,
                                                        std::size_t H) {
    multihead::MultiHeadWeights<double> weights = multihead::Draw<double>(seed).weights(
        {.n = 1, .m = 1, .d_model = d_model, .d_k = latent, .d_v = latent, .H = H});
    for (auto& head : weights) {
        for (auto* W : {&head.W_Q, &head.W_K, &head.W_V}) *W *= 2 / std::sqrt(double(d_model));
        head.W_O *= 2 / std::sqrt(double(H * latent));
    }
    return weights;
}

}  // namespace chapters
