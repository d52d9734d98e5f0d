#include "prove.hpp"

#include "laws.hpp"

#include <doctest/doctest.h>

void judge::prove(const std::string& number) {
    const Law& law = judge::law(number);
    REQUIRE(std::string(doctest::getContextOptions()->currentTest->m_name) == law.id());
    std::size_t instances = 0;
    each_instance(law, hands_of(law), 1, "", [&](const Instance& at) {
        ++instances;
        INFO(law.id(), ", hand ", at.hand.name, ", world ", at.world, ", seed ", at.seed, ", n=", at.shape.n,
             " m=", at.shape.m, " d_model=", at.shape.d_model, " d_k=", at.shape.d_k, " d_v=", at.shape.d_v,
             " H=", at.shape.H);
        INFO(at.verdict.witness);
        CHECK(at.verdict.holds);
    });
    REQUIRE(instances > 0);
}
