#pragma once
/// \file
/// The laws of chapter 7: a time series. A sample has its tokens, the points in time, in rows.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <string>
#include <tuple>

namespace multihead::laws {

/// The time series layer on one sample X, n × d_model, written out step by step: no scale, no bias.
template <class T>
Matrix<T> six_steps(const row::MultiHeadWeights<T>& weights, const Matrix<T>& X) {
    const std::size_t d_v = weights.at(0).W_V.size2();
    Matrix<T> side_by_side(X.size1(), weights.size() * d_v);
    Matrix<T> W_O(weights.size() * d_v, X.size2());
    for (std::size_t h = 0; h < weights.size(); ++h) {
        // 1 and 2. Three linear maps of every row.
        const Matrix<T> Q = product(X, weights[h].W_Q);
        const Matrix<T> K = product(X, weights[h].W_K);
        const Matrix<T> V = product(X, weights[h].W_V);
        // 3. Q Kᵀ: every row with every row.
        const Matrix<T> S = product(Q, transposed(K));
        // Then softmax of every row.
        const Matrix<T> A = matrix_of(S.size1(), S.size2(), [&](std::size_t i, std::size_t j) {
            return exponential(S(i, j)) / sum_of(S.size2(), [&](std::size_t k) { return exponential(S(i, k)); });
        });
        // 4. The weights times V, and the heads side by side.
        for (std::size_t l = 0; l < d_v; ++l) {
            for (std::size_t i = 0; i < X.size1(); ++i) side_by_side(i, h * d_v + l) = product_entry(A, V, i, l);
            for (std::size_t j = 0; j < X.size2(); ++j) W_O(h * d_v + l, j) = weights[h].W_O(l, j);
        }
    }
    // 5. Linear, back to d_model. 6. Plus the original.
    return sum(product(side_by_side, W_O), X);
}

/// 7.1: the six steps are multi-head attention in rows with the dot product, plus the residual.
struct SixSteps {
    static constexpr Id id{"7.1", "six-steps"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const row::MultiHeadWeights<T> weights = row::transposed(draw.weights(shape));
        const Matrix<T> X = draw.matrix(shape.n, shape.d_model);
        return {{"six steps", hand.row_self_attention(weights, X, hand.row_dot()), six_steps(weights, X)}};
    }
};

/// 7.2: the layer on a batch is the layer on each of its samples, whether they have one length or several.
struct Batch {
    static constexpr Id id{"7.2", "batch"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const row::MultiHeadWeights<T> weights = row::transposed(draw.weights(shape));
        const auto samples = [&](const std::vector<std::size_t>& lengths) {
            std::vector<Matrix<T>> batch;
            for (const std::size_t n : lengths) batch.push_back(draw.matrix(n, shape.d_model));
            return batch;
        };
        Equations<T> equations;
        const auto claim = [&](const std::string& name, const std::vector<Matrix<T>>& batch) {
            const std::vector<Matrix<T>> outputs = hand.row_self_attention(weights, batch, hand.row_dot());
            equations.push_back({name + ", samples", number(T(outputs.size())), number(T(batch.size()))});
            for (std::size_t b = 0; b < batch.size() && b < outputs.size(); ++b)
                equations.push_back({name + ", sample " + std::to_string(b), outputs[b], six_steps(weights, batch[b])});
        };
        claim("one length", samples({shape.n, shape.n, shape.n}));
        claim("several lengths", samples({shape.n, shape.n + 2, shape.m, 1}));
        claim("empty", {});
        return equations;
    }
};

/// Chapter 7.
inline constexpr std::tuple<SixSteps, Batch> time_series{};

}  // namespace multihead::laws
