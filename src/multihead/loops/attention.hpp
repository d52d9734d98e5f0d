#pragma once
/// \file
/// Attention(Q, K, V) = V Softmax(f(Q, K)), equation (1), in plain loops.

#include <multihead/checks.hpp>
#include <multihead/loops/scores.hpp>
#include <multihead/loops/softmax.hpp>
#include <multihead/matrix.hpp>

namespace multihead::loops {

/// The values averaged by given weights, V A: o_j = Σ_i A_ij v_i. Shapes: V d_v × m, A m × n, result d_v × n.
/// No values (m = 0) give the empty sum, a zero matrix. Throws shape_error unless d_v ≥ 1 and A has as
/// many rows as V columns.
// [mix]
template <class T>
Matrix<T> mix(const Matrix<T>& V, const Matrix<T>& A) {
    checks::Check{"mix"}.mix(V, A);
    Matrix<T> O(V.size1(), A.size2());
    for (std::size_t r = 0; r < V.size1(); ++r)
        for (std::size_t j = 0; j < A.size2(); ++j) {
            T o(0);
            for (std::size_t i = 0; i < V.size2(); ++i) o += V(r, i) * A(i, j);
            O(r, j) = o;
        }
    return O;
}
// [mix]

/// Softmax(f(Q, K)): column j holds the weights of query j over the keys. Shapes: Q d_k × n, K d_k × m, result m × n.
/// Scores with parameters may compare keys of another dimension than the queries. Throws shape_error if a dimension is
/// 0, or unless f returns m × n scores.
// [attention_weights]
template <class T, class F>
Matrix<T> attention_weights(const Matrix<T>& Q, const Matrix<T>& K, const F& f) {
    constexpr checks::Check check{"attention_weights"};
    check.attention_weights(Q, K);
    const Matrix<T> S = f(Q, K);
    check.score_matrix(S, Q, K);
    return softmax(S);
}
// [attention_weights]

/// Equation (1): V Softmax(f(Q, K)). Shapes: Q d_k × n, K d_k × m, V d_v × m, result d_v × n.
/// K may have another dimension than Q, as in attention_weights. Throws shape_error if a dimension is 0, or unless V
/// has as many columns as K and f returns m × n scores.
// [attention]
template <class T, class F>
Matrix<T> attention(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V, const F& f) {
    checks::Check{"attention"}.attention(Q, K, V);
    return mix(V, attention_weights(Q, K, f));
}
// [attention]

}  // namespace multihead::loops
