#pragma once
/// \file
/// The laws of chapter 5: the math papers' form.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <tuple>

namespace multihead::laws {

/// Chapter 5.
inline constexpr std::tuple<> residual{};

}  // namespace multihead::laws
