#include "prove.hpp"

#include <doctest/doctest.h>

using judge::prove;

TEST_CASE("5.0 residual-entrywise") { prove("5.0"); }
TEST_CASE("5.1 folded-output") { prove("5.1"); }
TEST_CASE("5.2 zero-values") { prove("5.2"); }
TEST_CASE("5.3 permuted-tokens") { prove("5.3"); }
TEST_CASE("5.4 query-key-product") { prove("5.4"); }
TEST_CASE("5.5 contributions-add") { prove("5.5"); }
TEST_CASE("5.6 values-factor") { prove("5.6"); }
