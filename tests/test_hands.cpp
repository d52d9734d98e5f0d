#include "prove.hpp"

#include <doctest/doctest.h>

using judge::prove;

TEST_CASE("0.1 hands-agree") { prove("0.1"); }
