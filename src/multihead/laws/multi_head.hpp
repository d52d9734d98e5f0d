#pragma once
/// \file
/// The laws of chapter 4: multi-head attention.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <tuple>

namespace multihead::laws {

/// Chapter 4.
inline constexpr std::tuple<> multi_head{};

}  // namespace multihead::laws
