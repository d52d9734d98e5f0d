// Live figure: where a month of the time series looks.
//
// in   the month, the first and the last attribute to show, all counted from 1; then, row by row, X (32 × 16,
//      standardised, a month a row), W_Q and W_K of a head (8 × 16, as stored for columns), and the table (32 × 16) in
//      its own units
// out  the month's weights over all months, the sum of the shown attributes in each month, and how much weight the
//      month gives to later ones

#include "figure.hpp"
#include "matrices.hpp"

#include <multihead/laws/entries.hpp>
#include <multihead/loops/row.hpp>

std::size_t live::compute(std::span<const double> in, std::span<double> out) {
    using multihead::Matrix;
    using multihead::sum_of;
    using multihead::transposed;
    namespace row = multihead::loops::row;
    constexpr std::size_t n = 32;
    constexpr std::size_t d_model = 16;
    constexpr std::size_t d_k = 8;
    if (in.size() != 3 + 2 * n * d_model + 2 * d_k * d_model || !finite(in)) return 0;
    if (!size_up_to(in[0], n) || !size_up_to(in[1], d_model) || !size_up_to(in[2], d_model) || in[1] > in[2]) return 0;
    const auto month = std::size_t(in[0]) - 1;
    const auto first = std::size_t(in[1]) - 1;
    const auto last = std::size_t(in[2]) - 1;

    in = in.subspan(3);
    const Matrix<double> X = taken(in, n, d_model);
    const Matrix<double> W_Q = taken(in, d_k, d_model);
    const Matrix<double> W_K = taken(in, d_k, d_model);
    const Matrix<double> table = taken(in, n, d_model);
    const Matrix<double> Q = row::project(X, transposed(W_Q));
    const Matrix<double> K = row::project(X, transposed(W_K));
    const Matrix<double> A = row::softmax(row::dot_product(Q, K));

    for (std::size_t i = 0; i < n; ++i) {
        out[i] = A(month, i);
        out[n + i] = sum_of(last - first + 1, [&](std::size_t j) { return table(i, first + j); });
    }
    out[2 * n] = sum_of(n - month - 1, [&](std::size_t k) { return A(month, month + 1 + k); });
    return finite(out.first(2 * n + 1)) ? 2 * n + 1 : 0;
}
