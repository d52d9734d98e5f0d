#include "prove.hpp"

#include <doctest/doctest.h>

using judge::prove;

TEST_CASE("6.1 row-scores") { prove("6.1"); }
TEST_CASE("6.2 row-softmax") { prove("6.2"); }
TEST_CASE("6.3 row-attention") { prove("6.3"); }
TEST_CASE("6.4 row-head") { prove("6.4"); }
TEST_CASE("6.5 row-multi-head") { prove("6.5"); }
TEST_CASE("6.6 side-by-side-times-stacked") { prove("6.6"); }
