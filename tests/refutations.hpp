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

// No two mistakes have one name, even in two files: GCC takes a template argument from an unnamed namespace for the one
// of the same name in another file, and the linker would keep one of the two for both.

/// A refutation from its object, judged with real numbers only: its mistake needs their order, a root or another base.
template <template <class> class Wrong>
Refutation refutation_in_reals(std::string name, std::vector<std::string> rejected,
                               std::vector<Shape> shapes = general_shapes()) {
    AnyHand hand;
    hand.name = std::move(name);
    hand.in_double = std::make_shared<Wrong<double>>();
    hand.in_double_intervals = std::make_shared<Wrong<Interval<double>>>();
    return {std::move(hand), std::move(rejected), std::move(shapes)};
}

/// A refutation from its object, judged with real numbers and in the free world.
template <template <class> class Wrong>
Refutation refutation(std::string name, std::vector<std::string> rejected,
                      std::vector<Shape> shapes = general_shapes()) {
    Refutation wrong = refutation_in_reals<Wrong>(std::move(name), std::move(rejected), std::move(shapes));
    wrong.hand.in_free = std::make_shared<Wrong<Free>>();
    return wrong;
}

/// n = m: there scores that are transposed have the right shape.
inline const std::vector<Shape> as_many_queries_as_keys = {
    {.n = 4, .m = 4, .d_model = 7, .d_k = 3, .d_v = 6, .H = 2},
    {.n = 5, .m = 5, .d_model = 4, .d_k = 2, .d_v = 3, .H = 3},
};
/// Few permutations of many tokens are rotations, which a mistake by one place would not see.
inline const std::vector<Shape> many_tokens = {
    {.n = 8, .m = 7, .d_model = 5, .d_k = 4, .d_v = 3, .H = 2},
    {.n = 6, .m = 9, .d_model = 4, .d_k = 2, .d_v = 5, .H = 3},
};
/// d_model = d_k = d_v: there every projection is square.
inline const std::vector<Shape> square_projections = {
    {.n = 3, .m = 5, .d_model = 4, .d_k = 4, .d_v = 4, .H = 2},
    {.n = 6, .m = 4, .d_model = 3, .d_k = 3, .d_v = 3, .H = 3},
};
/// d_model = H d_v: there W^O is square.
inline const std::vector<Shape> square_W_O = {
    {.n = 5, .m = 4, .d_model = 6, .d_k = 7, .d_v = 3, .H = 2},
    {.n = 4, .m = 7, .d_model = 6, .d_k = 5, .d_v = 2, .H = 3},
};

/// One list per file of refutations.
std::vector<Refutation> wrong_softmax();
std::vector<Refutation> wrong_scores();
std::vector<Refutation> wrong_attention();
std::vector<Refutation> wrong_projections();
std::vector<Refutation> wrong_heads();
std::vector<Refutation> wrong_residual();
std::vector<Refutation> wrong_row();
std::vector<Refutation> wrong_data();
std::vector<Refutation> wrong_gradients();
std::vector<Refutation> wrong_gradients_of_heads();
std::vector<Refutation> wrong_hands();

/// All of them.
const std::vector<Refutation>& all_refutations();

/// What the judge says of a wrong hand at one instance: in the real world and in the free one, where the law and the
/// wrong hand have them.
std::vector<Verdict> verdicts(const Law& law, const Refutation& wrong, std::uint64_t seed, const Shape& shape);

/// The smallest margin by which a law rejects a wrong hand: empty if some instance lets it pass or none is judged,
/// `shape` where the mistake is refused for its shape before it can be judged, `exact` where only an exact world
/// judges.
std::string margin(const Law& law, const Refutation& wrong);

}  // namespace judge
