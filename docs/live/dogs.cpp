// Live figure: what a patch of the photograph takes from the four patches, and what comes out.
//
// in   the patch, counted from 1; the picture (32 × 32, 0 to 1) row by row; and, if the patches are projected, Q, K and
// V
//      of a head (4 × 8, a patch a row) and the head's block of W_O (256 × 8)
// out  scores and weights of the patch for the four patches, how much the output looks like each of them, the patches
//      without their means, put together again, and the output patch. Without projections Q = K = V = X and the output
//      is a column of X A; with a head it is one of X + W_O V A.

#include "../../chapters/08-image-patches/tokens.hpp"
#include "figure.hpp"

#include <multihead/laws/entries.hpp>
#include <multihead/loops/attention.hpp>
#include <multihead/loops/multi_head.hpp>
#include <multihead/patches.hpp>

#include <algorithm>

std::size_t live::compute(std::span<const double> in, std::span<double> out) {
    using multihead::Matrix;
    using multihead::transposed;
    namespace loops = multihead::loops;
    constexpr std::size_t side = 32;
    constexpr std::size_t height = side / 2;
    constexpr std::size_t d = height * height;
    constexpr std::size_t m = 4;
    constexpr std::size_t d_k = 8;
    const bool projected = in.size() > 1 + side * side;
    if (in.size() != 1 + side * side + (projected ? (3 * m + d) * d_k : 0)) return 0;
    if (!finite(in) || !size_up_to(in[0], m)) return 0;
    const std::size_t patch = std::size_t(in[0]) - 1;

    const double* number = in.data() + 1;
    const auto next = [&](std::size_t rows, std::size_t columns) {
        Matrix<double> M(rows, columns);
        for (double& entry : M.data()) entry = *number++;
        return M;
    };
    const Matrix<double> X = chapters::patch_tokens(next(side, side), 2, 2);
    const Matrix<double> Q = projected ? transposed(next(m, d_k)) : X;
    const Matrix<double> K = projected ? transposed(next(m, d_k)) : X;
    const Matrix<double> V = projected ? transposed(next(m, d_k)) : X;

    const Matrix<double> S = loops::dot_product(Q, K);
    const Matrix<double> A = loops::softmax(S);
    Matrix<double> O = loops::attention(Q, K, V, loops::dot_product);
    if (projected) O = multihead::sum(X, loops::project(next(d, d_k), O));
    const Matrix<double> seen = multihead::picture(X, 2, 2, height);

    double* place = out.data();
    for (std::size_t i = 0; i < m; ++i) *place++ = S(i, patch);
    for (std::size_t i = 0; i < m; ++i) *place++ = A(i, patch);
    for (std::size_t i = 0; i < m; ++i) *place++ = chapters::likeness(O, patch, X, i);
    place = std::copy(seen.data().begin(), seen.data().end(), place);
    for (std::size_t l = 0; l < d; ++l) *place++ = O(l, patch);
    const auto count = std::size_t(place - out.data());
    return finite(out.first(count)) ? count : 0;
}
