#pragma once
/// \file
/// The laws of chapter 10, first part: gradients are derivatives. Here those of softmax and of an output by its scores
/// and its query; laws 10.4 to 10.9 have files of their own, and gradient_identities.hpp has the second part.
///
/// Where the exponential is used: laws 10.0, 10.2, 10.3, 10.6, 10.7 and 10.8 need E' = E of whatever function E stands
/// for the exponential. Laws 10.4 and 10.5 are about products alone. All others relate gradients to each other and hold
/// for any positive function, also for one that has no derivative.

#include <multihead/laws/attention_entrywise.hpp>
#include <multihead/laws/derivatives.hpp>
#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>
#include <multihead/laws/gradients_of_attention.hpp>
#include <multihead/laws/gradients_of_heads.hpp>

#include <tuple>

namespace multihead::laws {

/// 10.0: the Jacobian of softmax is ∂a_i/∂s_k = a_i ([i = k] − a_k), the matrix diag(a) − a aᵀ, and `softmax_backward`
/// applies it to every column: dS is the derivative of Σ dA∘Softmax(S). It does so for any A that it is given.
struct SoftmaxJacobian {
    static constexpr Id id{"10.0", "softmax-jacobian"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> S = draw.matrix(shape.m, shape.n);
        const Matrix<T> dA = draw.matrix(shape.m, shape.n);
        const Matrix<T> any = draw.matrix(shape.m, shape.n);
        const Matrix<T> I = draw.identity(shape.m);
        const Matrix<T> A = averaged(I, S);
        const Matrix<T> dS = hand.softmax_backward(A, dA);
        const auto by_jacobian = [&](const Matrix<T>& a) {
            return matrix_of(shape.m, shape.n, [&](std::size_t k, std::size_t j) {
                return sum_of(shape.m,
                              [&](std::size_t i) { return a(i, j) * (T(i == k ? 1 : 0) - a(k, j)) * dA(i, j); });
            });
        };
        return {{"entries", dS, by_jacobian(A)},
                {"entries for any A", hand.softmax_backward(any, dA), by_jacobian(any)},
                {"derivatives", dS,
                 derivatives(S, dA, [&](const Matrix<Dual<T>>& scores) { return averaged(constant(I), scores); })}};
    }
};

/// 10.1: 1ᵀJ = 0, J 1 = 0 and J = Jᵀ for the Jacobian J of softmax: whatever the gradient of the weights is, that of
/// the scores sums to zero over the keys; one number added to all da_i changes nothing; and xᵀ J y = yᵀ J x.
struct JacobianSumsToZero {
    static constexpr Id id{"10.1", "jacobian-sums-to-zero"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> A = averaged(draw.identity(shape.m), draw.matrix(shape.m, shape.n));
        const Matrix<T> x = draw.matrix(shape.m, shape.n);
        const Matrix<T> y = draw.matrix(shape.m, shape.n);
        const Matrix<T> c = draw.matrix(1, shape.n);
        const Matrix<T> Jx = hand.softmax_backward(A, x);
        const Matrix<T> Jy = hand.softmax_backward(A, y);
        const auto over_keys = [&](const auto& term) {
            return matrix_of(1, shape.n, [&](std::size_t, std::size_t j) {
                return sum_of(shape.m, [&](std::size_t i) { return term(i, j); });
            });
        };
        return {
            {"columns", over_keys([&](std::size_t i, std::size_t j) { return Jx(i, j); }), Matrix<T>(1, shape.n, T(0))},
            {"rows",
             hand.softmax_backward(A, matrix_of(shape.m, shape.n, [&](std::size_t, std::size_t j) { return c(0, j); })),
             Matrix<T>(shape.m, shape.n, T(0))},
            {"symmetric", over_keys([&](std::size_t i, std::size_t j) { return y(i, j) * Jx(i, j); }),
             over_keys([&](std::size_t i, std::size_t j) { return x(i, j) * Jy(i, j); })}};
    }
};

/// 10.2: ∂o/∂s_i = a_i (v_i − o): a score moves the output towards or away from its value. So the gradient of the
/// scores that reaches a score function is dS_ij = a_ij (v_i − o_j)ᵀ do_j.
struct OutputByScore {
    static constexpr Id id{"10.2", "output-by-score"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        using M = Matrix<T>;
        const M Q = draw.matrix(shape.d_k, shape.n);
        const M K = draw.matrix(shape.d_k, shape.m);
        const M V = draw.matrix(shape.d_v, shape.m);
        const M S = draw.matrix(shape.m, shape.n);
        const M dO = draw.matrix(shape.d_v, shape.n);
        M dS;
        hand.attention_backward(
            Q, K, V, given(S),
            [&](const M&, const M&, const M& received) -> ScoreGradients<T> {
                dS = received;
                return {M(shape.d_k, shape.n, T(0)), M(shape.d_k, shape.m, T(0))};
            },
            dO);
        const M A = averaged(draw.identity(shape.m), S);
        const M O = averaged(V, S);
        return {{"a (v - o)", dS,
                 matrix_of(shape.m, shape.n,
                           [&](std::size_t i, std::size_t j) {
                               return sum_of(shape.d_v,
                                             [&](std::size_t r) { return A(i, j) * (V(r, i) - O(r, j)) * dO(r, j); });
                           })},
                {"derivatives", dS,
                 derivatives(S, dO, [&](const Matrix<Dual<T>>& scores) { return averaged(constant(V), scores); })}};
    }
};

/// 10.3: for dot-product scores ∂o/∂q = Σ_i a_i (v_i − o) k_iᵀ = Σ_i a_i (v_i − o)(k_i − k̄)ᵀ with k̄ = Σ_i a_i k_i: the
/// covariance of values and keys under the weights. Where the values are the keys, this is exercise 2 of section 11.1
/// in Zhang, Lipton, Li & Smola, Dive into Deep Learning.
struct OutputByQuery {
    static constexpr Id id{"10.3", "output-by-query"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Matrix<T> Q = draw.matrix(shape.d_k, shape.n);
        const Matrix<T> K = draw.matrix(shape.d_k, shape.m);
        const Matrix<T> V = draw.matrix(shape.d_v, shape.m);
        const Matrix<T> dO = draw.matrix(shape.d_v, shape.n);
        const Matrix<T> S = product(transposed(K), Q);
        const Matrix<T> A = averaged(draw.identity(shape.m), S);
        const Matrix<T> O = averaged(V, S);
        const Matrix<T> K_mean = averaged(K, S);
        const Matrix<T> dQ = hand.attention_backward(Q, K, V, hand.dot(), hand.dot_backward(), dO).dQ;
        // Column j: (∂o/∂q)ᵀ do_j, with the keys taken from `origin`.
        const auto covariance = [&](const Matrix<T>& origin) {
            return matrix_of(shape.d_k, shape.n, [&](std::size_t l, std::size_t j) {
                return sum_of(shape.d_v, [&](std::size_t r) {
                    return dO(r, j) * sum_of(shape.m, [&](std::size_t i) {
                               return A(i, j) * (V(r, i) - O(r, j)) * (K(l, i) - origin(l, j));
                           });
                });
            });
        };
        return {{"a (v - o) k^T", dQ, covariance(Matrix<T>(shape.d_k, shape.n, T(0)))},
                {"covariance", dQ, covariance(K_mean)},
                {"derivatives", dQ, derivatives(Q, dO, [&](const Matrix<Dual<T>>& queries) {
                     return averaged(constant(V), product(transposed(constant(K)), queries));
                 })}};
    }
};

/// Chapter 10, first part: gradients are derivatives.
inline constexpr std::tuple<SoftmaxJacobian, JacobianSumsToZero, OutputByScore, OutputByQuery, ProductGradient,
                            ScoreGradient, AttentionGradient, MultiHeadGradient, ResidualGradient, FoldedGradients>
    gradients{};

}  // namespace multihead::laws
