// Known failures, continued: heads, their layout, and the layer in both conventions.

#include "forms.hpp"

#include <multihead/laws/entries.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace judge;  // every test here speaks of the hands and of what is expected of them
using multihead::FusedLayout;
using multihead::product;
using multihead::unfused;

namespace {

Matrix<double> I(std::size_t size) { return Draw<double>::identity(size); }

}  // namespace

TEST_CASE("C15 column form and row form of the same layer") {
    const auto X = matrix({{1, 0, 2}, {1, 3, -1}});
    const Head<double> h{matrix({{1, 0}, {1, 1}}), matrix({{0, 1}, {2, 0}}), matrix({{1, -1}}), {}};
    with_both_hands<double>([&](const Hand<double>& hand) {
        check(head(hand, scaled(hand), h, X, X),
              matrix({{2.1675887196747237, 2.9562894288206429, -2.1675887196747237}}),
              {matrix({{-2.978595932539823, -2.9948235387503224, -2.9101687324210803}})});
        check(weights(hand, scaled(hand), product(h.W_Q, X), product(h.W_K, X)),
              matrix({{0.18669370094750282, 0.014163152822272517, 0.18669370094750282},
                      {0.045388362913794646, 0.00020351878542321846, 0.76791793613870252},
                      {0.76791793613870252, 0.98563332839230422, 0.045388362913794646}}));
    });
    in_free_world([](const Hand<Free>& hand, Draw<Free>& draw) {
        const auto drawn = draw.head({.n = 5, .m = 5, .d_model = 5, .d_k = 4, .d_v = 5, .H = 1});
        const auto tokens = draw.matrix(5, 5);
        const auto both = head(hand, scaled(hand), drawn, tokens, tokens);
        CHECK(exact_difference(both[0], both[1]) == "");
    });
}

TEST_CASE("C17 scale uses the head dimension and not the model dimension") {
    const auto X = matrix({{1, 0}, {0, 2}, {1, 1}, {2, 0}});
    const auto w = heads(2, I(4), I(4), I(4), I(4));
    with_both_hands<double>([&](const Hand<double>& hand) {
        check(multi_head(hand, scaled(hand), w, X, X),
              matrix({{0.66976154932665688, 0.055807219207169731},
                      {0.66047690134668613, 1.8883855615856606},
                      {1, 1},
                      {1.8883855615856606, 1}}),
              {matrix({{0.62245933120185459, 0.11920292202211756},
                       {0.75508133759629092, 1.7615941559557649},
                       {1, 1},
                       {1.7615941559557649, 1}})});
        check(weights(hand, scaled(hand), product(w[0].W_Q, X), product(w[0].W_K, X)),
              matrix({{0.66976154932665688, 0.055807219207169731}, {0.33023845067334306, 0.94419278079283031}}));
        check(weights(hand, scaled(hand), product(w[1].W_Q, X), product(w[1].W_K, X)),
              matrix({{0.94419278079283031, 0.5}, {0.055807219207169731, 0.5}}));
    });
    in_free_world([](const Hand<Free>& hand, Draw<Free>& draw) {
        for (const std::size_t root : {1U, 2U, 3U}) {
            const auto Q = draw.matrix(root * root, 3);
            const auto K = draw.matrix(root * root, 5);
            const auto f = scaled(hand);
            check_exactly({f.columns(Q, K), transposed(f.rows(transposed(Q), transposed(K)))},
                          multihead::scaled(Free(1) / Free(root), product(transposed(K), Q)));
        }
    });
}

TEST_CASE("C26 splitting into heads is no reshape of the buffer") {
    const auto X = matrix({{1, 0}, {0, 1}, {1, 1}, {0, 2}});
    const auto w = heads(2, I(4), I(4), I(4), I(4));
    with_both_hands<double>([&](const Hand<double>& hand) {
        check(multi_head(hand, scaled(hand), w, X, X),
              matrix({{0.66976154932665688, 0.33023845067334306},
                      {0.33023845067334306, 0.66976154932665688},
                      {1, 1},
                      {1, 1.8883855615856606}}),
              {matrix({{1, 1},
                       {0, 0},
                       {0.66976154932665688, 0.89295819853482961},
                       {1.6697615493266569, 1.8929581985348296}})});
        check(weights(hand, scaled(hand), hand.slice(X, 0, 2), hand.slice(X, 0, 2)),
              matrix({{0.66976154932665688, 0.33023845067334306}, {0.33023845067334306, 0.66976154932665688}}));
        check(weights(hand, scaled(hand), hand.slice(X, 1, 2), hand.slice(X, 1, 2)),
              matrix({{0.5, 0.055807219207169731}, {0.5, 0.94419278079283031}}));
    });
    // Head h uses rows h d to (h + 1) d − 1 of all projected queries, keys and values.
    in_free_world([](const Hand<Free>& hand, Draw<Free>& draw) {
        const auto drawn = draw.weights({.n = 5, .m = 5, .d_model = 6, .d_k = 4, .d_v = 2, .H = 3});
        const auto tokens = draw.matrix(6, 5);
        const auto Q = product(hand.packed_W_Q(drawn), tokens);
        const auto K = product(hand.packed_W_K(drawn), tokens);
        const auto V = product(hand.packed_W_V(drawn), tokens);
        for (std::size_t h = 0; h < 3; ++h)
            check_exactly(head(hand, dot(hand), drawn[h], tokens, tokens),
                          hand.attention(hand.slice(Q, h, 3), hand.slice(K, h, 3), hand.slice(V, h, 3), hand.dot()));
    });
}

TEST_CASE("C28 block output matrix and the sum over heads") {
    // With one key a head is its value: W_V maps (1, 0) to the given head.
    const auto X = matrix({{1}, {0}});
    const auto any = matrix({{1, 2}, {3, 4}, {5, 6}, {7, 8}});
    const auto w = heads(2, any, any, matrix({{1, 0}, {2, 0}, {3, 0}, {5, 0}}), matrix({{1, 2, 3, 4}, {5, 6, 7, 8}}));
    with_both_hands<double>([&](const Hand<double>& hand) {
        const auto f = scaled(hand);
        check_exactly(head(hand, f, w[0], X, X), matrix({{1}, {2}}));
        check_exactly(head(hand, f, w[1], X, X), matrix({{3}, {5}}));
        check_exactly(multi_head(hand, f, w, X, X), matrix({{34}, {78}}));
        check_exactly(multi_head(hand, f, {w[0]}, X, X), matrix({{5}, {17}}));
        check_exactly(multi_head(hand, f, {w[1]}, X, X), matrix({{29}, {61}}));
        check(multi_head(hand, f, w, X, X), matrix({{34}, {78}}),
              {matrix({{33}, {77}}), matrix({{24}, {68}}), matrix({{4}, {7}})});
    });
    in_free_world([](const Hand<Free>& hand, Draw<Free>& draw) {
        const auto drawn = draw.weights({.n = 5, .m = 5, .d_model = 6, .d_k = 4, .d_v = 2, .H = 2});
        const auto tokens = draw.matrix(6, 5);
        const auto contribution = [&](std::size_t h) {
            return product(drawn[h].W_O, hand.head(drawn[h], tokens, tokens, tokens, hand.dot()));
        };
        check_exactly(multi_head(hand, dot(hand), drawn, tokens, tokens),
                      multihead::sum(contribution(0), contribution(1)));
    });
}

TEST_CASE("C30 fused query key value matrix grouped by kind or by head") {
    const auto W = matrix({{1, 0}, {0, 1}, {1, 1}, {1, -1}, {2, 0}, {0, 3}});
    const auto by_kind = unfused(W, I(2), 2, 1, FusedLayout::by_kind);
    const auto by_head = unfused(W, I(2), 2, 1, FusedLayout::by_head);
    const auto Y_by_kind = matrix({{1, 1}, {1.5, 0.35760876606635267}});
    const auto Y_by_head = matrix({{1, 1}, {0.35760876606635267, 2.6423912339336475}});
    with_both_hands<double>([&](const Hand<double>& hand) {
        check(multi_head(hand, scaled(hand), by_kind, I(2), I(2)), Y_by_kind, {Y_by_head});
        check(multi_head(hand, scaled(hand), by_head, I(2), I(2)), Y_by_head, {Y_by_kind});
    });
    Draw<Free> draw(1);
    const auto w = draw.weights({.n = 5, .m = 5, .d_model = 7, .d_k = 2, .d_v = 3, .H = 2});
    const auto stacked = [](const std::vector<Matrix<Free>>& parts) {
        Matrix<Free> whole = parts.at(0);
        for (std::size_t p = 1; p < parts.size(); ++p) whole = above(whole, parts[p]);
        return whole;
    };
    const auto fused_by_kind = stacked({w[0].W_Q, w[1].W_Q, w[0].W_K, w[1].W_K, w[0].W_V, w[1].W_V});
    const auto fused_by_head = stacked({w[0].W_Q, w[0].W_K, w[0].W_V, w[1].W_Q, w[1].W_K, w[1].W_V});
    const auto differences = [&](const MultiHeadWeights<Free>& other) {
        REQUIRE(other.size() == w.size());
        std::string all;
        for (std::size_t h = 0; h < w.size(); ++h)
            for (const auto block : {&Head<Free>::W_Q, &Head<Free>::W_K, &Head<Free>::W_V, &Head<Free>::W_O})
                all += exact_difference(other[h].*block, w[h].*block);
        return all;
    };
    CHECK(differences(unfused(fused_by_kind, W_O(w), 2, 2, FusedLayout::by_kind)) == "");
    CHECK(differences(unfused(fused_by_head, W_O(w), 2, 2, FusedLayout::by_head)) == "");
    CHECK(differences(unfused(fused_by_kind, W_O(w), 2, 2, FusedLayout::by_head)) != "");
    CHECK(differences(unfused(fused_by_head, W_O(w), 2, 2, FusedLayout::by_kind)) != "");
}

TEST_CASE("C34 cross attention to a source of other width and length") {
    const auto X = matrix({{1, -1}, {0, 2}});
    const auto C = matrix({{1, 0, 2}, {0, 1, 1}, {1, 1, 0}});
    const Head<double> h{I(2), matrix({{1, 0, 0}, {0, 1, 0}}), matrix({{0, 0, 1}, {1, 1, 0}}), I(2)};
    const auto O = matrix({{0.42402465478463802, 0.82162984527239546}, {2.151950690430724, 1.3567403094552091}});
    with_both_hands<double>([&](const Hand<double>& hand) {
        check(head(hand, scaled(hand), h, X, C), O);
        check(multi_head(hand, scaled(hand), {h}, X, C), O);
        check(weights(hand, scaled(hand), product(h.W_Q, X), product(h.W_K, C)),
              matrix({{0.28399540974126003, 0.087948738775506435},
                      {0.14002924504337802, 0.733681106496889},
                      {0.57597534521536198, 0.17837015472760459}}));
    });
    in_free_world([](const Hand<Free>& hand, Draw<Free>& draw) {
        const std::size_t d_source = 3;
        auto w = draw.weights({.n = 4, .m = 6, .d_model = 5, .d_k = 2, .d_v = 7, .H = 2});
        for (auto& wide : w) {
            wide.W_K = draw.matrix(2, d_source);
            wide.W_V = draw.matrix(7, d_source);
        }
        const auto target = draw.matrix(5, 4);
        const auto source = draw.matrix(d_source, 6);
        const auto forms = multi_head(hand, dot(hand), w, target, source);
        CHECK((forms[0].size1() == 5 && forms[0].size2() == 4));
        check_exactly(forms, forms[0]);
    });
}

TEST_CASE("C39 residual form adds the original input once") {
    const auto X = matrix({{1, 2}, {0, 1}});
    const auto w = heads(1, matrix({{1, 1}}), matrix({{1, 0}}), matrix({{1, 1}}), matrix({{2}, {3}}));
    const auto attended = matrix({{4.9242343145200191, 5.810296507289733}, {7.3863514717800296, 8.7154447609345986}});
    with_both_hands<double>([&](const Hand<double>& hand) {
        check(with_residual(hand, w, X),
              matrix({{5.9242343145200191, 7.810296507289733}, {7.3863514717800296, 9.7154447609345986}}),
              {matrix({{9.8484686290400401, 11.620593014579468}, {14.772702943560059, 17.430889521869201}}), attended});
        check(multi_head(hand, dot(hand), w, X, X), attended);
    });
    in_free_world([](const Hand<Free>& hand, Draw<Free>& draw) {
        const auto tokens = draw.matrix(5, 4);
        const auto drawn = draw.weights({.n = 4, .m = 4, .d_model = 5, .d_k = 2, .d_v = 3, .H = 2});
        auto no_output = drawn;
        for (auto& h : no_output) h.W_O = Matrix<Free>(5, 3, Free(0));
        auto no_values = drawn;
        for (auto& h : no_values) h.W_V = Matrix<Free>(3, 5, Free(0));
        check_exactly(with_residual(hand, no_output, tokens), tokens);
        check_exactly(with_residual(hand, no_values, tokens), tokens);
        check_exactly(with_residual(hand, drawn, tokens),
                      multihead::sum(tokens, hand.multi_head(drawn, tokens, tokens, tokens, hand.dot())));
    });
}

TEST_CASE("C53 reordering the tokens reorders the output") {
    const auto X = matrix({{1, 0, 2}, {0, 1, -1}});
    const auto XP = multihead::permuted_columns(X, {2, 0, 1});
    const Head<double> h{matrix({{1, 1}, {0, 1}}), matrix({{1, 0}, {1, -1}}), matrix({{2, 0}, {0, 1}}), {}};
    CHECK(exact_difference(XP, matrix({{2, 1, 0}, {-1, 0, 1}})) == "");
    with_both_hands<double>([&](const Hand<double>& hand) {
        check(head(hand, scaled(hand), h, X, X),
              matrix({{2.871892200343968, 3.7379530445648581, 1.128107799656032},
                      {-0.43594610017198399, -0.86897652228242905, 0.43594610017198399}}));
        check(head(hand, scaled(hand), h, XP, XP),
              matrix({{1.128107799656032, 2.871892200343968, 3.7379530445648581},
                      {0.43594610017198399, -0.43594610017198399, -0.86897652228242905}}));
    });
    in_free_world([](const Hand<Free>& hand, Draw<Free>& draw) {
        const auto drawn = draw.weights({.n = 5, .m = 5, .d_model = 5, .d_k = 4, .d_v = 3, .H = 2});
        const auto tokens = draw.matrix(5, 5);
        const auto queries = draw.matrix(5, 3);
        const auto order = draw.permutation(5);
        const auto reordered = multihead::permuted_columns(tokens, order);
        const auto f = scaled(hand);
        check_exactly(multi_head(hand, f, drawn, reordered, reordered),
                      multihead::permuted_columns(hand.multi_head(drawn, tokens, tokens, tokens, f.columns), order));
        check_exactly(multi_head(hand, f, drawn, queries, reordered),
                      hand.multi_head(drawn, queries, tokens, tokens, f.columns));
    });
}

TEST_CASE("C58 weights per head or averaged over heads") {
    const auto w = heads(2, matrix({{2, 0}, {0, 1}}), I(2), I(2), I(2));
    const auto mean = matrix({{0.69039853898894121, 0.38447071068499755}, {0.30960146101105879, 0.61552928931500239}});
    with_both_hands<double>([&](const Hand<double>& hand) {
        check(weights(hand, scaled(hand), w[0].W_Q, w[0].W_K),
              matrix({{0.88079707797788243, 0.5}, {0.11920292202211756, 0.5}}), {mean});
        check(weights(hand, scaled(hand), w[1].W_Q, w[1].W_K),
              matrix({{0.5, 0.2689414213699951}, {0.5, 0.7310585786300049}}), {mean});
        check(multi_head(hand, scaled(hand), w, I(2), I(2)),
              matrix({{0.88079707797788243, 0.5}, {0.5, 0.7310585786300049}}),
              {matrix({{0.6903985389889411, 0.38447071068499761}, {0.30960146101105879, 0.61552928931500239}})});
    });
    in_free_world([](const Hand<Free>& hand, Draw<Free>& draw) {
        const auto drawn = draw.weights({.n = 4, .m = 4, .d_model = 5, .d_k = 2, .d_v = 3, .H = 2});
        const auto X = draw.matrix(5, 4);
        const auto A = [&](std::size_t h) {
            return hand.attention_weights(product(drawn[h].W_Q, X), product(drawn[h].W_K, X), hand.dot());
        };
        const auto values = [&](std::size_t h) { return product(drawn[h].W_O, product(drawn[h].W_V, X)); };
        const auto average = multihead::scaled(Free(1) / Free(2), multihead::sum(A(0), A(1)));
        const auto forms = multi_head(hand, dot(hand), drawn, X, X);
        check_exactly(forms, multihead::sum(product(values(0), A(0)), product(values(1), A(1))));
        CHECK(exact_difference(forms[0], product(multihead::sum(values(0), values(1)), average)) != "");
    });
}
