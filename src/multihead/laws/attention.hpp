#pragma once
/// \file
/// The laws of chapter 2: attention. Law 2.0, the definitions entry by entry, has its own file.

#include <multihead/laws/attention_entrywise.hpp>
#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <cmath>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace multihead::laws {

/// 2.1: Attention(Q, K, a V + b V') = a Attention(Q, K, V) + b Attention(Q, K, V').
struct LinearInValues {
    static constexpr Id id{"2.1", "linear-in-values"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> Q = draw.matrix(shape.d_k, shape.n);
        const Matrix<T> K = draw.matrix(shape.d_k, shape.m);
        const Matrix<T> V = draw.matrix(shape.d_v, shape.m);
        const Matrix<T> V2 = draw.matrix(shape.d_v, shape.m);
        const T a = draw.number();
        const T b = draw.number();
        const auto attention = [&](const Matrix<T>& values) { return hand.attention(Q, K, values, hand.dot()); };
        return {{"combined", attention(sum(scaled(a, V), scaled(b, V2))),
                 sum(scaled(a, attention(V)), scaled(b, attention(V2)))}};
    }
};

/// 2.2: Attention(Q, K P, V P) = Attention(Q, K, V) for a permutation P and a pairwise f: keys and values are a set.
struct PermutedKeys {
    static constexpr Id id{"2.2", "permuted-keys"};
    static constexpr Worlds worlds = RF;
    static bool admits(const Shape& shape) { return shape.m >= 2; }

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> Q = draw.matrix(shape.d_k, shape.n);
        const Matrix<T> K = draw.matrix(shape.d_k, shape.m);
        const Matrix<T> V = draw.matrix(shape.d_v, shape.m);
        const Score<T> f = hand.form(draw.matrix(shape.d_k, shape.d_k));
        const auto order = draw.permutation(shape.m);
        return {{"keys", hand.attention(Q, permuted_columns(K, order), permuted_columns(V, order), f),
                 hand.attention(Q, K, V, f)}};
    }
};

/// 2.3: Attention(Q P, K, V) = Attention(Q, K, V) P for a permutation P and a pairwise f: no query sees another.
struct PermutedQueries {
    static constexpr Id id{"2.3", "permuted-queries"};
    static constexpr Worlds worlds = RF;
    static bool admits(const Shape& shape) { return shape.n >= 2; }

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> Q = draw.matrix(shape.d_k, shape.n);
        const Matrix<T> K = draw.matrix(shape.d_k, shape.m);
        const Matrix<T> V = draw.matrix(shape.d_v, shape.m);
        const Score<T> f = hand.form(draw.matrix(shape.d_k, shape.d_k));
        const auto order = draw.permutation(shape.n);
        return {{"queries", hand.attention(permuted_columns(Q, order), K, V, f),
                 permuted_columns(hand.attention(Q, K, V, f), order)}};
    }
};

/// 2.4: with one key every query gets its value, whatever the scores. The law takes m = 1 whatever the shape says.
struct OneKey {
    static constexpr Id id{"2.4", "one-key"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> Q = draw.matrix(shape.d_k, shape.n);
        const Matrix<T> k = draw.matrix(shape.d_k, 1);
        const Matrix<T> v = draw.matrix(shape.d_v, 1);
        const Matrix<T> S = draw.matrix(1, shape.n);
        const Matrix<T> its_value = matrix_of(shape.d_v, shape.n, [&](std::size_t r, std::size_t) { return v(r, 0); });
        return {{"dot product", hand.attention(Q, k, v, hand.dot()), its_value},
                {"any scores", hand.attention(Q, k, v, given(S)), its_value}};
    }
};

/// 2.5: if a query has the same score with every key, its output is the mean of the values.
struct EqualScores {
    static constexpr Id id{"2.5", "equal-scores"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> Q = draw.matrix(shape.d_k, shape.n);
        const Matrix<T> k = draw.matrix(shape.d_k, 1);
        const Matrix<T> V = draw.matrix(shape.d_v, shape.m);
        const Matrix<T> s = draw.matrix(1, shape.n);
        const Matrix<T> same_key = matrix_of(shape.d_k, shape.m, [&](std::size_t l, std::size_t) { return k(l, 0); });
        const Matrix<T> same_score = matrix_of(shape.m, shape.n, [&](std::size_t, std::size_t j) { return s(0, j); });
        const Matrix<T> mean = matrix_of(shape.d_v, shape.n, [&](std::size_t r, std::size_t) {
            return sum_of(shape.m, [&](std::size_t i) { return V(r, i); }) / T(shape.m);
        });
        return {{"equal keys", hand.attention(Q, same_key, V, hand.dot()), mean},
                {"equal scores", hand.attention(Q, same_key, V, given(same_score)), mean}};
    }
};

/// 2.6: f(Q, K + c 1ᵀ) = f(Q, K) + 1 (cᵀQ) for the dot product: one vector added to all keys adds one number to every
/// column of scores. So by law 1.2 it changes no output, while the same vector added to all queries does.
struct KeyShift {
    static constexpr Id id{"2.6", "key-shift"};
    static constexpr Worlds worlds = RF;
    static constexpr std::string_view with = "1.2";

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> Q = draw.matrix(shape.d_k, shape.n);
        const Matrix<T> K = draw.matrix(shape.d_k, shape.m);
        const Matrix<T> V = draw.matrix(shape.d_v, shape.m);
        const Matrix<T> c = draw.matrix(shape.d_k, 1);
        const auto shifted = [&](const Matrix<T>& X) {
            return matrix_of(X.size1(), X.size2(), [&](std::size_t l, std::size_t j) { return X(l, j) + c(l, 0); });
        };
        const Matrix<T> S = hand.dot_product(Q, K);
        const Matrix<T> added = product(transposed(c), Q);
        Equations<T> equations{
            {"scores", hand.dot_product(Q, shifted(K)),
             matrix_of(shape.m, shape.n, [&](std::size_t i, std::size_t j) { return S(i, j) + added(0, j); })}};
        if constexpr (!is_exact<T>) {  // this follows with law 1.2, which needs more of the exponential
            const Matrix<T> O = hand.attention(Q, K, V, hand.dot());
            equations.push_back({"keys shifted", hand.attention(Q, shifted(K), V, hand.dot()), O});
            if (shape.m > 1)  // a single key gets all the weight from any query
                equations.push_back(
                    {"queries shifted", hand.attention(shifted(Q), K, V, hand.dot()), O, Relation::differ});
        }
        return equations;
    }
};

/// 2.7: for the dot product only KᵀQ counts: Attention(KᵀQ, I, V) = Attention(Q, K, V), since KᵀQ are the scores of
/// these too, and so Attention(G Q, G⁻ᵀ K, V) = Attention(Q, K, V) for an invertible G.
struct ChangeOfBasis {
    static constexpr Id id{"2.7", "change-of-basis"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> Q = draw.matrix(shape.d_k, shape.n);
        const Matrix<T> K = draw.matrix(shape.d_k, shape.m);
        const Matrix<T> V = draw.matrix(shape.d_v, shape.m);
        const auto [G, inverse] = draw.unimodular(shape.d_k);
        const Matrix<T> O = hand.attention(Q, K, V, hand.dot());
        return {
            {"other basis", hand.attention(product(G, Q), product(transposed(inverse), K), V, hand.dot()), O},
            {"the scores alone", hand.attention(product(transposed(K), Q), draw.identity(shape.m), V, hand.dot()), O}};
    }
};

/// 2.8: Attention(Q, [K K], [V V]) = Attention(Q, K, V) for a pairwise f: every pair twice changes nothing.
struct DoubledKeys {
    static constexpr Id id{"2.8", "doubled-keys"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> Q = draw.matrix(shape.d_k, shape.n);
        const Matrix<T> K = draw.matrix(shape.d_k, shape.m);
        const Matrix<T> V = draw.matrix(shape.d_v, shape.m);
        const Score<T> f = hand.form(draw.matrix(shape.d_k, shape.d_k));
        return {{"twice", hand.attention(Q, beside(K, K), beside(V, V), f), hand.attention(Q, K, V, f)}};
    }
};

/// 2.9: min_i V_ri ≤ O_rj ≤ max_i V_ri: an output lies in the range of the values, feature by feature.
struct RangeOfValues {
    static constexpr Id id{"2.9", "range-of-values"};
    static constexpr Worlds worlds = R;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> Q = draw.matrix(shape.d_k, shape.n);
        const Matrix<T> K = draw.matrix(shape.d_k, shape.m);
        const Matrix<T> V = draw.matrix(shape.d_v, shape.m);
        const Matrix<T> O = hand.attention(Q, K, V, hand.dot());
        // The largest of sign · V_ri, with that sign taken back.
        const auto extreme = [&](const T& sign) {
            return matrix_of(shape.d_v, shape.n, [&](std::size_t r, std::size_t) {
                T largest = sign * V(r, 0);
                for (std::size_t i = 1; i < shape.m; ++i) largest = pivot(largest, sign * V(r, i));
                return sign * largest;
            });
        };
        return {{"not below the minimum", extreme(T(-1)), O, Relation::at_most},
                {"not above the maximum", O, extreme(T(1)), Relation::at_most}};
    }
};

/// 2.10: √d_k · scaled_dot_product = KᵀQ. In the free world d_k is 1, 4 and 9, which have roots.
struct Scale {
    static constexpr Id id{"2.10", "scale"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        using std::sqrt;
        const std::vector<std::size_t> sizes =
            is_exact<T> ? std::vector<std::size_t>{1, 4, 9} : std::vector<std::size_t>{shape.d_k};
        Equations<T> equations;
        for (const std::size_t d_k : sizes) {
            const Matrix<T> Q = draw.matrix(d_k, shape.n);
            const Matrix<T> K = draw.matrix(d_k, shape.m);
            equations.push_back({"d_k = " + std::to_string(d_k), scaled(T(sqrt(T(d_k))), hand.scaled_dot_product(Q, K)),
                                 product(transposed(K), Q)});
        }
        return equations;
    }
};

/// 2.11: attention with the Gaussian kernel is the Nadaraya–Watson estimate Σ_i e^{−‖q−k_i‖²/2h²} v_i / Σ_i e^{…}.
/// If all keys have one length, it is attention with the scores k_iᵀq / h²; that follows with law 1.2.
struct NadarayaWatson {
    static constexpr Id id{"2.11", "nadaraya-watson"};
    static constexpr Worlds worlds = R;
    static constexpr std::string_view with = "1.2";

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> Q = draw.matrix(shape.d_k, shape.n);
        const Matrix<T> K = draw.matrix(shape.d_k, shape.m);
        const Matrix<T> V = draw.matrix(shape.d_v, shape.m);
        const T h = T(1) + draw.number() / T(2);
        const Score<T> gaussian = [&](const Matrix<T>& queries, const Matrix<T>& keys) {
            return hand.gaussian_kernel(h, queries, keys);
        };
        const Score<T> dot_over_h2 = [&](const Matrix<T>& queries, const Matrix<T>& keys) {
            return scaled(T(T(1) / (h * h)), hand.dot_product(queries, keys));
        };
        const auto kernel = [&](std::size_t i, std::size_t j) {
            return exponential(-squared_distance(Q, j, K, i) / (T(2) * h * h));
        };
        // Key i: the entries of one vector, moved on by i places, some with their signs changed.
        const Matrix<T> k = draw.matrix(shape.d_k, 1);
        const Matrix<T> one_length = matrix_of(shape.d_k, shape.m, [&](std::size_t l, std::size_t i) {
            const T& entry = k((l + i) % shape.d_k, 0);
            return draw.below(2) == 0 ? entry : T(-entry);
        });
        return {{"kernel estimate", hand.attention(Q, K, V, gaussian),
                 matrix_of(shape.d_v, shape.n,
                           [&](std::size_t r, std::size_t j) {
                               return sum_of(shape.m, [&](std::size_t i) { return kernel(i, j) * V(r, i); }) /
                                      sum_of(shape.m, [&](std::size_t i) { return kernel(i, j); });
                           })},
                {"keys of one length", hand.attention(Q, one_length, V, gaussian),
                 hand.attention(Q, one_length, V, dot_over_h2)}};
    }
};

/// Chapter 2.
inline constexpr std::tuple<AttentionEntrywise, LinearInValues, PermutedKeys, PermutedQueries, OneKey, EqualScores,
                            KeyShift, ChangeOfBasis, DoubledKeys, RangeOfValues, Scale, NadarayaWatson>
    attention{};

}  // namespace multihead::laws
