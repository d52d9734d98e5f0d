#pragma once
/// \file
/// The laws of chapter 0: the hands are equal.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <tuple>

namespace multihead::laws {

/// Chapter 0.
inline constexpr std::tuple<> hands{};

}  // namespace multihead::laws
