// The bounds of the page "How exact is floating point?": every run stays below them, on every machine.

#include "../docs/floating_point/errors.hpp"
#include "../docs/floating_point/exercises.hpp"

#include <multihead/algebra/hand.hpp>
#include <multihead/loops/hand.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using namespace floating_point;
using multihead::Draw;
using multihead::ulp;
using multihead::ulps;

namespace {

// Every entry of a run is within its bound.
template <class T, class Bound>
void check_within(const char* hand, const Matrix<T>& run, const Matrix<Truth>& truth, const Bound& bound_of) {
    for (std::size_t i = 0; i < run.size1(); ++i)
        for (std::size_t j = 0; j < run.size2(); ++j) {
            const Truth error = abs(Truth(run(i, j)) - truth(i, j));
            const Truth bound = bound_of(truth(i, j));
            INFO(hand << ", entry (" << i << ", " << j << "): run " << run(i, j) << ", truth " << truth(i, j)
                      << ", error " << error << ", bound " << bound);
            CHECK(error <= bound);
        }
}

// Softmax by both hands, with std::exp and with the exponential that is rounded to nearest.
template <class T, class Bound>
void check_softmax(const Matrix<T>& S, const Bound& bound) {
    const Matrix<Truth> truth = loops::softmax(truth_of(S));
    check_within("loops", loops::softmax(S), truth, bound);
    check_within("uBLAS", algebra::softmax(S), truth, bound);
    check_within("loops, rounded", values(loops::softmax(rounded(S))), truth, bound);
    check_within("uBLAS, rounded", values(algebra::softmax(rounded(S))), truth, bound);
}

template <class T>
void check_ulp() {
    using Limits = std::numeric_limits<T>;
    const T normal = Limits::min();
    for (const T x : {T(1), T(1.5), T(3), T(1e30), T(1e-30), normal, 3 * normal, normal / 2, Limits::denorm_min()}) {
        const T next = std::nextafter(x, Limits::infinity());
        INFO(x);
        CHECK(ulp<T>(Truth(x)) == Truth(next) - Truth(x));
        CHECK(ulp<T>(-Truth(x)) == ulp<T>(Truth(x)));
        CHECK(ulps(x, Truth(x)) == 0);
        CHECK(ulps(next, Truth(x)) == 1);
        CHECK(ulps(x, (Truth(x) + Truth(next)) / 2) == Truth(0.5));
    }
    CHECK(ulp<T>(Truth(0)) == Truth(Limits::denorm_min()));
    CHECK(ulp<T>(Truth(Limits::max())) == Truth(Limits::max()) - Truth(std::nextafter(Limits::max(), T(0))));
    CHECK(ulp<T>(1000 * Truth(Limits::max())) == ulp<T>(Truth(Limits::max())));
    CHECK(ulps(T(0), Truth(Limits::denorm_min()) / 4) == Truth(0.25));
    const Truth infinity = std::numeric_limits<Truth>::infinity();
    const Truth nan = std::numeric_limits<Truth>::quiet_NaN();
    CHECK(ulps(Limits::infinity(), infinity) == 0);
    CHECK(ulps(Limits::infinity(), Truth(1)) == infinity);
    CHECK(ulps(-Limits::infinity(), infinity) == infinity);
    CHECK(ulps(Limits::quiet_NaN(), Truth(1)) == infinity);
    CHECK(ulps(Limits::quiet_NaN(), nan) == 0);
    CHECK(ulps(T(1), nan) == infinity);
}

template <class T>
void check_exponential() {
    using Limits = std::numeric_limits<T>;
    Draw<T> draw(1);
    const T reach = T(std::log(Limits::max()));
    for (int i = 0; i < 2000; ++i) {
        const T x = draw.number() * reach * T(1.05);
        if (x > reach) continue;
        const Truth truth = exp(Truth(x));
        INFO("x = " << x);
        CHECK(ulps(exponential(multihead::Rounded<T>(x)).value(), truth) <= Truth(0.5));
        CHECK(ulps(std::exp(x), truth) <= 1);  // what the C library's manual lists
    }
    CHECK(exponential(multihead::Rounded<T>(-Limits::infinity())).value() == 0);
    CHECK(exponential(multihead::Rounded<T>(Limits::infinity())).value() == Limits::infinity());
    CHECK(std::isnan(exponential(multihead::Rounded<T>(Limits::quiet_NaN())).value()));
}

// What both hands must give over 50 digits.
void check_hand_of_truth(const multihead::Hand<Truth>& hand) {
    const Truth infinity = std::numeric_limits<Truth>::infinity();
    Matrix<Truth> S(4, 4, Truth(1) / 3);
    for (std::size_t i = 0; i < 4; ++i) S(i, 3) = -infinity;
    S(0, 1) = -infinity;
    S(2, 2) = std::numeric_limits<Truth>::quiet_NaN();
    const Matrix<Truth> A = hand.softmax(S);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(A(i, 0) == Truth(1) / 4);
        CHECK(A(i, 1) == (i == 0 ? Truth(0) : Truth(1) / 3));
        CHECK(isnan(A(i, 2)));
        CHECK(A(i, 3) == 0);
    }
    const Matrix<Truth> I = truth_of(Draw<double>::identity(2));
    const Matrix<Truth> V = truth_of(Draw<double>(1).matrix(2, 4));
    const Matrix<Truth> zero(2, 4, Truth(0));
    const Matrix<Truth> O = hand.multi_head({{I, I, I, I}}, zero, zero, V, hand.dot());
    for (std::size_t r = 0; r < 2; ++r) CHECK(O(r, 0) == V(r, 0) / 4 + V(r, 1) / 4 + V(r, 2) / 4 + V(r, 3) / 4);
    CHECK(hand.scaled_dot_product(I, I)(0, 0) == 1 / sqrt(Truth(2)));
}

template <class T>
void check_dot_products() {
    const T u = std::numeric_limits<T>::epsilon() / 2;
    for (const std::size_t d : {1U, 2U, 3U, 10U, 100U, 1000U, 10'000U}) {
        INFO("d = " << d);
        Tally tally;
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            Draw<T> draw(seed);
            const Matrix<T> k = draw.matrix(d, 1);
            const Matrix<T> q = draw.matrix(d, 1);
            dot_product_error(k, q, tally);
        }
        const Matrix<T> hard = one_and_many(d, T(1), u - u / 64);
        const Matrix<T> ones = column(std::vector<T>(d, 1));
        const Truth error = dot_product_error(ones, hard, tally);
        CHECK(tally.below == tally.runs);
        CHECK(loops::dot_product(hard, ones)(0, 0) == 1);
        CHECK(error >= gamma<T>(d) * (d - 1) / (2 * d));  // the bound is not idle
    }
}

template <class T>
void check_bound_2() {
    for (const std::size_t m : {1U, 2U, 3U, 10U, 100U, 1000U})
        for (const double R : {0.1, 1.0, 16.0, 80.0})
            for (std::uint64_t seed = 1; seed <= 2; ++seed) {
                INFO("m = " << m << ", R = " << R << ", seed " << seed);
                Draw<T> draw(seed);
                const Matrix<T> S = drawn_scores(draw, m, R);
                const Truth gamma_of_m = gamma<T>(roundings_of_softmax(m, largest_distance(S)));
                check_softmax(S, [&](const Truth& a) { return Truth(gamma_of_m * a); });
                const Truth naive = gamma<T>(roundings_of_naive_softmax(m));
                check_within("no pivot", naive_softmax(S), loops::softmax(truth_of(S)),
                             [&](const Truth& a) { return Truth(naive * a); });
            }
}

template <class T>
void check_bound_3() {
    for (const Nasty<T>& input : nasty_scores<T>()) {
        INFO(input.name);
        check_softmax(input.S, WeightBound<T>(input.S.size1(), largest_distance(input.S)));
    }
    for (const double R : {200.0, 1000.0, 1600.0, 1e6, 1e38}) {
        INFO("R = " << R);
        Draw<T> draw(1);
        const Matrix<T> S = drawn_scores(draw, 200, R);
        check_softmax(S, WeightBound<T>(200, largest_distance(S)));
    }
}

template <class T>
void check_bound_4() {
    for (const std::size_t m : {1U, 2U, 30U, 1000U})
        for (const std::size_t d_k : {1U, 5U, 64U}) {
            INFO("m = " << m << ", d_k = " << d_k);
            Draw<T> draw(1);
            const Matrix<T> Q = draw.matrix(d_k, 1);
            const Matrix<T> K = draw.matrix(d_k, m);
            const Matrix<T> V = draw.matrix(1, m);
            Tally tally;
            attention_error(Q, K, V, tally);
            CHECK(tally.below == tally.runs);
        }
}

// Values of both signs that are so large that the average is lost: far off in ulps, and within the bound.
template <class T>
void check_cancelling_values(T large) {
    Matrix<T> V(1, 3, T(1));
    V(0, 0) = large;
    V(0, 2) = -large;
    const Matrix<T> K(1, 3, T(0));
    const Matrix<T> Q(1, 1, T(1));
    Tally tally;
    attention_error(Q, K, V, tally);
    CHECK(tally.below == tally.runs);
    CHECK(ulps(loops::attention(Q, K, V, loops::dot_product)(0, 0), Truth(1) / 3) > 1e6);
    CHECK(ulps(algebra::attention(Q, K, V, algebra::dot_product)(0, 0), Truth(1) / 3) > 1e6);
}

}  // namespace

TEST_CASE("an ulp is the distance of neighbours") {
    check_ulp<float>();
    check_ulp<double>();
}

TEST_CASE("exponentials are within half an ulp and within one ulp") {
    check_exponential<float>();
    check_exponential<double>();
}

TEST_CASE("both hands compute with 50 digits") {
    check_hand_of_truth(multihead::Loops<Truth>());
    check_hand_of_truth(multihead::Algebra<Truth>());
}

TEST_CASE("dot products stay below bound 1") {
    check_dot_products<float>();
    check_dot_products<double>();
}

TEST_CASE("softmax stays below bound 2") {
    check_bound_2<float>();
    check_bound_2<double>();
}

TEST_CASE("softmax of scores that hurt stays below bound 3") {
    check_bound_3<float>();
    check_bound_3<double>();
}

TEST_CASE("attention stays below bound 4") {
    check_bound_4<float>();
    check_bound_4<double>();
}

TEST_CASE("values that cancel stay below bound 4 and are lost") {
    check_cancelling_values<float>(1e8F);
    check_cancelling_values<double>(1e17);
}

TEST_CASE("softmax without its pivot overflows where softmax does not") {
    for (const Nasty<double>& input : nasty_scores<double>()) {
        INFO(input.name);
        const double with = loops::softmax(input.S)(0, 0);
        CHECK(std::isfinite(with));
        CHECK(with > 0);
    }
    CHECK(std::isnan(naive_softmax(column<double>({1e308, 0, -1e308}))(0, 0)));
    CHECK(std::isnan(naive_softmax(column<double>({-800, -800, -800}))(0, 0)));
    CHECK(naive_softmax(column(std::vector<double>(20'000, 700)))(0, 0) == 0);  // wrong, and no NaN tells
    CHECK(std::isnan(naive_softmax(column<float>({700, 0, -700}))(0, 0)));
}

TEST_CASE("a softmax with fewer digits breaks bound 2") {
    Draw<double> draw(1);
    const Matrix<double> S = drawn_scores(draw, 1000, 16);
    const Matrix<float> in_float = loops::softmax(Matrix<float>(S));
    const Truth bound = gamma<double>(roundings_of_softmax(1000, largest_distance(S)));
    CHECK(relative_error(Matrix<double>(in_float), loops::softmax(truth_of(S))) > bound);
}

TEST_CASE("the sum of halves stays below its bound") {
    Draw<float> draw(1);
    const std::size_t m = 10'000;
    const Matrix<float> S = drawn_scores(draw, m, 16);
    const Matrix<Truth> truth = loops::softmax(truth_of(S));
    const Truth additions = 14;  // 2^13 < m <= 2^14
    const Truth bound = gamma<float>(additions + 5 + 2 * largest_distance(S));
    CHECK(relative_error(softmax_by_halves(S), truth) <= bound);
    CHECK(relative_error(loops::softmax(S), truth) > bound);
}

TEST_CASE("softmax without a division breaks bound 2") {
    const Matrix<float> S = column<float>({1e5F, 99'999});
    const Matrix<Truth> truth = loops::softmax(truth_of(S));
    const Truth bound = gamma<float>(roundings_of_softmax(2, largest_distance(S)));
    CHECK(relative_error(loops::softmax(S), truth) <= bound);
    CHECK(relative_error(softmax_without_division(S), truth) > bound);
}
