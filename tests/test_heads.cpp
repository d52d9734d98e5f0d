#include "prove.hpp"

#include <doctest/doctest.h>

using judge::prove;

TEST_CASE("3.0 head-entrywise") { prove("3.0"); }
TEST_CASE("3.1 identity-projections") { prove("3.1"); }
TEST_CASE("3.2 composed-projections") { prove("3.2"); }
TEST_CASE("3.3 packed-projections") { prove("3.3"); }
