#pragma once
/// \file
/// Score functions f(Q, K) in uBLAS: how well key i fits query j.
///
/// Every score function takes Q, d_k × n, and K, d_k × m, and returns S, m × n, where S(i, j) depends on key i and
/// query j alone. Any other callable of this shape is a score function too. Vectors have at least one feature: a
/// dimension of 0 is a shape_error too.

#include <multihead/checks.hpp>
#include <multihead/matrix.hpp>

#include <boost/numeric/ublas/matrix_proxy.hpp>
#include <boost/numeric/ublas/vector.hpp>

#include <cmath>

namespace multihead::algebra {

namespace ublas = boost::numeric::ublas;

/// S = KᵀQ. Throws shape_error unless K has as many rows as Q.
struct DotProduct {
    // [dot_product]
    template <class T>
    Matrix<T> operator()(const Matrix<T>& Q, const Matrix<T>& K) const {
        checks::Check{"dot_product"}.scores(Q, K);
        return ublas::prod(ublas::trans(K), Q);
    }
    // [dot_product]
};
/// The dot product as a score function.
inline constexpr DotProduct dot_product{};

/// S = KᵀQ / √d_k (Vaswani et al. 2017, section 3.2.1). Throws shape_error unless K has as many rows as Q.
struct ScaledDotProduct {
    // [scaled_dot_product]
    template <class T>
    Matrix<T> operator()(const Matrix<T>& Q, const Matrix<T>& K) const {
        checks::Check{"scaled_dot_product"}.scores(Q, K);
        using std::sqrt;
        return ublas::prod(ublas::trans(K), Q) / sqrt(T(Q.size1()));
    }
    // [scaled_dot_product]
};
/// The dot product divided by √d_k as a score function.
inline constexpr ScaledDotProduct scaled_dot_product{};

/// S = Kᵀ W Q, with W of shape (dimension of keys) × (dimension of queries).
/// Throws shape_error unless W fits K and Q.
template <class T>
struct bilinear {
    Matrix<T> W;  ///< the form

    // [bilinear]
    /// The scores of Q and K.
    Matrix<T> operator()(const Matrix<T>& Q, const Matrix<T>& K) const {
        checks::Check{"bilinear"}.bilinear(W, Q, K);
        const Matrix<T> WQ = ublas::prod(W, Q);
        return ublas::prod(ublas::trans(K), WQ);
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
        const Matrix<T> queries = ublas::prod(W_q, Q);
        const Matrix<T> keys = ublas::prod(W_k, K);
        Matrix<T> S(K.size2(), Q.size2());
        for (std::size_t i = 0; i < K.size2(); ++i)
            for (std::size_t j = 0; j < Q.size2(); ++j) {
                ublas::vector<T> hidden = ublas::column(queries, j) + ublas::column(keys, i);
                for (T& x : hidden) x = tanh(x);
                S(i, j) = ublas::inner_prod(ublas::column(w, 0), hidden);
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
                const ublas::vector<T> difference = ublas::column(Q, j) - ublas::column(K, i);
                S(i, j) = -ublas::inner_prod(difference, difference) / (T(2) * h * h);
            }
        return S;
    }
    // [gaussian_kernel]
};
template <class T>
gaussian_kernel(T) -> gaussian_kernel<T>;

}  // namespace multihead::algebra
