// Gradients at the edges: no keys, no queries, scores of −∞ and NaN, wrong shapes, results written into operands.

#include "refusal.hpp"

#include <multihead/laws/named_gradients.hpp>
#include <multihead/loops/gradients.hpp>
#include <multihead/loops/row_gradients.hpp>
#include <multihead/weights.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace judge;  // every test here speaks of the hands and of what is expected of them

namespace {

using M = Matrix<double>;
using H = const Hand<double>&;
using Gradients = std::vector<multihead::Named<double>>;
using Weights = multihead::MultiHeadWeights<double>;
using multihead::named;

// What every backward function of a hand returns for n queries and m keys; in rows after what stands in columns.
Gradients all_gradients(H hand, std::size_t n, std::size_t m) {
    Draw<double> draw(1);
    const M q = draw.matrix(2, n), k = draw.matrix(2, m), v = draw.matrix(3, m), B = draw.matrix(2, 2);
    const M A = draw.matrix(m, n), dA = draw.matrix(m, n), dO = draw.matrix(3, n);
    const M X = draw.matrix(5, n), C = draw.matrix(5, m), U = draw.matrix(5, m), dY = draw.matrix(5, n);
    const auto w = draw.weights({.n = n, .m = m, .d_model = 5, .d_k = 2, .d_v = 3, .H = 2});
    const auto w_row = multihead::row::transposed(w);
    const auto f = hand.form(B), f_row = hand.row_form(B);
    const auto b = hand.form_backward(B), b_row = hand.row_form_backward(B);
    const M q_T = transposed(q), k_T = transposed(k), v_T = transposed(v), A_T = transposed(A), dO_T = transposed(dO);
    const M X_T = transposed(X), C_T = transposed(C), U_T = transposed(U), dY_T = transposed(dY);
    Gradients all = {{"softmax_backward", hand.softmax_backward(A, dA)},
                     {"row_softmax_backward", hand.row_softmax_backward(A_T, A_T)}};
    for (const Gradients& some :
         {named(hand.mix_backward(v, A, dO)), named(hand.dot_product_backward(q, k, dA)),
          named(hand.scaled_dot_product_backward(q, k, dA)), named(hand.bilinear_backward(B, q, k, dA)),
          named(hand.attention_backward(q, k, v, f, b, dO)), named(hand.head_backward(w[0], X, C, U, f, b, dO)),
          named(hand.multi_head_backward(w, X, C, U, f, b, dY)), named(hand.row_dot_product_backward(q_T, k_T, A_T)),
          named(hand.row_scaled_dot_product_backward(q_T, k_T, A_T)),
          named(hand.row_bilinear_backward(B, q_T, k_T, A_T)),
          named(hand.row_attention_backward(q_T, k_T, v_T, f_row, b_row, dO_T)),
          named(hand.row_head_backward(w_row[0], X_T, C_T, U_T, f_row, b_row, dO_T)),
          named(hand.row_multi_head_backward(w_row, X_T, C_T, U_T, f_row, b_row, dY_T))})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

// Attention's gradients for given scores, with those of the scores in place of those of the queries.
multihead::AttentionGradients<double> for_scores(H hand, const M& S, const M& V, const M& dO) {
    const M Q(1, S.size2(), 1.0);
    const M K(1, S.size1(), 1.0);
    M dS;
    const auto d = hand.attention_backward(
        Q, K, V, [&](const M&, const M&) { return S; },
        [&](const M& q, const M& k, const M& received) {
            dS = received;
            return no_gradient(q, k, received);
        },
        dO);
    return {dS, d.dK, d.dV};
}

}  // namespace

TEST_CASE("without keys or without queries all gradients are zero") {
    with_both_hands<double>([](H hand) {
        for (const std::size_t n : {0U, 1U, 4U})
            for (const std::size_t m : {0U, 1U, 4U}) {
                if (n != 0 && m != 0) continue;
                for (const auto& d : all_gradients(hand, n, m)) {
                    INFO(d.name, ", n = ", n, ", m = ", m);
                    CHECK(exact_difference(d.gradient, zero(d.gradient.size1(), d.gradient.size2())) == "");
                }
            }
        Draw<double> draw(1);
        const multihead::Shape s{.n = 0, .m = 0, .d_model = 5, .d_k = 2, .d_v = 3, .H = 2};
        const auto d = hand.residual_attention_backward(draw.residual_heads(s), M(5, 0), M(5, 0));
        CHECK(exact_difference(d.dX, M(5, 0)) == "");
        CHECK(exact_difference(d.dheads.at(1).W_V, zero(5, 5)) == "");
    });
}

TEST_CASE("every gradient has the shape of what it belongs to") {
    with_both_hands<double>([](H hand) {
        Draw<double> draw(1);
        for (const auto& [n, m] : {std::pair<std::size_t, std::size_t>{0, 3}, {2, 0}, {2, 3}}) {
            const multihead::Shape s{.n = n, .m = m, .d_model = 5, .d_k = 2, .d_v = 4, .H = 2};
            auto w = draw.weights(s);
            for (auto& h : w) {  // keys and values have features of their own
                h.W_K = draw.matrix(2, 6);
                h.W_V = draw.matrix(4, 7);
            }
            const M X = draw.matrix(5, n), C = draw.matrix(6, m), U = draw.matrix(7, m), dO = draw.matrix(5, n);
            const std::vector<M> inputs = {X,        C,        U,        w[0].W_Q, w[0].W_K, w[0].W_V,
                                           w[0].W_O, w[1].W_Q, w[1].W_K, w[1].W_V, w[1].W_O};
            const Gradients all = named(hand.multi_head_backward(w, X, C, U, hand.dot(), hand.dot_backward(), dO));
            const Gradients all_in_rows = named(
                hand.row_multi_head_backward(multihead::row::transposed(w), transposed(X), transposed(C), transposed(U),
                                             hand.row_dot(), hand.row_dot_backward(), transposed(dO)));
            REQUIRE(all.size() == inputs.size());
            REQUIRE(all_in_rows.size() == inputs.size());
            for (std::size_t g = 0; g < all.size(); ++g) {
                INFO(all[g].name);
                CHECK(all[g].gradient.size1() == inputs[g].size1());
                CHECK(all[g].gradient.size2() == inputs[g].size2());
                CHECK(all_in_rows[g].gradient.size1() == inputs[g].size2());
                CHECK(all_in_rows[g].gradient.size2() == inputs[g].size1());
            }
            // A head does not use its W_O, which may even be missing.
            const auto of_head = hand.head_backward(w[0], X, C, U, hand.dot(), hand.dot_backward(), draw.matrix(4, n));
            CHECK(exact_difference(of_head.dhead.W_O, zero(5, 4)) == "");
        }
    });
}

TEST_CASE("a score of minus infinity has no gradient and a NaN spoils its own query alone") {
    with_both_hands<double>([](H hand) {
        Draw<double> draw(1);
        const M V = draw.matrix(5, 4);
        const M S = draw.matrix(4, 3);
        const M dO = draw.matrix(5, 3);
        const M dS = for_scores(hand, S, V, dO).dQ;
        M partly = S;
        partly(0, 1) = partly(2, 1) = -infinity;
        const M of_partly = for_scores(hand, partly, V, dO).dQ;
        M two_of_query_1 = with_column(dS, 1, 0);
        for (const std::size_t i : {1U, 3U}) {
            two_of_query_1(i, 1) = of_partly(i, 1);
            CHECK(of_partly(i, 1) != 0);
        }
        CHECK(exact_difference(of_partly, two_of_query_1) == "");

        M wholly = S;
        M spoiled = S;
        for (std::size_t i = 0; i < 4; ++i) wholly(i, 1) = -infinity;
        spoiled(2, 1) = not_a_number;
        CHECK(exact_difference(for_scores(hand, wholly, V, dO).dQ, with_column(dS, 1, 0)) == "");
        CHECK(exact_difference(for_scores(hand, spoiled, V, dO).dQ, with_column(dS, 1, not_a_number)) == "");
    });
}

TEST_CASE("gradients may be written into what they were computed from") {
    with_both_hands<double>([](H hand) {
        Draw<double> draw(1);
        const M A = draw.matrix(3, 3);
        const M B = draw.matrix(3, 3);
        const M C = draw.matrix(3, 3);
        const auto f = hand.dot();
        const auto b = hand.dot_backward();
        M target = A;
        target = hand.softmax_backward(target, target);
        CHECK(exact_difference(target, hand.softmax_backward(A, A)) == "");
        target = A;
        target = hand.mix_backward(target, B, target).dV;
        CHECK(exact_difference(target, hand.mix_backward(A, B, A).dV) == "");
        target = A;
        target = hand.dot_product_backward(target, B, target).dK;
        CHECK(exact_difference(target, hand.dot_product_backward(A, B, A).dK) == "");
        target = A;
        target = hand.attention_backward(target, target, B, f, b, C).dQ;
        CHECK(exact_difference(target, hand.attention_backward(A, A, B, f, b, C).dQ) == "");
    });
}

TEST_CASE("the backward function of a score function must return a gradient for every query and key") {
    const Weights w(2, {zero(4, 7), zero(4, 7), zero(3, 7), zero(7, 3)});
    const auto w_row = multihead::row::transposed(w);
    const M X = zero(7, 2), C = zero(7, 6), dO = zero(7, 2);
    const M X_T = transposed(X), C_T = transposed(C), dO_T = transposed(dO);
    const auto returns = [](const M& dQ, const M& dK) {
        return [=](const M&, const M&, const M&) -> multihead::ScoreGradients<double> { return {dQ, dK}; };
    };
    with_both_hands<double>([&](H h) {
        const auto attention = [&](const M& dQ, const M& dK) {
            return refusal([&] { h.attention_backward(X, C, C, any_score, returns(dQ, dK), dO); });
        };
        CHECK(attention(X, C) == "");
        CHECK(attention(zero(6, 2), C) == "attention_backward: dQ of f_backward is 6x2, but Q has d_k = 7 rows");
        CHECK(attention(zero(7, 3), C) == "attention_backward: dQ of f_backward is 7x3, but Q has n = 2 columns");
        CHECK(attention(X, zero(8, 6)) == "attention_backward: dK of f_backward is 8x6, but K has d_k = 7 rows");
        CHECK(attention(X, zero(7, 5)) == "attention_backward: dK of f_backward is 7x5, but K has m = 6 columns");
        CHECK(attention(C, X) == "attention_backward: dQ of f_backward is 7x6, but Q has n = 2 columns");
        CHECK(refusal([&] {
                  h.row_attention_backward(X_T, C_T, C_T, any_score_in_rows, returns(X_T, zero(6, 8)), dO_T);
              }) == "row::attention_backward: dK of f_backward is 6x8, but K has d_k = 7 columns");
        CHECK(refusal([&] { h.head_backward(w[0], X, C, C, any_score, returns(X, C), zero(3, 2)); }) ==
              "attention_backward: dQ of f_backward is 7x2, but Q has d_k = 4 rows");
        CHECK(refusal([&] {
                  h.row_multi_head_backward(w_row, X_T, C_T, C_T, any_score_in_rows, returns(X_T, C_T), dO_T);
              }) == "row::attention_backward: dQ of f_backward is 2x7, but Q has d_k = 4 columns");

        // And the score function itself must return one score for every key and query.
        const auto scores = [&](std::size_t rows, std::size_t columns) {
            return [=](const M&, const M&) { return zero(rows, columns); };
        };
        CHECK(refusal([&] { h.attention_backward(X, C, C, scores(5, 2), no_gradient, dO); }) ==
              "attention_weights: f(Q, K) is 5x2, but K has m = 6 columns, so 6 rows are needed");
        CHECK(refusal([&] { h.row_attention_backward(X_T, C_T, C_T, scores(2, 5), no_gradient, dO_T); }) ==
              "row::attention_backward: f(Q, K) is 2x5, but K has m = 6 rows, so 6 columns are needed");
    });
}

TEST_CASE("what a backward function says when it refuses") {
    const Weights w(2, {zero(4, 7), zero(4, 7), zero(3, 7), zero(7, 3)});
    const auto w_row = multihead::row::transposed(w);
    const M X = zero(7, 2), C = zero(7, 6);
    const M X_T = transposed(X), C_T = transposed(C);
    with_both_hands<double>([&](H h) {
        const std::string no_head = ": there is no head, but H must be at least 1";
        CHECK(refusal([&] { h.multi_head_backward({}, X, C, C, any_score, no_gradient, X); }) ==
              "multi_head_backward" + no_head);
        CHECK(refusal([&] { h.residual_attention_backward({}, X, X); }) == "residual_attention_backward" + no_head);
        CHECK(refusal([&] { h.row_multi_head_backward({}, X_T, C_T, C_T, any_score_in_rows, no_gradient, X_T); }) ==
              "row::multi_head_backward" + no_head);
        CHECK(refusal([&] { h.softmax_backward(zero(6, 2), zero(2, 6)); }) ==
              "softmax_backward: dA is 2x6, but A has m = 6 rows");
        CHECK(refusal([&] { h.mix_backward(zero(3, 6), zero(6, 2), zero(4, 2)); }) ==
              "mix_backward: dO is 4x2, but V has d_v = 3 rows");
        CHECK(refusal([&] { h.bilinear_backward(zero(4, 7), X, zero(4, 6), zero(2, 6)); }) ==
              "bilinear_backward: dS is 2x6, but K has m = 6 columns, so 6 rows are needed");
        CHECK(refusal([&] { h.head_backward(w[0], X, C, C, any_score, no_gradient, X); }) ==
              "head_backward: dO is 7x2, but W_V has d_v = 3 rows");
        CHECK(refusal([&] { h.multi_head_backward(w, X, C, C, any_score, no_gradient, zero(3, 2)); }) ==
              "multi_head_backward: dO is 3x2, but W_O of head 1 has d_model = 7 rows");
        CHECK(refusal([&] { h.row_multi_head_backward(w_row, X_T, C_T, C_T, any_score_in_rows, no_gradient, C_T); }) ==
              "row::multi_head_backward: dO is 6x7, but Q has n = 2 rows");
        CHECK(refusal([&] {
                  h.residual_attention_backward({{zero(4, 7), zero(4, 7), zero(7, 7)}}, X, C);
              }) == "residual_attention_backward: dY is 7x6, but X has n = 2 columns");
    });
    CHECK(refusal([&] { multihead::loops::project_backward(zero(4, 7), X, zero(3, 2)); }) ==
          "project_backward: dY is 3x2, but W has d' = 4 rows");
    CHECK(refusal([&] { multihead::loops::row::project_backward(X_T, zero(7, 4), zero(3, 4)); }) ==
          "row::project_backward: dY is 3x4, but X has n = 2 rows");
}
