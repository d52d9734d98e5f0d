// Live figure: one attention in both conventions, two queries and three keys.
//
// in   K (2 × 3), Q (2 × 2), V (2 × 3), tokens in columns, each row by row
// out  in columns K, Q, V, S, A, V A; then in rows Q, K, V, S, A, A V; then the largest difference between S, A and the
//      output in columns and the transposes of their twins

#include "figure.hpp"
#include "matrices.hpp"

#include <multihead/loops/attention.hpp>
#include <multihead/loops/row.hpp>

#include <algorithm>
#include <initializer_list>

namespace {

using multihead::Matrix;
using multihead::transposed;
namespace loops = multihead::loops;

constexpr std::size_t n = 2;
constexpr std::size_t m = 3;
constexpr std::size_t d = 2;  // d_k and d_v

}  // namespace

std::size_t live::compute(std::span<const double> in, std::span<double> out) {
    if (in.size() != d * m + d * n + d * m || !finite(in)) return 0;
    const Matrix<double> K = taken(in, d, m);
    const Matrix<double> Q = taken(in, d, n);
    const Matrix<double> V = taken(in, d, m);

    const Matrix<double> S = loops::dot_product(Q, K);
    const Matrix<double> A = loops::softmax(S);
    const Matrix<double> O = loops::attention(Q, K, V, loops::dot_product);

    const Matrix<double> Q_row = transposed(Q);
    const Matrix<double> K_row = transposed(K);
    const Matrix<double> V_row = transposed(V);
    const Matrix<double> S_row = loops::row::dot_product(Q_row, K_row);
    const Matrix<double> A_row = loops::row::softmax(S_row);
    const Matrix<double> O_row = loops::row::attention(Q_row, K_row, V_row, loops::row::dot_product);

    double* place = out.data();
    const std::initializer_list<const Matrix<double>*> all = {&K,     &Q,     &V,     &S,     &A,     &O,
                                                              &Q_row, &K_row, &V_row, &S_row, &A_row, &O_row};
    for (const Matrix<double>* X : all) place = put(*X, place);
    *place++ = std::max({largest_difference(S, transposed(S_row)), largest_difference(A, transposed(A_row)),
                         largest_difference(O, transposed(O_row))});
    const auto count = std::size_t(place - out.data());
    return finite(out.first(count)) ? count : 0;
}
