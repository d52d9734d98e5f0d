#include "prove.hpp"

#include <doctest/doctest.h>

using judge::prove;

TEST_CASE("2.0 attention-entrywise") { prove("2.0"); }
TEST_CASE("2.1 linear-in-values") { prove("2.1"); }
TEST_CASE("2.2 permuted-keys") { prove("2.2"); }
TEST_CASE("2.3 permuted-queries") { prove("2.3"); }
TEST_CASE("2.4 one-key") { prove("2.4"); }
TEST_CASE("2.5 equal-scores") { prove("2.5"); }
TEST_CASE("2.6 key-shift") { prove("2.6"); }
TEST_CASE("2.7 change-of-basis") { prove("2.7"); }
TEST_CASE("2.8 doubled-keys") { prove("2.8"); }
TEST_CASE("2.9 range-of-values") { prove("2.9"); }
TEST_CASE("2.10 scale") { prove("2.10"); }
TEST_CASE("2.11 nadaraya-watson") { prove("2.11"); }
