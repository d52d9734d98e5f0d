// Chapter 1. Softmax: how scores become weights.

#include "../shared/figures.hpp"
#include "../shared/options.hpp"
#include "../shared/print.hpp"
#include "../shared/small.hpp"
#include "exercises.hpp"

#include <multihead/algebra/softmax.hpp>
#include <multihead/laws/draw.hpp>
#include <multihead/loops/softmax.hpp>

#include <cmath>
#include <iostream>
#include <vector>

namespace {

using namespace multihead;
using namespace chapters;

// Softmax as its formula stands, without a pivot: right on paper, and in trouble with large scores.
Matrix<double> without_pivot(const Matrix<double>& S) {
    Matrix<double> A(S.size1(), S.size2());
    for (std::size_t j = 0; j < S.size2(); ++j) {
        double sum = 0;
        for (std::size_t i = 0; i < S.size1(); ++i) sum += std::exp(S(i, j));
        for (std::size_t i = 0; i < S.size1(); ++i) A(i, j) = std::exp(S(i, j)) / sum;
    }
    return A;
}

void definition(const Matrix<double>& S) {
    heading("The definition, by hand");
    say("Three scores in each of two columns. The first column is 0, log 2, log 4; the second is three times the same "
        "score.");
    print("S", S);

    Matrix<double> E(S.size1(), S.size2());
    for (std::size_t i = 0; i < S.size1(); ++i)
        for (std::size_t j = 0; j < S.size2(); ++j) E(i, j) = std::exp(S(i, j));
    print("e^S", E);
    say("The first column of exponentials is 1, 2, 4, and its sum is 7. So its weights are 1/7, 2/7 and 4/7. Equal "
        "scores have equal weights: the second column is 1/3, 1/3, 1/3.");
    print_both("Softmax(S)", loops::softmax(S), algebra::softmax(S));
    say("Every column sums to 1 (law 1.1), and each weight is twice the one above it, as the exponentials are (law "
        "1.5).");
}

void pivot(const Matrix<double>& S) {
    heading("A constant per column changes nothing");
    Matrix<double> shifted = S;
    for (std::size_t i = 0; i < S.size1(); ++i) {
        shifted(i, 0) += 1000;
        shifted(i, 1) -= 1000;
    }
    print("S + 1 c^T with c = (1000, -1000)", shifted);
    print_both("Softmax(S + 1 c^T)", loops::softmax(shifted), algebra::softmax(shifted));
    say("The weights are those of S (law 1.2). The formula alone would not have found them: e^1000 is beyond every "
        "double, and e^-1000 is 0.");
    print("without a pivot", without_pivot(shifted));
    say("Both hands subtract the largest score of each column first. That is the pivot, and by law 1.6 any pivot gives "
        "the same weights.");
}

void sharpening(const Matrix<double>& S, Figures& figures) {
    heading("Sharpening");
    say("Multiply all scores by beta. At beta = 0 all weights are equal; as beta grows, the largest score takes all "
        "(law 1.8).");
    LineChart chart{"Softmax(β S), first column", "β", "weight", {{"s = 0", {}}, {"s = log 2", {}}, {"s = log 4", {}}}};
    for (int step = 0; step <= 40; ++step) {
        const double beta = step / 5.0;
        const Matrix<double> A = loops::softmax<double>(beta * S);
        for (std::size_t i = 0; i < 3; ++i) chart.curves[i].points.emplace_back(beta, A(i, 0));
    }
    figures.add("softmax-sharpening", svg(chart));
    for (const double beta : {0.0, 1.0, 4.0, 16.0}) {
        const Matrix<double> scaled = beta * S;
        print_both("Softmax(" + fixed(beta, 0) + " S)", loops::softmax(scaled), algebra::softmax(scaled));
    }
    say("Where scores tie, as in the second column, no beta can separate them.");
}

void drawn(std::uint64_t seed, Figures& figures) {
    heading("Drawn scores");
    const Matrix<double> S = 3.0 * Draw<double>(seed).matrix(4, 5);
    print("S", S);
    const Matrix<double> A = loops::softmax(S);
    print_both("Softmax(S)", A, algebra::softmax(S));
    figures.add("softmax-drawn", svg(std::vector<HeatMap>{{.title = "scores S", .values = S},
                                                          {.title = "weights Softmax(S)", .values = A}}));
    say("Draw others with --seed. In each column the largest score has the largest weight, and no weight is 0.");
}

void exercise(const Matrix<double>& S) {
    heading("Exercise 1.3: the logarithm of the sum");
    const Matrix<double> L = log_sum_exp(S);
    Matrix<double> shifted = S;
    Matrix<double> A = S;
    for (std::size_t i = 0; i < S.size1(); ++i) {
        shifted(i, 0) += 1000;
        shifted(i, 1) -= 1000;
        for (std::size_t j = 0; j < S.size2(); ++j) A(i, j) = std::exp(S(i, j) - L(0, j));
    }
    print_beside("L of S", L, "L of S + 1 c^T", log_sum_exp(shifted));
    print("e^(S - 1 L)", A);
    say("L of the first column is log 7. The shift by 1000 and -1000 moves it by just that, and e^(S - 1 L) is "
        "Softmax(S).");
}

void body(const Options& options) {
    Figures figures(options);
    const Matrix<double> S = matrix({{0, 1}, {std::log(2.0), 1}, {std::log(4.0), 1}});
    definition(S);
    pivot(S);
    sharpening(S, figures);
    drawn(options.number("seed"), figures);
    exercise(S);
    figures.write();
}

}  // namespace

int main(int argc, char** argv) {
    return run(argc, argv, Options("softmax", "chapter 1, how scores become weights"), body);
}
