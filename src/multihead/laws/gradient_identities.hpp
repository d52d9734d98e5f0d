#pragma once
/// \file
/// The laws of chapter 10, second part: what the laws of chapters 1 to 6 say about gradients. No derivative is needed
/// to state them.
///
/// Where a change of the inputs leaves the output alone, the derivative along that change is 0; where a change of the
/// inputs moves the outputs about, the gradients move with them.

#include <multihead/laws/derivatives.hpp>
#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>
#include <multihead/laws/gradients_in_rows.hpp>
#include <multihead/laws/multi_head.hpp>

#include <string>
#include <tuple>
#include <vector>

namespace multihead::laws {

/// What attention's gradients are asked about: scores by the form B, which tells keys from queries.
template <class T>
struct AttentionInstance {
    AttentionInstance(Draw<T>& draw, const Shape& shape)
        : Q(draw.matrix(shape.d_k, shape.n)),
          K(draw.matrix(shape.d_k, shape.m)),
          V(draw.matrix(shape.d_v, shape.m)),
          B(draw.matrix(shape.d_k, shape.d_k)),
          dO(draw.matrix(shape.d_v, shape.n)) {}

    Matrix<T> Q, K, V, B, dO;
};

/// Σ over the columns of X.
template <class T>
Matrix<T> sum_of_columns(const Matrix<T>& X) {
    return matrix_of(X.size1(), 1, [&](std::size_t i, std::size_t) {
        return sum_of(X.size2(), [&](std::size_t j) { return X(i, j); });
    });
}

/// 10.10, law 2.6 differentiated: dK 1 = 0 for dot-product and bilinear scores: the gradients of the keys sum to zero,
/// since one vector added to all keys changes no output. The same of multi-head attention.
struct KeyShiftGradient {
    static constexpr Id id{"10.10", "key-shift-gradient"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const AttentionInstance<T> x(draw, shape);
        const MultiHeadInstance<T> y(draw, shape);
        const Matrix<T> dO = draw.matrix(shape.d_model, shape.n);
        const auto dot = hand.attention_backward(x.Q, x.K, x.V, hand.dot(), hand.dot_backward(), x.dO);
        const auto form = hand.attention_backward(x.Q, x.K, x.V, hand.form(x.B), hand.form_backward(x.B), x.dO);
        const auto heads =
            hand.multi_head_backward(y.weights, y.Q, y.K, y.V, hand.form(y.B), hand.form_backward(y.B), dO);
        return {{"dot product", sum_of_columns(dot.dK), Matrix<T>(shape.d_k, 1, T(0))},
                {"bilinear", sum_of_columns(form.dK), Matrix<T>(shape.d_k, 1, T(0))},
                {"multi_head", sum_of_columns(heads.dK), Matrix<T>(shape.d_model, 1, T(0))}};
    }
};

/// 10.11, law 2.7 differentiated: dQ Qᵀ = K dKᵀ for the dot product, since Q + ε G Q and K − ε GᵀK have the scores of Q
/// and K. For the scores Kᵀ W Q, whose queries may have another dimension, Wᵀ dW = dQ Qᵀ and dW Wᵀ = K dKᵀ.
struct ChangeOfBasisGradient {
    static constexpr Id id{"10.11", "change-of-basis-gradient"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const AttentionInstance<T> x(draw, shape);
        const Matrix<T> wide = draw.matrix(shape.d_model, shape.n);
        const Matrix<T> W = draw.matrix(shape.d_k, shape.d_model);
        const auto dot = hand.attention_backward(x.Q, x.K, x.V, hand.dot(), hand.dot_backward(), x.dO);
        Matrix<T> dW;
        const auto form = hand.attention_backward(
            wide, x.K, x.V, hand.form(W),
            [&](const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& dS) -> ScoreGradients<T> {
                const BilinearGradients<T> d = hand.bilinear_backward(W, Q, K, dS);
                dW = d.dW;
                return {d.dQ, d.dK};
            },
            x.dO);
        return {{"dot product", product(dot.dQ, transposed(x.Q)), product(x.K, transposed(dot.dK))},
                {"form and queries", product(form.dQ, transposed(wide)), product(transposed(W), dW)},
                {"form and keys", product(x.K, transposed(form.dK)), product(dW, transposed(W))}};
    }
};

/// 10.12, laws 4.7 and 5.4 differentiated: dW_h^Q (W_h^Q)ᵀ = W_h^K (dW_h^K)ᵀ and (W_h^O)ᵀ dW_h^O = dW_h^V (W_h^V)ᵀ,
/// since only the products (W_h^K)ᵀ W_h^Q and W_h^O W_h^V count. The first for the dot product; the second for any
/// scores.
struct HeadGaugeGradients {
    static constexpr Id id{"10.12", "head-gauge-gradients"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const MultiHeadInstance<T> x(draw, shape);
        const auto heads = draw.residual_heads(shape);
        const Matrix<T> dO = draw.matrix(shape.d_model, shape.n);
        const auto dot = hand.multi_head_backward(x.weights, x.Q, x.K, x.V, hand.dot(), hand.dot_backward(), dO);
        const auto form =
            hand.multi_head_backward(x.weights, x.Q, x.K, x.V, hand.form(x.B), hand.form_backward(x.B), dO);
        const auto residual = hand.residual_attention_backward(heads, x.Q, dO);
        Equations<T> equations;
        for (std::size_t h = 0; h < shape.H; ++h) {
            const std::string name = " of head " + std::to_string(h + 1);
            const Head<T>& by_dot = dot.dweights.at(h);
            const Head<T>& by_form = form.dweights.at(h);
            const Head<T>& w = x.weights[h];
            equations.push_back({"queries and keys" + name, product(by_dot.W_Q, transposed(w.W_Q)),
                                 product(w.W_K, transposed(by_dot.W_K))});
            equations.push_back({"outputs and values" + name, product(transposed(w.W_O), by_form.W_O),
                                 product(by_form.W_V, transposed(w.W_V))});
            equations.push_back({"residual form, queries and keys" + name,
                                 product(residual.dheads.at(h).W_Q, transposed(heads[h].W_Q)),
                                 product(heads[h].W_K, transposed(residual.dheads[h].W_K))});
        }
        return equations;
    }
};

/// 10.13, law 3.2 differentiated: Σ_h (W_h^Q)ᵀ dW_h^Q = dQ Qᵀ, and so for keys and values: a linear map of the inputs
/// can be moved into the projections, and back.
struct BasisOfInputsGradients {
    static constexpr Id id{"10.13", "basis-of-inputs-gradients"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const MultiHeadInstance<T> x(draw, shape);
        const Matrix<T> dO = draw.matrix(shape.d_model, shape.n);
        const auto d = hand.multi_head_backward(x.weights, x.Q, x.K, x.V, hand.form(x.B), hand.form_backward(x.B), dO);
        const auto over_heads = [&](Matrix<T> Head<T>::*kind) {
            Matrix<T> total(shape.d_model, shape.d_model, T(0));
            for (std::size_t h = 0; h < shape.H; ++h)
                total = sum(total, product(transposed(x.weights[h].*kind), d.dweights.at(h).*kind));
            return total;
        };
        return {{"queries", over_heads(&Head<T>::W_Q), product(d.dQ, transposed(x.Q))},
                {"keys", over_heads(&Head<T>::W_K), product(d.dK, transposed(x.K))},
                {"values", over_heads(&Head<T>::W_V), product(d.dV, transposed(x.V))}};
    }
};

/// 10.14, law 2.1 differentiated: Σ dV∘V = Σ dO∘O, since the output is linear in the values; in multi-head attention it
/// is linear in V, in all W_h^V and in all W_h^O, so that Σ_h Σ dW_h^V∘W_h^V and Σ_h Σ dW_h^O∘W_h^O are that number
/// too.
struct LinearInValuesGradients {
    static constexpr Id id{"10.14", "linear-in-values-gradients"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const AttentionInstance<T> x(draw, shape);
        const MultiHeadInstance<T> y(draw, shape);
        const Matrix<T> dO = draw.matrix(shape.d_model, shape.n);
        const auto one = hand.attention_backward(x.Q, x.K, x.V, hand.form(x.B), hand.form_backward(x.B), x.dO);
        const auto d = hand.multi_head_backward(y.weights, y.Q, y.K, y.V, hand.form(y.B), hand.form_backward(y.B), dO);
        const Matrix<T> L = number(paired(dO, hand.multi_head(y.weights, y.Q, y.K, y.V, hand.form(y.B))));
        const auto over_heads = [&](Matrix<T> Head<T>::*kind) {
            return number(
                sum_of(shape.H, [&](std::size_t h) { return paired(d.dweights.at(h).*kind, y.weights[h].*kind); }));
        };
        return {{"attention", number(paired(one.dV, x.V)),
                 number(paired(x.dO, hand.attention(x.Q, x.K, x.V, hand.form(x.B))))},
                {"values", number(paired(d.dV, y.V)), L},
                {"W_V", over_heads(&Head<T>::W_V), L},
                {"W_O", over_heads(&Head<T>::W_O), L}};
    }
};

/// 10.15, laws 2.2, 2.3 and 5.3 differentiated: permuted keys and values have permuted gradients and leave those of the
/// queries alone; permuted queries have permuted gradients and leave the others alone; permuted tokens of the residual
/// form have permuted gradients and leave those of the weights alone.
struct PermutedGradients {
    static constexpr Id id{"10.15", "permuted-gradients"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const AttentionInstance<T> x(draw, shape);
        const auto heads = draw.residual_heads(shape);
        const Matrix<T> X = draw.matrix(shape.d_model, shape.n);
        const Matrix<T> dY = draw.matrix(shape.d_model, shape.n);
        const auto keys = draw.permutation(shape.m);
        const auto queries = draw.permutation(shape.n);
        const auto backward = [&](const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V, const Matrix<T>& dO) {
            return hand.attention_backward(Q, K, V, hand.form(x.B), hand.form_backward(x.B), dO);
        };
        const auto d = backward(x.Q, x.K, x.V, x.dO);
        const auto by_keys = backward(x.Q, permuted_columns(x.K, keys), permuted_columns(x.V, keys), x.dO);
        const auto by_queries = backward(permuted_columns(x.Q, queries), x.K, x.V, permuted_columns(x.dO, queries));
        const auto residual = hand.residual_attention_backward(heads, X, dY);
        const auto by_tokens =
            hand.residual_attention_backward(heads, permuted_columns(X, queries), permuted_columns(dY, queries));
        Equations<T> equations{{"keys, dQ", by_keys.dQ, d.dQ},
                               {"keys, dK", by_keys.dK, permuted_columns(d.dK, keys)},
                               {"keys, dV", by_keys.dV, permuted_columns(d.dV, keys)},
                               {"queries, dQ", by_queries.dQ, permuted_columns(d.dQ, queries)},
                               {"queries, dK", by_queries.dK, d.dK},
                               {"queries, dV", by_queries.dV, d.dV},
                               {"tokens, dX", by_tokens.dX, permuted_columns(residual.dX, queries)}};
        for (std::size_t h = 0; h < shape.H; ++h) {
            const std::string name = " of head " + std::to_string(h + 1);
            equations.push_back({"tokens, dW_Q" + name, by_tokens.dheads.at(h).W_Q, residual.dheads.at(h).W_Q});
            equations.push_back({"tokens, dW_K" + name, by_tokens.dheads[h].W_K, residual.dheads[h].W_K});
            equations.push_back({"tokens, dW_V" + name, by_tokens.dheads[h].W_V, residual.dheads[h].W_V});
        }
        return equations;
    }
};

/// 10.16, law 2.8 differentiated: if every key and value stands there twice, each copy has half the gradient, and the
/// queries have the same.
struct DoubledKeysGradients {
    static constexpr Id id{"10.16", "doubled-keys-gradients"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const AttentionInstance<T> x(draw, shape);
        const auto backward = [&](const Matrix<T>& K, const Matrix<T>& V) {
            return hand.attention_backward(x.Q, K, V, hand.form(x.B), hand.form_backward(x.B), x.dO);
        };
        const auto once = backward(x.K, x.V);
        const auto twice = backward(beside(x.K, x.K), beside(x.V, x.V));
        const Matrix<T> dK = scaled(T(T(1) / T(2)), once.dK);
        const Matrix<T> dV = scaled(T(T(1) / T(2)), once.dV);
        return {{"dQ", twice.dQ, once.dQ}, {"dK", twice.dK, beside(dK, dK)}, {"dV", twice.dV, beside(dV, dV)}};
    }
};

/// 10.17: queries and keys have no gradient where there is nothing to choose: with one key (law 2.4), whose value gets
/// Σ_j dO_j; with equal values; and in a head whose block of W^O is zero (law 4.2), where the values' projection has
/// none either. The first equations take m = 1 whatever the shape says.
struct NoGradient {
    static constexpr Id id{"10.17", "no-gradient"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const AttentionInstance<T> x(draw, shape);
        const MultiHeadInstance<T> y(draw, shape);
        const Matrix<T> dO = draw.matrix(shape.d_model, shape.n);
        const Matrix<T> k = draw.matrix(shape.d_k, 1);
        const Matrix<T> v = draw.matrix(shape.d_v, 1);
        const Matrix<T> same_value = matrix_of(shape.d_v, shape.m, [&](std::size_t r, std::size_t) { return v(r, 0); });
        const auto zero_like = [](const Matrix<T>& X) { return Matrix<T>(X.size1(), X.size2(), T(0)); };

        const Score<T> f = hand.form(x.B);
        const ScoreBackward<T> f_backward = hand.form_backward(x.B);
        const auto one = hand.attention_backward(x.Q, k, v, f, f_backward, x.dO);
        const auto same = hand.attention_backward(x.Q, x.K, same_value, f, f_backward, x.dO);
        Equations<T> equations{{"one key, dQ", one.dQ, zero_like(x.Q)},
                               {"one key, dK", one.dK, zero_like(k)},
                               {"one key, dV", one.dV, sum_of_columns(x.dO)},
                               {"equal values, dQ", same.dQ, zero_like(x.Q)},
                               {"equal values, dK", same.dK, zero_like(x.K)}};
        for (std::size_t h = 0; h < shape.H; ++h) {
            const std::string name = " of head " + std::to_string(h + 1) + " without W_O";
            MultiHeadWeights<T> silenced = y.weights;
            silenced[h].W_O = zero_like(silenced[h].W_O);
            const Head<T> d =
                hand.multi_head_backward(silenced, y.Q, y.K, y.V, hand.form(y.B), hand.form_backward(y.B), dO)
                    .dweights.at(h);
            equations.push_back({"dW_Q" + name, d.W_Q, zero_like(silenced[h].W_Q)});
            equations.push_back({"dW_K" + name, d.W_K, zero_like(silenced[h].W_K)});
            equations.push_back({"dW_V" + name, d.W_V, zero_like(silenced[h].W_V)});
        }
        return equations;
    }
};

/// Chapter 10, second part: identities between gradients.
inline constexpr std::tuple<KeyShiftGradient, ChangeOfBasisGradient, HeadGaugeGradients, BasisOfInputsGradients,
                            LinearInValuesGradients, PermutedGradients, DoubledKeysGradients, NoGradient, RowGradients>
    gradient_identities{};

}  // namespace multihead::laws
