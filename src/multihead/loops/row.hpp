#pragma once
/// \file
/// The transformer paper's convention in plain loops: tokens are rows, softmax runs along rows, weights stand right.
///
/// Everything is written out in rows, not as a transpose of the column functions. Law 6.x says that it is one.

#include <multihead/checks.hpp>
#include <multihead/matrix.hpp>
#include <multihead/scalar.hpp>
#include <multihead/weights.hpp>

#include <cmath>

namespace multihead::loops::row {

using multihead::checks::Tokens;
using multihead::row::Head;
using multihead::row::MultiHeadWeights;

/// S_ij = q_i · k_j. Shapes: Q n × d_k, K m × d_k, result n × m. Throws shape_error unless K has as many columns as Q.
struct DotProduct {
    // [row_dot_product]
    template <class T>
    Matrix<T> operator()(const Matrix<T>& Q, const Matrix<T>& K) const {
        checks::Check{"row::dot_product", Tokens::in_rows}.scores(Q, K);
        Matrix<T> S(Q.size1(), K.size1());
        for (std::size_t i = 0; i < Q.size1(); ++i)
            for (std::size_t j = 0; j < K.size1(); ++j) {
                T s(0);
                for (std::size_t l = 0; l < Q.size2(); ++l) s += Q(i, l) * K(j, l);
                S(i, j) = s;
            }
        return S;
    }
    // [row_dot_product]
};
/// The dot product as a score function.
inline constexpr DotProduct dot_product{};

/// S_ij = q_i · k_j / √d_k. Shapes and errors as dot_product.
struct ScaledDotProduct {
    // [row_scaled_dot_product]
    template <class T>
    Matrix<T> operator()(const Matrix<T>& Q, const Matrix<T>& K) const {
        checks::Check{"row::scaled_dot_product", Tokens::in_rows}.scores(Q, K);
        using std::sqrt;
        const T root = sqrt(T(Q.size2()));
        Matrix<T> S = dot_product(Q, K);
        for (std::size_t i = 0; i < S.size1(); ++i)
            for (std::size_t j = 0; j < S.size2(); ++j) S(i, j) = S(i, j) / root;
        return S;
    }
    // [row_scaled_dot_product]
};
/// The dot product divided by √d_k as a score function.
inline constexpr ScaledDotProduct scaled_dot_product{};

/// S_ij = q_i W k_jᵀ, with W of shape (dimension of queries) × (dimension of keys): the transpose of its column twin.
/// Throws shape_error unless W fits Q and K.
template <class T>
struct bilinear {
    Matrix<T> W;  ///< the form

    // [row_bilinear]
    /// The scores of Q and K.
    Matrix<T> operator()(const Matrix<T>& Q, const Matrix<T>& K) const {
        checks::Check{"row::bilinear", Tokens::in_rows}.bilinear(W, Q, K);
        Matrix<T> S(Q.size1(), K.size1());
        for (std::size_t i = 0; i < Q.size1(); ++i)
            for (std::size_t j = 0; j < K.size1(); ++j) {
                T s(0);
                for (std::size_t a = 0; a < Q.size2(); ++a)
                    for (std::size_t b = 0; b < K.size2(); ++b) s += Q(i, a) * W(a, b) * K(j, b);
                S(i, j) = s;
            }
        return S;
    }
    // [row_bilinear]
};
template <class T>
bilinear(Matrix<T>) -> bilinear<T>;

/// S_ij = tanh(q_i W_q + k_j W_k) · w, with W_q and W_k d_k × d_a and w 1 × d_a: the transposes of their column twins.
/// Throws shape_error unless they fit Q, K and each other.
template <class T>
struct additive {
    Matrix<T> W_q;  ///< (dimension of queries) × d_a
    Matrix<T> W_k;  ///< (dimension of keys) × d_a
    Matrix<T> w;    ///< 1 × d_a

    // [row_additive]
    /// The scores of Q and K.
    Matrix<T> operator()(const Matrix<T>& Q, const Matrix<T>& K) const {
        checks::Check{"row::additive", Tokens::in_rows}.additive(W_q, W_k, w, Q, K);
        using std::tanh;
        Matrix<T> S(Q.size1(), K.size1());
        for (std::size_t i = 0; i < Q.size1(); ++i)
            for (std::size_t j = 0; j < K.size1(); ++j) {
                T s(0);
                for (std::size_t a = 0; a < w.size2(); ++a) {
                    T x(0);
                    for (std::size_t l = 0; l < Q.size2(); ++l) x += Q(i, l) * W_q(l, a);
                    for (std::size_t l = 0; l < K.size2(); ++l) x += K(j, l) * W_k(l, a);
                    s += tanh(x) * w(0, a);
                }
                S(i, j) = s;
            }
        return S;
    }
    // [row_additive]
};
template <class T>
additive(Matrix<T>, Matrix<T>, Matrix<T>) -> additive<T>;

/// S_ij = −‖q_i − k_j‖² / (2h²). Throws shape_error unless K has as many columns as Q.
template <class T>
struct gaussian_kernel {
    T h;  ///< the bandwidth, not 0

    // [row_gaussian_kernel]
    /// The scores of Q and K.
    Matrix<T> operator()(const Matrix<T>& Q, const Matrix<T>& K) const {
        checks::Check{"row::gaussian_kernel", Tokens::in_rows}.scores(Q, K);
        Matrix<T> S(Q.size1(), K.size1());
        for (std::size_t i = 0; i < Q.size1(); ++i)
            for (std::size_t j = 0; j < K.size1(); ++j) {
                T squared(0);
                for (std::size_t l = 0; l < Q.size2(); ++l) squared += (Q(i, l) - K(j, l)) * (Q(i, l) - K(j, l));
                S(i, j) = -squared / (T(2) * h * h);
            }
        return S;
    }
    // [row_gaussian_kernel]
};
template <class T>
gaussian_kernel(T) -> gaussian_kernel<T>;

/// Softmax of every row: A_ij = e^{S_ij} / Σ_k e^{S_ik}. Shapes: S and A are n × m. Edges as in the column softmax.
// [row_softmax]
template <class T>
Matrix<Value<T>> softmax(const Matrix<T>& S) {
    const std::size_t n = S.size1();
    const std::size_t m = S.size2();
    Matrix<Value<T>> A(n, m);
    if (m == 0) return A;
    for (std::size_t i = 0; i < n; ++i) {
        T c = S(i, 0);
        for (std::size_t j = 0; j < m; ++j) c = pivot(c, S(i, j));

        Value<T> sum(0);
        for (std::size_t j = 0; j < m; ++j) {
            A(i, j) = exponential(S(i, j) - c);
            sum += A(i, j);
        }
        if (is_zero(sum)) continue;  // only −∞: nothing to attend to
        for (std::size_t j = 0; j < m; ++j) A(i, j) = A(i, j) / sum;
    }
    return A;
}
// [row_softmax]

/// The matrix product X W: the rows of X, mapped by W. Shapes: X n × d, W d × d', result n × d'. Throws shape_error
/// unless W has as many rows as X columns.
// [row_project]
template <class T>
Matrix<T> project(const Matrix<T>& X, const Matrix<T>& W) {
    checks::Check{"row::project", Tokens::in_rows}.project(W, X);
    Matrix<T> Y(X.size1(), W.size2());
    for (std::size_t i = 0; i < X.size1(); ++i)
        for (std::size_t j = 0; j < W.size2(); ++j) {
            T y(0);
            for (std::size_t l = 0; l < X.size2(); ++l) y += X(i, l) * W(l, j);
            Y(i, j) = y;
        }
    return Y;
}
// [row_project]

/// Softmax(f(Q, K)) V. Shapes: Q n × d_k, K m × d_k, V m × d_v, result n × d_v.
/// Throws shape_error unless V has as many rows as K and f returns n × m scores.
// [row_attention]
template <class T, class F>
Matrix<T> attention(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V, const F& f) {
    constexpr checks::Check check{"row::attention", Tokens::in_rows};
    check.attention(Q, K, V);
    const Matrix<T> S = f(Q, K);
    check.score_matrix(S, Q, K);
    return project(softmax(S), V);
}
// [row_attention]

/// head_h = Attention(Q W_Q, K W_K, V W_V). Shapes: Q n × d_model, K and V m × d_model, result n × d_v.
/// Throws shape_error unless the weights fit their inputs and each other.
// [row_head]
template <class T, class F>
Matrix<T> head(const Head<T>& head_h, const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V, const F& f) {
    checks::Check{"row::head", Tokens::in_rows}.projections(head_h, Q, K, V);
    return attention(project(Q, head_h.W_Q), project(K, head_h.W_K), project(V, head_h.W_V), f);
}
// [row_head]

/// Concat(head_1, …, head_H) W^O: heads side by side, blocks of W^O stacked (Vaswani et al. 2017, section 3.2.2).
/// Shapes: Q n × d_model, K and V m × d_model, result n × d_model. Throws shape_error unless all weights fit.
// [row_multi_head]
template <class T, class F>
Matrix<T> multi_head(const MultiHeadWeights<T>& weights, const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V,
                     const F& f) {
    checks::Check{"row::multi_head", Tokens::in_rows}.multi_head(weights, Q, K, V);
    const std::size_t d_v = weights[0].W_O.size1();
    const std::size_t d_model = weights[0].W_O.size2();
    Matrix<T> side_by_side(Q.size1(), weights.size() * d_v);
    Matrix<T> W_O(weights.size() * d_v, d_model);
    for (std::size_t h = 0; h < weights.size(); ++h) {
        const Matrix<T> head_h = head(weights[h], Q, K, V, f);
        for (std::size_t l = 0; l < d_v; ++l) {
            for (std::size_t i = 0; i < Q.size1(); ++i) side_by_side(i, h * d_v + l) = head_h(i, l);
            for (std::size_t j = 0; j < d_model; ++j) W_O(h * d_v + l, j) = weights[h].W_O(l, j);
        }
    }
    return project(side_by_side, W_O);
}
// [row_multi_head]

/// Σ_h head_h W_h^O. Shapes and errors as multi_head.
// [row_multi_head_sum]
template <class T, class F>
Matrix<T> multi_head_sum(const MultiHeadWeights<T>& weights, const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V,
                         const F& f) {
    checks::Check{"row::multi_head_sum", Tokens::in_rows}.multi_head(weights, Q, K, V);
    Matrix<T> O(Q.size1(), weights[0].W_O.size2(), T(0));
    for (const Head<T>& head_h : weights) {
        const Matrix<T> contribution = project(head(head_h, Q, K, V, f), head_h.W_O);
        for (std::size_t i = 0; i < O.size1(); ++i)
            for (std::size_t j = 0; j < O.size2(); ++j) O(i, j) += contribution(i, j);
    }
    return O;
}
// [row_multi_head_sum]

/// One layer on one sample: X + MultiHead(X, X, X). Shapes: X and the result n × d_model.
/// Throws shape_error unless all weights fit.
// [row_self_attention]
template <class T, class F>
Matrix<T> self_attention(const MultiHeadWeights<T>& weights, const Matrix<T>& X, const F& f) {
    checks::Check{"row::self_attention", Tokens::in_rows}.residual(weights, X);
    Matrix<T> Y = multi_head(weights, X, X, X, f);
    for (std::size_t i = 0; i < Y.size1(); ++i)
        for (std::size_t j = 0; j < Y.size2(); ++j) Y(i, j) += X(i, j);
    return Y;
}
// [row_self_attention]

/// The same layer on every sample of a batch; samples may differ in length. An empty batch gives an empty batch.
/// Throws shape_error unless all weights fit every sample.
// [row_batch]
template <class T, class F>
std::vector<Matrix<T>> self_attention(const MultiHeadWeights<T>& weights, const std::vector<Matrix<T>>& batch,
                                      const F& f) {
    checks::Check{"row::self_attention", Tokens::in_rows}.batch(weights, batch);
    std::vector<Matrix<T>> outputs;
    for (const Matrix<T>& X : batch) outputs.push_back(self_attention(weights, X, f));
    return outputs;
}
// [row_batch]

}  // namespace multihead::loops::row
