#pragma once
/// \file
/// A mutant: a hand with one small change in its source, in the scalars that it is judged in. Everything here is
/// compiled once for all mutants.

#include "judge.hpp"

#include <boost/numeric/ublas/matrix_proxy.hpp>
#include <boost/numeric/ublas/vector.hpp>

#include <string>

namespace judge {

/// As any_hand, in the free world alone: most mutants are killed there, and it is quick to compile.
template <template <class> class H, template <class> class>
AnyHand free_hand(std::string name) {
    AnyHand hand;
    hand.name = std::move(name);
    hand.in_free = std::make_shared<H<Free>>();
    return hand;
}

/// As any_hand, in the scalars of the judge.
template <template <class> class H, template <class> class S>
AnyHand mutant_hand(std::string name) {
    AnyHand hand;
    hand.name = std::move(name);
    hand.in_double = std::make_shared<H<double>>();
    hand.in_double_intervals = std::make_shared<H<Interval<double>>>();
    hand.in_free = std::make_shared<H<Free>>();
    hand.in_exponent = std::make_shared<S<Exponent>>();
    hand.in_float = std::make_shared<H<float>>();  // for the tests of edges
    return hand;
}

}  // namespace judge
