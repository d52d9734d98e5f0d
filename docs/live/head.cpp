// Live figure: attention of a few queries, with one vector added to all keys, and keys and values permuted.
//
// in   n, m, d, then c (d numbers), the order of the keys (m numbers from 0), Q (d × n), K and V (d × m), row by row
// out  with K' = (K + c 1ᵀ) P and V' = V P: S = f(Q, K') and A = Softmax(S), m × n, the output V' A, d × n, the sum
//      of each column of A, by how much the shift moved a weight, and by how much the order moved the output

#include "figure.hpp"
#include "matrices.hpp"

#include <multihead/laws/entries.hpp>
#include <multihead/loops/attention.hpp>

#include <algorithm>
#include <vector>

namespace {

/// Whether the numbers are 0, …, m − 1 in some order.
bool is_order(std::span<const double> numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (std::count(numbers.begin(), numbers.end(), static_cast<double>(i)) != 1) return false;
    return true;
}

}  // namespace

std::size_t live::compute(std::span<const double> in, std::span<double> out) {
    namespace loops = multihead::loops;
    using multihead::Matrix;
    if (in.size() < 3 || !finite(in) || !size_up_to(in[0], 8) || !size_up_to(in[1], 8) || !size_up_to(in[2], 8))
        return 0;
    const auto n = static_cast<std::size_t>(in[0]);
    const auto m = static_cast<std::size_t>(in[1]);
    const auto d = static_cast<std::size_t>(in[2]);
    if (in.size() != 3 + d + m + d * n + 2 * d * m || !is_order(in.subspan(3 + d, m))) return 0;

    in = in.subspan(3);
    const Matrix<double> c = taken(in, d, 1);
    const std::vector<std::size_t> order(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(m));
    in = in.subspan(m);
    const Matrix<double> Q = taken(in, d, n);
    const Matrix<double> K = taken(in, d, m);
    const Matrix<double> V = taken(in, d, m);

    const Matrix<double> shifted = multihead::sum(K, multihead::product(c, Matrix<double>(1, m, 1.0)));
    const Matrix<double> K_P = multihead::permuted_columns(shifted, order);
    const Matrix<double> V_P = multihead::permuted_columns(V, order);
    const Matrix<double> A = loops::attention_weights(Q, K_P, loops::dot_product);
    const Matrix<double> O = loops::attention(Q, K_P, V_P, loops::dot_product);

    double* place = put(loops::dot_product(Q, K_P), out.data());
    place = put(A, place);
    place = put(O, place);
    for (std::size_t j = 0; j < n; ++j) *place++ = multihead::sum_of(m, [&](std::size_t i) { return A(i, j); });
    *place++ =
        largest_difference(A, loops::attention_weights(Q, multihead::permuted_columns(K, order), loops::dot_product));
    *place++ = largest_difference(O, loops::attention(Q, shifted, V, loops::dot_product));
    const auto count = static_cast<std::size_t>(place - out.data());
    return finite(out.first(count)) ? count : 0;  // numbers of 1e200 have no product
}
