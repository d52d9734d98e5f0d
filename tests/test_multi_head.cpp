#include "prove.hpp"

#include <multihead/laws/multi_head.hpp>

#include <doctest/doctest.h>

using judge::prove;

TEST_CASE("4.0 multi-head-entrywise") { prove("4.0"); }
TEST_CASE("4.1 blocks-times-stack") { prove("4.1"); }
TEST_CASE("4.2 concat-equals-sum") { prove("4.2"); }
TEST_CASE("4.3 sum-equals-expanded") { prove("4.3"); }
TEST_CASE("4.4 reordered-heads") { prove("4.4"); }
TEST_CASE("4.5 one-head-is-attention") { prove("4.5"); }
TEST_CASE("4.6 zero-block-removes-head") { prove("4.6"); }
TEST_CASE("4.7 basis-of-values") { prove("4.7"); }
TEST_CASE("4.8 rank-of-contribution") { prove("4.8"); }

TEST_CASE("elimination writes a matrix as two factors that are as narrow as its rank") {
    multihead::Draw<multihead::Free> draw(1);
    for (std::size_t r = 0; r <= 4; ++r) {
        const auto tall = draw.matrix(6, r);
        const auto A = multihead::product(tall, draw.matrix(r, 4));
        const auto [C, R] = multihead::rank_factors(A);
        CHECK(C.size2() == r);
        CHECK(multihead::rank(R) == r);
        const auto CR = multihead::product(C, R);
        for (std::size_t i = 0; i < 6; ++i)
            for (std::size_t j = 0; j < 4; ++j) CHECK(CR(i, j).residue() == A(i, j).residue());
    }
}
