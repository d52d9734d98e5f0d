#pragma once
/// \file
/// The laws of chapter 7: a time series.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <tuple>

namespace multihead::laws {

/// Chapter 7.
inline constexpr std::tuple<> time_series{};

}  // namespace multihead::laws
