// Chapter 9. Weights from the input: attention beside a fully connected layer and a convolution.

#include "../07-time-series/layer.hpp"
#include "../shared/data.hpp"
#include "../shared/figures.hpp"
#include "../shared/options.hpp"
#include "../shared/print.hpp"
#include "../shared/small.hpp"
#include "../shared/weights.hpp"
#include "exercises.hpp"
#include "layers.hpp"

#include <multihead/laws/draw.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace multihead;
using namespace chapters;

void frozen(const Matrix<double>& X, const Matrix<double>& Y, const Matrix<double>& A) {
    heading("Frozen weights");
    say("Two inputs of n = 4 tokens with d = 2 features, and weights A that do not depend on them.");
    print_beside("X", X, "Y", Y);
    print("A", A);
    const Matrix<double> whole = 2 * X - 3 * Y;
    const Matrix<double> by_loops = 2 * SelfLoops::mix(X, A) - 3 * SelfLoops::mix(Y, A);
    const Matrix<double> by_algebra = 2 * SelfAlgebra::mix(X, A) - 3 * SelfAlgebra::mix(Y, A);
    print_both("mix(2 X - 3 Y, A)", SelfLoops::mix(whole, A), SelfAlgebra::mix(whole, A));
    print_both("2 mix(X, A) - 3 mix(Y, A)", by_loops, by_algebra);
    say("With frozen weights attention is linear in its values (law 9.1). It is a fully connected layer across tokens: "
        "stack the columns of X, and the layer is one matrix, whose block (j, i) is a_ij times the identity.");
    const Matrix<double> W = fully_connected(A, X.size1());
    print("The matrix of X -> X A", W);
    print("Its product with the stacked columns of X, written as a row",
          transposed(loops::project(W, stacked_columns(X))));
    print("mix(X, A)", SelfLoops::mix(X, A));
    say("A fully connected layer could have 64 different weights here. This one has 16: every feature is mixed alike.");
}

void not_linear(const Matrix<double>& X, const Matrix<double>& Y, const Head<double>& head) {
    heading("Weights from the input");
    say("Now one head of self-attention, f(X) = W_V X Softmax((W_K X)^T W_Q X). Its weights come from X. Is f(X + Y) = "
        "f(X) + f(Y)?");
    const Matrix<double> sum = X + Y;
    const Matrix<double> l = SelfLoops::attention(head, X) + SelfLoops::attention(head, Y);
    const Matrix<double> a = SelfAlgebra::attention(head, X) + SelfAlgebra::attention(head, Y);
    print_both("f(X + Y)", SelfLoops::attention(head, sum), SelfAlgebra::attention(head, sum));
    print_both("f(X) + f(Y)", l, a);
    say("No: additivity fails by " + fixed(largest_difference(SelfLoops::attention(head, sum), l)) +
        ". Nor is f(2 X) = 2 f(X), which fails by " +
        fixed(largest_difference(SelfLoops::attention(head, 2 * X), 2 * SelfLoops::attention(head, X))) + ".");
    const Matrix<double> A = SelfLoops::weights(head, X);
    const Matrix<double> frozen_sum =
        SelfLoops::mix(SelfLoops::values(head, X), A) + SelfLoops::mix(SelfLoops::values(head, Y), A);
    say("With the weights frozen at those of X both hold again: g(X + Y) and g(X) + g(Y) for g(X) = W_V X A differ "
        "by " +
        fixed(largest_difference(SelfLoops::mix(SelfLoops::values(head, sum), A), frozen_sum)) + ".");
}

void convolve() {
    heading("A convolution");
    const std::vector<double> w{0.5, 1, -0.25};
    const Matrix<double> X = matrix({{1, 2, 4, 8}});
    say("Four tokens with one feature and k = 3 taps, w = (0.5, 1, -0.25): y_j = 0.5 x_(j-1) + x_j - 0.25 x_(j+1), "
        "with "
        "0 where there is no neighbour. The same as a sum of three mixes, whose given weights are shift matrices (law "
        "9.2):");
    print("X", X);
    for (std::size_t t = 0; t < 3; ++t)
        print_both("mix(X, S_" + std::to_string(t) + ")", SelfLoops::mix(X, shift(4, t, 1)),
                   SelfAlgebra::mix(X, shift(4, t, 1)));
    print_beside("S_0", shift(4, 0, 1), "S_2", shift(4, 2, 1));
    print("y, by its definition", convolution(w, X));
    print_both("0.5 mix(X, S_0) + mix(X, S_1) - 0.25 mix(X, S_2)", sum_of_mixes<SelfLoops>(w, X),
               sum_of_mixes<SelfAlgebra>(w, X));
    say("At the edges a shift matrix has a column of zeros: the first token has no left neighbour, the last no right "
        "one. A convolution has k weights, the same for every token and every input.");
}

void sharpen(Figures& figures) {
    heading("Softmax cannot shift, but it comes close");
    constexpr std::size_t n = 4;
    say("The weights of softmax are positive and sum to 1, so they are never a shift matrix: its ones leave no place "
        "for "
        "anything else, and its column of zeros sums to 0. Take tokens on a circle, so that everyone has a neighbour. "
        "Keys that only say their place and queries that ask for the next place, beta times, have the score beta for "
        "it and 0 for the others.");
    const Matrix<double> V = matrix({{1, 2, 4, 8}});
    print_both("Weights at beta = 2", sharpened_cycle<SelfLoops>(n, 2), sharpened_cycle<SelfAlgebra>(n, 2));
    const std::vector<double> betas{0, 1, 2, 4, 8, 12};
    Matrix<double> rows(betas.size(), 5);
    for (std::size_t b = 0; b < betas.size(); ++b) {
        const Matrix<double> A = sharpened_cycle<SelfLoops>(n, betas[b]);
        const double bound = double(n - 1) * std::exp(-betas[b]);
        const double error = largest_difference(SelfLoops::mix(V, A), SelfLoops::mix(V, cycle(n)));
        const std::vector<double> row{betas[b], 1 - A(1, 0), bound, error, 2 * 8 * bound};
        for (std::size_t j = 0; j < row.size(); ++j) rows(b, j) = row[j];
    }
    print("beta, 1 - weight, (m - 1) e^-beta, error of V A, 2 max|v| (m - 1) e^-beta", rows);
    say("The weight that is missing at the right place is at most (m - 1) e^-beta (law 1.8 with t = 1), and an output "
        "is wrong by at most twice that times the largest value. Once beta is large, each step of 1 divides the error "
        "by e.");
    print_both("A shift with its edge at beta = 12, by one more key whose value is 0 (exercise 9.5)",
               shift_by_attention<SelfLoops>(V, 12), shift_by_attention<SelfAlgebra>(V, 12));
    LineChart chart{.title = "How far sharpened weights are from a shift",
                    .x_axis = "β",
                    .y_axis = "logarithm to base 10",
                    .curves = {{"1 - weight", {}}, {"(m - 1) e^-β", {}}}};
    for (int step = 0; step <= 48; ++step) {
        const double beta = step / 4.0;
        const double missing = 1 - sharpened_cycle<SelfLoops>(n, beta)(1, 0);
        chart.curves[0].points.emplace_back(beta, std::log10(missing));
        chart.curves[1].points.emplace_back(beta, std::log10(double(n - 1) * std::exp(-beta)));
    }
    figures.add("weights-from-input-sharpening", svg(chart));
}

void two_inputs(const Matrix<double>& X, const Matrix<double>& Y, const Head<double>& head, Figures& figures) {
    heading("One network, two inputs");
    say("The same head as above, first on X, then on Y:");
    const Matrix<double> of_X = SelfLoops::weights(head, X);
    const Matrix<double> of_Y = SelfLoops::weights(head, Y);
    print_beside("A(X)", of_X, "A(Y)", of_Y);
    print_beside("by uBLAS", SelfAlgebra::weights(head, X), "by uBLAS", SelfAlgebra::weights(head, Y));
    const auto map = [](const std::string& title, const Matrix<double>& A, double full) {
        return HeatMap{.title = title, .values = A, .row_axis = "key", .column_axis = "query", .full = full};
    };
    figures.add("weights-from-input-two",
                svg(std::vector<HeatMap>{map("weights on X", of_X, 1), map("weights on Y", of_Y, 1)}));

    // Chapter 7 has its tokens in rows; here they are columns.
    const Table table = read_csv(data("07-time-series/us_employment_32x16.csv"));
    const Matrix<double> months = transposed(standardised(table));
    const Head<double> head_2 = read_weights(data("07-time-series/golden"), 16)[1];
    const Matrix<double> first = boost::numeric::ublas::subrange(months, 0, 16, 0, 16);
    const Matrix<double> second = boost::numeric::ublas::subrange(months, 0, 16, 16, 32);
    const Matrix<double> of_first = SelfLoops::weights(head_2, first);
    const Matrix<double> of_second = SelfLoops::weights(head_2, second);
    say("A fully connected layer and a convolution would show one matrix twice. And head 2 of chapter 7 on the first "
        "16 "
        "months and on the last 16: the largest difference of two weights at one place is " +
        fixed(largest_difference(of_first, of_second)) + ".");
    figures.add("weights-from-input-months", svg(std::vector<HeatMap>{map("months 1 to 16", of_first, 0.5),
                                                                      map("months 17 to 32", of_second, 0.5)}));
}

void body(const Options& options) {
    Figures figures(options);
    Draw<double> draw(options.number("seed"));
    const Matrix<double> X = draw.matrix(2, 4);
    const Matrix<double> Y = draw.matrix(2, 4);
    const Matrix<double> A = draw.matrix(4, 4);
    Head<double> head = draw.head({.n = 4, .m = 4, .d_model = 2, .d_k = 2, .d_v = 2, .H = 1});
    head.W_Q *= 3;  // larger scores, so that the weights are far from equal
    frozen(X, Y, A);
    not_linear(X, Y, head);
    convolve();
    sharpen(figures);
    two_inputs(X, Y, head, figures);
    figures.write();
}

}  // namespace

int main(int argc, char** argv) {
    return run(argc, argv, Options("weights_from_input", "chapter 9, attention beside layers with fixed weights"),
               body);
}
