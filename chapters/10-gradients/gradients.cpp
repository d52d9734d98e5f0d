// Chapter 10. Gradients: what changes when an input changes, and a few steps downhill.

#include "../07-time-series/input.hpp"
#include "../shared/data.hpp"
#include "../shared/example.hpp"
#include "../shared/figures.hpp"
#include "../shared/options.hpp"
#include "../shared/print.hpp"
#include "../shared/small.hpp"
#include "exercises.hpp"
#include "prediction.hpp"

#include <multihead/algebra/residual.hpp>
#include <multihead/laws/entries.hpp>
#include <multihead/loops/residual.hpp>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace multihead;
using namespace chapters;

using example::log_2;
// The example of chapter 2.
using example::attention::K;
using example::attention::Q;
using example::attention::V;

const Matrix<double> I_2 = Draw<double>::identity(2);
const Matrix<double> I_3 = Draw<double>::identity(3);

AttentionGradients<double> by_loops(const Matrix<double>& q, const Matrix<double>& dO) {
    return loops::attention_backward(q, K, V, loops::dot_product, loops::dot_product_backward, dO);
}
AttentionGradients<double> by_algebra(const Matrix<double>& q, const Matrix<double>& dO) {
    return algebra::attention_backward(q, K, V, algebra::dot_product, algebra::dot_product_backward, dO);
}

void product_rule() {
    heading("The one rule");
    const Matrix<double> W = matrix({{1, 0, 2}, {0, 3, 1}});
    const Matrix<double> X = matrix({{1, 2}, {0, 1}, {4, 0}});
    const Matrix<double> dY = matrix({{1, 0}, {0, 10}});
    say("A product Y = W X, and a number L that depends on Y: here L = y_11 + 10 y_22. Its gradient with respect to Y "
        "is the matrix dY.");
    print_beside("W", W, "X", X);
    print_beside("Y = W X", loops::project(W, X), "dY", dY);
    const ProductGradients<double> l = loops::project_backward(W, X, dY);
    const MixGradients<double> a = algebra::mix_backward(W, X, dY);
    print_both("dW = dY X^T", l.dW, a.dV);
    print_both("dX = W^T dY", l.dX, a.dA);
    say("Each gradient has the shape of what it belongs to (law 10.4). W_21 is multiplied by x_12 = 2 on its way to "
        "y_22, which counts ten times: 20.");
}

void jacobian(Figures& figures) {
    heading("The Jacobian of softmax");
    say("Query 1 of chapter 2 has the scores 0, log 2, log 4 and the weights a = (1/7, 2/7, 4/7). How does each weight "
        "move with each score?");
    const Matrix<double> A = loops::attention_weights(Q, K, loops::dot_product);
    const Matrix<double> a = matrix_of(3, 3, [&](std::size_t i, std::size_t) { return A(i, 0); });
    const Matrix<double> J = loops::softmax_backward(a, I_3);
    print_both("J = diag(a) - a a^T", J, algebra::softmax_backward(a, I_3));
    say("In 49ths: (6, -2, -4), (-2, 10, -8), (-4, -8, 12) (law 10.0). The columns sum to 0, since the weights go on "
        "summing to 1; the rows do too, since one number added to all scores changes nothing (law 10.1).");
    const auto map = [](const std::string& title, const Matrix<double>& X) {
        return HeatMap{.title = title, .values = X, .row_axis = "score", .column_axis = "weight", .full = 0.25};
    };
    const Matrix<double> sharp = loops::softmax(
        Matrix<double>(4 * matrix_of(3, 3, [&](std::size_t i, std::size_t) { return log_2 * double(i); })));
    const Matrix<double> third(3, 3, 1 / 3.0);
    print_both("the same for scores four times as large", loops::softmax_backward(sharp, I_3),
               algebra::softmax_backward(sharp, I_3));
    say("Where one weight has almost everything, there is almost nothing left to move.");
    figures.add(
        "gradients-jacobian",
        svg(std::vector<HeatMap>{map("equal scores", loops::softmax_backward(third, I_3)), map("0, log 2, log 4", J),
                                 map("four times that", loops::softmax_backward(sharp, I_3))}));
}

// Σ_i a_i (v_i − o)(k_i − k̄)ᵀ for the query q, with o = Σ a_i v_i and k̄ = Σ a_i k_i: d_v × d_k.
// [covariance]
Matrix<double> covariance(const Matrix<double>& q) {
    const Matrix<double> a = loops::attention_weights(q, K, loops::dot_product);
    const Matrix<double> o = loops::mix(V, a);
    const Matrix<double> k_mean = loops::mix(K, a);
    return matrix_of(V.size1(), K.size1(), [&](std::size_t r, std::size_t l) {
        return sum_of(K.size2(),
                      [&](std::size_t i) { return a(i, 0) * (V(r, i) - o(r, 0)) * (K(l, i) - k_mean(l, 0)); });
    });
}
// [covariance]

void one_query() {
    heading("One query");
    const Matrix<double> A = loops::attention_weights(Q, K, loops::dot_product);
    say("Its output is o = (1, 10). A higher score of key i pulls o towards v_i or, since the weights sum to 1, pushes "
        "it away from the others: a_i (v_i - o) (law 10.2).");
    print("V", V);
    const Matrix<double> a_twice = matrix_of(3, 2, [&](std::size_t i, std::size_t) { return A(i, 0); });
    print_both("do/ds, a column for each score", transposed(loops::softmax_backward(a_twice, transposed(V))),
               transposed(algebra::softmax_backward(a_twice, transposed(V))));
    say("In sevenths: (6, -10), (-2, -6), (-4, 16). They sum to 0.");
    say("And how does o move with the query? Ask for it row by row: twice the same query, and dO = I.");
    const Matrix<double> twice = matrix_of(2, 2, [&](std::size_t l, std::size_t) { return Q(l, 0); });
    print_both("dQ^T, which is do/dq", transposed(by_loops(twice, I_2).dQ), transposed(by_algebra(twice, I_2).dQ));
    print("the covariance of values and keys under the weights", covariance(matrix({{Q(0, 0)}, {Q(1, 0)}})));
    say("The same (law 10.3): in sevenths, (-10, 6) and (26, -10). Where values and keys do not vary together, the "
        "query moves nothing.");
}

// L = Σ dO∘O as a function of one entry of Q, h to the right and to the left: (L(h) − L(−h)) / 2h.
double quotient(std::size_t l, std::size_t j, double h, const Matrix<double>& dO) {
    const auto L = [&](double moved_by) {
        Matrix<double> moved = Q;
        moved(l, j) += moved_by;
        const Matrix<double> O = loops::attention(moved, K, V, loops::dot_product);
        return sum_of(2, [&](std::size_t r) { return sum_of(2, [&](std::size_t c) { return dO(r, c) * O(r, c); }); });
    };
    return (L(h) - L(-h)) / (2 * h);
}

void attention_gradients() {
    heading("Attention");
    const Matrix<double> dO = matrix({{1, 0}, {0, 2}});
    say("Both queries now, and L = o_11 + 2 o_22. First back through the product V A, then through softmax, then "
        "through the scores K^T Q:");
    const Matrix<double> A = loops::attention_weights(Q, K, loops::dot_product);
    const Matrix<double> A_algebra = algebra::attention_weights(Q, K, algebra::dot_product);
    print_beside("A", A, "dO", dO);
    const Matrix<double> dA = loops::mix_backward(V, A, dO).dA;
    const Matrix<double> dA_algebra = algebra::mix_backward(V, A_algebra, dO).dA;
    print_both("dA = V^T dO", dA, dA_algebra);
    print_both("dS, through softmax", loops::softmax_backward(A, dA), algebra::softmax_backward(A_algebra, dA_algebra));
    const AttentionGradients<double> l = by_loops(Q, dO);
    const AttentionGradients<double> a = by_algebra(Q, dO);
    print_both("dQ = K dS", l.dQ, a.dQ);
    print_both("dK = Q dS^T", l.dK, a.dK);
    print_both("dV = dO A^T", l.dV, a.dV);
    say("Each column of dS sums to 0, and so does each row of dK: one vector added to all keys changes no output (law "
        "10.10).");
    constexpr double h = 1 / 1024.0;
    print_beside("dQ", l.dQ, "(L(Q + h) - L(Q - h)) / 2h, h = 1/1024",
                 matrix_of(2, 2, [&](std::size_t i, std::size_t j) { return quotient(i, j, h, dO); }));
    Matrix<double> errors(4, 3);
    for (std::size_t i = 0; i < 4; ++i) {
        const double step = 1 / double(std::size_t{1} << i);
        errors(i, 0) = step;
        errors(i, 1) = quotient(0, 0, step, dO);
        errors(i, 2) = errors(i, 1) - l.dQ(0, 0);
    }
    print("h, the quotient for q_11, its error", errors);
    say("A quotient of differences is close, and soon closer by a factor of four each time h is halved; but when h "
        "gets small, rounding takes over. That is an illustration. The proof uses numbers that carry their derivative "
        "along.");
    const GaussianKernelBackward<double> kernel{0.5};
    const AttentionGradients<double> g = loops::attention_backward(Q, K, V, loops::gaussian_kernel{0.5}, kernel, dO);
    print_both("dQ for scores by a Gaussian kernel, by a backward function of one's own (exercise 10.3)", g.dQ,
               algebra::attention_backward(Q, K, V, algebra::gaussian_kernel{0.5}, kernel, dO).dQ);
}

void heads_add() {
    heading("Heads");
    say("The two heads of chapter 4, d_model = 4, d_k = 2, d_v = 1, and L = the sum of all outputs, so dO is all "
        "ones.");
    const Matrix<double> dO(4, 2, 1.0);
    const auto& heads = example::heads;
    const MultiHeadGradients<double> l = loops::multi_head_backward(
        heads, example::Q, example::K, example::V, loops::dot_product, loops::dot_product_backward, dO);
    const MultiHeadGradients<double> a = algebra::multi_head_backward(
        heads, example::Q, example::K, example::V, algebra::dot_product, algebra::dot_product_backward, dO);
    for (std::size_t h = 0; h < 2; ++h) {
        const std::string of = " of head " + std::to_string(h + 1);
        print_both("dW_O" + of, l.dweights[h].W_O, a.dweights[h].W_O);
        print_both("dW_V" + of, l.dweights[h].W_V, a.dweights[h].W_V);
        print_both("dW_Q" + of, l.dweights[h].W_Q, a.dweights[h].W_Q);
        print_both("dW_K" + of, l.dweights[h].W_K, a.dweights[h].W_K);
    }
    say("The heads are (5, 7) and (2, 3): dW_O = dO head^T has the sums 12 and 5 in every row (law 10.7). W_O^T dW_O "
        "and dW_V W_V^T are one number for each head, 48 and 5 (law 10.12):");
    for (std::size_t h = 0; h < 2; ++h)
        print_beside("W_O^T dW_O", loops::project(transposed(heads[h].W_O), l.dweights[h].W_O), "dW_V W_V^T",
                     loops::project(l.dweights[h].W_V, transposed(heads[h].W_V)));

    say("In the residual form X is queries, keys and values at once, and once more itself. Two heads, three tokens, "
        "chapter 5's; dY is all ones.");
    const Matrix<double>& X = example::residual::X;
    const MultiHeadWeights<double>& two = example::residual::heads;
    const Matrix<double> dY(2, 3, 1.0);
    const MultiHeadGradients<double> d =
        loops::multi_head_backward(two, X, X, X, loops::dot_product, loops::dot_product_backward, dY);
    print_beside("X", X, "as itself: dY", dY);
    print_beside("as queries: dQ", d.dQ, "as keys: dK", d.dK);
    print("as values: dV", d.dV);
    print_both("dX of the residual form", loops::residual_attention_backward(loops::fold(two), X, dY).dX,
               algebra::residual_attention_backward(algebra::fold(two), X, dY).dX);
    say("The sum of the four (law 10.9).");
}

// A matrix with a name before each row.
void print_named(const std::string& title, const std::vector<std::string>& names, const Matrix<double>& X) {
    std::cout << title << '\n';
    std::size_t longest = 0;
    for (const std::string& name : names) longest = std::max(longest, name.size());
    for (std::size_t i = 0; i < X.size1(); ++i) {
        std::cout << "  " << names[i] << std::string(longest - names[i].size(), ' ');
        for (std::size_t j = 0; j < X.size2(); ++j) std::cout << std::setw(10) << fixed(X(i, j));
        std::cout << '\n';
    }
    std::cout << '\n';
}

// Gradient descent from a start: step, training loss and held-out loss of every sixth step. All steps go into the
// chart.
template <class Hand>
Matrix<double> descend(MultiHeadWeights<double>& weights, const Months& months, LineChart& chart) {
    Matrix<double> losses(steps / 6 + 1, 3);
    const double none_training = loss<Hand>(no_change(weights), months.training);
    const double none_held_out = loss<Hand>(no_change(weights), months.held_out);
    for (std::size_t s = 0; s <= steps; ++s) {
        if (s > 0) step<Hand>(weights, months.training, learning_rate);
        const double training = loss<Hand>(weights, months.training);
        const double held_out = loss<Hand>(weights, months.held_out);
        chart.curves[0].points.emplace_back(double(s), training / none_training);
        chart.curves[1].points.emplace_back(double(s), held_out / none_held_out);
        chart.curves[2].points.emplace_back(double(s), 1);
        if (s % 6 > 0) continue;
        losses(s / 6, 0) = double(s);
        losses(s / 6, 1) = training;
        losses(s / 6, 2) = held_out;
    }
    return losses;
}

MultiHeadWeights<double> learn(const Months& months, const std::vector<std::string>& names, std::uint64_t seed,
                               Figures& figures) {
    heading("Next month");
    say("The table of chapter 7, " + std::to_string(names.size()) +
        " months with 16 attributes. The query is the last "
        "month, keys and values are the months before it, and the prediction is the last month plus the output of two "
        "heads with d_k = d_v = 2. Only months that have passed are used.");
    say("Training: the months to predict are " + names[2] + " to " + names[training_months - 1] + ", " +
        std::to_string(months.training.size()) + " of them. Held out: " + names[training_months] + " to " +
        names.back() + ", " + std::to_string(months.held_out.size()) + ". Every attribute is minus its mean over " +
        names[0] + " to " + names[training_months - 1] +
        ", divided by its deviation there. The loss is the mean square of the error, over months and attributes.");
    const MultiHeadWeights<double> start = small_start(seed, 16);
    const MultiHeadWeights<double> none = no_change(start);
    say("With W_O = 0 the layer predicts no change. Its loss is " + fixed(loss<ByLoops>(none, months.training)) +
        " in training and " + fixed(loss<ByLoops>(none, months.held_out)) + " held out.");
    print_both("the gradient of W_O of head 1 at the start", loss_backward<ByLoops>(start, months.training)[0].W_O,
               loss_backward<ByAlgebra>(start, months.training)[0].W_O, 4);

    LineChart chart{.title = "Loss, divided by that of no change",
                    .x_axis = "step",
                    .y_axis = "loss / loss of no change",
                    .curves = {{"training", {}}, {"held out", {}}, {"no change", {}}}};
    LineChart unused = chart;
    MultiHeadWeights<double> weights = start;
    MultiHeadWeights<double> weights_algebra = start;
    const Matrix<double> losses = descend<ByLoops>(weights, months, chart);
    print_both("step, training loss, held-out loss", losses, descend<ByAlgebra>(weights_algebra, months, unused),
               losses.size1());
    say("The weights are " + std::to_string(2 * 4 * 2 * 16) + " numbers, fitted to " +
        std::to_string(16 * months.training.size()) + ".");
    figures.add("gradients-losses", svg(chart));

    say("Gradient descent nearly keeps W_Q W_Q^T - W_K W_K^T of every head (exercise 10.7). For head 1, at the start "
        "and at the end:");
    print_beside("start", kept(start[0]), "end", kept(weights[0]));
    print_beside("W_Q W_Q^T at the start", loops::project(start[0].W_Q, transposed(start[0].W_Q)), "at the end",
                 loops::project(weights[0].W_Q, transposed(weights[0].W_Q)));
    return weights;
}

void what_it_is_worth(const MultiHeadWeights<double>& weights, const Months& months, const Table& table,
                      const std::vector<std::string>& names) {
    heading("What it is worth");
    const MultiHeadWeights<double> none = no_change(weights);
    const std::vector<Example<double>>& held_out = months.held_out;
    Matrix<double> by_month(held_out.size(), 2);
    std::size_t better = 0;
    for (std::size_t t = 0; t < held_out.size(); ++t) {
        by_month(t, 0) = loss<ByLoops>(none, {held_out[t]});
        by_month(t, 1) = loss<ByLoops>(weights, {held_out[t]});
        if (by_month(t, 1) < by_month(t, 0)) ++better;
    }
    print_named("The loss of each held-out month: no change, the layer", {names.begin() + training_months, names.end()},
                by_month);
    say("Held out, the layer is better than no change in " + std::to_string(better) + " of " +
        std::to_string(held_out.size()) + " months.");

    const Matrix<double> before = loss_by_attribute<ByLoops>(none, held_out);
    const Matrix<double> after = loss_by_attribute<ByLoops>(weights, held_out);
    Matrix<double> by_attribute(before.size1(), 4, 0.0);
    better = 0;
    for (std::size_t i = 0; i < before.size1(); ++i) {
        by_attribute(i, 0) = before(i, 0);
        by_attribute(i, 1) = after(i, 0);
        if (after(i, 0) < before(i, 0)) ++better;
        for (const Example<double>& e : held_out) {
            by_attribute(i, 2) += (e.next(i, 0) - e.last(i, 0)) / double(held_out.size());
            by_attribute(i, 3) += (predicted<ByLoops>(weights, e)(i, 0) - e.last(i, 0)) / double(held_out.size());
        }
    }
    print_named("Held out (exercise 10.5): loss of no change, of the layer; mean change, predicted", table.column_names,
                by_attribute);
    const double* const worst = std::max_element(before.data().begin(), before.data().end());
    say("It is better in " + std::to_string(better) + " of " + std::to_string(before.size1()) + " attributes. " +
        fixed(*worst / (double(before.size1()) * loss<ByLoops>(none, held_out))) +
        " of the loss of no change comes from one attribute, " +
        table.column_names[std::size_t(worst - before.data().begin())] + ".");
}

void body(const Options& options) {
    Figures figures(options);
    product_rule();
    jacobian(figures);
    one_query();
    attention_gradients();
    heads_add();
    const Table table = read_csv(data("07-time-series/us_employment_32x16.csv"));
    const std::vector<std::string> names = labels(table);
    const Months months(table);
    const MultiHeadWeights<double> weights = learn(months, names, options.number("seed"), figures);
    what_it_is_worth(weights, months, table, names);
    figures.write();
}

}  // namespace

int main(int argc, char** argv) {
    return run(argc, argv, Options("gradients", "chapter 10, gradients of attention, and a few steps downhill"), body);
}
