#pragma once
/// \file
/// What a backward function returns: gradients, named after what they are gradients of.
///
/// Let L be a number that is computed from X. Its gradient dX has the shape of X, and entry (i, j) is ∂L/∂X_ij. A
/// backward function is given the inputs of its forward function and the gradient of that function's result, and
/// returns the gradients of the inputs.

#include <multihead/matrix.hpp>
#include <multihead/weights.hpp>

#include <vector>

namespace multihead {

/// Gradients of the factors of a product Y = W X.
template <class T>
struct ProductGradients {
    Matrix<T> dW;  ///< the shape of W
    Matrix<T> dX;  ///< the shape of X
};

/// Gradients of the values and of their weights, O = V A.
template <class T>
struct MixGradients {
    Matrix<T> dV;  ///< d_v × m
    Matrix<T> dA;  ///< m × n
};

/// Gradients of what a score function compares, S = f(Q, K).
template <class T>
struct ScoreGradients {
    Matrix<T> dQ;  ///< d_k × n
    Matrix<T> dK;  ///< d_k × m
};

/// Gradients of a bilinear score, S = Kᵀ W Q.
template <class T>
struct BilinearGradients {
    Matrix<T> dW;  ///< (dimension of keys) × (dimension of queries)
    Matrix<T> dQ;  ///< (dimension of queries) × n
    Matrix<T> dK;  ///< (dimension of keys) × m
};

/// Gradients of the inputs of attention.
template <class T>
struct AttentionGradients {
    Matrix<T> dQ;  ///< d_k × n
    Matrix<T> dK;  ///< d_k × m
    Matrix<T> dV;  ///< d_v × m
};

/// Gradients of one head's weights and inputs.
template <class T>
struct HeadGradients {
    Head<T> dhead;  ///< each block with the shape of its weight; W_O is no part of a head's output, so that is 0
    Matrix<T> dQ;   ///< d_model × n
    Matrix<T> dK;   ///< d_model × m
    Matrix<T> dV;   ///< d_model × m
};

/// Gradients of all weights of multi-head attention and of its inputs.
template <class T>
struct MultiHeadGradients {
    MultiHeadWeights<T> dweights;  ///< `dweights[h].W_Q` is the gradient of `weights[h].W_Q`, and so on
    Matrix<T> dQ;                  ///< d_model × n
    Matrix<T> dK;                  ///< d_model × m
    Matrix<T> dV;                  ///< d_model × m
};

/// Gradients of the math papers' form.
template <class T>
struct ResidualGradients {
    std::vector<ResidualHead<T>> dheads;  ///< `dheads[h].W_Q` is the gradient of `heads[h].W_Q`, and so on
    Matrix<T> dX;                         ///< d_model × n
};

namespace row {

/// Gradients of one head's weights and inputs in rows.
template <class T>
struct HeadGradients {
    Head<T> dhead;  ///< each block with the shape of its weight; that of W_O is 0
    Matrix<T> dQ;   ///< n × d_model
    Matrix<T> dK;   ///< m × d_model
    Matrix<T> dV;   ///< m × d_model
};

/// Gradients of all weights of multi-head attention and of its inputs in rows.
template <class T>
struct MultiHeadGradients {
    MultiHeadWeights<T> dweights;  ///< `dweights[h].W_Q` is the gradient of `weights[h].W_Q`, and so on
    Matrix<T> dQ;                  ///< n × d_model
    Matrix<T> dK;                  ///< m × d_model
    Matrix<T> dV;                  ///< m × d_model
};

}  // namespace row
}  // namespace multihead
