// Edges: no keys, no queries, infinite and undefined scores.

#include "forms.hpp"
#include "refusal.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace judge;  // every test here speaks of the hands and of what is expected of them
using multihead::shape_error;

namespace {

using M = Matrix<double>;

// A reader's score function that knows its scores.
Scores<double> given(const M& S) {
    return {[S](const M&, const M&) { return S; }, [S](const M&, const M&) { return transposed(S); }};
}

// Every form equals the right one exactly, but for column j, which is x.
void check_but_column(std::size_t j, double x, const Results<double>& results, const Results<double>& right) {
    for (std::size_t form = 0; form < right.size(); ++form)
        CHECK(exact_difference(results[form], with_column(right[form], j, x)) == "");
}

// Every function of a hand that has n queries and m keys, with the shape its result should have, in columns.
// 2 and 3 features, 5 in the model, 2 heads.
struct Call {
    std::string name;
    std::size_t rows;
    std::size_t columns;
    M result;
};

std::vector<Call> all_calls(const Hand<double>& hand, std::size_t n, std::size_t m) {
    Draw<double> draw(1);
    const M Q = draw.matrix(2, n), K = draw.matrix(2, m), V = draw.matrix(3, m), form = draw.matrix(2, 2);
    const M X = draw.matrix(5, n), C = draw.matrix(5, m), U = draw.matrix(5, m);
    const M W_q = draw.matrix(4, 2), W_k = draw.matrix(4, 2), w_a = draw.matrix(4, 1);
    const MultiHeadWeights<double> w = draw.weights({.n = n, .m = m, .d_model = 5, .d_k = 2, .d_v = 3, .H = 2});
    const auto w_row = multihead::row::transposed(w);
    const M Q_row = transposed(Q), K_row = transposed(K), V_row = transposed(V), form_row = transposed(form);
    const M X_row = transposed(X), C_row = transposed(C), U_row = transposed(U);
    const auto f = hand.form(form);
    const auto f_row = hand.row_form(form_row);
    return {
        {"dot_product", m, n, hand.dot_product(Q, K)},
        {"scaled_dot_product", m, n, hand.scaled_dot_product(Q, K)},
        {"bilinear", m, n, hand.bilinear(form, Q, K)},
        {"additive", m, n, hand.additive(W_q, W_k, w_a, Q, K)},
        {"gaussian_kernel", m, n, hand.gaussian_kernel(1, Q, K)},
        {"softmax", m, n, hand.softmax(draw.matrix(m, n))},
        {"attention_weights", m, n, hand.attention_weights(Q, K, f)},
        {"mix", 3, n, hand.mix(V, draw.matrix(m, n))},
        {"attention", 3, n, hand.attention(Q, K, V, f)},
        {"head", 3, n, hand.head(w[0], X, C, U, f)},
        {"multi_head", 5, n, hand.multi_head(w, X, C, U, f)},
        {"multi_head_sum", 5, n, hand.multi_head_sum(w, X, C, U, f)},
        {"multi_head_expanded", 5, n, hand.multi_head_expanded(w, X, C, U, f)},
        {"row_dot_product", m, n, transposed(hand.row_dot_product(Q_row, K_row))},
        {"row_scaled_dot_product", m, n, transposed(hand.row_scaled_dot_product(Q_row, K_row))},
        {"row_bilinear", m, n, transposed(hand.row_bilinear(form_row, Q_row, K_row))},
        {"row_additive", m, n,
         transposed(hand.row_additive(transposed(W_q), transposed(W_k), transposed(w_a), Q_row, K_row))},
        {"row_gaussian_kernel", m, n, transposed(hand.row_gaussian_kernel(1, Q_row, K_row))},
        {"row_softmax", m, n, transposed(hand.row_softmax(draw.matrix(n, m)))},
        {"row_attention", 3, n, transposed(hand.row_attention(Q_row, K_row, V_row, f_row))},
        {"row_head", 3, n, transposed(hand.row_head(w_row[0], X_row, C_row, U_row, f_row))},
        {"row_multi_head", 5, n, transposed(hand.row_multi_head(w_row, X_row, C_row, U_row, f_row))},
        {"row_multi_head_sum", 5, n, transposed(hand.row_multi_head_sum(w_row, X_row, C_row, U_row, f_row))},
    };
}

}  // namespace

TEST_CASE("C35 no keys at all") {
    with_both_hands<double>([](const Hand<double>& hand) {
        check_exactly(attention(hand, dot(hand), matrix({{1, 2}, {3, 4}}), M(2, 0), M(3, 0)), zero(3, 2));
        for (const std::size_t n : {0U, 1U, 4U})
            for (const std::size_t m : {0U, 1U, 4U}) {
                if (n != 0 && m != 0) continue;
                for (const Call& call : all_calls(hand, n, m)) {
                    INFO(call.name, ", n = ", n, ", m = ", m);
                    CHECK(exact_difference(call.result, zero(call.rows, call.columns)) == "");
                }
            }
        // Self-attention has n = m: nothing in, nothing out.
        Draw<double> draw(1);
        const multihead::Shape s{.n = 0, .m = 0, .d_model = 5, .d_k = 2, .d_v = 3, .H = 2};
        const auto w_row = multihead::row::transposed(draw.weights(s));
        CHECK(exact_difference(hand.residual_attention(draw.residual_heads(s), M(5, 0)), M(5, 0)) == "");
        CHECK(exact_difference(hand.row_self_attention(w_row, M(0, 5), hand.row_dot()), M(0, 5)) == "");
        const auto outputs = hand.row_self_attention(w_row, std::vector<M>{M(0, 5)}, hand.row_dot());
        REQUIRE(outputs.size() == 1);
        CHECK(exact_difference(outputs[0], M(0, 5)) == "");
        CHECK(hand.row_self_attention(w_row, std::vector<M>{}, hand.row_dot()).empty());
    });
}

TEST_CASE("C37 keys and values of different length") {
    with_both_hands<double>([](const Hand<double>& hand) {
        CHECK_THROWS_AS(attention(hand, dot(hand), matrix(1), matrix({{1, 2}}), matrix({{1, 2, 3}})), shape_error);
        Draw<double> draw(1);
        const auto w = draw.weights({.n = 2, .m = 2, .d_model = 3, .d_k = 2, .d_v = 2, .H = 2});
        const auto w_row = multihead::row::transposed(w);
        const M X = draw.matrix(3, 2);
        const M X_row = transposed(X);
        for (const std::size_t m : {0U, 1U, 2U, 3U})
            for (const std::size_t other : {0U, 1U, 2U, 3U}) {
                if (m == other) continue;
                const M K = draw.matrix(3, m);
                const M V = draw.matrix(3, other);
                const M K_row = transposed(K);
                const M V_row = transposed(V);
                INFO("m = ", m, ", but ", other, " values");
                CHECK_THROWS_AS(hand.mix(V, M(m, 2)), shape_error);
                CHECK_THROWS_AS(hand.attention(X, K, V, hand.dot()), shape_error);
                CHECK_THROWS_AS(hand.head(w[0], X, K, V, hand.dot()), shape_error);
                CHECK_THROWS_AS(hand.multi_head(w, X, K, V, hand.dot()), shape_error);
                CHECK_THROWS_AS(hand.multi_head_sum(w, X, K, V, hand.dot()), shape_error);
                CHECK_THROWS_AS(hand.multi_head_expanded(w, X, K, V, hand.dot()), shape_error);
                CHECK_THROWS_AS(hand.row_attention(X_row, K_row, V_row, hand.row_dot()), shape_error);
                CHECK_THROWS_AS(hand.row_head(w_row[0], X_row, K_row, V_row, hand.row_dot()), shape_error);
                CHECK_THROWS_AS(hand.row_multi_head(w_row, X_row, K_row, V_row, hand.row_dot()), shape_error);
                CHECK_THROWS_AS(hand.row_multi_head_sum(w_row, X_row, K_row, V_row, hand.row_dot()), shape_error);
            }
    });
}

TEST_CASE("C51 NaN in an allowed score must not vanish") {
    with_both_hands<double>([](const Hand<double>& hand) {
        const auto Q = matrix({{1, 1}});
        check(attention(hand, dot(hand), Q, matrix({{not_a_number, 1}}), matrix({{5, 2}})),
              matrix({{not_a_number, not_a_number}}), {matrix({{2, 2}})});
        check(attention(hand, dot(hand), Q, matrix({{1, not_a_number}}), matrix({{2, 5}})),
              matrix({{not_a_number, not_a_number}}), {matrix({{2, 2}})});
    });
}

TEST_CASE("a NaN or infinite score makes the weights of its query NaN and no other") {
    with_both_hands<double>([](const Hand<double>& hand) {
        Draw<double> draw(1);
        const M Q = draw.matrix(2, 3);
        const M K = draw.matrix(2, 4);
        const M V = draw.matrix(5, 4);
        const M S = draw.matrix(4, 3);
        for (const double bad : {not_a_number, -not_a_number, infinity})
            for (std::size_t i = 0; i < 4; ++i)
                for (std::size_t j = 0; j < 3; ++j) {
                    INFO("score ", bad, " at (", i, ", ", j, ")");
                    M spoiled = S;
                    spoiled(i, j) = bad;
                    const auto all_but_query = [&](const Results<double>& results, const Results<double>& right) {
                        check_but_column(j, not_a_number, results, right);
                    };
                    all_but_query({hand.softmax(spoiled), transposed(hand.row_softmax(transposed(spoiled)))},
                                  {hand.softmax(S), transposed(hand.row_softmax(transposed(S)))});
                    all_but_query(weights(hand, given(spoiled), Q, K), weights(hand, given(S), Q, K));
                    all_but_query(attention(hand, given(spoiled), Q, K, V), attention(hand, given(S), Q, K, V));
                }
    });
}

TEST_CASE("a score of minus infinity has weight zero and a column of them is zero") {
    with_both_hands<double>([](const Hand<double>& hand) {
        Draw<double> draw(1);
        const M Q = draw.matrix(2, 3);
        const M K = draw.matrix(2, 4);
        const M V = draw.matrix(5, 4);
        const M S = draw.matrix(4, 3);
        // Column 1 lacks keys 0 and 2; its weights are those of the two keys that are left.
        M partly = S;
        partly(0, 1) = partly(2, 1) = -infinity;
        const M left = hand.softmax(matrix({{S(1, 1)}, {S(3, 1)}}));
        // Column 1 lacks all keys.
        M wholly = S;
        for (std::size_t i = 0; i < 4; ++i) wholly(i, 1) = -infinity;
        const M without_keys = with_column(hand.attention_weights(Q, K, given(S).columns), 1, 0);
        M with_two_keys = without_keys;
        with_two_keys(1, 1) = left(0, 0);
        with_two_keys(3, 1) = left(1, 0);
        check_exactly(weights(hand, given(partly), Q, K), with_two_keys);
        check_exactly(weights(hand, given(wholly), Q, K), without_keys);
        check_but_column(1, 0, attention(hand, given(wholly), Q, K, V), attention(hand, given(S), Q, K, V));
        for (const std::size_t m : {1U, 2U}) {
            check_exactly({hand.softmax(M(m, 2, -infinity)), transposed(hand.row_softmax(M(2, m, -infinity)))},
                          zero(m, 2));
        }
        check_exactly(attention(hand, given(M(4, 3, -infinity)), Q, K, V), zero(5, 3));
    });
}
