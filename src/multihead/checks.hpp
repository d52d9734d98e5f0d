#pragma once
/// \file
/// Shape checks, made by every function of every hand before anything is computed, in every build mode.
///
/// They are written once for both conventions. With tokens in columns a matrix of tokens has its features along the
/// rows and a weight matrix has its outputs along the rows; with tokens in rows both are the other way round.

#include <multihead/matrix.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace multihead::checks {

/// Where the tokens of a matrix stand.
enum class Tokens { in_columns, in_rows };

/// A number of rows or columns that another matrix has to match: `K has m = 6 columns`.
struct Extent {
    std::string owner;
    std::string_view name;
    std::size_t value;
    bool is_rows;
};

/// `function: symbol is 3x5`, the beginning of every message.
template <class T>
std::string subject(std::string_view function, std::string_view symbol, const Matrix<T>& X) {
    return std::string(function) + ": " + std::string(symbol) + " is " + std::to_string(X.size1()) + "x" +
           std::to_string(X.size2());
}

/// What a check speaks about: the function that was called and the convention it is written in.
struct Check {
    std::string_view function;
    Tokens tokens = Tokens::in_columns;

    /// The features of a matrix of tokens, or the outputs of a weight matrix.
    template <class T>
    Extent features(std::string owner, std::string_view name, const Matrix<T>& X) const {
        const bool rows = tokens == Tokens::in_columns;
        return {std::move(owner), name, rows ? X.size1() : X.size2(), rows};
    }

    /// The tokens of a matrix of tokens, or the inputs of a weight matrix.
    template <class T>
    Extent count(std::string owner, std::string_view name, const Matrix<T>& X) const {
        const bool rows = tokens == Tokens::in_rows;
        return {std::move(owner), name, rows ? X.size1() : X.size2(), rows};
    }

    /// Two extents are equal; X is the matrix that is to blame if they are not.
    template <class T>
    void equal(std::string_view symbol, const Matrix<T>& X, const Extent& has, const Extent& needed) const {
        if (has.value == needed.value) return;
        throw shape_error(subject(function, symbol, X) + ", but " + needed.owner + " has " + std::string(needed.name) +
                          " = " + std::to_string(needed.value) + (needed.is_rows ? " rows" : " columns"));
    }

    /// X has as many features (a weight: outputs) as `needed` says.
    template <class T>
    void features_equal(std::string_view symbol, const Matrix<T>& X, const Extent& needed) const {
        equal(symbol, X, features("", "", X), needed);
    }

    /// X has as many tokens (a weight: inputs) as `needed` says.
    template <class T>
    void count_equal(std::string_view symbol, const Matrix<T>& X, const Extent& needed) const {
        equal(symbol, X, count("", "", X), needed);
    }

    /// A dimension is at least 1.
    template <class T>
    void at_least_one(std::string_view symbol, const Matrix<T>& X, const Extent& dimension) const {
        if (dimension.value == 0)
            throw shape_error(subject(function, symbol, X) + ", but " + std::string(dimension.name) +
                              " must be at least 1");
    }

    /// Queries and keys of one dimension d_k ≥ 1: the score functions that compare them directly.
    template <class T>
    void scores(const Matrix<T>& Q, const Matrix<T>& K) const {
        at_least_one("Q", Q, features("Q", "d_k", Q));
        features_equal("K", K, features("Q", "d_k", Q));
    }

    /// Scores by a form: k_iᵀ W q_j. In columns W is (dimension of keys) × (dimension of queries).
    template <class T>
    void bilinear(const Matrix<T>& W, const Matrix<T>& Q, const Matrix<T>& K) const {
        at_least_one("Q", Q, features("Q", "d_k", Q));
        at_least_one("K", K, features("K", "d_k", K));
        features_equal("W", W, features("K", "d_k", K));
        count_equal("W", W, features("Q", "d_k", Q));
    }

    /// Additive scores w·tanh(W_q q + W_k k).
    template <class T>
    void additive(const Matrix<T>& W_q, const Matrix<T>& W_k, const Matrix<T>& w, const Matrix<T>& Q,
                  const Matrix<T>& K) const {
        at_least_one("Q", Q, features("Q", "d_k", Q));
        at_least_one("K", K, features("K", "d_k", K));
        at_least_one("W_q", W_q, features("W_q", "d_a", W_q));
        count_equal("W_q", W_q, features("Q", "d_k", Q));
        count_equal("W_k", W_k, features("K", "d_k", K));
        features_equal("W_k", W_k, features("W_q", "d_a", W_q));
        features_equal("w", w, features("W_q", "d_a", W_q));
        if (count("w", "", w).value != 1)
            throw shape_error(subject(function, "w", w) + ", but must be a single " +
                              (tokens == Tokens::in_columns ? "column" : "row"));
    }

    /// Values and their weights, V A.
    template <class T>
    void mix(const Matrix<T>& V, const Matrix<T>& A) const {
        at_least_one("V", V, features("V", "d_v", V));
        features_equal("A", A, count("V", "m", V));
    }

    /// Keys and values belong together.
    template <class T>
    void attention(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V) const {
        attention_weights(Q, K);
        at_least_one("V", V, features("V", "d_v", V));
        count_equal("V", V, count("K", "m", K));
    }

    /// Queries and keys have a dimension; whether it is the same is for the score function to say.
    template <class T>
    void attention_weights(const Matrix<T>& Q, const Matrix<T>& K) const {
        at_least_one("Q", Q, features("Q", "d_k", Q));
        at_least_one("K", K, features("K", "d_k", K));
    }

    /// A score function returned one score for every key and query: m×n in columns, n×m in rows.
    template <class T>
    void score_matrix(const Matrix<T>& S, const Matrix<T>& Q, const Matrix<T>& K) const {
        features_equal("f(Q, K)", S, count("K", "m", K));
        count_equal("f(Q, K)", S, count("Q", "n", Q));
    }

    /// The projections of one head fit its inputs and each other. `of` tells which head it is, or nothing.
    template <class HeadT, class T>
    void projections(const HeadT& head, const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V,
                     const std::string& of = "") const {
        at_least_one("Q", Q, features("Q", "d_model", Q));
        at_least_one("K", K, features("K", "d_model", K));
        at_least_one("V", V, features("V", "d_model", V));
        count_equal("V", V, count("K", "m", K));
        at_least_one("W_Q" + of, head.W_Q, features("W_Q", "d_k", head.W_Q));
        at_least_one("W_V" + of, head.W_V, features("W_V", "d_v", head.W_V));
        count_equal("W_Q" + of, head.W_Q, features("Q", "d_model", Q));
        count_equal("W_K" + of, head.W_K, features("K", "d_model", K));
        count_equal("W_V" + of, head.W_V, features("V", "d_model", V));
        features_equal("W_K" + of, head.W_K, features("W_Q" + of, "d_k", head.W_Q));
    }

    /// Every head has the shape of head 1, and there is one.
    template <class HeadT>
    void heads(const std::vector<HeadT>& weights) const {
        if (weights.empty()) throw shape_error(std::string(function) + ": there is no head, but H must be at least 1");
        const auto& first = weights.front();
        for (std::size_t h = 0; h < weights.size(); ++h) {
            const std::string of = of_head(h);
            same_shape("W_Q" + of, weights[h].W_Q, "W_Q", "d_k", first.W_Q);
            same_shape("W_K" + of, weights[h].W_K, "W_K", "d_k", first.W_K);
            same_shape("W_V" + of, weights[h].W_V, "W_V", "d_v", first.W_V);
            if constexpr (requires { first.W_O; }) {
                same_shape("W_O" + of, weights[h].W_O, "W_O", "d_model", first.W_O);
                at_least_one("W_O" + of, weights[h].W_O, features("W_O", "d_model", weights[h].W_O));
                count_equal("W_O" + of, weights[h].W_O, features("W_V" + of, "d_v", weights[h].W_V));
            }
        }
    }

    /// Everything multi-head attention is given.
    template <class HeadT, class T>
    void multi_head(const std::vector<HeadT>& weights, const Matrix<T>& Q, const Matrix<T>& K,
                    const Matrix<T>& V) const {
        heads(weights);
        for (std::size_t h = 0; h < weights.size(); ++h) projections(weights[h], Q, K, V, of_head(h));
    }

    /// Everything the residual form is given: the outputs of W_V are added to X.
    template <class HeadT, class T>
    void residual(const std::vector<HeadT>& weights, const Matrix<T>& X) const {
        multi_head(weights, X, X, X);
        for (std::size_t h = 0; h < weights.size(); ++h) {
            if constexpr (requires { weights[h].W_O; })
                features_equal("W_O" + of_head(h), weights[h].W_O, features("X", "d_model", X));
            else
                features_equal("W_V" + of_head(h), weights[h].W_V, features("X", "d_model", X));
        }
    }

    /// Part h of H equal parts along the rows.
    template <class T>
    void slice(const Matrix<T>& X, std::size_t h, std::size_t H) const {
        if (H == 0 || X.size1() % H != 0)
            throw shape_error(subject(function, "X", X) +
                              ", but its rows must be a multiple of H = " + std::to_string(H));
        if (h >= H)
            throw shape_error(std::string(function) + ": h is " + std::to_string(h) +
                              ", but must be below H = " + std::to_string(H));
    }

    /// A fused matrix of H heads, H (2 d_k + d_v) × d_model, and the whole W^O, d_model × H d_v.
    template <class T>
    void fused(const Matrix<T>& W, const Matrix<T>& W_O, std::size_t H, std::size_t d_k) const {
        if (H == 0) throw shape_error(std::string(function) + ": H is 0, but must be at least 1");
        if (d_k == 0) throw shape_error(std::string(function) + ": d_k is 0, but must be at least 1");
        at_least_one("W_O", W_O, features("W_O", "d_model", W_O));
        if (W_O.size2() == 0 || W_O.size2() % H != 0)
            throw shape_error(subject(function, "W_O", W_O) +
                              ", but its columns must be a multiple of H = " + std::to_string(H));
        const std::size_t d_v = W_O.size2() / H;
        if (d_k > W.size1() || W.size1() != H * (2 * d_k + d_v))
            throw shape_error(subject(function, "W", W) +
                              ", but H (2 d_k + d_v) = " + std::to_string(H * (2 * d_k + d_v)) + " rows are needed");
        count_equal("W", W, features("W_O", "d_model", W_O));
    }

  private:
    static std::string of_head(std::size_t h) { return " of head " + std::to_string(h + 1); }

    template <class T>
    void same_shape(const std::string& symbol, const Matrix<T>& X, const std::string& name, std::string_view dimension,
                    const Matrix<T>& first) const {
        features_equal(symbol, X, features(name + of_head(0), dimension, first));
        count_equal(symbol, X, count(name + of_head(0), dimension == "d_model" ? "d_v" : "d_model", first));
    }
};

}  // namespace multihead::checks
