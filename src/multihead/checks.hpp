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

/// Two vectors have one size.
inline void same_size(std::string_view function, std::string_view symbol, std::size_t size, std::string_view owner,
                      std::size_t needed) {
    if (size != needed)
        throw shape_error(std::string(function) + ": " + std::string(symbol) + " has " + std::to_string(size) +
                          " entries, but " + std::string(owner) + " has " + std::to_string(needed));
}

/// Where the tokens of a matrix stand.
enum class Tokens { in_columns, in_rows };

/// A number of rows or columns that another matrix has to match: `K has m = 6 columns`.
struct Extent {
    std::string owner;
    std::string_view name;
    std::size_t value;
    bool is_rows;
};

/// What the inputs of a head are called in the function that was called.
struct Inputs {
    std::string Q = "Q";
    std::string K = "K";
    std::string V = "V";
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
        const auto count_of = [&](bool rows) { return std::to_string(needed.value) + (rows ? " rows" : " columns"); };
        throw shape_error(subject(function, symbol, X) + ", but " + needed.owner + " has " + std::string(needed.name) +
                          " = " + count_of(needed.is_rows) +
                          (has.is_rows == needed.is_rows ? "" : ", so " + count_of(has.is_rows) + " are needed"));
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
                     const std::string& of = "", const Inputs& names = {}) const {
        at_least_one(names.Q, Q, features(names.Q, "d_model", Q));
        at_least_one(names.K, K, features(names.K, "d_model", K));
        at_least_one(names.V, V, features(names.V, "d_model", V));
        count_equal(names.V, V, count(names.K, "m", K));
        count_equal("W_Q" + of, head.W_Q, features(names.Q, "d_model", Q));
        count_equal("W_K" + of, head.W_K, features(names.K, "d_model", K));
        count_equal("W_V" + of, head.W_V, features(names.V, "d_model", V));
        one_head(head, of);
    }

    /// There is a head, its weights fit each other, and every other head has the shape of head 1.
    template <class HeadT>
    void heads(const std::vector<HeadT>& weights) const {
        some_head(weights);
        const HeadT& first = weights.front();
        one_head(first, of_head(0));
        for (std::size_t h = 1; h < weights.size(); ++h) {
            same_shape("W_Q", h, weights[h].W_Q, first.W_Q, "d_k", "d_model");
            same_shape("W_K", h, weights[h].W_K, first.W_K, "d_k", "d_model");
            same_shape("W_V", h, weights[h].W_V, first.W_V, "d_v", "d_model");
        }
        if constexpr (requires { first.W_O; }) {
            blocks(weights);
            features_equal("W_O" + of_head(0), first.W_O, count("W_Q" + of_head(0), "d_model", first.W_Q));
            count_equal("W_O" + of_head(0), first.W_O, features("W_V" + of_head(0), "d_v", first.W_V));
        }
    }

    /// There is a block of W^O, and every other one has the shape of that of head 1.
    template <class HeadT>
    void blocks(const std::vector<HeadT>& weights) const {
        some_head(weights);
        const auto& first = weights.front().W_O;
        at_least_one("W_O" + of_head(0), first, features("", "d_model", first));
        at_least_one("W_O" + of_head(0), first, count("", "d_v", first));
        for (std::size_t h = 1; h < weights.size(); ++h) same_shape("W_O", h, weights[h].W_O, first, "d_model", "d_v");
    }

    /// Heads whose queries, keys and values come from the same tokens.
    template <class HeadT>
    void self_attention(const std::vector<HeadT>& weights) const {
        heads(weights);
        const HeadT& first = weights.front();
        count_equal("W_K" + of_head(0), first.W_K, count("W_Q" + of_head(0), "d_model", first.W_Q));
        count_equal("W_V" + of_head(0), first.W_V, count("W_Q" + of_head(0), "d_model", first.W_Q));
    }

    /// Everything multi-head attention is given.
    template <class HeadT, class T>
    void multi_head(const std::vector<HeadT>& weights, const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V,
                    const Inputs& names = {}) const {
        heads(weights);
        projections(weights.front(), Q, K, V, of_head(0), names);
    }

    /// Everything a layer with a residual is given: what it adds to X has as many features as X. `of` tells which
    /// sample X is, or nothing.
    template <class HeadT, class T>
    void residual(const std::vector<HeadT>& weights, const Matrix<T>& X, const std::string& of = "") const {
        multi_head(weights, X, X, X, {"X" + of, "X" + of, "X" + of});
        if constexpr (!requires { weights[0].W_O; })
            features_equal("W_V" + of_head(0), weights[0].W_V, features("X" + of, "d_model", X));
    }

    /// The same for every sample of a batch.
    template <class HeadT, class T>
    void batch(const std::vector<HeadT>& weights, const std::vector<Matrix<T>>& samples) const {
        heads(weights);
        for (std::size_t b = 0; b < samples.size(); ++b)
            residual(weights, samples[b], " of sample " + std::to_string(b + 1));
    }

    /// A linear map of tokens.
    template <class T>
    void project(const Matrix<T>& W, const Matrix<T>& X) const {
        count_equal("W", W, features("X", "d", X));
    }

    /// Two terms of a sum.
    template <class T>
    void add(const Matrix<T>& X, const Matrix<T>& dX) const {
        features_equal("dX", dX, features("X", "d", X));
        count_equal("dX", dX, count("X", "n", X));
    }

    /// Part h of H equal parts along the rows.
    template <class T>
    void slice(const Matrix<T>& X, std::size_t h, std::size_t H) const {
        if (H == 0) throw shape_error(std::string(function) + ": H is 0, but must be at least 1");
        if (X.size1() == 0 || X.size1() % H != 0)
            throw shape_error(subject(function, "X", X) +
                              ", but its rows must be a positive multiple of H = " + std::to_string(H));
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
                              ", but its columns must be a positive multiple of H = " + std::to_string(H));
        const std::size_t d_v = W_O.size2() / H;
        if (d_k > W.size1())  // then the number of rows below might be too large to be computed
            throw shape_error(subject(function, "W", W) + ", but more than d_k = " + std::to_string(d_k) +
                              " rows are needed");
        if (W.size1() != H * (2 * d_k + d_v))
            throw shape_error(subject(function, "W", W) +
                              ", but H (2 d_k + d_v) = " + std::to_string(H * (2 * d_k + d_v)) + " rows are needed");
        count_equal("W", W, features("W_O", "d_model", W_O));
    }

  private:
    static std::string of_head(std::size_t h) { return " of head " + std::to_string(h + 1); }

    template <class HeadT>
    void some_head(const std::vector<HeadT>& weights) const {
        if (weights.empty()) throw shape_error(std::string(function) + ": there is no head, but H must be at least 1");
    }

    // The projections of one head fit each other.
    template <class HeadT>
    void one_head(const HeadT& head, const std::string& of) const {
        at_least_one("W_Q" + of, head.W_Q, features("", "d_k", head.W_Q));
        at_least_one("W_V" + of, head.W_V, features("", "d_v", head.W_V));
        at_least_one("W_Q" + of, head.W_Q, count("", "d_model", head.W_Q));
        at_least_one("W_K" + of, head.W_K, count("", "d_model", head.W_K));
        at_least_one("W_V" + of, head.W_V, count("", "d_model", head.W_V));
        features_equal("W_K" + of, head.W_K, features("W_Q" + of, "d_k", head.W_Q));
    }

    // Matrix X of head h has the shape of that of head 1.
    template <class T>
    void same_shape(const std::string& symbol, std::size_t h, const Matrix<T>& X, const Matrix<T>& first,
                    std::string_view outputs, std::string_view inputs) const {
        features_equal(symbol + of_head(h), X, features(symbol + of_head(0), outputs, first));
        count_equal(symbol + of_head(h), X, count(symbol + of_head(0), inputs, first));
    }
};

}  // namespace multihead::checks
