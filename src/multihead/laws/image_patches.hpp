#pragma once
/// \file
/// The laws of chapter 8: image patches.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <tuple>

namespace multihead::laws {

/// Chapter 8.
inline constexpr std::tuple<> image_patches{};

}  // namespace multihead::laws
