#pragma once
/// \file
/// Solutions of chapter 8's exercises that are code.

#include "scene.hpp"

#include <cstdint>

namespace chapters {

/// Exercise 8.5: the picture as a camera sees it, with noise of its own on every pixel, uniform in ± noise.
// [photographed]
inline Matrix<double> photographed(Matrix<double> picture, double noise, std::uint64_t seed) {
    multihead::Draw<double> draw(seed + 1000);
    for (double& pixel : picture.data()) pixel += noise * draw.number();
    return picture;
}
// [photographed]

}  // namespace chapters
