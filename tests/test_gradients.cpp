#include "laws.hpp"

#include <doctest/doctest.h>

using judge::prove;

TEST_CASE("10.0 softmax-jacobian") { prove("10.0"); }
TEST_CASE("10.1 jacobian-sums-to-zero") { prove("10.1"); }
TEST_CASE("10.2 output-by-score") { prove("10.2"); }
TEST_CASE("10.3 output-by-query") { prove("10.3"); }
TEST_CASE("10.4 product-gradients") { prove("10.4"); }
TEST_CASE("10.5 score-gradients") { prove("10.5"); }
TEST_CASE("10.6 attention-gradients") { prove("10.6"); }
TEST_CASE("10.7 multi-head-gradients") { prove("10.7"); }
TEST_CASE("10.8 residual-gradients") { prove("10.8"); }
TEST_CASE("10.9 folded-gradients") { prove("10.9"); }
TEST_CASE("10.10 key-shift-gradient") { prove("10.10"); }
TEST_CASE("10.11 change-of-basis-gradient") { prove("10.11"); }
TEST_CASE("10.12 head-gauge-gradients") { prove("10.12"); }
TEST_CASE("10.13 basis-of-inputs-gradients") { prove("10.13"); }
TEST_CASE("10.14 linear-in-values-gradients") { prove("10.14"); }
TEST_CASE("10.15 permuted-gradients") { prove("10.15"); }
TEST_CASE("10.16 doubled-keys-gradients") { prove("10.16"); }
TEST_CASE("10.17 no-gradient") { prove("10.17"); }
TEST_CASE("10.18 row-gradients") { prove("10.18"); }
