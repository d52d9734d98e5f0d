#pragma once
/// \file
/// Laws 10.4 to 10.6: the gradients of products, scores and attention.

#include <multihead/laws/attention_entrywise.hpp>
#include <multihead/laws/derivatives.hpp>
#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <cmath>
#include <string>

namespace multihead::laws {

/// 10.4: O = V A has the gradients dV = dO Aᵀ and dA = Vᵀ dO, for any weights A.
struct ProductGradient {
    static constexpr Id id{"10.4", "product-gradients"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> V = draw.matrix(shape.d_v, shape.m);
        const Matrix<T> A = draw.matrix(shape.m, shape.n);
        const Matrix<T> dO = draw.matrix(shape.d_v, shape.n);
        const MixGradients<T> d = hand.mix_backward(V, A, dO);
        using D = Matrix<Dual<T>>;
        return {{"dO A^T", d.dV, product(dO, transposed(A))},
                {"V^T dO", d.dA, product(transposed(V), dO)},
                {"derivatives by V", d.dV,
                 derivatives(V, dO, [&](const D& values) { return product(values, constant(A)); })},
                {"derivatives by A", d.dA,
                 derivatives(A, dO, [&](const D& weights) { return product(constant(V), weights); })}};
    }
};

/// 10.5: the gradients of scores. S = KᵀQ: dQ = K dS and dK = Q dSᵀ; S = KᵀQ/√d_k: these divided by √d_k; S = KᵀWQ:
/// dW = K dS Qᵀ, dQ = WᵀK dS and dK = W Q dSᵀ. In the free world scaled scores have d_k = 4, which has a root.
struct ScoreGradient {
    static constexpr Id id{"10.5", "score-gradients"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        using M = Matrix<T>;
        using D = Matrix<Dual<T>>;
        const std::size_t d_k = is_exact<T> ? 4 : shape.d_k;
        const M Q = draw.matrix(d_k, shape.n);
        const M K = draw.matrix(d_k, shape.m);
        const M keys = draw.matrix(shape.d_model, shape.m);  // of another dimension than the queries
        const M W = draw.matrix(shape.d_model, d_k);
        const M dS = draw.matrix(shape.m, shape.n);
        using std::sqrt;
        const T root = sqrt(T(d_k));
        const auto over_root = [&](const M& X) {
            return matrix_of(X.size1(), X.size2(), [&](std::size_t i, std::size_t j) { return X(i, j) / root; });
        };
        const auto form = [](const D& k, const D& w, const D& q) { return product(transposed(k), product(w, q)); };

        Equations<T> equations;
        const auto claim = [&](const std::string& name, const M& gradient, const M& written, const M& derived) {
            equations.push_back({name, gradient, written});
            equations.push_back({name + " derivatives", gradient, derived});
        };
        const M by_Q = derivatives(Q, dS, [&](const D& q) { return product(transposed(constant(K)), q); });
        const M by_K = derivatives(K, dS, [&](const D& k) { return product(transposed(k), constant(Q)); });
        const ScoreGradients<T> dot = hand.dot_product_backward(Q, K, dS);
        claim("dot product dQ", dot.dQ, product(K, dS), by_Q);
        claim("dot product dK", dot.dK, product(Q, transposed(dS)), by_K);
        const ScoreGradients<T> scaled_dot = hand.scaled_dot_product_backward(Q, K, dS);
        claim("scaled dQ", scaled_dot.dQ, over_root(product(K, dS)), over_root(by_Q));
        claim("scaled dK", scaled_dot.dK, over_root(product(Q, transposed(dS))), over_root(by_K));
        const BilinearGradients<T> d = hand.bilinear_backward(W, Q, keys, dS);
        claim("bilinear dW", d.dW, product(product(keys, dS), transposed(Q)),
              derivatives(W, dS, [&](const D& w) { return form(constant(keys), w, constant(Q)); }));
        claim("bilinear dQ", d.dQ, product(transposed(W), product(keys, dS)),
              derivatives(Q, dS, [&](const D& q) { return form(constant(keys), constant(W), q); }));
        claim("bilinear dK", d.dK, product(product(W, Q), transposed(dS)),
              derivatives(keys, dS, [&](const D& k) { return form(k, constant(W), constant(Q)); }));
        return equations;
    }
};

/// 10.6: `attention_backward` returns the derivatives of Σ dO∘Attention(Q, K, V) by Q, K and V, for dot-product, scaled
/// and bilinear scores, and for the last the form's W gets its own. Each is compared along a drawn direction.
struct AttentionGradient {
    static constexpr Id id{"10.6", "attention-gradients"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        using M = Matrix<T>;
        using D = Matrix<Dual<T>>;
        const std::size_t d_k = is_exact<T> ? 4 : shape.d_k;
        const M Q = draw.matrix(d_k, shape.n);
        const M K = draw.matrix(d_k, shape.m);
        const M V = draw.matrix(shape.d_v, shape.m);
        const M wide = draw.matrix(shape.d_model, shape.n);  // queries of another dimension than the keys
        const M W = draw.matrix(d_k, shape.d_model);
        const M dO = draw.matrix(shape.d_v, shape.n);
        using std::sqrt;
        const Dual<T> root{T(sqrt(T(d_k)))};

        Equations<T> equations;
        // scores(K, Q) are the scores written out.
        const auto claim = [&](const std::string& name, const M& queries, const AttentionGradients<T>& d,
                               const auto& scores) {
            equations.push_back(along_a_direction("dQ by " + name, draw, d.dQ, queries, dO, [&](const D& q) {
                return averaged(constant(V), scores(constant(K), q));
            }));
            equations.push_back(along_a_direction("dK by " + name, draw, d.dK, K, dO, [&](const D& k) {
                return averaged(constant(V), scores(k, constant(queries)));
            }));
            equations.push_back(along_a_direction("dV by " + name, draw, d.dV, V, dO, [&](const D& v) {
                return averaged(v, scores(constant(K), constant(queries)));
            }));
        };
        const auto dot = [](const D& k, const D& q) { return product(transposed(k), q); };
        claim("dot_product", Q, hand.attention_backward(Q, K, V, hand.dot(), hand.dot_backward(), dO), dot);
        claim("scaled_dot_product", Q,
              hand.attention_backward(
                  Q, K, V, [&](const M& q, const M& k) { return hand.scaled_dot_product(q, k); },
                  [&](const M& q, const M& k, const M& dS) { return hand.scaled_dot_product_backward(q, k, dS); }, dO),
              [&](const D& k, const D& q) {
                  const D S = dot(k, q);
                  return matrix_of(S.size1(), S.size2(), [&](std::size_t i, std::size_t j) { return S(i, j) / root; });
              });
        M dW;
        claim("bilinear", wide,
              hand.attention_backward(
                  wide, K, V, hand.form(W),
                  [&](const M& q, const M& k, const M& dS) -> ScoreGradients<T> {
                      const BilinearGradients<T> d = hand.bilinear_backward(W, q, k, dS);
                      dW = d.dW;
                      return {d.dQ, d.dK};
                  },
                  dO),
              [&](const D& k, const D& q) { return dot(k, product(constant(W), q)); });
        equations.push_back(along_a_direction("dW by bilinear", draw, dW, W, dO, [&](const D& w) {
            return averaged(constant(V), dot(constant(K), product(w, constant(wide))));
        }));
        return equations;
    }
};

}  // namespace multihead::laws
