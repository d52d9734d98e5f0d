// Chapter 9: what its program computes and what its page says.

#include "../chapters/09-weights-from-input/exercises.hpp"
#include "../chapters/09-weights-from-input/layers.hpp"
#include "../chapters/shared/print.hpp"
#include "../chapters/shared/small.hpp"
#include "close.hpp"

#include <multihead/laws/draw.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace chapters;
using multihead::Draw;

namespace {

// One head and two inputs, as the program draws them.
struct Instance {
    Matrix<double> X, Y, A;
    Head<double> head;

    explicit Instance(std::uint64_t seed) {
        Draw<double> draw(seed);
        X = draw.matrix(2, 4);
        Y = draw.matrix(2, 4);
        A = draw.matrix(4, 4);
        head = draw.head({.n = 4, .m = 4, .d_model = 2, .d_k = 2, .d_v = 2, .H = 1});
        head.W_Q *= 3;
    }
};

template <class Hand>
void additivity() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const Instance i(seed);
        const Matrix<double> sum = i.X + i.Y;
        const Matrix<double> apart = Hand::attention(i.head, i.X) + Hand::attention(i.head, i.Y);
        CHECK(largest_difference(Hand::attention(i.head, sum), apart) > 0.01);

        const Matrix<double> A = Hand::weights(i.head, i.X);
        const Matrix<double> frozen = Hand::mix(Hand::values(i.head, i.X), A) + Hand::mix(Hand::values(i.head, i.Y), A);
        check_close("frozen weights", Hand::mix(Hand::values(i.head, sum), A), frozen, 1e-14);
    }
    const Instance printed(1);
    const Matrix<double> sum = printed.X + printed.Y;
    const Matrix<double> apart = Hand::attention(printed.head, printed.X) + Hand::attention(printed.head, printed.Y);
    CHECK(largest_difference(Hand::attention(printed.head, sum), apart) > 0.3);
}

template <class Hand>
void convolutions() {
    Draw<double> draw(1);
    for (const std::size_t n : {1U, 2U, 4U, 7U})
        for (const std::size_t k : {1U, 3U, 5U}) {
            CAPTURE(n);
            CAPTURE(k);
            const Matrix<double> X = draw.matrix(3, n);
            std::vector<double> w(k);
            for (double& tap : w) tap = draw.number();
            Matrix<double> band(n, n, 0.0);
            for (std::size_t t = 0; t < k; ++t) band += w[t] * shift(n, t, k / 2);
            check_close("sum of mixes", sum_of_mixes<Hand>(w, X), convolution(w, X), 1e-14);
            check_close("one mix with the band", Hand::mix(X, band), convolution(w, X), 1e-14);
        }
    // By hand, with both edges.
    const Matrix<double> y = sum_of_mixes<Hand>({0.5, 1, -0.25}, matrix({{1, 2, 4, 8}}));
    CHECK(largest_difference(y, matrix({{0.5, 1.5, 3, 10}})) == 0);
}

template <class Hand>
void sharpening() {
    for (const std::size_t n : {2U, 4U, 9U})
        for (const double beta : {0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0}) {
            CAPTURE(n);
            CAPTURE(beta);
            const Matrix<double> A = sharpened_cycle<Hand>(n, beta);
            const Matrix<double> C = cycle(n);
            const double bound = double(n - 1) * std::exp(-beta);
            const Matrix<double> V = Draw<double>(n).matrix(3, n);
            double largest = 0;
            for (const double v : V.data()) largest = std::max(largest, std::abs(v));
            for (std::size_t j = 0; j < n; ++j) {
                const double missing = 1 - A((j + 1) % n, j);
                CHECK(missing <= bound + 1e-15);
                CHECK(missing >= bound / (1 + bound) - 1e-15);  // the bound is sharp for large beta
            }
            CHECK(largest_difference(Hand::mix(V, A), Hand::mix(V, C)) <= 2 * largest * bound + 1e-14);
        }
}

template <class Hand>
void never_a_shift() {
    for (const double beta : {0.0, 1.0, 10.0, 100.0, 700.0}) {
        const Matrix<double> A = sharpened_cycle<Hand>(4, beta);
        for (const double a : A.data()) CHECK(a > 0);
    }
    // A shift that is no circle has a column of zeros; a column of weights sums to 1.
    const Matrix<double> S_0 = shift(4, 0, 1);
    const Matrix<double> A = Hand::weights(Matrix<double>(100 * S_0), Draw<double>::identity(4));
    double apart = 0;
    for (std::size_t i = 0; i < 4; ++i) apart += std::abs(A(i, 0) - S_0(i, 0));
    CHECK(std::abs(apart - 1) < 1e-15);
}

template <class Hand>
void two_inputs() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const Instance i(seed);
        CHECK(largest_difference(Hand::weights(i.head, i.X), Hand::weights(i.head, i.Y)) > 0.05);
    }
}

}  // namespace

TEST_CASE("attention is not additive and frozen attention is by loops") { additivity<SelfLoops>(); }
TEST_CASE("attention is not additive and frozen attention is by algebra") { additivity<SelfAlgebra>(); }
TEST_CASE("a convolution is a sum of mixes by loops") { convolutions<SelfLoops>(); }
TEST_CASE("a convolution is a sum of mixes by algebra") { convolutions<SelfAlgebra>(); }
TEST_CASE("sharpened weights approach a shift within the bound by loops") { sharpening<SelfLoops>(); }
TEST_CASE("sharpened weights approach a shift within the bound by algebra") { sharpening<SelfAlgebra>(); }
TEST_CASE("softmax weights are never a shift by loops") { never_a_shift<SelfLoops>(); }
TEST_CASE("softmax weights are never a shift by algebra") { never_a_shift<SelfAlgebra>(); }
TEST_CASE("two inputs give one head two weight matrices by loops") { two_inputs<SelfLoops>(); }
TEST_CASE("two inputs give one head two weight matrices by algebra") { two_inputs<SelfAlgebra>(); }

TEST_CASE("one more key with the value 0 shifts with an edge") {
    const Matrix<double> V = matrix({{1, 2, 4, 8}, {-1, 3, 0, 5}});
    const Matrix<double> shifted = SelfLoops::mix(V, shift(4, 2, 1));
    for (const double beta : {4.0, 12.0, 30.0}) {
        const double bound = 2 * 8 * 4 * std::exp(-beta) + 1e-14;
        CHECK(largest_difference(shift_by_attention<SelfLoops>(V, beta), shifted) <= bound);
        CHECK(largest_difference(shift_by_attention<SelfAlgebra>(V, beta), shifted) <= bound);
    }
}

TEST_CASE("frozen attention is a fully connected layer") {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        Draw<double> draw(seed);
        const Matrix<double> X = draw.matrix(3, 5);
        const Matrix<double> A = draw.matrix(5, 4);
        const Matrix<double> layer = multihead::loops::project(fully_connected(A, 3), stacked_columns(X));
        check_close("stacked columns", layer, stacked_columns(SelfLoops::mix(X, A)), 1e-14);
        check_close("stacked columns", layer, stacked_columns(SelfAlgebra::mix(X, A)), 1e-14);
    }
}
