#include "strength.hpp"

#include "laws.hpp"

#include <multihead/laws/softmax.hpp>

#include <doctest/doctest.h>

#include <cmath>

using judge::AnyHand;
using judge::Degree;
using judge::Free;
using judge::Law;
using judge::Shape;

namespace {

// Every hand at every shape that the law admits.
template <class Visit>
void each_shape(const Law& law, const Visit& visit) {
    for (const AnyHand* hand : judge::hands_of(law))
        for (const auto& shapes : {judge::general_shapes(), judge::edge_shapes()})
            for (const Shape& shape : shapes)
                if (law.admits(shape)) visit(*hand, shape);
}

const double limit = std::ldexp(1.0, -40);

}  // namespace

TEST_CASE("a false law passes an exact world with a chance below 2^-40") {
    for (const Law& law : judge::all_laws())
        each_shape(law, [&](const AnyHand& hand, const Shape& shape) {
            INFO(law.id(), ", hand ", hand.name, ", n=", shape.n, " m=", shape.m);
            if (law.worlds.free) CHECK(judge::doubt_free(law, hand, 1, shape).chance < limit);
            if (law.worlds.homomorphic) CHECK(judge::doubt_homomorphic(law, hand, 1, shape).chance < limit);
        });
}

TEST_CASE("degrees are run at the instance of the exact world") {
    for (const Law& law : judge::all_laws())
        each_shape(law, [&](const AnyHand& hand, const Shape& shape) {
            if (!law.worlds.free) return;
            const auto plain = law.in_free(hand, 2, shape);
            const auto with_degrees = law.in_degree(hand, 2, shape);
            REQUIRE(plain.size() == with_degrees.size());
            for (std::size_t e = 0; e < plain.size(); ++e)
                for (std::size_t i = 0; i < plain[e].left.size1(); ++i)
                    for (std::size_t j = 0; j < plain[e].left.size2(); ++j) {
                        INFO(law.id(), " [", plain[e].name, "] entry (", i, ", ", j, ")");
                        CHECK(plain[e].left(i, j).residue() == with_degrees[e].left(i, j).value().residue());
                        CHECK(plain[e].right(i, j).residue() == with_degrees[e].right(i, j).value().residue());
                    }
        });
}

TEST_CASE("degrees are those of the formula") {
    const auto variable = [](std::uint64_t value) { return Degree(Free(value), 1, 0); };
    const Degree x = variable(3);
    const Degree y = variable(5);
    multihead::accidents() = {};

    // (x² + y) / (x y) − 1 = (x² + y − x y) / (x y)
    const Degree quotient = (x * x + y) / (x * y) - Degree(1);
    CHECK(quotient.numerator() == 2);
    CHECK(quotient.denominator() == 2);
    CHECK(quotient.value().residue() == (Free(14) / Free(15) - Free(1)).residue());
    CHECK(multihead::accidents().degree == 2);  // x y must not vanish

    // E(x y) + E(x): two scores whose difference has degree 2.
    const Degree sum = exponential(x * y) + exponential(x);
    CHECK(sum.numerator() == 1);
    CHECK(sum.scores().size() == 2);
    CHECK(multihead::accidents().of_pairs(2) == 2);
}

TEST_CASE("degrees of powers count every coefficient") {
    using multihead::Exponent;
    using multihead::ExponentDegree;
    const ExponentDegree s(Exponent(7), 1, 0);
    const ExponentDegree t(Exponent(2), 1, 0);

    // g^(3 s − t + 10) = g^10 (g^s)³ / g^t
    const Degree power = exponential(ExponentDegree(3) * s - t + ExponentDegree(10));
    CHECK(power.numerator() == 3);
    CHECK(power.denominator() == 1);
    CHECK(power.value().residue() == exponential(Exponent(29)).residue());
    CHECK_THROWS_AS(s * t, std::domain_error);
}

TEST_CASE("a law that needs more than a positive function fails in the free world") {
    // Laws 1.2, 1.6 and 1.7 need e^(x+y) = e^x e^y, and do not claim the free world.
    const auto claims = {
        judge::claim<Free>(multihead::laws::ShiftInvariance{}),
        judge::claim<Free>(multihead::laws::AnyPivot{}),
        judge::claim<Free>(multihead::laws::TwoScores{}),
    };
    for (const auto& claim : claims)
        for (const AnyHand* hand : judge::all_hands())
            for (const Shape& shape : judge::general_shapes()) {
                Law law;
                law.in_free = claim;
                INFO("hand ", hand->name, ", n=", shape.n, " m=", shape.m);
                CHECK_FALSE(judge_free(law, *hand, 1, shape).holds);
            }
}

TEST_CASE("what a law needs of the exponential") {
    CHECK(judge::need(judge::law("3.3")) == "any function");
    CHECK(judge::need(judge::law("2.6")) == "e^(x+y) = e^x e^y");  // with law 1.2
    CHECK(judge::need(judge::law("2.11")) == "e^(x+y) = e^x e^y");
    CHECK(judge::need(judge::law("1.0")) == "a positive function");
    CHECK(judge::need(judge::law("4.2")) == "a positive function");
    CHECK(judge::need(judge::law("10.4")) == "any function");
    CHECK(judge::need(judge::law("10.9")) == "a positive function");
    CHECK(judge::need(judge::law("10.6")) == "a positive function E with E' = E");
    CHECK(judge::need(judge::law("1.2")) == "e^(x+y) = e^x e^y");
    CHECK(judge::need(judge::law("1.8")) == "order and size");
}

TEST_CASE("the errors of runs are finite and one key brings none") {
    for (const Law& law : judge::all_laws())
        each_shape(law, [&](const AnyHand& hand, const Shape& shape) {
            if (!law.worlds.real) return;
            INFO(law.id(), ", hand ", hand.name);
            CHECK(std::isfinite(judge::ulps_double(law, hand, 1, shape)));
            CHECK(std::isfinite(judge::ulps_float(law, hand, 1, shape)));
        });
    const Law& one_key = judge::law("2.4");  // there the only value is multiplied by 1
    each_shape(one_key, [&](const AnyHand& hand, const Shape& shape) {
        INFO("hand ", hand.name);
        CHECK(judge::ulps_double(one_key, hand, 1, shape) == 0);
    });
}
