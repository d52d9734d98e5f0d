// Chapter 5. The math papers' form: one data matrix, one map per role, and the residual.

#include "../shared/example.hpp"
#include "../shared/figures.hpp"
#include "../shared/options.hpp"
#include "../shared/print.hpp"
#include "../shared/small.hpp"
#include "exercises.hpp"

#include <multihead/algebra/residual.hpp>
#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>
#include <multihead/loops/residual.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace multihead;
using namespace chapters;
using boost::numeric::ublas::prod;
using example::log_2;
using example::residual::heads;
using example::residual::X;

void composing() {
    heading("One map instead of two");
    say("Self-attention has one data matrix X. Its queries, keys and values are W^QX X, W^KX X and W^VX X, and every "
        "head maps them once more. Two maps after each other are one (law 3.2), here with d_model = 2, d_k = d_v = 1 "
        "and n = 3:");
    const Matrix<double> W_QX = matrix({{1, 1}, {0, 1}});
    const Matrix<double> W_KX = matrix({{0, 1}, {1, 0}});
    const Matrix<double> W_VX = matrix({{1, 0}, {1, 1}});
    MultiHeadWeights<double> outer = heads;
    outer[0].W_Q = matrix({{log_2, -log_2}});
    for (Head<double>& h : outer) {
        h.W_K = matrix({{0, 1}});
        h.W_V = matrix({{-1, 1}});
    }
    print_beside("W_Q of head 1", outer[0].W_Q, "W^QX", W_QX);
    print_both("W_Q W^QX", loops::project(outer[0].W_Q, W_QX), prod(outer[0].W_Q, W_QX));
    print_both("MultiHead(W^QX X, W^KX X, W^VX X)",
               loops::multi_head(outer, loops::project(W_QX, X), loops::project(W_KX, X), loops::project(W_VX, X),
                                 loops::dot_product),
               algebra::multi_head<double>(outer, prod(W_QX, X), prod(W_KX, X), prod(W_VX, X), algebra::dot_product));
    print_both("MultiHead(X, X, X), products as weights", loops::multi_head(heads, X, X, X, loops::dot_product),
               algebra::multi_head(heads, X, X, X, algebra::dot_product));
    say("So nothing is lost when X itself is query, key and value.");
}

void folding() {
    heading("W^O disappears into W^V");
    say("The block W_h^O stands left of W_h^V, and a product of two matrices is one matrix: d_model x d_model, of rank "
        "at most d_v.");
    const std::vector<ResidualHead<double>> folded = loops::fold(heads);
    for (std::size_t h = 0; h < heads.size(); ++h) {
        print_beside("W_O", heads[h].W_O, "W_V", heads[h].W_V);
        print_both("W_V of the math papers, W_O W_V", folded[h].W_V, algebra::fold(heads)[h].W_V);
    }
    print("X", X);
    print_both("X + MultiHead(X, X, X)", X + loops::multi_head(heads, X, X, X, loops::dot_product),
               X + algebra::multi_head(heads, X, X, X, algebra::dot_product));
    print_both("residual form, folded weights", loops::residual_attention(folded, X),
               algebra::residual_attention(algebra::fold(heads), X));
    say("The two agree (law 5.1).");
}

void residual(Figures& figures) {
    heading("The residual");
    const std::vector<ResidualHead<double>> folded = loops::fold(heads);
    std::vector<HeatMap> maps = {{.title = "X", .values = X, .column_axis = "token", .full = 32}};
    for (std::size_t h = 0; h < folded.size(); ++h) {
        const std::string name = "head " + std::to_string(h + 1);
        const Matrix<double> alone = loops::residual_attention<double>({folded[h]}, X);
        print_both("H = 1: X plus " + name, alone, algebra::residual_attention<double>({folded[h]}, X));
        maps.push_back({.title = name, .values = alone - X, .column_axis = "token", .sign = "+", .full = 32});
    }
    const Matrix<double> Y = loops::residual_attention(folded, X);
    maps.push_back({.title = "output", .values = Y, .column_axis = "token", .sign = "=", .full = 32});
    figures.add("residual-sum", svg(maps));
    say("What the heads add to X adds up: (7, 3, 1) times (1, 2) from head 1, (3, 7, 7) times (1, -1) from head 2 (law "
        "5.5). Heads that add nothing leave X:");
    std::vector<ResidualHead<double>> silent = folded;
    for (ResidualHead<double>& h : silent) h.W_V *= 0;
    print_both("all W_V zero", loops::residual_attention(silent, X), algebra::residual_attention(silent, X));
    say("The weights were computed all the same; they had nothing to average (law 5.2).");
}

void what_counts() {
    heading("What the weights depend on");
    ResidualHead<double> h = loops::fold(heads)[0];
    const Matrix<double> B = loops::project(transposed(h.W_K), h.W_Q);
    print_both("head 1: W_K^T W_Q", B, prod(trans(h.W_K), h.W_Q));
    print_both("head 1 alone", loops::residual_attention<double>({h}, X), algebra::residual_attention<double>({h}, X));
    h.W_Q = B;
    h.W_K = Draw<double>::identity(2);
    print_both("W_K^T W_Q as W_Q, I as W_K", loops::residual_attention<double>({h}, X),
               algebra::residual_attention<double>({h}, X));
    say("Only the product counts (law 5.4), not even d_k: it was 1 and is now 2.");

    const std::vector<std::size_t> order = {2, 0, 1};
    const Matrix<double> X_permuted = permuted_columns(X, order);
    const std::vector<ResidualHead<double>> folded = loops::fold(heads);
    print("X with tokens in the order 3, 1, 2", X_permuted);
    print_both("its output", loops::residual_attention(folded, X_permuted),
               algebra::residual_attention(folded, X_permuted));
    say("The outputs are those of X, in the order 3, 1, 2 (law 5.3). The layer sees a set of tokens, not a sequence.");
}

void converse() {
    heading("And back again");
    say("Given a W_V of the math papers, which W_O and W_V make it? As many columns of W_O as its rank are enough. "
        "Head 1 again: both rows of W_V are multiples of (0, 1), and the multiples are the column (1, 2).");
    const ResidualHead<double> h = loops::fold(heads)[0];
    const Matrix<double> row = matrix({{0, 1}});
    const Matrix<double> multiples = matrix({{1}, {2}});
    print("W_V", h.W_V);
    print_both("(1, 2)^T (0, 1)", loops::project(multiples, row), prod(multiples, row));
    const MultiHeadWeights<double> found = {{h.W_Q, h.W_K, row, multiples}};
    print_both("X + MultiHead(X, X, X) with d_v = 1", X + loops::multi_head(found, X, X, X, loops::dot_product),
               X + algebra::multi_head(found, X, X, X, algebra::dot_product));
    say("So d_v = 1 is enough for rank 1 (law 5.6), and no less than the rank is: with d_v = 1 a product W_O W_V has "
        "determinant 0, but the identity has determinant 1.");
}

// Many layers with W_V = step I, W_Q = sharpness I, W_K = I; every output divided by 1 + step.
void tokens_moving(std::uint64_t seed, Figures& figures) {
    heading("Tokens as particles");
    say("Eight drawn tokens in the plane pass through 60 layers with W_V = 1/4 I, each followed by a division by 1 + "
        "1/4. Then a new token is an average, 4/5 of the old one and 1/5 of what its weights find.");
    constexpr double step = 0.25;
    constexpr std::size_t n = 8;
    const Matrix<double> I = Draw<double>::identity(2);
    const std::vector<ResidualHead<double>> layer = {{8.0 * I, I, step * I}};
    Matrix<double> by_loops = Draw<double>(seed).matrix(2, n);
    Matrix<double> by_algebra = by_loops;
    print("at first", by_loops);
    Matrix<double> diameters(1, 7);
    LineChart chart{"eight tokens, 60 layers", "feature 1", "feature 2", std::vector<LineChart::Curve>(n), true};
    for (int t = 0; t <= 60; ++t) {
        for (std::size_t j = 0; j < n; ++j) chart.curves[j].points.emplace_back(by_loops(0, j), by_loops(1, j));
        if (t % 10 == 0) diameters(0, std::size_t(t / 10)) = diameter(by_loops);
        if (t == 60) break;
        by_loops = loops::residual_attention(layer, by_loops) / (1 + step);
        by_algebra = algebra::residual_attention(layer, by_algebra) / (1 + step);
    }
    print_both("after 60 layers", by_loops, by_algebra);
    figures.add("residual-tokens", svg(chart));
    print("largest distance of two tokens after 0, 10, ..., 60 layers", diameters);
    say("Tokens gather, and the largest distance never grows (exercise 5.4). Draw others with --seed.");
}

void body(const Options& options) {
    Figures figures(options);
    composing();
    folding();
    residual(figures);
    what_counts();
    converse();
    tokens_moving(options.number("seed"), figures);
    figures.write();
}

}  // namespace

int main(int argc, char** argv) {
    return run(argc, argv, Options("residual_form", "chapter 5, self-attention as mathematicians write it"), body);
}
