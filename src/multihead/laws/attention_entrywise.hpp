#pragma once
/// \file
/// Law 2.0: the definitions of chapter 2, entry by entry.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <cmath>
#include <string>

namespace multihead::laws {

/// Σ_i v_i e^{s_ij} / Σ_i e^{s_ij}: what attention makes of scores S, entry by entry.
template <class T>
Matrix<T> averaged(const Matrix<T>& V, const Matrix<T>& S) {
    const Matrix<T> E =
        matrix_of(S.size1(), S.size2(), [&](std::size_t i, std::size_t j) { return exponential(S(i, j)); });
    return matrix_of(V.size1(), S.size2(), [&](std::size_t r, std::size_t j) {
        return product_entry(V, E, r, j) / sum_of(S.size1(), [&](std::size_t i) { return E(i, j); });
    });
}

/// ‖x_j − y_i‖², for column j of X and column i of Y.
template <class T>
T squared_distance(const Matrix<T>& X, std::size_t j, const Matrix<T>& Y, std::size_t i) {
    return sum_of(X.size1(), [&](std::size_t l) { return (X(l, j) - Y(l, i)) * (X(l, j) - Y(l, i)); });
}

/// Scores that are simply given, whatever queries and keys are.
template <class T>
Score<T> given(const Matrix<T>& S) {
    return [S](const Matrix<T>&, const Matrix<T>&) { return S; };
}

/// 2.0: o_j = Σ_i v_i e^{s_ij} / Σ_i e^{s_ij}, for every score function, whose scores are sums too; and for scores that
/// are simply given. In the free world scaled scores have d_k = 4, which has a root, and additive scores are left
/// out.
struct AttentionEntrywise {
    static constexpr Id id{"2.0", "attention-entrywise"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        using M = Matrix<T>;
        const std::size_t d_k = is_exact<T> ? 4 : shape.d_k;
        const M Q = draw.matrix(d_k, shape.n);
        const M K = draw.matrix(d_k, shape.m);
        const M V = draw.matrix(shape.d_v, shape.m);
        const M wide = draw.matrix(shape.d_model, shape.n);  // queries of another dimension than the keys
        const M W = draw.matrix(d_k, shape.d_model);
        const M A = draw.matrix(shape.m, shape.n);
        const M S = draw.matrix(shape.m, shape.n);
        const M I = draw.identity(shape.m);

        Equations<T> equations;
        const auto claim = [&](const std::string& name, const M& queries, const Score<T>& f, const M& scores) {
            equations.push_back({name, f(queries, K), scores});
            equations.push_back({"weights by " + name, hand.attention_weights(queries, K, f), averaged(I, scores)});
            equations.push_back({"attention by " + name, hand.attention(queries, K, V, f), averaged(V, scores)});
        };

        using std::sqrt;
        const M KtQ = product(transposed(K), Q);
        const T root = sqrt(T(d_k));
        claim("dot_product", Q, hand.dot(), KtQ);
        claim(
            "scaled_dot_product", Q, [&](const M& q, const M& k) { return hand.scaled_dot_product(q, k); },
            matrix_of(shape.m, shape.n, [&](std::size_t i, std::size_t j) { return KtQ(i, j) / root; }));
        claim("bilinear", wide, hand.form(W), product(transposed(K), product(W, wide)));
        claim("given scores", Q, given(S), S);
        equations.push_back({"mix", hand.mix(V, A), product(V, A)});

        if constexpr (!is_exact<T>) {
            using std::tanh;
            const M W_q = draw.matrix(shape.d_v, shape.d_model);
            const M W_k = draw.matrix(shape.d_v, d_k);
            const M w = draw.matrix(shape.d_v, 1);
            const M from_query = product(W_q, wide);
            const M from_key = product(W_k, K);
            claim(
                "additive", wide, [&](const M& q, const M& k) { return hand.additive(W_q, W_k, w, q, k); },
                matrix_of(shape.m, shape.n, [&](std::size_t i, std::size_t j) {
                    return sum_of(shape.d_v,
                                  [&](std::size_t a) { return w(a, 0) * tanh(from_query(a, j) + from_key(a, i)); });
                }));
        }
        const T h = T(1) + draw.number() / T(2);
        claim(
            "gaussian_kernel", Q, [&](const M& q, const M& k) { return hand.gaussian_kernel(h, q, k); },
            matrix_of(shape.m, shape.n,
                      [&](std::size_t i, std::size_t j) { return -squared_distance(Q, j, K, i) / (T(2) * h * h); }));
        return equations;
    }
};

}  // namespace multihead::laws
