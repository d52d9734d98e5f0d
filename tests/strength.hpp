#pragma once
/// \file
/// How strongly a law is proved: how likely a false one would pass by accident, and how far runs are from the truth.

#include "judge.hpp"

#include <string>

namespace judge {

/// What is left to accident at one instance in an exact world. If a law is false at the instance's shape, one of its
/// entries is; so only the scores in that entry, not all that were computed, must differ.
struct Doubt {
    double degree = 0;             ///< the largest bound for the degree of the numerator of left − right in an entry
    std::size_t exponentials = 0;  ///< how often the exponential was asked for
    std::size_t derivatives = 0;   ///< how often its derivative was asked for
    double chance = 0;             ///< a bound for the probability that a false law passes or another accident happens
};

/// The chance in the free world, by the degrees of the law's own run there. Draws the instance that judge_free draws.
Doubt doubt_free(const Law& law, const AnyHand& hand, std::uint64_t seed, const Shape& shape);
/// The same in the homomorphic world.
Doubt doubt_homomorphic(const Law& law, const AnyHand& hand, std::uint64_t seed, const Shape& shape);

/// The largest error of an entry on either side, in units in the last place of a double, against 50 digits. Entries
/// that are truly 0 are left out: near 0 the units become as small as there are numbers.
double ulps_double(const Law& law, const AnyHand& hand, std::uint64_t seed, const Shape& shape);
/// The same for float.
double ulps_float(const Law& law, const AnyHand& hand, std::uint64_t seed, const Shape& shape);

/// What a law needs of the exponential, read off the worlds that it passes in: "any function" (it never asks for a
/// value), "a positive function" (the sums of values that it divides by must not vanish), "a positive function E with
/// E' = E", "e^(x+y) = e^x e^y", or "order and size". A law that leaves claims out of the exact worlds needs what the
/// law needs that these follow from.
std::string need(const Law& law);

}  // namespace judge
