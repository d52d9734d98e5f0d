#pragma once
/// \file
/// Shape checks of the backward functions: those of the forward functions, and that a gradient has the shape of what it
/// is the gradient of.

#include <multihead/checks.hpp>
#include <multihead/gradients.hpp>
#include <multihead/matrix.hpp>

#include <string_view>
#include <vector>

namespace multihead::checks {

/// A check of a backward function. Each member has the name of the forward function and takes its arguments, and the
/// gradient of its result.
struct GradientCheck : Check {
    /// Y = W X.
    template <class T>
    void project(const Matrix<T>& W, const Matrix<T>& X, const Matrix<T>& dY) const {
        Check::project(W, X);
        gradient("dY", dY, features("W", "d'", W), count("X", "n", X));
    }

    /// A = Softmax(S).
    template <class T>
    void softmax(const Matrix<T>& A, const Matrix<T>& dA) const {
        gradient("dA", dA, features("A", "m", A), count("A", "n", A));
    }

    /// O = V A.
    template <class T>
    void mix(const Matrix<T>& V, const Matrix<T>& A, const Matrix<T>& dO) const {
        Check::mix(V, A);
        gradient("dO", dO, features("V", "d_v", V), count("A", "n", A));
    }

    /// S = f(Q, K), where f compares queries and keys directly.
    template <class T>
    void scores(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& dS) const {
        Check::scores(Q, K);
        gradient("dS", dS, count("K", "m", K), count("Q", "n", Q));
    }

    /// S_ij = k_iᵀ W q_j.
    template <class T>
    void bilinear(const Matrix<T>& W, const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& dS) const {
        Check::bilinear(W, Q, K);
        gradient("dS", dS, count("K", "m", K), count("Q", "n", Q));
    }

    /// O = Attention(Q, K, V).
    template <class T>
    void attention(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V, const Matrix<T>& dO) const {
        Check::attention(Q, K, V);
        gradient("dO", dO, features("V", "d_v", V), count("Q", "n", Q));
    }

    /// What the backward function of a score function returned.
    template <class T>
    void score_gradients(const ScoreGradients<T>& d, const Matrix<T>& Q, const Matrix<T>& K) const {
        gradient("dQ of f_backward", d.dQ, features("Q", "d_k", Q), count("Q", "n", Q));
        gradient("dK of f_backward", d.dK, features("K", "d_k", K), count("K", "m", K));
    }

    /// O = head.
    template <class HeadT, class T>
    void head(const HeadT& head_h, const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V,
              const Matrix<T>& dO) const {
        projections(head_h, Q, K, V);
        gradient("dO", dO, features("W_V", "d_v", head_h.W_V), count("Q", "n", Q));
    }

    /// O = MultiHead(Q, K, V).
    template <class HeadT, class T>
    void multi_head(const std::vector<HeadT>& weights, const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V,
                    const Matrix<T>& dO) const {
        Check::multi_head(weights, Q, K, V);
        gradient("dO", dO, features("W_O of head 1", "d_model", weights.front().W_O), count("Q", "n", Q));
    }

    /// Y = X + …
    template <class HeadT, class T>
    void residual(const std::vector<HeadT>& heads, const Matrix<T>& X, const Matrix<T>& dY) const {
        Check::residual(heads, X);
        gradient("dY", dY, features("X", "d_model", X), count("X", "n", X));
    }

  private:
    template <class T>
    void gradient(std::string_view symbol, const Matrix<T>& dX, const Extent& has_features,
                  const Extent& has_count) const {
        features_equal(symbol, dX, has_features);
        count_equal(symbol, dX, has_count);
    }
};

}  // namespace multihead::checks
