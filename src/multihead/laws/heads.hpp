#pragma once
/// \file
/// The laws of chapter 3: heads.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <tuple>

namespace multihead::laws {

/// Chapter 3.
inline constexpr std::tuple<> heads{};

}  // namespace multihead::laws
