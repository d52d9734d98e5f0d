#include "expected.hpp"
#include "prove.hpp"

#include <doctest/doctest.h>

using judge::prove;

TEST_CASE("3.0 head-entrywise") { prove("3.0"); }
TEST_CASE("3.1 identity-projections") { prove("3.1"); }
TEST_CASE("3.2 composed-projections") { prove("3.2"); }
TEST_CASE("3.3 packed-projections") { prove("3.3"); }

TEST_CASE("projections of keys and values are packed with all their columns where inputs are wider than queries") {
    judge::with_both_hands<double>([](const judge::Hand<double>& hand) {
        multihead::Draw<double> draw(1);
        multihead::MultiHeadWeights<double> weights;
        for (std::size_t h = 0; h < 2; ++h) {
            multihead::Head<double> head = draw.head({.n = 1, .m = 1, .d_model = 5, .d_k = 3, .d_v = 2, .H = 2});
            head.W_K = draw.matrix(3, 7);
            head.W_V = draw.matrix(2, 6);
            weights.push_back(head);
        }
        for (std::size_t h = 0; h < 2; ++h) {
            CHECK(judge::exact_difference(hand.slice(hand.packed_W_K(weights), h, 2), weights[h].W_K) == "");
            CHECK(judge::exact_difference(hand.slice(hand.packed_W_V(weights), h, 2), weights[h].W_V) == "");
        }
    });
}
