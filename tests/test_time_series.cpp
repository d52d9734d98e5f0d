#include "prove.hpp"

#include <doctest/doctest.h>

using judge::prove;

TEST_CASE("7.1 six-steps") { prove("7.1"); }
TEST_CASE("7.2 batch") { prove("7.2"); }
