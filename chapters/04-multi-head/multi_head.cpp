// Chapter 4. Multi-head attention: heads stacked, mixed by W^O, and the same as a sum.

#include "../shared/example.hpp"
#include "../shared/figures.hpp"
#include "../shared/options.hpp"
#include "../shared/print.hpp"
#include "../shared/small.hpp"
#include "exercises.hpp"
#include "formulas.hpp"

#include <multihead/algebra/hand.hpp>
#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>
#include <multihead/loops/hand.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace multihead;
using namespace chapters;
using boost::numeric::ublas::prod;
using example::heads;
using example::K;
using example::Q;
using example::V;

const auto& loops_dot = loops::dot_product;
const auto& algebra_dot = algebra::dot_product;

// The heads, one below the other.
Matrix<double> stacked_loops(const MultiHeadWeights<double>& weights) {
    return above(loops::head(weights[0], Q, K, V, loops_dot), loops::head(weights[1], Q, K, V, loops_dot));
}
Matrix<double> stacked_algebra(const MultiHeadWeights<double>& weights) {
    return above(algebra::head(weights[0], Q, K, V, algebra_dot), algebra::head(weights[1], Q, K, V, algebra_dot));
}

// The name of head h's contribution, counted from 0.
std::string contribution_name(std::size_t h) {
    const std::string number = std::to_string(h + 1);
    return "W_" + number + "^O head_" + number;
}

// All panels of one sum, W_1^O head_1 + ... = MultiHead, in one scale of colour.
std::string sum_figure(const std::vector<Matrix<double>>& contributions, const Matrix<double>& whole) {
    double full = 0;
    for (const double x : whole.data()) full = std::max(full, std::abs(x));
    for (const auto& part : contributions)
        for (const double x : part.data()) full = std::max(full, std::abs(x));
    std::vector<HeatMap> maps;
    for (std::size_t h = 0; h < contributions.size(); ++h) {
        maps.push_back({.title = contribution_name(h),
                        .values = contributions[h],
                        .column_axis = "query",
                        .sign = h == 0 ? "" : "+",
                        .full = full});
    }
    maps.push_back({.title = "MultiHead", .values = whole, .column_axis = "query", .sign = "=", .full = full});
    return svg(maps);
}

void concat() {
    heading("The heads, stacked");
    say("Two heads for the Q, K and V of chapter 3: head 1 is the head of that chapter, head 2 has other projections. "
        "d_model = 4, d_k = 2, d_v = 1, H = 2, n = 2, m = 3.");
    for (std::size_t h = 0; h < heads.size(); ++h) {
        const std::string number = std::to_string(h + 1);
        print_both(
            "weights of head " + number,
            loops::attention_weights(loops::project(heads[h].W_Q, Q), loops::project(heads[h].W_K, K), loops_dot),
            algebra::attention_weights<double>(prod(heads[h].W_Q, Q), prod(heads[h].W_K, K), algebra_dot));
        print_both("W_V V of head " + number, loops::project(heads[h].W_V, V), prod(heads[h].W_V, V));
    }
    print_both("[head_1; head_2]: H d_v x n", stacked_loops(heads), stacked_algebra(heads));
    say("The stack has H d_v = 2 rows. W^O has as many columns, in blocks of d_v, one block a head: column 1 is W_1^O, "
        "column 2 is W_2^O. Its d_model = 4 rows bring the result back to the size of a token.");
    print_beside("W^O = [W_1^O W_2^O]", W_O(heads), "[head_1; head_2]", stacked_loops(heads));
    print_both("MultiHead(Q, K, V)", loops::multi_head(heads, Q, K, V, loops_dot),
               algebra::multi_head(heads, Q, K, V, algebra_dot));
}

void sum(Figures& figures) {
    heading("The same as a sum");
    say("Row by column, W^O meets the stack block by block (law 4.1). So every head makes a contribution of its own, "
        "W_h^O head_h, and they are added.");
    std::vector<Matrix<double>> contributions;
    for (std::size_t h = 0; h < heads.size(); ++h) {
        const std::string number = std::to_string(h + 1);
        const Matrix<double> head_h = loops::head(heads[h], Q, K, V, loops_dot);
        print_beside("W_" + number + "^O", heads[h].W_O, "head_" + number, head_h);
        contributions.push_back(loops::project(heads[h].W_O, head_h));
        print_both(contribution_name(h), contributions.back(),
                   prod(heads[h].W_O, algebra::head(heads[h], Q, K, V, algebra_dot)));
    }
    say("A contribution is a d_model x d_v matrix times a d_v x n one, so its rank is at most d_v (law 4.8). Here d_v "
        "= 1, and all columns of a contribution are multiples of one column, W_h^O.");
    print_both("their sum", loops::multi_head_sum(heads, Q, K, V, loops_dot),
               algebra::multi_head_sum(heads, Q, K, V, algebra_dot));
    say("It is what the concat form gave (law 4.2). Written out, W_h^O and W_h^V meet first and the weights come "
        "last:");
    print_both("W_1^O (W_1^V V)", loops::project(heads[0].W_O, loops::project(heads[0].W_V, V)),
               prod(heads[0].W_O, Matrix<double>(prod(heads[0].W_V, V))));
    print_both("sum of W_h^O (W_h^V V) Softmax(...)", loops::multi_head_expanded(heads, Q, K, V, loops_dot),
               algebra::multi_head_expanded(heads, Q, K, V, algebra_dot));
    say("The third form of the same function (law 4.3).");
    figures.add("multi-head-by-hand", sum_figure(contributions, loops::multi_head(heads, Q, K, V, loops_dot)));
}

void order() {
    heading("Which head belongs to which block");
    const MultiHeadWeights<double> swapped = {heads[1], heads[0]};
    print_both("both swapped, heads and blocks", loops::multi_head(swapped, Q, K, V, loops_dot),
               algebra::multi_head(swapped, Q, K, V, algebra_dot));
    say("Heads have no order as long as each keeps its block (law 4.4). Swap the heads alone, and every head is "
        "multiplied by the block of the other:");
    print_both("WRONG: heads swapped, blocks not", loops::project(W_O(heads), stacked_loops(swapped)),
               prod(W_O(heads), stacked_algebra(swapped)));
    say("The shape is right and no number is.");

    MultiHeadWeights<double> silenced = heads;
    silenced[1].W_O *= 0;
    print_both("head 2 with a zero block", loops::multi_head(silenced, Q, K, V, loops_dot),
               algebra::multi_head(silenced, Q, K, V, algebra_dot));
    say("A zero block removes its head (law 4.6): what is left is the contribution of head 1.");
    const std::vector<double> changes = importance(heads, Q, K, V, loops_dot);
    say("So a head can be judged by what its removal changes at most (exercise 4.4): " + fixed(changes[0], 0) +
        " for head 1, " + fixed(changes[1], 0) + " for head 2.");

    say("Half the values with twice the block, on the other hand, removes nothing (law 4.7 with G = 2):");
    MultiHeadWeights<double> rescaled = heads;
    rescaled[1].W_V /= 2;
    rescaled[1].W_O *= 2;
    print_both("head 2 with W_V / 2 and 2 W_O", loops::multi_head(rescaled, Q, K, V, loops_dot),
               algebra::multi_head(rescaled, Q, K, V, algebra_dot));
}

void drawn(std::uint64_t seed, Figures& figures) {
    heading("Drawn weights");
    say("Three heads, n = 4, m = 6, d_model = 5, d_k = 3, d_v = 2. The contributions, and what they add up to:");
    Draw<double> draw(seed);
    const MultiHeadWeights<double> three = draw.weights({.n = 4, .m = 6, .d_model = 5, .d_k = 3, .d_v = 2, .H = 3});
    const Matrix<double> X = 2 * draw.matrix(5, 4);
    const Matrix<double> Y = 2 * draw.matrix(5, 6);
    std::vector<Matrix<double>> contributions;
    for (const Head<double>& h : three) {
        contributions.push_back(loops::project(h.W_O, loops::head(h, X, Y, Y, loops_dot)));
        print(contribution_name(contributions.size() - 1), contributions.back());
    }
    const Matrix<double> whole = loops::multi_head(three, X, Y, Y, loops_dot);
    print_both("MultiHead, concat", whole, algebra::multi_head(three, X, Y, Y, algebra_dot));
    print_both("MultiHead, sum", loops::multi_head_sum(three, X, Y, Y, loops_dot),
               algebra::multi_head_sum(three, X, Y, Y, algebra_dot));
    figures.add("multi-head-drawn", sum_figure(contributions, whole));
    say("Draw others with --seed. In the figure all panels share one scale of colour.");
}

void body(const Options& options) {
    Figures figures(options);
    concat();
    sum(figures);
    order();
    drawn(options.number("seed"), figures);
    formulas::print_all(Loops<Symbol>(), Algebra<Symbol>());
    figures.write();
}

}  // namespace

int main(int argc, char** argv) {
    return run(argc, argv, Options("multi_head", "chapter 4, heads stacked, mixed and added"), body);
}
