// Live figure: what a patch of the photograph takes from the four patches, and what comes out.
//
// in   the patch, counted from 1; the seed of a head, or 0 for none; the picture (32 × 32, 0 to 1) row by row
// out  scores and weights of the patch for the four patches, how much the output looks like each of them, the patches
//      without their means, put together again, and the output patch. Without a head Q = K = V = X and the output is a
//      column of X A; with one it is a column of X + W_O V A.

#include "../../chapters/08-image-patches/tokens.hpp"
#include "../../chapters/shared/draw_weights.hpp"
#include "figure.hpp"
#include "matrices.hpp"

#include <multihead/laws/entries.hpp>
#include <multihead/loops/attention.hpp>
#include <multihead/loops/multi_head.hpp>
#include <multihead/patches.hpp>

std::size_t live::compute(std::span<const double> in, std::span<double> out) {
    using multihead::Matrix;
    namespace loops = multihead::loops;
    constexpr std::size_t side = 32;
    constexpr std::size_t height = side / 2;
    constexpr std::size_t m = 4;
    constexpr std::size_t d_k = 8;
    if (in.size() != 2 + side * side || !finite(in) || !size_up_to(in[0], m) || !size_up_to(in[1] + 1, 10)) return 0;
    const auto patch = std::size_t(in[0]) - 1;
    const auto seed = std::size_t(in[1]);

    in = in.subspan(2);
    const Matrix<double> X = chapters::patch_tokens(taken(in, side, side), 2, 2);
    Matrix<double> Q = X;
    Matrix<double> K = X;
    Matrix<double> V = X;
    multihead::Head<double> head;
    if (seed > 0) {
        head = chapters::draw_weights(seed, X.size1(), d_k, 1).front();
        Q = loops::project(head.W_Q, X);
        K = loops::project(head.W_K, X);
        V = loops::project(head.W_V, X);
    }

    const Matrix<double> S = loops::dot_product(Q, K);
    const Matrix<double> A = loops::softmax(S);
    Matrix<double> O = loops::mix(V, A);
    if (seed > 0) O = multihead::sum(X, loops::project(head.W_O, O));
    const Matrix<double> seen = multihead::picture(X, 2, 2, height);

    double* place = out.data();
    for (std::size_t i = 0; i < m; ++i) *place++ = S(i, patch);
    for (std::size_t i = 0; i < m; ++i) *place++ = A(i, patch);
    for (std::size_t i = 0; i < m; ++i) *place++ = chapters::likeness(O, patch, X, i);
    place = put(seen, place);
    for (std::size_t l = 0; l < X.size1(); ++l) *place++ = O(l, patch);
    const auto count = std::size_t(place - out.data());
    return finite(out.first(count)) ? count : 0;
}
