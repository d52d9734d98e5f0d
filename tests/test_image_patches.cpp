#include "prove.hpp"

#include <doctest/doctest.h>

using judge::prove;

TEST_CASE("8.1 pixel-place") { prove("8.1"); }
TEST_CASE("8.2 picture-restored") { prove("8.2"); }
