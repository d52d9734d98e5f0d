#include "prove.hpp"

#include <doctest/doctest.h>

using judge::prove;

TEST_CASE("9.1 frozen-weights-linear") { prove("9.1"); }
TEST_CASE("9.2 convolution") { prove("9.2"); }
