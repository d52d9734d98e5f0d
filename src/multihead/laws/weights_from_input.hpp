#pragma once
/// \file
/// The laws of chapter 9: weights that depend on the input.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <tuple>

namespace multihead::laws {

/// Chapter 9.
inline constexpr std::tuple<> weights_from_input{};

}  // namespace multihead::laws
