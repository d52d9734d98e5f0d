#pragma once
/// \file
/// The weights of a layer from files.

#include "csv.hpp"

#include <multihead/checks.hpp>
#include <multihead/weights.hpp>

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace chapters {

/// The heads in a folder, in columns: W_Q.1.csv, W_K.1.csv (d_k × d_model), W_V.1.csv (d_v × d_model), W_Q.2.csv, … and
/// W_O.csv (d_model × H d_v), the heads' blocks side by side. Throws std::runtime_error if a file is missing or bad, or
/// the weights are not for tokens of d_model features; shape_error if they do not fit each other.
inline multihead::MultiHeadWeights<double> read_weights(const std::string& folder, std::size_t d_model) {
    const auto file = [&](const std::string& name, std::size_t h) {
        return folder + "/" + name + "." + std::to_string(h) + ".csv";
    };
    multihead::MultiHeadWeights<double> weights;
    for (std::size_t h = 1; h == 1 || std::filesystem::exists(file("W_Q", h)); ++h)
        weights.push_back({read_matrix(file("W_Q", h)), read_matrix(file("W_K", h)), read_matrix(file("W_V", h)), {}});
    if (weights[0].W_Q.size2() != d_model)
        throw std::runtime_error(folder + ": the weights are for " + std::to_string(weights[0].W_Q.size2()) +
                                 " features, but a token has " + std::to_string(d_model));

    const multihead::Matrix<double> W_O = read_matrix(folder + "/W_O.csv");
    const std::size_t d_v = weights[0].W_V.size1();
    if (W_O.size2() != weights.size() * d_v)
        throw std::runtime_error(folder + "/W_O.csv: has " + std::to_string(W_O.size2()) + " columns, but " +
                                 std::to_string(weights.size()) + " heads with d_v = " + std::to_string(d_v) +
                                 " need " + std::to_string(weights.size() * d_v));
    for (std::size_t h = 0; h < weights.size(); ++h) {
        weights[h].W_O.resize(W_O.size1(), d_v, false);
        for (std::size_t i = 0; i < W_O.size1(); ++i)
            for (std::size_t l = 0; l < d_v; ++l) weights[h].W_O(i, l) = W_O(i, h * d_v + l);
    }
    multihead::checks::Check{folder}.residual(weights, multihead::Matrix<double>(d_model, 1));
    return weights;
}

}  // namespace chapters
