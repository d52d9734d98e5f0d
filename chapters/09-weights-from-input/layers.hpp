#pragma once
/// \file
/// Chapter 9: a fully connected layer across tokens, a convolution, and attention. Tokens are columns.

#include <multihead/algebra/multi_head.hpp>
#include <multihead/loops/multi_head.hpp>
#include <multihead/matrix.hpp>
#include <multihead/weights.hpp>

#include <vector>

namespace chapters {

using multihead::Head;
using multihead::Matrix;

/// Self-attention of one head and its weights, in plain loops: X ↦ Attention(W_Q X, W_K X, W_V X).
struct SelfLoops {
    static Matrix<double> mix(const Matrix<double>& V, const Matrix<double>& A) { return multihead::loops::mix(V, A); }
    static Matrix<double> weights(const Matrix<double>& Q, const Matrix<double>& K) {
        return multihead::loops::attention_weights(Q, K, multihead::loops::dot_product);
    }
    static Matrix<double> weights(const Head<double>& h, const Matrix<double>& X) {
        return weights(multihead::loops::project(h.W_Q, X), multihead::loops::project(h.W_K, X));
    }
    static Matrix<double> values(const Head<double>& h, const Matrix<double>& X) {
        return multihead::loops::project(h.W_V, X);
    }
    static Matrix<double> attention(const Head<double>& h, const Matrix<double>& X) {
        return multihead::loops::head(h, X, X, X, multihead::loops::dot_product);
    }
};

/// The same in uBLAS.
struct SelfAlgebra {
    static Matrix<double> mix(const Matrix<double>& V, const Matrix<double>& A) {
        return multihead::algebra::mix(V, A);
    }
    static Matrix<double> weights(const Matrix<double>& Q, const Matrix<double>& K) {
        return multihead::algebra::attention_weights(Q, K, multihead::algebra::dot_product);
    }
    static Matrix<double> weights(const Head<double>& h, const Matrix<double>& X) {
        const Matrix<double> Q = boost::numeric::ublas::prod(h.W_Q, X);
        const Matrix<double> K = boost::numeric::ublas::prod(h.W_K, X);
        return weights(Q, K);
    }
    static Matrix<double> values(const Head<double>& h, const Matrix<double>& X) {
        return boost::numeric::ublas::prod(h.W_V, X);
    }
    static Matrix<double> attention(const Head<double>& h, const Matrix<double>& X) {
        return multihead::algebra::head(h, X, X, X, multihead::algebra::dot_product);
    }
};

/// The columns of X one below the other: the vector that a fully connected layer takes. X is d × n, the result d n × 1.
inline Matrix<double> stacked_columns(const Matrix<double>& X) {
    Matrix<double> x(X.size1() * X.size2(), 1);
    for (std::size_t j = 0; j < X.size2(); ++j)
        for (std::size_t l = 0; l < X.size1(); ++l) x(j * X.size1() + l, 0) = X(l, j);
    return x;
}

/// The matrix of the fully connected layer X ↦ X A on stacked columns: block (j, i) is A(i, j) times the identity. X is
/// d × n, A is n × m, the result d m × d n.
// [fully_connected]
inline Matrix<double> fully_connected(const Matrix<double>& A, std::size_t d) {
    Matrix<double> W(d * A.size2(), d * A.size1(), 0.0);
    for (std::size_t j = 0; j < A.size2(); ++j)
        for (std::size_t i = 0; i < A.size1(); ++i)
            for (std::size_t l = 0; l < d; ++l) W(j * d + l, i * d + l) = A(i, j);
    return W;
}
// [fully_connected]

/// A convolution across tokens with k = 2 r + 1 taps: y_j = Σ_t w_t x_{j + t − r}, and 0 for x outside.
// [convolution]
inline Matrix<double> convolution(const std::vector<double>& w, const Matrix<double>& X) {
    const std::size_t r = w.size() / 2;
    Matrix<double> Y(X.size1(), X.size2(), 0.0);
    for (std::size_t j = 0; j < X.size2(); ++j)
        for (std::size_t t = 0; t < w.size(); ++t)
            if (j + t >= r && j + t - r < X.size2())
                for (std::size_t l = 0; l < X.size1(); ++l) Y(l, j) += w[t] * X(l, j + t - r);
    return Y;
}
// [convolution]

/// The n × n matrix that shifts tokens: column j of X S_t is x_{j + t − r}, or 0 where there is none.
// [shift]
inline Matrix<double> shift(std::size_t n, std::size_t t, std::size_t r) {
    Matrix<double> S(n, n, 0.0);
    for (std::size_t j = 0; j < n; ++j)
        if (j + t >= r && j + t - r < n) S(j + t - r, j) = 1;
    return S;
}
// [shift]

/// The same convolution as a sum of mixes with given weights: Σ_t w_t mix(X, S_t).
// [sum_of_mixes]
template <class Hand>
Matrix<double> sum_of_mixes(const std::vector<double>& w, const Matrix<double>& X) {
    Matrix<double> Y(X.size1(), X.size2(), 0.0);
    for (std::size_t t = 0; t < w.size(); ++t) Y += w[t] * Hand::mix(X, shift(X.size2(), t, w.size() / 2));
    return Y;
}
// [sum_of_mixes]

/// The n × n matrix that shifts tokens around a circle: column j of X C is x_{j + 1}, and the last is x_1.
inline Matrix<double> cycle(std::size_t n) {
    Matrix<double> C(n, n, 0.0);
    for (std::size_t j = 0; j < n; ++j) C((j + 1) % n, j) = 1;
    return C;
}

/// Attention weights that try to be that shift: keys that only say their place, k_i = e_i, and queries that ask for the
/// next place β times, q_j = β e_{j + 1}. The scores are β where the shift has its 1, else 0.
// [sharpened]
template <class Hand>
Matrix<double> sharpened_cycle(std::size_t n, double beta) {
    const Matrix<double> places = boost::numeric::ublas::identity_matrix<double>(n);
    const Matrix<double> queries = beta * cycle(n);
    return Hand::weights(queries, places);
}
// [sharpened]

}  // namespace chapters
