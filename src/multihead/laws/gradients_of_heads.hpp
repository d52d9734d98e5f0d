#pragma once
/// \file
/// Laws 10.7 to 10.9: the gradients of heads, multi-head attention and the residual form.

#include <multihead/laws/attention_entrywise.hpp>
#include <multihead/laws/derivatives.hpp>
#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>
#include <multihead/laws/multi_head.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace multihead::laws {

/// The weights of a head as constants.
template <class T>
Head<Dual<T>> constant(const Head<T>& h) {
    return {constant(h.W_Q), constant(h.W_K), constant(h.W_V), constant(h.W_O)};
}
/// The weights of a head as constants.
template <class T>
ResidualHead<Dual<T>> constant(const ResidualHead<T>& h) {
    return {constant(h.W_Q), constant(h.W_K), constant(h.W_V)};
}
/// The weights of heads as constants.
template <template <class> class HeadT, class T>
std::vector<HeadT<Dual<T>>> constant(const std::vector<HeadT<T>>& heads) {
    std::vector<HeadT<Dual<T>>> constants;
    for (const HeadT<T>& h : heads) constants.push_back(constant(h));
    return constants;
}

/// 10.7: `head_backward` and `multi_head_backward` return the derivatives of Σ dO∘O by every block of every head and by
/// Q, K and V, each along a drawn direction. By W^O a head has no derivative.
struct MultiHeadGradient {
    static constexpr Id id{"10.7", "multi-head-gradients"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const MultiHeadInstance<T> x(draw, shape);
        const Inputs<T> inputs{constant(x.weights), constant(x.Q), constant(x.K), constant(x.V), constant(x.B)};
        const Score<T> f = hand.form(x.B);
        const ScoreBackward<T> f_backward = hand.form_backward(x.B);
        Equations<T> equations;

        const Matrix<T> dhead = draw.matrix(shape.d_v, shape.n);
        const HeadGradients<T> one = hand.head_backward(x.weights[0], x.Q, x.K, x.V, f, f_backward, dhead);
        claim(equations, "head: ", draw, x, inputs, {{one.dhead}, one.dQ, one.dK, one.dV}, dhead,
              [](const Inputs<T>& y) { return written_head(y.weights[0], y.B, y.Q, y.K, y.V); });

        const Matrix<T> dO = draw.matrix(shape.d_model, shape.n);
        const MultiHeadGradients<T> all = hand.multi_head_backward(x.weights, x.Q, x.K, x.V, f, f_backward, dO);
        equations.push_back({"how many heads", number(T(all.dweights.size())), number(T(shape.H))});
        claim(equations, "", draw, x, inputs, all, dO, [](const Inputs<T>& y) {
            std::vector<Matrix<Dual<T>>> heads;
            for (const Head<Dual<T>>& h : y.weights) heads.push_back(written_head(h, y.B, y.Q, y.K, y.V));
            return sum_over_heads(y.weights, heads);
        });
        return equations;
    }

  private:
    /// Everything the output depends on, as dual numbers.
    template <class T>
    struct Inputs {
        MultiHeadWeights<Dual<T>> weights;
        Matrix<Dual<T>> Q, K, V, B;
    };

    // One equation for every input and for every block of the heads that have a gradient.
    template <class T, class Forward>
    static void claim(Equations<T>& equations, const std::string& of, Draw<T>& draw, const MultiHeadInstance<T>& x,
                      const Inputs<T>& inputs, const MultiHeadGradients<T>& d, const Matrix<T>& dO, const Forward& O) {
        // X is what is moved; `place` is where it stands among the inputs.
        const auto along = [&](const std::string& name, const Matrix<T>& dX, const Matrix<T>& X, const auto& place) {
            equations.push_back(along_a_direction(of + name, draw, dX, X, dO, [&](const Matrix<Dual<T>>& moved_X) {
                Inputs<T> y = inputs;
                place(y) = moved_X;
                return O(y);
            }));
        };
        using Y = Inputs<T>;
        along(
            "dQ", d.dQ, x.Q, [](Y & y) -> auto& { return y.Q; });
        along(
            "dK", d.dK, x.K, [](Y & y) -> auto& { return y.K; });
        along(
            "dV", d.dV, x.V, [](Y & y) -> auto& { return y.V; });
        const std::size_t H = std::min(d.dweights.size(), x.weights.size());
        for (std::size_t h = 0; h < H; ++h) {
            const std::string name = " of head " + std::to_string(h + 1);
            const Head<T>& dhead = d.dweights[h];
            const Head<T>& head = x.weights[h];
            along(
                "dW_Q" + name, dhead.W_Q, head.W_Q, [h](Y & y) -> auto& { return y.weights[h].W_Q; });
            along(
                "dW_K" + name, dhead.W_K, head.W_K, [h](Y & y) -> auto& { return y.weights[h].W_K; });
            along(
                "dW_V" + name, dhead.W_V, head.W_V, [h](Y & y) -> auto& { return y.weights[h].W_V; });
            along(
                "dW_O" + name, dhead.W_O, head.W_O, [h](Y & y) -> auto& { return y.weights[h].W_O; });
        }
    }
};

/// 10.8: `residual_attention_backward` returns the derivatives of Σ dY∘Y by every block of every head and by X, each
/// along a drawn direction. X enters by itself and as queries, keys and values of every head; its gradients add.
struct ResidualGradient {
    static constexpr Id id{"10.8", "residual-gradients"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        using D = Matrix<Dual<T>>;
        using Heads = std::vector<ResidualHead<Dual<T>>>;
        const auto heads = draw.residual_heads(shape);
        const Matrix<T> X = draw.matrix(shape.d_model, shape.n);
        const Matrix<T> dY = draw.matrix(shape.d_model, shape.n);
        const Heads constants = constant(heads);
        const ResidualGradients<T> d = hand.residual_attention_backward(heads, X, dY);
        const auto output = [](const Heads& weights, const D& x) {
            D Y = x;
            for (const auto& h : weights)
                Y = sum(Y, averaged(product(h.W_V, x), product(transposed(product(h.W_K, x)), product(h.W_Q, x))));
            return Y;
        };

        Equations<T> equations{
            along_a_direction("dX", draw, d.dX, X, dY, [&](const D& x) { return output(constants, x); })};
        for (std::size_t h = 0; h < shape.H; ++h) {
            const auto along = [&](const std::string& name, Matrix<T> ResidualHead<T>::*kind,
                                   D ResidualHead<Dual<T>>::*place) {
                equations.push_back(along_a_direction(name + " of head " + std::to_string(h + 1), draw,
                                                      d.dheads.at(h).*kind, heads[h].*kind, dY, [&](const D& W) {
                                                          Heads weights = constants;
                                                          weights[h].*place = W;
                                                          return output(weights, constant(X));
                                                      }));
            };
            along("dW_Q", &ResidualHead<T>::W_Q, &ResidualHead<Dual<T>>::W_Q);
            along("dW_K", &ResidualHead<T>::W_K, &ResidualHead<Dual<T>>::W_K);
            along("dW_V", &ResidualHead<T>::W_V, &ResidualHead<Dual<T>>::W_V);
        }
        return equations;
    }
};

/// 10.9, law 5.1 differentiated: with W_h^V := W_h^O W_h^V the residual form has the gradients of multi-head
/// self-attention. dX = dY + dQ + dK + dV, since X is the queries, the keys and the values; W_h^Q and W_h^K have the
/// same gradients; and those of the factors are dW_h^O = dW (W_h^V)ᵀ and dW_h^V = (W_h^O)ᵀ dW, where dW is that of
/// their product.
struct FoldedGradients {
    static constexpr Id id{"10.9", "folded-gradients"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const auto weights = draw.weights(shape);
        const Matrix<T> X = draw.matrix(shape.d_model, shape.n);
        const Matrix<T> dY = draw.matrix(shape.d_model, shape.n);
        std::vector<ResidualHead<T>> folded;
        for (const Head<T>& h : weights) folded.push_back({h.W_Q, h.W_K, product(h.W_O, h.W_V)});
        const ResidualGradients<T> d = hand.residual_attention_backward(folded, X, dY);
        const MultiHeadGradients<T> of =
            hand.multi_head_backward(weights, X, X, X, hand.dot(), hand.dot_backward(), dY);
        Equations<T> equations{{"dX", d.dX, sum(dY, sum(of.dQ, sum(of.dK, of.dV)))}};
        for (std::size_t h = 0; h < shape.H; ++h) {
            const std::string name = " of head " + std::to_string(h + 1);
            const Matrix<T>& dW = d.dheads.at(h).W_V;
            equations.push_back({"dW_Q" + name, d.dheads[h].W_Q, of.dweights.at(h).W_Q});
            equations.push_back({"dW_K" + name, d.dheads[h].W_K, of.dweights[h].W_K});
            equations.push_back({"dW_V" + name, product(transposed(weights[h].W_O), dW), of.dweights[h].W_V});
            equations.push_back({"dW_O" + name, product(dW, transposed(weights[h].W_V)), of.dweights[h].W_O});
        }
        return equations;
    }
};

}  // namespace multihead::laws
