#pragma once
/// \file
/// The laws of chapter 6: the transformer's rows.
///
/// Each law says twice what a row function is: entry by entry, written out in rows, and as the transpose of its column
/// twin, f_row(Q, K) = f(Qᵀ, Kᵀ)ᵀ.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <cmath>
#include <string>
#include <tuple>

namespace multihead::laws {

/// The scores q_i B k_jᵀ, entry by entry. Shapes: Q n × d, K m × e, B d × e, result n × m.
template <class T>
Matrix<T> written_row_scores(const Matrix<T>& B, const Matrix<T>& Q, const Matrix<T>& K) {
    return matrix_of(Q.size1(), K.size1(), [&](std::size_t i, std::size_t j) {
        return sum_of(B.size1(), [&](std::size_t a) {
            return sum_of(B.size2(), [&](std::size_t b) { return Q(i, a) * B(a, b) * K(j, b); });
        });
    });
}

/// Softmax(S) V in rows, entry by entry: Σ_j e^{s_ij} v_jl / Σ_j e^{s_ij}.
template <class T>
Matrix<T> written_row_attention(const Matrix<T>& S, const Matrix<T>& V) {
    return matrix_of(S.size1(), V.size2(), [&](std::size_t i, std::size_t l) {
        return sum_of(S.size2(), [&](std::size_t j) { return exponential(S(i, j)) * V(j, l); }) /
               sum_of(S.size2(), [&](std::size_t j) { return exponential(S(i, j)); });
    });
}

/// One head in rows with the scores q B kᵀ, all sums written out.
template <class T>
Matrix<T> written_row_head(const multihead::row::Head<T>& head_h, const Matrix<T>& B, const Matrix<T>& Q,
                           const Matrix<T>& K, const Matrix<T>& V) {
    return written_row_attention(written_row_scores(B, product(Q, head_h.W_Q), product(K, head_h.W_K)),
                                 product(V, head_h.W_V));
}

/// Σ_h A_h W_h^O in rows, entry by entry: Σ_h Σ_l (A_h)_il (W_h^O)_lj.
template <class T>
Matrix<T> row_sum_over_heads(const std::vector<Matrix<T>>& A, const multihead::row::MultiHeadWeights<T>& weights) {
    return matrix_of(A[0].size1(), weights[0].W_O.size2(), [&](std::size_t i, std::size_t j) {
        return sum_of(A.size(), [&](std::size_t h) { return product_entry(A[h], weights[h].W_O, i, j); });
    });
}

/// The same heads and inputs in both conventions. B is the form of the scores q B kᵀ in rows.
template <class T>
struct RowInstance {
    RowInstance(Draw<T>& draw, const Shape& shape)
        : columns(draw.weights(shape)),
          rows(multihead::row::transposed(columns)),
          Q(draw.matrix(shape.n, shape.d_model)),
          K(draw.matrix(shape.m, shape.d_model)),
          V(draw.matrix(shape.m, shape.d_model)),
          B(draw.matrix(shape.d_k, shape.d_k)),
          Q_T(transposed(Q)),
          K_T(transposed(K)),
          V_T(transposed(V)),
          B_T(transposed(B)) {}

    MultiHeadWeights<T> columns;
    multihead::row::MultiHeadWeights<T> rows;
    Matrix<T> Q, K, V, B;
    Matrix<T> Q_T, K_T, V_T, B_T;
};

/// 6.1: every score function. Scaled scores take d_k = 1, 4, 9, whose roots every world knows, and in the real world
/// any d_k; additive scores live in the real world.
struct RowScores {
    static constexpr Id id{"6.1", "row-scores"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> Q = draw.matrix(shape.n, shape.d_k);
        const Matrix<T> K = draw.matrix(shape.m, shape.d_k);
        const Matrix<T> other_K = draw.matrix(shape.m, shape.d_v);
        const Matrix<T> B = draw.matrix(shape.d_k, shape.d_v);
        const Matrix<T> Q_T = transposed(Q);
        const Matrix<T> K_T = transposed(K);

        Equations<T> equations;
        add(equations, "dot product", hand.row_dot_product(Q, K), product(Q, K_T), hand.dot_product(Q_T, K_T));
        add(equations, "bilinear", hand.row_bilinear(B, Q, other_K), written_row_scores(B, Q, other_K),
            hand.bilinear(transposed(B), Q_T, transposed(other_K)));
        for (const std::size_t root : {1U, 2U, 3U}) {
            const Matrix<T> queries = draw.matrix(shape.n, root * root);
            const Matrix<T> keys = draw.matrix(shape.m, root * root);
            add_scaled(equations, hand, T(root), queries, keys);
        }
        if constexpr (!is_exact<T>) {
            using std::sqrt;
            add_scaled(equations, hand, sqrt(T(shape.d_k)), Q, K);
            add_additive(equations, hand, draw, Q, other_K);
        }
        const T h = T(2) + draw.number();
        add(equations, "Gaussian", hand.row_gaussian_kernel(h, Q, K),
            matrix_of(shape.n, shape.m,
                      [&](std::size_t i, std::size_t j) {
                          return -sum_of(shape.d_k, [&](std::size_t a) {
                              return (Q(i, a) - K(j, a)) * (Q(i, a) - K(j, a));
                          }) / (T(2) * h * h);
                      }),
            hand.gaussian_kernel(h, Q_T, K_T));
        return equations;
    }

  private:
    // Both equations of one score function.
    template <class T>
    static void add(Equations<T>& equations, const std::string& name, const Matrix<T>& S, const Matrix<T>& written,
                    const Matrix<T>& twin) {
        equations.push_back({name + " entry by entry", S, written});
        equations.push_back({name + " transposed", S, transposed(twin)});
    }

    // QKᵀ / √d_k.
    template <class T>
    static void add_scaled(Equations<T>& equations, const Hand<T>& hand, const T& root, const Matrix<T>& Q,
                           const Matrix<T>& K) {
        const Matrix<T> K_T = transposed(K);
        add(equations, "scaled by the root of " + std::to_string(Q.size2()), hand.row_scaled_dot_product(Q, K),
            matrix_of(Q.size1(), K.size1(),
                      [&](std::size_t i, std::size_t j) { return product_entry(Q, K_T, i, j) / root; }),
            hand.scaled_dot_product(transposed(Q), K_T));
    }

    // tanh(q_i W_q + k_j W_k) · w, with keys and queries of different dimension and d_a = 2.
    template <class T>
    static void add_additive(Equations<T>& equations, const Hand<T>& hand, Draw<T>& draw, const Matrix<T>& Q,
                             const Matrix<T>& K) {
        using std::tanh;
        const std::size_t d_a = 2;
        const Matrix<T> W_q = draw.matrix(Q.size2(), d_a);
        const Matrix<T> W_k = draw.matrix(K.size2(), d_a);
        const Matrix<T> w = draw.matrix(1, d_a);
        const auto hidden = [&](std::size_t i, std::size_t j, std::size_t a) {
            return tanh(product_entry(Q, W_q, i, a) + product_entry(K, W_k, j, a));
        };
        add(equations, "additive", hand.row_additive(W_q, W_k, w, Q, K),
            matrix_of(Q.size1(), K.size1(),
                      [&](std::size_t i, std::size_t j) {
                          return sum_of(d_a, [&](std::size_t a) { return hidden(i, j, a) * w(0, a); });
                      }),
            hand.additive(transposed(W_q), transposed(W_k), transposed(w), transposed(Q), transposed(K)));
    }
};

/// 6.2: a_ij = e^{s_ij} / Σ_k e^{s_ik}: softmax along rows, also of scores far apart.
struct RowSoftmax {
    static constexpr Id id{"6.2", "row-softmax"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> S = draw.matrix(shape.n, shape.m);
        const Matrix<T> A = hand.row_softmax(S);
        const Matrix<T> apart = scaled(T(2000), S);
        return {{"entry by entry", A,
                 matrix_of(shape.n, shape.m,
                           [&](std::size_t i, std::size_t j) {
                               return exponential(S(i, j)) /
                                      sum_of(shape.m, [&](std::size_t k) { return exponential(S(i, k)); });
                           })},
                {"transposed", A, transposed(hand.softmax(transposed(S)))},
                {"far apart", hand.row_softmax(apart), transposed(hand.softmax(transposed(apart)))}};
    }
};

/// 6.3: o_il = Σ_j e^{s_ij} v_jl / Σ_j e^{s_ij}: Softmax(f(Q, K)) V.
struct RowAttention {
    static constexpr Id id{"6.3", "row-attention"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> Q = draw.matrix(shape.n, shape.d_k);
        const Matrix<T> K = draw.matrix(shape.m, shape.d_k);
        const Matrix<T> V = draw.matrix(shape.m, shape.d_v);
        const Matrix<T> B = draw.matrix(shape.d_k, shape.d_k);
        const Matrix<T> O = hand.row_attention(Q, K, V, hand.row_form(B));
        return {{"entry by entry", O, written_row_attention(written_row_scores(B, Q, K), V)},
                {"transposed", O,
                 transposed(hand.attention(transposed(Q), transposed(K), transposed(V), hand.form(transposed(B))))}};
    }
};

/// 6.4: Attention(Q W_Q, K W_K, V W_V).
struct RowHead {
    static constexpr Id id{"6.4", "row-head"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const RowInstance<T> x(draw, shape);
        const Matrix<T> O = hand.row_head(x.rows[0], x.Q, x.K, x.V, hand.row_form(x.B));
        return {{"entry by entry", O, written_row_head(x.rows[0], x.B, x.Q, x.K, x.V)},
                {"transposed", O, transposed(hand.head(x.columns[0], x.Q_T, x.K_T, x.V_T, hand.form(x.B_T)))}};
    }
};

/// 6.5: Concat(head_1, …, head_H) W^O.
struct RowMultiHead {
    static constexpr Id id{"6.5", "row-multi-head"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const RowInstance<T> x(draw, shape);
        const Matrix<T> O = hand.row_multi_head(x.rows, x.Q, x.K, x.V, hand.row_form(x.B));
        std::vector<Matrix<T>> heads;
        for (const auto& head_h : x.rows) heads.push_back(written_row_head(head_h, x.B, x.Q, x.K, x.V));
        return {{"entry by entry", O, row_sum_over_heads(heads, x.rows)},
                {"transposed", O, transposed(hand.multi_head(x.columns, x.Q_T, x.K_T, x.V_T, hand.form(x.B_T)))}};
    }
};

/// 6.6: [A_1 … A_H] [W_1; …; W_H] = Σ_h A_h W_h: heads side by side, times the stacked blocks, are the sum over heads.
struct SideBySideTimesStacked {
    static constexpr Id id{"6.6", "side-by-side-times-stacked"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const RowInstance<T> x(draw, shape);
        const Matrix<T> O = hand.row_multi_head_sum(x.rows, x.Q, x.K, x.V, hand.row_form(x.B));
        std::vector<Matrix<T>> heads;
        for (const auto& head_h : x.rows) heads.push_back(hand.row_head(head_h, x.Q, x.K, x.V, hand.row_form(x.B)));
        return {{"side by side", hand.row_multi_head(x.rows, x.Q, x.K, x.V, hand.row_form(x.B)), O},
                {"entry by entry", O, row_sum_over_heads(heads, x.rows)},
                {"transposed", O, transposed(hand.multi_head_sum(x.columns, x.Q_T, x.K_T, x.V_T, hand.form(x.B_T)))}};
    }
};

/// Chapter 6.
inline constexpr std::tuple<RowScores, RowSoftmax, RowAttention, RowHead, RowMultiHead, SideBySideTimesStacked> row{};

}  // namespace multihead::laws
