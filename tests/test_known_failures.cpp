// Failures that implementations of attention are known for, each with numbers that were computed apart from this code:
// in decimal arithmetic with 60 digits, and again with another library. The numbers pin one instance; what must hold
// for every input is asked of drawn ones, mostly in the free world, where results are compared exactly.

#include "forms.hpp"

#include <multihead/laws/entries.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <utility>

using namespace judge;  // every test here speaks of the hands and of what is expected of them
using multihead::matrix_of;
using multihead::product;
using multihead::sum_of;

TEST_CASE("C12 softmax along the query axis") {
    const auto Q = matrix({{1, 2}});
    const auto K = matrix({{1, 3}});
    with_both_hands<double>([&](const Hand<double>& hand) {
        check({hand.dot_product(Q, K), transposed(hand.row_dot_product(transposed(Q), transposed(K)))},
              matrix({{1, 2}, {3, 6}}));
        check(weights(hand, dot(hand), Q, K),
              matrix({{0.11920292202211756, 0.017986209962091559}, {0.88079707797788243, 0.98201379003790845}}),
              {matrix({{0.2689414213699951, 0.7310585786300049}, {0.047425873177566788, 0.95257412682243325}})});
        check(attention(hand, dot(hand), Q, K, matrix({{1, 10}})), matrix({{8.9271737018009425, 9.8381241103411767}}),
              {matrix({{0.74320014315566301, 10.256799846854339}})});
    });
    in_free_world([](const Hand<Free>& hand, Draw<Free>& draw) {
        const auto queries = draw.matrix(2, 4);
        const auto keys = draw.matrix(2, 4);
        for (const auto& A : weights(hand, dot(hand), queries, keys))
            for (std::size_t j = 0; j < 4; ++j) CHECK(sum_of(4, [&](std::size_t i) { return A(i, j); }) == Free(1));
    });
}

namespace {

// Scores up to the largest finite number.
template <class T>
void test_large_scores() {
    with_both_hands<T>([](const Hand<T>& hand) {
        Draw<T> draw(1);
        for (const T size : {T(1e3), T(1e30), std::numeric_limits<T>::max()}) {
            const Matrix<T> S = multihead::scaled(size, draw.matrix(4, 3));
            const Matrix<T> shifted = matrix_of(4, 3, [&](std::size_t i, std::size_t j) {
                return S(i, j) - std::max({S(0, j), S(1, j), S(2, j), S(3, j)});
            });
            const Matrix<T> A = hand.softmax(S);
            CHECK(exact_difference(A, hand.softmax(shifted)) == "");
            CHECK(exact_difference(A, transposed(hand.row_softmax(transposed(S)))) == "");
            for (std::size_t j = 0; j < 3; ++j) {
                // Each of 4 weights and their sum is rounded: 4 units in the last place of 1.
                const T sum = sum_of(4, [&](std::size_t i) { return A(i, j); });
                CHECK(std::fabs(sum - T(1)) <= T(4) * std::numeric_limits<T>::epsilon());
            }
        }
    });
}

}  // namespace

TEST_CASE("C21 large scores") {
    const auto K = matrix({{1000, 1001, 999}});
    with_both_hands<double>([&](const Hand<double>& hand) {
        check(weights(hand, dot(hand), matrix(1), K),
              matrix({{0.24472847105479764}, {0.6652409557748219}, {0.090030573170380462}}));
        check(attention(hand, dot(hand), matrix(1), K, matrix({{1, 2, 3}})), matrix(1.8453021021155829));
    });
    test_large_scores<double>();
    test_large_scores<float>();
}

TEST_CASE("C32 value dimension differs from key dimension") {
    const auto Q = matrix({{1, 2}});
    const auto K = matrix({{1, 0}});
    with_both_hands<double>([&](const Hand<double>& hand) {
        check(weights(hand, scaled(hand), Q, K),
              matrix({{0.7310585786300049, 0.88079707797788243}, {0.2689414213699951, 0.11920292202211756}}));
        check(attention(hand, scaled(hand), Q, K, matrix({{1, 0}, {0, 1}, {2, 3}})),
              matrix({{0.7310585786300049, 0.88079707797788243},
                      {0.2689414213699951, 0.11920292202211756},
                      {2.2689414213699952, 2.1192029220221174}}));
    });
    in_free_world([](const Hand<Free>& hand, Draw<Free>& draw) {
        for (const judge::Shape& s : judge::general_shapes()) {
            const auto queries = draw.matrix(s.d_k, s.n);
            const auto keys = draw.matrix(s.d_k, s.m);
            const auto values = draw.matrix(s.d_v, s.m);
            for (const auto& O : attention(hand, dot(hand), queries, keys, values))
                CHECK((O.size1() == s.d_v && O.size2() == s.n));
        }
    });
}

TEST_CASE("C43 keys and values exchanged") {
    const auto K = matrix({{1, 2}});
    with_both_hands<double>([&](const Hand<double>& hand) {
        check(weights(hand, dot(hand), matrix(1), K), matrix({{0.2689414213699951}, {0.7310585786300049}}));
        check(attention(hand, dot(hand), matrix(1), K, matrix({{5, -3}})), matrix(-0.84846862904003906),
              {matrix(1.0003353501304666)});
    });
    in_free_world([](const Hand<Free>& hand, Draw<Free>& draw) {
        const auto Q = draw.matrix(3, 2);
        const auto keys = draw.matrix(3, 4);
        const auto V = draw.matrix(3, 4);
        const Free c = draw.number();
        check_exactly(attention(hand, dot(hand), Q, keys, multihead::scaled(c, V)),
                      multihead::scaled(c, hand.attention(Q, keys, V, hand.dot())));
    });
}

TEST_CASE("C46 additive score") {
    const auto Q = matrix({{1, -1}});
    const auto K = matrix({{0, 1, 2}});
    const auto W_q = matrix({{1}, {0.5}});
    const auto W_k = matrix({{-1}, {1}});
    const auto w = matrix({{1}, {2}});
    using M = Matrix<double>;
    with_both_hands<double>([&](const Hand<double>& hand) {
        const Scores<double> f{
            [&](const M& queries, const M& keys) { return hand.additive(W_q, W_k, w, queries, keys); },
            [&](const M& queries, const M& keys) {
                return hand.row_additive(transposed(W_q), transposed(W_k), transposed(w), queries, keys);
            }};
        check({f.columns(Q, K), transposed(f.rows(transposed(Q), transposed(K)))},
              matrix({{1.6858284704757844, -1.6858284704757844},
                      {1.8102965072897328, -0.039793265555797368},
                      {1.2116344403470958, 0.81524175360300244}}));
        check(weights(hand, f, Q, K), matrix({{0.36298532645573262, 0.054401295969690247},
                                              {0.4110975142383223, 0.28214558073473966},
                                              {0.22591715930594511, 0.66345312329557005}}));
        check(attention(hand, f, Q, K, matrix({{1, 2, 3}})), matrix({{1.8629318328502125, 2.6090518273258798}}),
              {matrix({{2.8017846683472731, 2.8017846683472731}}), matrix({{1.6985815629897267, 2.3418093112562035}})});
    });
}

TEST_CASE("C55 equal scores give the mean") {
    with_both_hands<double>([](const Hand<double>& hand) {
        check(attention(hand, scaled(hand), matrix({{1, 5}, {0, 7}}), matrix({{2, 2, 2}, {2, 2, 2}}),
                        matrix({{1, 2, 6}, {0, 0, 1}})),
              matrix({{3, 3}, {0.33333333333333331, 0.33333333333333331}}));
    });
    in_free_world([](const Hand<Free>& hand, Draw<Free>& draw) {
        const auto X = draw.matrix(4, 3);
        const auto C = draw.matrix(4, 5);
        const auto V = draw.matrix(4, 5);
        const auto key = draw.matrix(4, 1);
        const auto mean = matrix_of(4, 3, [&](std::size_t i, std::size_t) {
            return sum_of(5, [&](std::size_t k) { return V(i, k); }) / Free(5);
        });
        const auto one_key = matrix_of(4, 5, [&](std::size_t i, std::size_t) { return key(i, 0); });
        const Matrix<Free> zero(4, 4, Free(0));
        const auto W = draw.matrix(4, 4);
        check_exactly(attention(hand, scaled(hand), X, one_key, V), mean);
        check_exactly(attention(hand, scaled(hand), product(zero, X), product(W, C), V), mean);
        check_exactly(attention(hand, scaled(hand), product(W, X), product(zero, C), V), mean);
    });
}

TEST_CASE("C61 image patches as tokens") {
    const auto image = matrix({{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}});
    const auto X = matrix({{0, 2, 8, 10}, {1, 3, 9, 11}, {4, 6, 12, 14}, {5, 7, 13, 15}});
    const auto reshaped = matrix({{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}});
    with_both_hands<double>([&](const Hand<double>& hand) {
        check_exactly({hand.patches(image, 2, 2)}, X);
        CHECK(exact_difference(hand.patches(image, 2, 2), reshaped) != "");
        check_exactly({hand.picture(X, 2, 2, 2)}, image);
    });
    // That it holds for every picture is laws 8.1 and 8.2.
}

TEST_CASE("T01 a tolerance that accepts anything near zero") {
    const double weight = 2.0611536181902037e-09;
    with_both_hands<double>([&](const Hand<double>& hand) {
        const auto A = hand.softmax(matrix({{0}, {-20}}));
        CHECK(judge::agrees(A(1, 0), weight));
        for (const double wrong : {0.0, 1.0000000000000001e-09, 1e-300}) CHECK_FALSE(judge::agrees(A(1, 0), wrong));
    });
    for (const double wrong : {0.0, 1.0000000000000001e-09, 1e-300, -weight}) CHECK_FALSE(judge::agrees(wrong, weight));
    for (const double x : {1e-300, 2e-9, 3.35e-4, 1.0, 1e300}) {
        CHECK(judge::agrees(x, x));
        CHECK_FALSE(judge::agrees(x, x * (1 + 1e-13)));
        CHECK_FALSE(judge::agrees(x * (1 + 1e-13), x));
        CHECK_FALSE(judge::agrees(x, 0));
        CHECK_FALSE(judge::agrees(0, x));
    }
}

TEST_CASE("T03 infinite and NaN expectations") {
    CHECK(difference(matrix({{-infinity, not_a_number, infinity}}), matrix({{-infinity, not_a_number, infinity}})) ==
          "");
    const std::vector<std::pair<double, double>> differing = {{infinity, 1},
                                                              {1, infinity},
                                                              {infinity, -infinity},
                                                              {not_a_number, 1},
                                                              {1, not_a_number},
                                                              {not_a_number, infinity},
                                                              {infinity, not_a_number},
                                                              {0, not_a_number}};
    for (const auto& [x, expected] : differing) CHECK(difference(matrix(x), matrix(expected)) != "");
    CHECK(difference(matrix({{1, 2}}), matrix({{1}, {2}})) != "");
    CHECK(difference(Matrix<double>(0, 2), Matrix<double>(2, 0)) != "");
    CHECK(difference(Matrix<double>(0, 2), Matrix<double>(0, 2)) == "");
}
