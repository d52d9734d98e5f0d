#pragma once
/// \file
/// Chapter 8: the controlled scene, and what may be claimed of it. Tokens are columns.

#include "tokens.hpp"

#include <multihead/algebra/attention.hpp>
#include <multihead/algebra/multi_head.hpp>
#include <multihead/laws/draw.hpp>
#include <multihead/loops/attention.hpp>
#include <multihead/loops/multi_head.hpp>
#include <multihead/matrix.hpp>
#include <multihead/patches.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace chapters {

using multihead::Matrix;
using Weights = multihead::MultiHeadWeights<double>;

/// What the chapter needs, in plain loops.
struct ColumnLoops {
    static Matrix<double> product(const Matrix<double>& W, const Matrix<double>& X) {
        return multihead::loops::project(W, X);
    }
    /// Softmax(KᵀQ).
    static Matrix<double> weights(const Matrix<double>& Q, const Matrix<double>& K) {
        return multihead::loops::attention_weights(Q, K, multihead::loops::dot_product);
    }
    /// V Softmax(KᵀQ).
    static Matrix<double> attention(const Matrix<double>& Q, const Matrix<double>& K, const Matrix<double>& V) {
        return multihead::loops::attention(Q, K, V, multihead::loops::dot_product);
    }
    /// MultiHead(X, X, X).
    static Matrix<double> multi_head(const Weights& weights, const Matrix<double>& X) {
        return multihead::loops::multi_head(weights, X, X, X, multihead::loops::dot_product);
    }
};

/// What the chapter needs, in uBLAS.
struct ColumnAlgebra {
    static Matrix<double> product(const Matrix<double>& W, const Matrix<double>& X) {
        return boost::numeric::ublas::prod(W, X);
    }
    /// Softmax(KᵀQ).
    static Matrix<double> weights(const Matrix<double>& Q, const Matrix<double>& K) {
        return multihead::algebra::attention_weights(Q, K, multihead::algebra::dot_product);
    }
    /// V Softmax(KᵀQ).
    static Matrix<double> attention(const Matrix<double>& Q, const Matrix<double>& K, const Matrix<double>& V) {
        return multihead::algebra::attention(Q, K, V, multihead::algebra::dot_product);
    }
    /// MultiHead(X, X, X).
    static Matrix<double> multi_head(const Weights& weights, const Matrix<double>& X) {
        return multihead::algebra::multi_head(weights, X, X, X, multihead::algebra::dot_product);
    }
};

/// The upper right quarter of the photograph: one dog.
inline Matrix<double> one_dog(const Matrix<double>& photograph) {
    const std::size_t height = photograph.size1() / 2;
    const std::size_t width = photograph.size2() / 2;
    return boost::numeric::ublas::subrange(photograph, 0, height, width, 2 * width);
}

/// A 2×2 picture: patches 1 and 4 are noise, patches 2 and 3 are the dog. Every pixel of the noise is drawn uniformly
/// from ½ ± noise.
// [scene]
inline Matrix<double> scene(const Matrix<double>& dog, double noise, std::uint64_t seed) {
    multihead::Draw<double> draw(seed);
    const std::size_t height = dog.size1();
    const std::size_t width = dog.size2();
    Matrix<double> picture(2 * height, 2 * width);
    for (std::size_t r = 0; r < picture.size1(); ++r)
        for (std::size_t c = 0; c < picture.size2(); ++c) {
            const bool background = (r < height) == (c < width);
            picture(r, c) = background ? 0.5 + noise * draw.number() : dog(r % height, c % width);
        }
    return picture;
}
// [scene]

/// How far the score of query i with itself stands above its other scores: s_ii − max_{j ≠ i} s_ji. S is m × m.
inline double lead(const Matrix<double>& S, std::size_t i) {
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < S.size1(); ++j)
        if (j != i) best = std::max(best, S(j, i));
    return S(i, i) - best;
}

/// With m keys and this lead the own weight is at least 1 / (1 + (m − 1) e^{−lead}): more than ½ if lead > log(m − 1).
inline double least_own_weight(double lead, std::size_t m) { return 1 / (1 + double(m - 1) * std::exp(-lead)); }

/// ... and, with m ≥ 2, at most 1 / (1 + e^{−lead}): more than ½ only if lead > 0.
inline double most_own_weight(double lead) { return 1 / (1 + std::exp(-lead)); }

/// Patches put together again, with a blank line (NaN) between them: to look at, not to compute with.
inline Matrix<double> with_gaps(const Matrix<double>& tokens, std::size_t rows, std::size_t columns,
                                std::size_t height) {
    const Matrix<double> whole = multihead::picture(tokens, rows, columns, height);
    const std::size_t width = tokens.size1() / height;
    Matrix<double> spread(whole.size1() + rows - 1, whole.size2() + columns - 1,
                          std::numeric_limits<double>::quiet_NaN());
    for (std::size_t r = 0; r < whole.size1(); ++r)
        for (std::size_t c = 0; c < whole.size2(); ++c) spread(r + r / height, c + c / width) = whole(r, c);
    return spread;
}

}  // namespace chapters
