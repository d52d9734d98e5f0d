#include "prove.hpp"

#include <doctest/doctest.h>

using judge::prove;

TEST_CASE("1.0 softmax-entrywise") { prove("1.0"); }
TEST_CASE("1.1 columns-sum-to-one") { prove("1.1"); }
TEST_CASE("1.2 shift-invariance") { prove("1.2"); }
TEST_CASE("1.3 permuted-rows") { prove("1.3"); }
TEST_CASE("1.4 permuted-columns") { prove("1.4"); }
TEST_CASE("1.5 odds") { prove("1.5"); }
TEST_CASE("1.6 any-pivot") { prove("1.6"); }
TEST_CASE("1.7 two-scores") { prove("1.7"); }
TEST_CASE("1.8 sharpening") { prove("1.8"); }
