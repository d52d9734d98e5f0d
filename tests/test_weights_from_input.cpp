#include "laws.hpp"

#include <multihead/laws/weights_from_input.hpp>

#include <doctest/doctest.h>

using judge::prove;

std::vector<judge::Law> judge::weights_from_input_laws() { return erased_all(multihead::laws::weights_from_input); }

TEST_CASE("9.1 frozen-weights-linear") { prove("9.1"); }
TEST_CASE("9.2 convolution") { prove("9.2"); }
