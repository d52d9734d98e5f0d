#pragma once
/// \file
/// Score functions f(Q, K) in plain loops: how well key i fits query j.
///
/// Every score function takes Q, d_k × n, and K, d_k × m, and returns S, m × n, where S(i, j) depends on key i and
/// query j alone. Any other callable of this shape is a score function too. Vectors have at least one feature: a
/// dimension of 0 is a shape_error too.

#include <multihead/checks.hpp>
#include <multihead/matrix.hpp>

#include <cmath>

namespace multihead::loops {

/// S_ij = k_iᵀ q_j. Throws shape_error unless K has as many rows as Q.
struct DotProduct {
    // [dot_product]
    template <class T>
    Matrix<T> operator()(const Matrix<T>& Q, const Matrix<T>& K) const {
        checks::Check{"dot_product"}.scores(Q, K);
        Matrix<T> S(K.size2(), Q.size2());
        for (std::size_t i = 0; i < K.size2(); ++i)
            for (std::size_t j = 0; j < Q.size2(); ++j) {
                T s(0);
                for (std::size_t l = 0; l < Q.size1(); ++l) s += K(l, i) * Q(l, j);
                S(i, j) = s;
            }
        return S;
    }
    // [dot_product]
};
/// The dot product as a score function.
inline constexpr DotProduct dot_product{};

/// S_ij = k_iᵀ q_j / √d_k (Vaswani et al. 2017, section 3.2.1). Throws shape_error unless K has as many rows as Q.
struct ScaledDotProduct {
    // [scaled_dot_product]
    template <class T>
    Matrix<T> operator()(const Matrix<T>& Q, const Matrix<T>& K) const {
        checks::Check{"scaled_dot_product"}.scores(Q, K);
        using std::sqrt;
        const T root = sqrt(T(Q.size1()));
        Matrix<T> S = dot_product(Q, K);
        for (std::size_t i = 0; i < S.size1(); ++i)
            for (std::size_t j = 0; j < S.size2(); ++j) S(i, j) = S(i, j) / root;
        return S;
    }
    // [scaled_dot_product]
};
/// The dot product divided by √d_k as a score function.
inline constexpr ScaledDotProduct scaled_dot_product{};

/// S_ij = k_iᵀ W q_j, with W of shape (dimension of keys) × (dimension of queries).
/// Throws shape_error unless W fits K and Q.
template <class T>
struct bilinear {
    Matrix<T> W;  ///< the form

    // [bilinear]
    /// The scores of Q and K.
    Matrix<T> operator()(const Matrix<T>& Q, const Matrix<T>& K) const {
        checks::Check{"bilinear"}.bilinear(W, Q, K);
        Matrix<T> S(K.size2(), Q.size2());
        for (std::size_t i = 0; i < K.size2(); ++i)
            for (std::size_t j = 0; j < Q.size2(); ++j) {
                T s(0);
                for (std::size_t a = 0; a < K.size1(); ++a)
                    for (std::size_t b = 0; b < Q.size1(); ++b) s += K(a, i) * W(a, b) * Q(b, j);
                S(i, j) = s;
            }
        return S;
    }
    // [bilinear]
};
template <class T>
bilinear(Matrix<T>) -> bilinear<T>;

/// S_ij = wᵀ tanh(W_q q_j + W_k k_i), with W_q d_a × d_k, W_k d_a × d_k and w d_a × 1
/// (Bahdanau, Cho & Bengio 2015). Throws shape_error unless they fit Q, K and each other.
template <class T>
struct additive {
    Matrix<T> W_q;  ///< d_a × (dimension of queries)
    Matrix<T> W_k;  ///< d_a × (dimension of keys)
    Matrix<T> w;    ///< d_a × 1

    // [additive]
    /// The scores of Q and K.
    Matrix<T> operator()(const Matrix<T>& Q, const Matrix<T>& K) const {
        checks::Check{"additive"}.additive(W_q, W_k, w, Q, K);
        using std::tanh;
        Matrix<T> S(K.size2(), Q.size2());
        for (std::size_t i = 0; i < K.size2(); ++i)
            for (std::size_t j = 0; j < Q.size2(); ++j) {
                T s(0);
                for (std::size_t a = 0; a < w.size1(); ++a) {
                    T x(0);
                    for (std::size_t l = 0; l < Q.size1(); ++l) x += W_q(a, l) * Q(l, j);
                    for (std::size_t l = 0; l < K.size1(); ++l) x += W_k(a, l) * K(l, i);
                    s += w(a, 0) * tanh(x);
                }
                S(i, j) = s;
            }
        return S;
    }
    // [additive]
};
template <class T>
additive(Matrix<T>, Matrix<T>, Matrix<T>) -> additive<T>;

/// S_ij = −‖q_j − k_i‖² / (2h²), with a bandwidth h in the unit of Q and K. Throws shape_error unless K has as many
/// rows as Q.
template <class T>
struct gaussian_kernel {
    T h;  ///< the bandwidth, not 0

    // [gaussian_kernel]
    /// The scores of Q and K.
    Matrix<T> operator()(const Matrix<T>& Q, const Matrix<T>& K) const {
        checks::Check{"gaussian_kernel"}.scores(Q, K);
        Matrix<T> S(K.size2(), Q.size2());
        for (std::size_t i = 0; i < K.size2(); ++i)
            for (std::size_t j = 0; j < Q.size2(); ++j) {
                T squared(0);
                for (std::size_t l = 0; l < Q.size1(); ++l) squared += (Q(l, j) - K(l, i)) * (Q(l, j) - K(l, i));
                S(i, j) = -squared / (T(2) * h * h);
            }
        return S;
    }
    // [gaussian_kernel]
};
template <class T>
gaussian_kernel(T) -> gaussian_kernel<T>;

}  // namespace multihead::loops
