#pragma once
/// \file
/// The transformer paper's convention in uBLAS: tokens are rows, softmax runs along rows, weights stand right.
///
/// Everything is written out in rows, not as a transpose of the column functions. Law 6.x says that it is one.

#include <multihead/algebra/softmax.hpp>
#include <multihead/checks.hpp>
#include <multihead/matrix.hpp>
#include <multihead/scalar.hpp>
#include <multihead/weights.hpp>

#include <cmath>

namespace multihead::algebra::row {

using multihead::checks::Tokens;
using multihead::row::Head;
using multihead::row::MultiHeadWeights;

/// S = QKᵀ. Shapes: Q n × d_k, K m × d_k, result n × m. Throws shape_error unless K has as many columns as Q.
struct DotProduct {
    // [row_dot_product]
    template <class T>
    Matrix<T> operator()(const Matrix<T>& Q, const Matrix<T>& K) const {
        checks::Check{"row::dot_product", Tokens::in_rows}.scores(Q, K);
        return ublas::prod(Q, ublas::trans(K));
    }
    // [row_dot_product]
};
/// The dot product as a score function.
inline constexpr DotProduct dot_product{};

/// S = QKᵀ / √d_k. Shapes and errors as dot_product.
struct ScaledDotProduct {
    // [row_scaled_dot_product]
    template <class T>
    Matrix<T> operator()(const Matrix<T>& Q, const Matrix<T>& K) const {
        checks::Check{"row::scaled_dot_product", Tokens::in_rows}.scores(Q, K);
        using std::sqrt;
        return ublas::prod(Q, ublas::trans(K)) / sqrt(T(Q.size2()));
    }
    // [row_scaled_dot_product]
};
/// The dot product divided by √d_k as a score function.
inline constexpr ScaledDotProduct scaled_dot_product{};

/// S = Q W Kᵀ, with W of shape (dimension of queries) × (dimension of keys): the transpose of its column twin.
/// Throws shape_error unless W fits Q and K.
template <class T>
struct bilinear {
    Matrix<T> W;  ///< the form

    // [row_bilinear]
    /// The scores of Q and K.
    Matrix<T> operator()(const Matrix<T>& Q, const Matrix<T>& K) const {
        checks::Check{"row::bilinear", Tokens::in_rows}.bilinear(W, Q, K);
        const Matrix<T> QW = ublas::prod(Q, W);
        return ublas::prod(QW, ublas::trans(K));
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
        const Matrix<T> queries = ublas::prod(Q, W_q);
        const Matrix<T> keys = ublas::prod(K, W_k);
        Matrix<T> S(Q.size1(), K.size1());
        for (std::size_t i = 0; i < Q.size1(); ++i)
            for (std::size_t j = 0; j < K.size1(); ++j) {
                ublas::vector<T> hidden = ublas::row(queries, i) + ublas::row(keys, j);
                for (T& x : hidden) x = tanh(x);
                S(i, j) = ublas::inner_prod(hidden, ublas::row(w, 0));
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
                const ublas::vector<T> difference = ublas::row(Q, i) - ublas::row(K, j);
                S(i, j) = -ublas::inner_prod(difference, difference) / (T(2) * h * h);
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
    Matrix<Value<T>> A(S.size1(), S.size2());
    for (std::size_t i = 0; i < S.size1(); ++i) ublas::row(A, i) = softmax_of<T>(ublas::row(S, i));
    return A;
}
// [row_softmax]

/// Softmax(f(Q, K)) V. Shapes: Q n × d_k, K m × d_k, V m × d_v, result n × d_v.
/// Throws shape_error unless V has as many rows as K and f returns n × m scores.
// [row_attention]
template <class T, class F>
Matrix<T> attention(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V, const F& f) {
    constexpr checks::Check check{"row::attention", Tokens::in_rows};
    check.attention(Q, K, V);
    const Matrix<T> S = f(Q, K);
    check.score_matrix(S, Q, K);
    return ublas::prod(softmax(S), V);
}
// [row_attention]

/// head_h = Attention(Q W_Q, K W_K, V W_V). Shapes: Q n × d_model, K and V m × d_model, result n × d_v.
/// Throws shape_error unless the weights fit their inputs and each other.
// [row_head]
template <class T, class F>
Matrix<T> head(const Head<T>& head_h, const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V, const F& f) {
    checks::Check{"row::head", Tokens::in_rows}.projections(head_h, Q, K, V);
    const Matrix<T> Q_h = ublas::prod(Q, head_h.W_Q);
    const Matrix<T> K_h = ublas::prod(K, head_h.W_K);
    const Matrix<T> V_h = ublas::prod(V, head_h.W_V);
    return attention(Q_h, K_h, V_h, f);
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
        ublas::noalias(ublas::subrange(side_by_side, 0, Q.size1(), h * d_v, (h + 1) * d_v)) =
            head(weights[h], Q, K, V, f);
        ublas::noalias(ublas::subrange(W_O, h * d_v, (h + 1) * d_v, 0, d_model)) = weights[h].W_O;
    }
    return ublas::prod(side_by_side, W_O);
}
// [row_multi_head]

/// Σ_h head_h W_h^O. Shapes and errors as multi_head.
// [row_multi_head_sum]
template <class T, class F>
Matrix<T> multi_head_sum(const MultiHeadWeights<T>& weights, const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V,
                         const F& f) {
    checks::Check{"row::multi_head_sum", Tokens::in_rows}.multi_head(weights, Q, K, V);
    Matrix<T> O = ublas::zero_matrix<T>(Q.size1(), weights[0].W_O.size2());
    for (const Head<T>& head_h : weights) ublas::noalias(O) += ublas::prod(head(head_h, Q, K, V, f), head_h.W_O);
    return O;
}
// [row_multi_head_sum]

/// One layer on one sample: X + MultiHead(X, X, X). Shapes: X and the result n × d_model.
/// Throws shape_error unless all weights fit.
// [row_self_attention]
template <class T, class F>
Matrix<T> self_attention(const MultiHeadWeights<T>& weights, const Matrix<T>& X, const F& f) {
    checks::Check{"row::self_attention", Tokens::in_rows}.residual(weights, X);
    return X + multi_head(weights, X, X, X, f);
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

}  // namespace multihead::algebra::row
