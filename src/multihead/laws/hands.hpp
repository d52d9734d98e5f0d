#pragma once
/// \file
/// The law of chapter 0: the hands are equal.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>
#include <multihead/laws/named_gradients.hpp>
#include <multihead/loops/hand.hpp>

#include <string>
#include <tuple>

namespace multihead::laws {

/// 0.1: every function of a hand equals that of `loops`, one equation a function. Asked of `loops` it says nothing.
/// `patches` and `picture` are one function for both hands; they have their own laws, 8.1 and 8.2.
struct HandsAgree {
    static constexpr Id id{"0.1", "hands-agree"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        Same<T> same{hand};
        scores(same, draw, shape);
        columns(same, draw, shape);
        layouts(same, draw, shape);
        rows(same, draw, shape);
        gradients(same, draw, shape);
        gradients_in_rows(same, draw, shape);
        return same.equations;
    }

  private:
    /// Collects the equations: the same call of the hand and of the loops.
    template <class T>
    struct Same {
        const Hand<T>& hand;
        Loops<T> loops{};
        Equations<T> equations{};

        template <class Call>
        void operator()(const std::string& name, const Call& call) {
            const Hand<T>& other = loops;
            equations.push_back({name, call(hand), call(other)});
        }
    };

    template <class T>
    static void scores(Same<T>& same, Draw<T>& draw, const Shape& s) {
        using H = Hand<T>;
        const Matrix<T> Q = draw.matrix(s.d_k, s.n);
        const Matrix<T> K = draw.matrix(s.d_k, s.m);
        const Matrix<T> keys = draw.matrix(s.d_v, s.m);
        const Matrix<T> W = draw.matrix(s.d_v, s.d_k);
        const Matrix<T> Q_square = draw.matrix(4, s.n);  // √4 exists in F_p
        const Matrix<T> K_square = draw.matrix(4, s.m);
        const T h = T(1) + draw.number() / T(2);
        same("dot_product", [&](const H& f) { return f.dot_product(Q, K); });
        same("scaled_dot_product", [&](const H& f) { return f.scaled_dot_product(Q_square, K_square); });
        same("bilinear", [&](const H& f) { return f.bilinear(W, Q, keys); });
        same("gaussian_kernel", [&](const H& f) { return f.gaussian_kernel(h, Q, K); });

        same("row_dot_product", [&](const H& f) { return f.row_dot_product(transposed(Q), transposed(K)); });
        same("row_scaled_dot_product",
             [&](const H& f) { return f.row_scaled_dot_product(transposed(Q_square), transposed(K_square)); });
        same("row_bilinear",
             [&](const H& f) { return f.row_bilinear(transposed(W), transposed(Q), transposed(keys)); });
        same("row_gaussian_kernel", [&](const H& f) { return f.row_gaussian_kernel(h, transposed(Q), transposed(K)); });

        if constexpr (!is_exact<T>) {  // there is no tanh in F_p
            const Matrix<T> W_q = draw.matrix(s.H + 1, s.d_k);
            const Matrix<T> W_k = draw.matrix(s.H + 1, s.d_v);
            const Matrix<T> w = draw.matrix(s.H + 1, 1);
            same("additive", [&](const H& f) { return f.additive(W_q, W_k, w, Q, keys); });
            same("row_additive", [&](const H& f) {
                return f.row_additive(transposed(W_q), transposed(W_k), transposed(w), transposed(Q), transposed(keys));
            });
        }
    }

    template <class T>
    static void columns(Same<T>& same, Draw<T>& draw, const Shape& s) {
        using H = Hand<T>;
        const Matrix<T> Q = draw.matrix(s.d_model, s.n);
        const Matrix<T> K = draw.matrix(s.d_model, s.m);
        const Matrix<T> V = draw.matrix(s.d_model, s.m);
        const Matrix<T> S = draw.matrix(s.m, s.n);
        const Matrix<T> form = draw.matrix(s.d_model, s.d_model);
        const Matrix<T> form_h = draw.matrix(s.d_k, s.d_k);
        const MultiHeadWeights<T> w = draw.weights(s);
        const std::vector<ResidualHead<T>> heads = draw.residual_heads(s);
        same("softmax", [&](const H& f) { return f.softmax(S); });
        same("mix", [&](const H& f) { return f.mix(V, S); });
        same("attention", [&](const H& f) { return f.attention(Q, K, V, f.form(form)); });
        same("attention_weights", [&](const H& f) { return f.attention_weights(Q, K, f.form(form)); });
        same("head", [&](const H& f) { return f.head(w[0], Q, K, V, f.form(form_h)); });
        same("multi_head", [&](const H& f) { return f.multi_head(w, Q, K, V, f.form(form_h)); });
        same("multi_head_sum", [&](const H& f) { return f.multi_head_sum(w, Q, K, V, f.form(form_h)); });
        same("multi_head_expanded", [&](const H& f) { return f.multi_head_expanded(w, Q, K, V, f.form(form_h)); });
        same("residual_attention", [&](const H& f) { return f.residual_attention(heads, Q); });
    }

    template <class T>
    static void layouts(Same<T>& same, Draw<T>& draw, const Shape& s) {
        using H = Hand<T>;
        const MultiHeadWeights<T> w = draw.weights(s);
        const Matrix<T> X = draw.matrix(s.H * s.d_k, s.n);
        same("packed_W_Q", [&](const H& f) { return f.packed_W_Q(w); });
        same("packed_W_K", [&](const H& f) { return f.packed_W_K(w); });
        same("packed_W_V", [&](const H& f) { return f.packed_W_V(w); });
        for (std::size_t h = 0; h < s.H; ++h) {
            const std::string of_head = " of head " + std::to_string(h + 1);
            same("slice" + of_head, [&](const H& f) { return f.slice(X, h, s.H); });
            same("fold, W_Q" + of_head, [&](const H& f) { return f.fold(w).at(h).W_Q; });
            same("fold, W_K" + of_head, [&](const H& f) { return f.fold(w).at(h).W_K; });
            same("fold, W_V" + of_head, [&](const H& f) { return f.fold(w).at(h).W_V; });
        }
    }

    template <class T>
    static void rows(Same<T>& same, Draw<T>& draw, const Shape& s) {
        using H = Hand<T>;
        const Matrix<T> Q = draw.matrix(s.n, s.d_model);
        const Matrix<T> K = draw.matrix(s.m, s.d_model);
        const Matrix<T> V = draw.matrix(s.m, s.d_model);
        const Matrix<T> S = draw.matrix(s.n, s.m);
        const Matrix<T> form = draw.matrix(s.d_model, s.d_model);
        const Matrix<T> form_h = draw.matrix(s.d_k, s.d_k);
        const row::MultiHeadWeights<T> w = row::transposed(draw.weights(s));
        same("row_softmax", [&](const H& f) { return f.row_softmax(S); });
        same("row_attention", [&](const H& f) { return f.row_attention(Q, K, V, f.row_form(form)); });
        same("row_head", [&](const H& f) { return f.row_head(w[0], Q, K, V, f.row_form(form_h)); });
        same("row_multi_head", [&](const H& f) { return f.row_multi_head(w, Q, K, V, f.row_form(form_h)); });
        same("row_multi_head_sum", [&](const H& f) { return f.row_multi_head_sum(w, Q, K, V, f.row_form(form_h)); });
        same("row_self_attention", [&](const H& f) { return f.row_self_attention(w, Q, f.row_form(form_h)); });
        const std::vector<Matrix<T>> batch = {Q, K, V};
        for (std::size_t b = 0; b < batch.size(); ++b)
            same("row_self_attention, sample " + std::to_string(b),
                 [&](const H& f) { return f.row_self_attention(w, batch, f.row_form(form_h)).at(b); });
    }

    template <class T>
    static void gradients(Same<T>& same, Draw<T>& draw, const Shape& s) {
        using H = Hand<T>;
        const Matrix<T> Q = draw.matrix(s.d_model, s.n);
        const Matrix<T> K = draw.matrix(s.d_model, s.m);
        const Matrix<T> V = draw.matrix(s.d_model, s.m);
        const Matrix<T> A = draw.matrix(s.m, s.n);
        const Matrix<T> dA = draw.matrix(s.m, s.n);
        const Matrix<T> q = draw.matrix(4, s.n);  // √4 exists in F_p
        const Matrix<T> k = draw.matrix(4, s.m);
        const Matrix<T> W = draw.matrix(s.d_model, 4);
        const Matrix<T> form = draw.matrix(s.d_model, s.d_model);
        const Matrix<T> form_h = draw.matrix(s.d_k, s.d_k);
        const Matrix<T> dO = draw.matrix(s.d_model, s.n);
        const Matrix<T> dhead = draw.matrix(s.d_v, s.n);
        const MultiHeadWeights<T> w = draw.weights(s);
        const std::vector<ResidualHead<T>> heads = draw.residual_heads(s);
        same("softmax_backward", [&](const H& f) { return f.softmax_backward(A, dA); });
        each(same, "mix_backward", [&](const H& f) { return f.mix_backward(V, A, dO); });
        each(same, "dot_product_backward", [&](const H& f) { return f.dot_product_backward(Q, K, dA); });
        each(same, "scaled_dot_product_backward", [&](const H& f) { return f.scaled_dot_product_backward(q, k, dA); });
        each(same, "bilinear_backward", [&](const H& f) { return f.bilinear_backward(W, q, K, dA); });
        each(same, "attention_backward",
             [&](const H& f) { return f.attention_backward(Q, K, V, f.form(form), f.form_backward(form), dO); });
        each(same, "head_backward", [&](const H& f) {
            return f.head_backward(w[0], Q, K, V, f.form(form_h), f.form_backward(form_h), dhead);
        });
        each(same, "multi_head_backward", [&](const H& f) {
            return f.multi_head_backward(w, Q, K, V, f.form(form_h), f.form_backward(form_h), dO);
        });
        each(same, "residual_attention_backward",
             [&](const H& f) { return f.residual_attention_backward(heads, Q, dO); });
    }

    template <class T>
    static void gradients_in_rows(Same<T>& same, Draw<T>& draw, const Shape& s) {
        using H = Hand<T>;
        const Matrix<T> Q = draw.matrix(s.n, s.d_model);
        const Matrix<T> K = draw.matrix(s.m, s.d_model);
        const Matrix<T> V = draw.matrix(s.m, s.d_model);
        const Matrix<T> A = draw.matrix(s.n, s.m);
        const Matrix<T> dA = draw.matrix(s.n, s.m);
        const Matrix<T> q = draw.matrix(s.n, 4);  // √4 exists in F_p
        const Matrix<T> k = draw.matrix(s.m, 4);
        const Matrix<T> W = draw.matrix(4, s.d_model);
        const Matrix<T> form = draw.matrix(s.d_model, s.d_model);
        const Matrix<T> form_h = draw.matrix(s.d_k, s.d_k);
        const Matrix<T> dO = draw.matrix(s.n, s.d_model);
        const Matrix<T> dhead = draw.matrix(s.n, s.d_v);
        const row::MultiHeadWeights<T> w = row::transposed(draw.weights(s));
        same("row_softmax_backward", [&](const H& f) { return f.row_softmax_backward(A, dA); });
        each(same, "row_dot_product_backward", [&](const H& f) { return f.row_dot_product_backward(Q, K, dA); });
        each(same, "row_scaled_dot_product_backward",
             [&](const H& f) { return f.row_scaled_dot_product_backward(q, k, dA); });
        each(same, "row_bilinear_backward", [&](const H& f) { return f.row_bilinear_backward(W, q, K, dA); });
        each(same, "row_attention_backward", [&](const H& f) {
            return f.row_attention_backward(Q, K, V, f.row_form(form), f.row_form_backward(form), dO);
        });
        each(same, "row_head_backward", [&](const H& f) {
            return f.row_head_backward(w[0], Q, K, V, f.row_form(form_h), f.row_form_backward(form_h), dhead);
        });
        each(same, "row_multi_head_backward", [&](const H& f) {
            return f.row_multi_head_backward(w, Q, K, V, f.row_form(form_h), f.row_form_backward(form_h), dO);
        });
    }

    /// One equation for every gradient that a backward function returns.
    template <class T, class Call>
    static void each(Same<T>& same, const std::string& name, const Call& call) {
        const std::vector<Named<T>> left = named(call(same.hand));
        const Hand<T>& loops = same.loops;
        const std::vector<Named<T>> right = named(call(loops));
        add_same(same.equations, name, left, right);
    }
};

/// Chapter 0.
inline constexpr std::tuple<HandsAgree> hands{};

}  // namespace multihead::laws
