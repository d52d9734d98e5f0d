#pragma once
/// \file
/// Wrong hands: mistakes that a reader could have made. Each must be rejected by the laws it names.

#include "judge.hpp"

#include <string>
#include <vector>

namespace judge {

/// A wrong hand with what is expected of it.
struct Refutation {
    AnyHand hand;                       ///< its name says the mistake
    std::vector<std::string> rejected;  ///< the numbers of laws that must reject it, at every instance
    std::vector<Shape> shapes;          ///< the instances: shapes in which the mistake has the right shape
};

/// A refutation from its object, in the worlds that judge it.
template <template <class> class Wrong>
Refutation refutation(std::string name, std::vector<std::string> rejected,
                      std::vector<Shape> shapes = general_shapes()) {
    AnyHand hand;
    hand.name = std::move(name);
    hand.in_double = std::make_shared<Wrong<double>>();
    hand.in_double_intervals = std::make_shared<Wrong<Interval<double>>>();
    hand.in_free = std::make_shared<Wrong<Free>>();
    return {std::move(hand), std::move(rejected), std::move(shapes)};
}

/// One list per file of refutations.
std::vector<Refutation> wrong_softmax();
std::vector<Refutation> wrong_attention();
std::vector<Refutation> wrong_heads();
std::vector<Refutation> wrong_residual();
std::vector<Refutation> wrong_row();
std::vector<Refutation> wrong_data();

/// All of them.
const std::vector<Refutation>& all_refutations();

/// The smallest margin by which a law rejects a wrong hand: empty if some instance lets it pass, `shape` where the
/// mistake is refused for its shape before it can be judged, `exact` where only an exact world judges.
std::string margin(const Law& law, const Refutation& wrong);

}  // namespace judge
