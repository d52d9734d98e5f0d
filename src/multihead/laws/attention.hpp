#pragma once
/// \file
/// The laws of chapter 2: attention.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <tuple>

namespace multihead::laws {

/// Chapter 2.
inline constexpr std::tuple<> attention{};

}  // namespace multihead::laws
