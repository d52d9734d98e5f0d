#pragma once
/// \file
/// The laws of chapter 4: multi-head attention.

#include <multihead/laws/attention_entrywise.hpp>
#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>
#include <multihead/laws/rank.hpp>

#include <algorithm>
#include <string>
#include <tuple>

namespace multihead::laws {

/// One head with the scores kᵀ B q, all sums written out. Shapes: Q d_model × n, K and V d_model × m, B d_k × d_k.
template <class T>
Matrix<T> written_head(const Head<T>& head_h, const Matrix<T>& B, const Matrix<T>& Q, const Matrix<T>& K,
                       const Matrix<T>& V) {
    const Matrix<T> queries = product(head_h.W_Q, Q);
    const Matrix<T> keys = product(head_h.W_K, K);
    const Matrix<T> scores = matrix_of(K.size2(), Q.size2(), [&](std::size_t i, std::size_t j) {
        return sum_of(B.size1(), [&](std::size_t a) {
            return sum_of(B.size2(), [&](std::size_t b) { return keys(a, i) * B(a, b) * queries(b, j); });
        });
    });
    return averaged(product(head_h.W_V, V), scores);
}

/// Σ_h W_h^O A_h, entry by entry: Σ_h Σ_l (W_h^O)_il (A_h)_lj.
template <class T>
Matrix<T> sum_over_heads(const MultiHeadWeights<T>& weights, const std::vector<Matrix<T>>& A) {
    return matrix_of(weights[0].W_O.size1(), A[0].size2(), [&](std::size_t i, std::size_t j) {
        return sum_of(weights.size(), [&](std::size_t h) { return product_entry(weights[h].W_O, A[h], i, j); });
    });
}

/// What multi-head attention is asked about: H heads, their inputs and the form B of their scores kᵀ B q, which tells
/// keys from queries.
template <class T>
struct MultiHeadInstance {
    MultiHeadInstance(Draw<T>& draw, const Shape& shape)
        : weights(draw.weights(shape)),
          Q(draw.matrix(shape.d_model, shape.n)),
          K(draw.matrix(shape.d_model, shape.m)),
          V(draw.matrix(shape.d_model, shape.m)),
          B(draw.matrix(shape.d_k, shape.d_k)) {}

    MultiHeadWeights<T> weights;
    Matrix<T> Q, K, V, B;
};

/// 4.0: entry (i, j) is Σ_h Σ_l (W_h^O)_il Σ_k (W_h^V V)_lk e^{s_kj} / Σ_k e^{s_kj}, with head h's scores s.
struct MultiHeadEntrywise {
    static constexpr Id id{"4.0", "multi-head-entrywise"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const MultiHeadInstance<T> x(draw, shape);
        std::vector<Matrix<T>> heads;
        for (const Head<T>& head_h : x.weights) heads.push_back(written_head(head_h, x.B, x.Q, x.K, x.V));
        return {{"multi_head", hand.multi_head(x.weights, x.Q, x.K, x.V, hand.form(x.B)),
                 sum_over_heads(x.weights, heads)}};
    }
};

/// 4.1: [W_1 … W_H] [A_1; …; A_H] = Σ_h W_h A_h: of any matrices A_h, and of the heads.
struct BlocksTimesStack {
    static constexpr Id id{"4.1", "blocks-times-stack"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const MultiHeadInstance<T> x(draw, shape);
        std::vector<Matrix<T>> A;
        std::vector<Matrix<T>> heads;
        for (const Head<T>& head_h : x.weights) {
            A.push_back(draw.matrix(shape.d_v, shape.n));
            heads.push_back(hand.head(head_h, x.Q, x.K, x.V, hand.form(x.B)));
        }
        const Matrix<T> stack = matrix_of(shape.H * shape.d_v, shape.n, [&](std::size_t r, std::size_t j) {
            return A[r / shape.d_v](r % shape.d_v, j);
        });
        return {{"any blocks", product(W_O(x.weights), stack), sum_over_heads(x.weights, A)},
                {"heads", hand.multi_head(x.weights, x.Q, x.K, x.V, hand.form(x.B)), sum_over_heads(x.weights, heads)}};
    }
};

/// 4.2: the concat form is the sum form.
struct ConcatEqualsSum {
    static constexpr Id id{"4.2", "concat-equals-sum"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const MultiHeadInstance<T> x(draw, shape);
        return {{"concat and sum", hand.multi_head(x.weights, x.Q, x.K, x.V, hand.form(x.B)),
                 hand.multi_head_sum(x.weights, x.Q, x.K, x.V, hand.form(x.B))}};
    }
};

/// 4.3: the sum form is the expanded form.
struct SumEqualsExpanded {
    static constexpr Id id{"4.3", "sum-equals-expanded"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const MultiHeadInstance<T> x(draw, shape);
        return {{"sum and expanded", hand.multi_head_sum(x.weights, x.Q, x.K, x.V, hand.form(x.B)),
                 hand.multi_head_expanded(x.weights, x.Q, x.K, x.V, hand.form(x.B))}};
    }
};

/// 4.4: heads reordered together with their blocks of W^O change nothing, H ≥ 2.
struct ReorderedHeads {
    static constexpr Id id{"4.4", "reordered-heads"};
    static constexpr Worlds worlds = RF;
    static bool admits(const Shape& shape) { return shape.H >= 2; }

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const MultiHeadInstance<T> x(draw, shape);
        MultiHeadWeights<T> reordered;
        for (const std::size_t h : draw.permutation(shape.H)) reordered.push_back(x.weights[h]);
        return {{"reordered", hand.multi_head(reordered, x.Q, x.K, x.V, hand.form(x.B)),
                 hand.multi_head(x.weights, x.Q, x.K, x.V, hand.form(x.B))}};
    }
};

/// 4.5: one head whose four matrices are the identity is attention. So d_model = d_k = d_v here.
struct OneHeadIsAttention {
    static constexpr Id id{"4.5", "one-head-is-attention"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const std::size_t d = shape.d_model;
        const Matrix<T> I = draw.identity(d);
        const Matrix<T> Q = draw.matrix(d, shape.n);
        const Matrix<T> K = draw.matrix(d, shape.m);
        const Matrix<T> V = draw.matrix(d, shape.m);
        const Matrix<T> B = draw.matrix(d, d);
        return {{"identities", hand.multi_head({{I, I, I, I}}, Q, K, V, hand.form(B)),
                 hand.attention(Q, K, V, hand.form(B))}};
    }
};

/// 4.6: a zero block W_h^O removes head h, whichever it is, H ≥ 2.
struct ZeroBlock {
    static constexpr Id id{"4.6", "zero-block-removes-head"};
    static constexpr Worlds worlds = RF;
    static bool admits(const Shape& shape) { return shape.H >= 2; }

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const MultiHeadInstance<T> x(draw, shape);
        Equations<T> equations;
        for (std::size_t h = 0; h < shape.H; ++h) {
            MultiHeadWeights<T> silenced = x.weights;
            silenced[h].W_O = Matrix<T>(shape.d_model, shape.d_v, T(0));
            MultiHeadWeights<T> without;
            for (std::size_t g = 0; g < shape.H; ++g)
                if (g != h) without.push_back(x.weights[g]);
            equations.push_back({"head " + std::to_string(h + 1),
                                 hand.multi_head(silenced, x.Q, x.K, x.V, hand.form(x.B)),
                                 hand.multi_head(without, x.Q, x.K, x.V, hand.form(x.B))});
        }
        return equations;
    }
};

/// 4.7: only the products W_h^O W_h^V count: (I, W_h^O W_h^V) in place of (W_h^O, W_h^V) changes nothing, and neither
/// does (W_h^O G_h, G_h^{-1} W_h^V).
struct BasisOfValues {
    static constexpr Id id{"4.7", "basis-of-values"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const MultiHeadInstance<T> x(draw, shape);
        MultiHeadWeights<T> changed = x.weights;
        for (Head<T>& head_h : changed) {
            const auto [G, inverse] = draw.unimodular(shape.d_v);
            head_h.W_O = product(head_h.W_O, G);
            head_h.W_V = product(inverse, head_h.W_V);
        }
        MultiHeadWeights<T> products = x.weights;
        for (Head<T>& head_h : products) {
            head_h.W_V = product(head_h.W_O, head_h.W_V);
            head_h.W_O = draw.identity(shape.d_model);
        }
        const Matrix<T> O = hand.multi_head(x.weights, x.Q, x.K, x.V, hand.form(x.B));
        return {{"changed basis", hand.multi_head(changed, x.Q, x.K, x.V, hand.form(x.B)), O},
                {"products", hand.multi_head(products, x.Q, x.K, x.V, hand.form(x.B)), O}};
    }
};

/// 4.8: what one head contributes has rank at most d_v. There are more tokens and more features here, so that the bound
/// says something.
struct RankOfContribution {
    static constexpr Id id{"4.8", "rank-of-contribution"};
    static constexpr Worlds worlds = F;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const std::size_t d_v = shape.d_v;
        const MultiHeadInstance<T> x(draw, {.n = d_v + shape.n,
                                            .m = d_v + shape.m,
                                            .d_model = d_v + shape.d_model,
                                            .d_k = shape.d_k,
                                            .d_v = d_v,
                                            .H = shape.H});
        Equations<T> equations;
        for (std::size_t h = 0; h < shape.H; ++h) {
            const std::size_t r = rank(hand.multi_head({x.weights[h]}, x.Q, x.K, x.V, hand.form(x.B)));
            equations.push_back(
                {"max(rank, d_v) = d_v, head " + std::to_string(h + 1), number(T(std::max(r, d_v))), number(T(d_v))});
        }
        return equations;
    }
};

/// Chapter 4.
inline constexpr std::tuple<MultiHeadEntrywise, BlocksTimesStack, ConcatEqualsSum, SumEqualsExpanded, ReorderedHeads,
                            OneHeadIsAttention, ZeroBlock, BasisOfValues, RankOfContribution>
    multi_head{};

}  // namespace multihead::laws
