#pragma once
/// \file
/// The laws of chapter 9: what attention would be if its weights did not depend on the input.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <string>
#include <tuple>

namespace multihead::laws {

/// 9.1: for given weights A, mixing is linear in the values: mix(aU + bV, A) = a mix(U, A) + b mix(V, A).
struct FrozenWeightsLinear {
    static constexpr Id id{"9.1", "frozen-weights-linear"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> U = draw.matrix(shape.d_v, shape.m);
        const Matrix<T> V = draw.matrix(shape.d_v, shape.m);
        const Matrix<T> A = draw.matrix(shape.m, shape.n);
        const T a = draw.number();
        const T b = draw.number();
        return {{"linear", hand.mix(sum(scaled(a, U), scaled(b, V)), A),
                 sum(scaled(a, hand.mix(U, A)), scaled(b, hand.mix(V, A)))}};
    }
};

/// The n × n matrix that shifts tokens: column j of X S is token j + t − r of X, and 0 where there is none.
template <class T>
Matrix<T> shift_matrix(std::size_t n, std::size_t t, std::size_t r) {
    return matrix_of(n, n, [&](std::size_t i, std::size_t j) { return T(i + r == j + t ? 1 : 0); });
}

/// 9.2: a convolution across tokens with k = 2r + 1 taps, y_j = Σ_t w_t x_{j+t−r} with 0 outside the edges, is a sum
/// of k mixes with shift matrices as given weights; and one mix with the band matrix Σ_t w_t S_t.
struct Convolution {
    static constexpr Id id{"9.2", "convolution"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const std::size_t n = 2 * shape.n;  // even, so never the odd k
        Equations<T> equations;
        for (const std::size_t k : {3U, 5U}) {
            const std::size_t r = k / 2;
            const Matrix<T> X = draw.matrix(shape.d_model, n);
            const Matrix<T> w = draw.matrix(k, 1);
            const Matrix<T> convolved = matrix_of(shape.d_model, n, [&](std::size_t i, std::size_t j) {
                return sum_of(k, [&](std::size_t t) {
                    const bool inside = j + t >= r && j + t - r < n;
                    return inside ? w(t, 0) * X(i, j + t - r) : T(0);
                });
            });
            Matrix<T> shifted(shape.d_model, n, T(0));
            Matrix<T> band(n, n, T(0));
            for (std::size_t t = 0; t < k; ++t) {
                const Matrix<T> S = shift_matrix<T>(n, t, r);
                shifted = sum(shifted, scaled(w(t, 0), hand.mix(X, S)));
                band = sum(band, scaled(w(t, 0), S));
            }
            const std::string taps = std::to_string(k) + " taps";
            equations.push_back({taps + ", shifts", shifted, convolved});
            equations.push_back({taps + ", band", hand.mix(X, band), convolved});
        }
        return equations;
    }
};

/// Chapter 9.
inline constexpr std::tuple<FrozenWeightsLinear, Convolution> weights_from_input{};

}  // namespace multihead::laws
