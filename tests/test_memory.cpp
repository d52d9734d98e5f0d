// Where results stand: written into an operand, or into memory that is not zero.

#include "forms.hpp"
#include "laws.hpp"
#include "poisoned_heap.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

using namespace judge;  // every test here speaks of the hands and of what is expected of them

namespace {

using M = Matrix<double>;

// Bit for bit: NaN is NaN, and 0 is not −0.
bool same_bits(double x, double y) { return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y); }

}  // namespace

TEST_CASE("C63 assignment without temporary when the target is an operand") {
    const M A = matrix({{1, 2}, {3, 4}});
    const M B = matrix({{0, 1}, {1, 1}});
    with_both_hands<double>([&](const Hand<double>& hand) {
        M target = A;
        target = hand.mix(target, B);
        CHECK(exact_difference(target, matrix({{2, 3}, {4, 7}})) == "");
        target = A;
        target += hand.mix(target, B);
        CHECK(exact_difference(target, matrix({{3, 5}, {7, 11}})) == "");
        target = A;
        target = transposed(target);
        CHECK(exact_difference(target, matrix({{1, 3}, {2, 4}})) == "");

        // A layer applied in place. All sizes are 3, so that every result fits into every operand.
        Draw<double> draw(1);
        const multihead::Shape s{.n = 3, .m = 3, .d_model = 3, .d_k = 3, .d_v = 3, .H = 2};
        const auto w = draw.weights(s);
        const auto w_row = multihead::row::transposed(w);
        const auto heads = draw.residual_heads(s);
        const auto f = hand.dot();
        const auto f_row = hand.row_dot();
        using Layer = std::function<M(const M&, const M&, const M&)>;
        const std::vector<Layer> layers = {
            [&](const M& Q, const M& K, const M&) { return hand.scaled_dot_product(Q, K); },
            [&](const M& Q, const M&, const M&) { return hand.softmax(Q); },
            [&](const M& Q, const M& K, const M&) { return hand.attention_weights(Q, K, f); },
            [&](const M& Q, const M&, const M& V) { return hand.mix(V, Q); },
            [&](const M& Q, const M& K, const M& V) { return hand.attention(Q, K, V, f); },
            [&](const M& Q, const M& K, const M& V) { return hand.head(w[0], Q, K, V, f); },
            [&](const M& Q, const M& K, const M& V) { return hand.multi_head(w, Q, K, V, f); },
            [&](const M& Q, const M& K, const M& V) { return hand.multi_head_sum(w, Q, K, V, f); },
            [&](const M& Q, const M& K, const M& V) { return hand.multi_head_expanded(w, Q, K, V, f); },
            [&](const M& Q, const M&, const M&) { return hand.residual_attention(heads, Q); },
            [&](const M& Q, const M&, const M&) { return hand.row_softmax(Q); },
            [&](const M& Q, const M& K, const M& V) { return hand.row_attention(Q, K, V, f_row); },
            [&](const M& Q, const M& K, const M& V) { return hand.row_head(w_row[0], Q, K, V, f_row); },
            [&](const M& Q, const M& K, const M& V) { return hand.row_multi_head(w_row, Q, K, V, f_row); },
            [&](const M& Q, const M& K, const M& V) { return hand.row_multi_head_sum(w_row, Q, K, V, f_row); },
            [&](const M& Q, const M&, const M&) { return hand.row_self_attention(w_row, Q, f_row); },
        };
        for (std::size_t l = 0; l < layers.size(); ++l) {
            INFO("layer ", l);
            const M X = draw.matrix(3, 3);
            const M Y = draw.matrix(3, 3);
            M Q = X, K = X, V = X, all = X;
            const M fresh_Q = layers[l](X, Y, Y), fresh_K = layers[l](Y, X, Y), fresh_V = layers[l](Y, Y, X);
            const M fresh_all = layers[l](X, X, X);
            Q = layers[l](Q, Y, Y);
            K = layers[l](Y, K, Y);
            V = layers[l](Y, Y, V);
            all = layers[l](all, all, all);
            CHECK(difference(Q, fresh_Q, same_bits) == "");
            CHECK(difference(K, fresh_K, same_bits) == "");
            CHECK(difference(V, fresh_V, same_bits) == "");
            CHECK(difference(all, fresh_all, same_bits) == "");
        }
    });
}

TEST_CASE("C65 matrix memory is not zeroed") {
    fill_new_memory(0xFF);
    const M unset(3, 3);
    leave_new_memory();
    REQUIRE(std::isnan(unset(1, 1)));

    // Law 0.1 calls every function of a hand; its left sides are what the hand found.
    const Law& every_function = law("0.1");
    for (const AnyHand* hand : all_hands())
        for (const multihead::Shape& shape : general_shapes()) {
            INFO("hand ", hand->name);
            const auto run_in = [&](unsigned char byte) {
                fill_new_memory(byte);
                auto equations = every_function.in_double(*hand, 1, shape);
                leave_new_memory();
                return equations;
            };
            const auto in_zeros = run_in(0x00);
            const auto in_nan = run_in(0xFF);
            REQUIRE(in_zeros.size() == in_nan.size());
            for (std::size_t e = 0; e < in_nan.size(); ++e) {
                INFO(in_nan[e].name);
                CHECK(difference(in_nan[e].left, in_zeros[e].left, same_bits) == "");
            }
        }
    with_both_hands<double>([](const Hand<double>& hand) {
        // Two heads that yield (1, 2) and (3, 4) of their one key, above each other and added.
        const M W = matrix({{1, 1}});
        const MultiHeadWeights<double> w = {{W, W, matrix({{1, 0}, {2, 0}}), matrix({{1, 0}, {0, 1}})},
                                            {W, W, matrix({{3, 0}, {4, 0}}), matrix({{1, 0}, {0, 1}})}};
        const M X = matrix({{1}, {0}});
        fill_new_memory(0xFF);
        const M concat = hand.packed_W_V(w);
        const M sum = hand.multi_head_sum(w, X, X, X, hand.dot());
        leave_new_memory();
        CHECK(exact_difference(concat, matrix({{1, 0}, {2, 0}, {3, 0}, {4, 0}})) == "");
        CHECK(exact_difference(sum, matrix({{4}, {6}})) == "");
    });
}
