#pragma once
/// \file
/// The laws of chapter 6: the transformer's rows.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <tuple>

namespace multihead::laws {

/// Chapter 6.
inline constexpr std::tuple<> row{};

}  // namespace multihead::laws
