// Live figure: the sum over heads. A head that is off has a block of W^O that is zero.
//
// in   n, m, d_model, d_k, d_v, H, then for each head the factor of its block W_h^O, then, row by row, the queries
//      (d_model × n), the tokens that are keys and values (d_model × m), and for each head W_Q, W_K, W_V, W_O
// out  the contributions W_h^O head_h, MultiHead as concat, MultiHead as sum, all d_model × n, and the largest
//      difference of the last two

#include "figure.hpp"
#include "matrices.hpp"

#include <multihead/laws/entries.hpp>
#include <multihead/loops/multi_head.hpp>

#include <algorithm>

std::size_t live::compute(std::span<const double> in, std::span<double> out) {
    namespace loops = multihead::loops;
    using multihead::Matrix;
    if (in.size() < 6 || !finite(in)) return 0;
    if (!std::all_of(in.begin(), in.begin() + 6, [](double size) { return size_up_to(size, 8); })) return 0;
    const auto size = [sizes = in](std::size_t k) { return static_cast<std::size_t>(sizes[k]); };
    const std::size_t n = size(0);
    const std::size_t m = size(1);
    const std::size_t d_model = size(2);
    const std::size_t d_k = size(3);
    const std::size_t d_v = size(4);
    const std::size_t H = size(5);
    if (in.size() != 6 + H + d_model * (n + m + H * 2 * (d_k + d_v))) return 0;

    const std::span<const double> factors = in.subspan(6, H);
    in = in.subspan(6 + H);
    const Matrix<double> X = taken(in, d_model, n);
    const Matrix<double> Y = taken(in, d_model, m);
    multihead::MultiHeadWeights<double> weights;
    for (std::size_t h = 0; h < H; ++h) {
        const Matrix<double> W_Q = taken(in, d_k, d_model);
        const Matrix<double> W_K = taken(in, d_k, d_model);
        const Matrix<double> W_V = taken(in, d_v, d_model);
        weights.push_back({W_Q, W_K, W_V, multihead::scaled(factors[h], taken(in, d_model, d_v))});
    }

    double* place = out.data();
    for (const multihead::Head<double>& head_h : weights)
        place = put(loops::project(head_h.W_O, loops::head(head_h, X, Y, Y, loops::dot_product)), place);
    const Matrix<double> concat = loops::multi_head(weights, X, Y, Y, loops::dot_product);
    const Matrix<double> sum = loops::multi_head_sum(weights, X, Y, Y, loops::dot_product);
    place = put(concat, place);
    place = put(sum, place);
    *place++ = largest_difference(concat, sum);
    const auto count = static_cast<std::size_t>(place - out.data());
    return finite(out.first(count)) ? count : 0;
}
