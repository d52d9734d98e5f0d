// Live figure: softmax of a few columns, at a temperature, with one number added to all scores.
//
// in   m, n, temperature, shift, then S row by row
// out  Softmax((S + shift) / temperature) row by row, the sum of each column, and by how much the shift moved a weight

#include "figure.hpp"
#include "matrices.hpp"

#include <multihead/laws/entries.hpp>
#include <multihead/loops/softmax.hpp>

std::size_t live::compute(std::span<const double> in, std::span<double> out) {
    using multihead::Matrix;
    if (in.size() < 4 || !finite(in) || !size_up_to(in[0], 20) || !size_up_to(in[1], 20)) return 0;
    const auto m = static_cast<std::size_t>(in[0]);
    const auto n = static_cast<std::size_t>(in[1]);
    const double temperature = in[2];
    const double shift = in[3];
    if (in.size() != 4 + m * n || temperature <= 0) return 0;

    in = in.subspan(4);
    const Matrix<double> S = taken(in, m, n);
    const Matrix<double> shifted = multihead::sum(S, Matrix<double>(m, n, shift));
    const Matrix<double> A = multihead::loops::softmax(multihead::scaled(1 / temperature, shifted));
    const Matrix<double> unshifted = multihead::loops::softmax(multihead::scaled(1 / temperature, S));

    double* place = put(A, out.data());
    for (std::size_t j = 0; j < n; ++j) *place++ = multihead::sum_of(m, [&](std::size_t i) { return A(i, j); });
    *place++ = largest_difference(A, unshifted);
    const auto count = static_cast<std::size_t>(place - out.data());
    return finite(out.first(count)) ? count : 0;  // 1 / 5e-324 is infinite
}
