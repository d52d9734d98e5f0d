// What shape_error says: of heads, of a reader's score function, of what does not divide, and a sample of its messages.

#include "refusal.hpp"

#include <multihead/algebra/gradients.hpp>
#include <multihead/loops/add.hpp>
#include <multihead/loops/multi_head.hpp>
#include <multihead/loops/row.hpp>
#include <multihead/weights.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace judge;  // every test here speaks of the hands and of what is expected of them

namespace {

using M = Matrix<double>;
using Batch = std::vector<M>;
using Weights = multihead::MultiHeadWeights<double>;
using RowWeights = multihead::row::MultiHeadWeights<double>;
using H = const Hand<double>&;

}  // namespace

TEST_CASE("there must be a head") {
    const M X = zero(7, 2);
    const M Y = zero(2, 7);
    with_both_hands<double>([&](H h) {
        const std::vector<std::pair<std::string, std::function<void()>>> calls = {
            {"multi_head", [&] { h.multi_head({}, X, X, X, any_score); }},
            {"multi_head_sum", [&] { h.multi_head_sum({}, X, X, X, any_score); }},
            {"multi_head_expanded", [&] { h.multi_head_expanded({}, X, X, X, any_score); }},
            {"packed_W_Q", [&] { h.packed_W_Q({}); }},
            {"packed_W_K", [&] { h.packed_W_K({}); }},
            {"packed_W_V", [&] { h.packed_W_V({}); }},
            {"fold", [&] { h.fold({}); }},
            {"residual_attention", [&] { h.residual_attention({}, X); }},
            {"W_O", [&] { multihead::W_O(Weights{}); }},
            {"row::multi_head", [&] { h.row_multi_head({}, Y, Y, Y, any_score_in_rows); }},
            {"row::multi_head_sum", [&] { h.row_multi_head_sum({}, Y, Y, Y, any_score_in_rows); }},
            {"row::self_attention", [&] { h.row_self_attention({}, Y, any_score_in_rows); }},
            {"row::self_attention", [&] { h.row_self_attention({}, Batch{Y}, any_score_in_rows); }},
        };
        for (const auto& [name, call] : calls)
            CHECK(refusal(call) == name + ": there is no head, but H must be at least 1");
    });
}

TEST_CASE("a score function of the reader must return one score for every key and query") {
    const Weights w(2, {zero(4, 7), zero(4, 7), zero(3, 7), zero(7, 3)});
    const RowWeights w_row = multihead::row::transposed(w);
    const M X = zero(7, 2);
    const M C = zero(7, 6);
    const M X_row = transposed(X);
    const M C_row = transposed(C);
    const auto returns = [](std::size_t rows, std::size_t columns) {
        return [=](const M&, const M&) { return zero(rows, columns); };
    };
    const auto refused = [](const std::string& needed, const std::function<void()>& call) {
        const std::string message = refusal(call);
        INFO(message);
        CHECK(message.find(": f(Q, K) is " + needed) != std::string::npos);
    };
    with_both_hands<double>([&](H h) {
        for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{2, 6}, {5, 2}, {7, 2}, {0, 2}}) {
            const auto g = returns(rows, columns);
            const std::string needed =
                std::to_string(rows) + "x" + std::to_string(columns) + ", but K has m = 6 columns";
            refused(needed, [&] { h.attention_weights(X, C, g); });
            refused(needed, [&] { h.attention(X, C, C, g); });
            refused(needed, [&] { h.head(w[0], X, C, C, g); });
            refused(needed, [&] { h.multi_head(w, X, C, C, g); });
            refused(needed, [&] { h.multi_head_sum(w, X, C, C, g); });
            refused(needed, [&] { h.multi_head_expanded(w, X, C, C, g); });
        }
        refused("6x3, but Q has n = 2 columns", [&] { h.attention(X, C, C, returns(6, 3)); });
        refused("6x0, but Q has n = 2 columns", [&] { h.multi_head_expanded(w, X, C, C, returns(6, 0)); });
        refused("6x2, but K has m = 6 rows", [&] { h.row_attention(X_row, C_row, C_row, returns(6, 2)); });
        refused("2x5, but K has m = 6 rows", [&] { h.row_head(w_row[0], X_row, C_row, C_row, returns(2, 5)); });
        refused("1x6, but Q has n = 2 rows", [&] { h.row_multi_head(w_row, X_row, C_row, C_row, returns(1, 6)); });
        refused("1x6, but Q has n = 2 rows", [&] { h.row_multi_head_sum(w_row, X_row, C_row, C_row, returns(1, 6)); });
        refused("3x2, but Q has n = 2 rows", [&] { h.row_self_attention(w_row, X_row, returns(3, 2)); });
    });
}

TEST_CASE("slices and fused weights and patches and pictures refuse what does not divide") {
    with_both_hands<double>([](H h) {
        CHECK(refusal([&] { h.slice(zero(6, 2), 1, 3); }) == "");
        CHECK(refusal([&] { h.slice(zero(7, 2), 0, 3); }) ==
              "slice: X is 7x2, but its rows must be a positive multiple of H = 3");
        CHECK(refusal([&] { h.slice(zero(0, 2), 0, 3); }) ==
              "slice: X is 0x2, but its rows must be a positive multiple of H = 3");
        CHECK(refusal([&] { h.slice(zero(6, 2), 0, 0); }) == "slice: H is 0, but must be at least 1");
        CHECK(refusal([&] { h.slice(zero(6, 2), 3, 3); }) == "slice: h is 3, but must be below H = 3");

        CHECK(refusal([&] { h.patches(zero(8, 15), 2, 3); }) == "");
        for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{3, 3}, {2, 4}, {0, 3}, {2, 0}, {9, 3}})
            CHECK(refusal([&, r = rows, c = columns] { h.patches(zero(8, 15), r, c); }) ==
                  "patches: picture is 8x15, which does not divide into " + std::to_string(rows) + "x" +
                      std::to_string(columns) + " patches");
        for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{0, 3}, {3, 0}, {0, 0}})
            CHECK(refusal([&, r = rows, c = columns] { h.patches(zero(r, c), 1, 1); }) ==
                  "patches: picture is " + std::to_string(rows) + "x" + std::to_string(columns) +
                      ", which does not divide into 1x1 patches");

        CHECK(refusal([&] { h.picture(zero(20, 6), 2, 3, 4); }) == "");
        CHECK(refusal([&] { h.picture(zero(20, 5), 2, 3, 4); }) ==
              "picture: tokens is 20x5, which is not 2x3 patches of height 4");
        // Numbers of patches whose product, or the height of the picture, would overflow.
        constexpr std::size_t many = std::size_t{1} << 32U;
        CHECK(refusal([&] { h.picture(zero(2, 0), many, many, 1); }) ==
              "picture: tokens is 2x0, which is not 4294967296x4294967296 patches of height 1");
        CHECK(refusal([&] { h.picture(zero(4, 2), (std::size_t{1} << 63U) + 1, 2, 2); }) ==
              "picture: tokens is 4x2, which is not 9223372036854775809x2 patches of height 2");
        CHECK(refusal([&] { h.picture(zero(20, 6), 2, 3, 6); }) ==
              "picture: tokens is 20x6, which is not 2x3 patches of height 6");
        CHECK(refusal([&] { h.picture(zero(20, 6), 2, 3, 0); }) ==
              "picture: tokens is 20x6, which is not 2x3 patches of height 0");
        CHECK(refusal([&] { h.picture(zero(20, 0), 0, 3, 4); }) ==
              "picture: tokens is 20x0, which is not 0x3 patches of height 4");
        CHECK(refusal([&] { h.picture(zero(0, 6), 2, 3, 4); }) ==
              "picture: tokens is 0x6, which is not 2x3 patches of height 4");
    });
    const auto unfused = [](const M& W, const M& W_O, std::size_t heads, std::size_t d_k) {
        std::string message = refusal([&] { multihead::unfused(W, W_O, heads, d_k, multihead::FusedLayout::by_head); });
        CHECK(message == refusal([&] { multihead::unfused(W, W_O, heads, d_k, multihead::FusedLayout::by_kind); }));
        return message;
    };
    CHECK(unfused(zero(22, 7), zero(7, 6), 2, 4) == "");
    CHECK(unfused(zero(21, 7), zero(7, 6), 2, 4) == "unfused: W is 21x7, but H (2 d_k + d_v) = 22 rows are needed");
    CHECK(unfused(zero(22, 7), zero(7, 6), 2, 3) == "unfused: W is 22x7, but H (2 d_k + d_v) = 18 rows are needed");
    CHECK(unfused(zero(22, 8), zero(7, 6), 2, 4) ==
          "unfused: W is 22x8, but W_O has d_model = 7 rows, so 7 columns are needed");
    CHECK(unfused(zero(22, 7), zero(7, 5), 2, 4) ==
          "unfused: W_O is 7x5, but its columns must be a positive multiple of H = 2");
    CHECK(unfused(zero(22, 7), zero(7, 0), 2, 4) ==
          "unfused: W_O is 7x0, but its columns must be a positive multiple of H = 2");
    CHECK(unfused(zero(22, 0), zero(0, 6), 2, 4) == "unfused: W_O is 0x6, but d_model must be at least 1");
    CHECK(unfused(zero(22, 7), zero(7, 6), 0, 4) == "unfused: H is 0, but must be at least 1");
    CHECK(unfused(zero(22, 7), zero(7, 6), 2, 0) == "unfused: d_k is 0, but must be at least 1");
    // 2 · 2^63 is 0 in std::size_t.
    CHECK(unfused(zero(22, 7), zero(7, 6), 2, std::size_t{1} << 63U) ==
          "unfused: W is 22x7, but more than d_k = 9223372036854775808 rows are needed");
}

TEST_CASE("a dimension must be at least 1 even where all that have it agree") {
    with_both_hands<double>([&](H h) {
        CHECK(refusal([&] { h.dot_product(zero(0, 2), zero(0, 6)); }) ==
              "dot_product: Q is 0x2, but d_k must be at least 1");
        CHECK(refusal([&] { h.bilinear(zero(3, 0), zero(0, 2), zero(3, 6)); }) ==
              "bilinear: Q is 0x2, but d_k must be at least 1");
        CHECK(refusal([&] { h.bilinear(zero(0, 5), zero(5, 2), zero(0, 6)); }) ==
              "bilinear: K is 0x6, but d_k must be at least 1");
        CHECK(refusal([&] { h.additive(zero(0, 5), zero(0, 3), zero(0, 1), zero(5, 2), zero(3, 6)); }) ==
              "additive: W_q is 0x5, but d_a must be at least 1");
        CHECK(refusal([&] { h.mix(zero(0, 6), zero(6, 2)); }) == "mix: V is 0x6, but d_v must be at least 1");
        const Weights no_key(2, {zero(0, 7), zero(0, 7), zero(3, 7), zero(7, 3)});
        CHECK(refusal([&] { h.multi_head(no_key, zero(7, 2), zero(7, 6), zero(7, 6), any_score); }) ==
              "multi_head: W_Q of head 1 is 0x7, but d_k must be at least 1");
        const Weights no_value(2, {zero(4, 7), zero(4, 7), zero(0, 7), zero(7, 0)});
        CHECK(refusal([&] { h.multi_head(no_value, zero(7, 2), zero(7, 6), zero(7, 6), any_score); }) ==
              "multi_head: W_V of head 1 is 0x7, but d_v must be at least 1");
        const Weights no_model(2, {zero(4, 0), zero(4, 0), zero(3, 0), zero(0, 3)});
        CHECK(refusal([&] { h.multi_head(no_model, zero(0, 2), zero(0, 6), zero(0, 6), any_score); }) ==
              "multi_head: W_Q of head 1 is 4x0, but d_model must be at least 1");
    });
}

TEST_CASE("what the hands share inside refuses shapes too") {
    M X = zero(2, 3);
    CHECK(refusal([&] { multihead::loops::add(X, zero(2, 3)); }) == "");
    CHECK(refusal([&] { multihead::loops::add(X, zero(3, 3)); }) == "add: dX is 3x3, but X has d = 2 rows");
    CHECK(refusal([&] { multihead::loops::add(X, zero(2, 4)); }) == "add: dX is 2x4, but X has n = 3 columns");
    using Column = boost::numeric::ublas::vector<double>;
    CHECK(refusal([&] { multihead::algebra::softmax_gradient_of(Column(3), Column(4)); }) ==
          "softmax_gradient_of: da has 4 entries, but a has 3");
}

TEST_CASE("what a refusal says") {
    const Weights w(2, {zero(4, 7), zero(4, 7), zero(3, 7), zero(7, 3)});
    const auto with = [&](std::size_t head, M multihead::Head<double>::*kind, const M& X) {
        Weights changed = w;
        changed.at(head).*kind = X;
        return changed;
    };
    const M X = zero(7, 2);
    const M C = zero(7, 6);
    const M C_row = transposed(C);
    using Kind = multihead::Head<double>;
    with_both_hands<double>([&](H h) {
        CHECK(refusal([&] { h.attention(zero(4, 2), zero(4, 6), zero(3, 5), any_score); }) ==
              "attention: V is 3x5, but K has m = 6 columns");
        CHECK(refusal([&] { h.row_attention(zero(2, 4), zero(6, 4), zero(5, 3), any_score_in_rows); }) ==
              "row::attention: V is 5x3, but K has m = 6 rows");
        CHECK(refusal([&] { h.attention(zero(4, 2), zero(3, 6), zero(3, 6), h.dot()); }) ==
              "dot_product: K is 3x6, but Q has d_k = 4 rows");
        CHECK(refusal([&] { h.attention(zero(0, 2), zero(4, 6), zero(3, 6), any_score); }) ==
              "attention: Q is 0x2, but d_k must be at least 1");
        CHECK(refusal([&] { h.mix(zero(3, 6), zero(5, 2)); }) ==
              "mix: A is 5x2, but V has m = 6 columns, so 6 rows are needed");
        CHECK(refusal([&] { h.bilinear(zero(3, 4), zero(5, 2), zero(3, 6)); }) ==
              "bilinear: W is 3x4, but Q has d_k = 5 rows, so 5 columns are needed");
        CHECK(refusal([&] { h.additive(zero(5, 4), zero(5, 3), zero(5, 2), zero(4, 2), zero(3, 6)); }) ==
              "additive: w is 5x2, but must be a single column");
        CHECK(refusal([&] { h.row_additive(zero(4, 5), zero(3, 5), zero(2, 5), zero(2, 4), zero(6, 3)); }) ==
              "row::additive: w is 2x5, but must be a single row");
        CHECK(refusal([&] {
                  h.head({zero(4, 7), zero(5, 7), zero(3, 7), {}}, X, C, C, any_score);
              }) == "head: W_K is 5x7, but W_Q has d_k = 4 rows");
        CHECK(refusal([&] { h.multi_head(w, zero(8, 2), C, C, any_score); }) ==
              "multi_head: W_Q of head 1 is 4x7, but Q has d_model = 8 rows, so 8 columns are needed");
        CHECK(refusal([&] { h.multi_head(with(1, &Kind::W_V, zero(4, 7)), X, C, C, any_score); }) ==
              "multi_head: W_V of head 2 is 4x7, but W_V of head 1 has d_v = 3 rows");
        CHECK(refusal([&] {
                  h.multi_head({Kind{zero(4, 7), zero(4, 7), zero(3, 7), zero(8, 3)}}, X, C, C, any_score);
              }) ==
              "multi_head: W_O of head 1 is 8x3, but W_Q of head 1 has d_model = 7 columns, so 7 rows are needed");
        CHECK(refusal([&] { h.packed_W_K(with(1, &Kind::W_K, zero(4, 6))); }) ==
              "packed_W_K: W_K of head 2 is 4x6, but W_K of head 1 has d_model = 7 columns");
        CHECK(refusal([&] {
                  h.fold({Kind{zero(4, 7), zero(4, 7), zero(3, 6), zero(7, 3)}});
              }) == "fold: W_V of head 1 is 3x6, but W_Q of head 1 has d_model = 7 columns");
        CHECK(refusal([&] {
                  h.residual_attention({{zero(4, 7), zero(4, 7), zero(3, 7)}}, X);
              }) == "residual_attention: W_V of head 1 is 3x7, but X has d_model = 7 rows");
        CHECK(refusal([&] { h.residual_attention(h.fold(w), zero(0, 2)); }) ==
              "residual_attention: X is 0x2, but d_model must be at least 1");
        CHECK(refusal([&] {
                  h.row_self_attention(multihead::row::transposed(w), Batch{C_row, zero(2, 8)}, any_score_in_rows);
              }) ==
              "row::self_attention: W_Q of head 1 is 7x4, but X of sample 2 has d_model = 8 columns, so 8 rows are "
              "needed");
        CHECK(refusal([&] { multihead::W_O(with(1, &Kind::W_O, zero(7, 2))); }) ==
              "W_O: W_O of head 2 is 7x2, but W_O of head 1 has d_v = 3 columns");
    });
    CHECK(refusal([&] { multihead::loops::project(zero(4, 6), X); }) ==
          "project: W is 4x6, but X has d = 7 rows, so 7 columns are needed");
    CHECK(refusal([&] { multihead::loops::row::project(C_row, zero(8, 4)); }) ==
          "row::project: W is 8x4, but X has d = 7 columns, so 7 rows are needed");
}
