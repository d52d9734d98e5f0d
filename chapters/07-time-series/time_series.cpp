// Chapter 7. A time series: one layer with the residual, step by step, on real data.

#include "../shared/figures.hpp"
#include "../shared/options.hpp"
#include "../shared/print.hpp"
#include "../shared/progress.hpp"
#include "exercises.hpp"
#include "input.hpp"
#include "layer.hpp"

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace multihead;
using namespace chapters;

constexpr std::size_t shown = 4;

std::string label(const std::vector<std::string>& names, std::size_t i) {
    return names.empty() ? "row " + std::to_string(i + 1) : names[i];
}

void show_input(const Input& input) {
    const Matrix<double>& X = input.batch[0];
    const std::size_t n = input.table.values.size1();
    heading("The series");
    say("A table of " + std::to_string(n) + " points in time with " + std::to_string(X.size2()) +
        " attributes. Every attribute is standardised: minus its mean, over its standard deviation (divide by N). Here "
        "time runs down the rows, as in chapter 6.");
    print("The table", input.table.values, shown);
    say("As a batch it is (bs, n, d_model) = (" + std::to_string(input.batch.size()) + ", " +
        std::to_string(X.size1()) + ", " + std::to_string(X.size2()) + "). The steps below take its first sample, (" +
        std::to_string(X.size1()) + ", " + std::to_string(X.size2()) + ").");
    if (n % X.size1() > 0) say("Left over at the end: " + std::to_string(n % X.size1()) + " rows.");
    print("X", X, shown);
    say(input.about_weights);
}

// Where the first points in time look.
void show_weights(const Matrix<double>& A, const std::vector<std::string>& names) {
    std::cout << "The largest weights in the first rows of A\n";
    for (std::size_t i = 0; i < std::min(shown, A.size1()); ++i) {
        std::vector<std::size_t> keys(A.size2());
        std::iota(keys.begin(), keys.end(), std::size_t{0});
        std::stable_sort(keys.begin(), keys.end(), [&](std::size_t a, std::size_t b) { return A(i, a) > A(i, b); });
        std::cout << "  " << label(names, i) << " looks at";
        for (std::size_t j = 0; j < std::min<std::size_t>(3, keys.size()); ++j)
            std::cout << (j == 0 ? " " : ", ") << label(names, keys[j]) << ' ' << fixed(A(i, keys[j]));
        std::cout << '\n';
    }
    std::cout << '\n';
    say("On average a point gives " + fixed(weight_on_later(A)) + " of its weight to later points.");
}

// Steps 1 to 4, by both hands. Returns the head by loops and by uBLAS.
std::pair<Matrix<double>, Matrix<double>> show_head(const row::Head<double>& head, const Matrix<double>& X,
                                                    const std::string& h, const std::vector<std::string>& names,
                                                    Figures& figures) {
    const HeadSteps l = head_steps<RowLoops>(head, X);
    const HeadSteps a = head_steps<RowAlgebra>(head, X);
    heading("Head " + h);
    say("Step 1. Linear, from " + std::to_string(X.size2()) + " attributes to " + std::to_string(l.Q.size2()) +
        " latent ones: the queries.");
    print_both("Q = X W_Q", l.Q, a.Q, shown);
    say("Step 2. The same with two other matrices: the keys and the values.");
    print_both("K = X W_K", l.K, a.K, shown);
    print_both("V = X W_V", l.V, a.V, shown);
    say("Step 3. Every point in time meets every point in time. Then softmax of every row.");
    print_both("S = Q K^T", l.S, a.S, shown);
    print_both("A = Softmax(S)", l.A, a.A, shown);
    say("Step 4. The weights times V: the head. Every row of A meets every column of V, so the head has a row for each "
        "row of A and a column for each column of V.");
    print_both("head = A V", l.O, a.O, shown);
    figures.add("time-series-weights-" + h, svg(HeatMap{.title = "weights of head " + h,
                                                        .values = l.A,
                                                        .row_axis = "query",
                                                        .column_axis = "key",
                                                        .row_names = names,
                                                        .column_names = names}));

    show_weights(l.A, names);
    return {l.O, a.O};
}

// All six steps on one sample. Returns the output.
Matrix<double> show_steps(const RowWeights& weights, const Matrix<double>& X, const std::vector<std::string>& names,
                          const Progress& progress, Figures& figures) {
    std::vector<Matrix<double>> by_loops;
    std::vector<Matrix<double>> by_algebra;
    for (std::size_t h = 0; h < weights.size(); ++h) {
        progress.at("head " + std::to_string(h + 1) + " of " + std::to_string(weights.size()));
        auto [l, a] = show_head(weights[h], X, std::to_string(h + 1), names, figures);
        by_loops.push_back(std::move(l));
        by_algebra.push_back(std::move(a));
    }
    const LastSteps l = last_steps<RowLoops>(by_loops, weights, X);
    const LastSteps a = last_steps<RowAlgebra>(by_algebra, weights, X);
    heading("The layer");
    say("Step 5. The heads side by side, and a linear map back to " + std::to_string(X.size2()) + " attributes.");
    print_both("concat", l.concat, a.concat, shown);
    print_both("linear = concat W_O", l.linear, a.linear, shown);
    say("Step 6. Plus the original.");
    print_both("output = X + linear", l.output, a.output, shown);
    progress.at("the layer as one function");
    print_both("X + MultiHead(X, X, X), in one call", RowLoops::layer(weights, X), RowAlgebra::layer(weights, X),
               shown);
    say("The six steps are multi-head attention in rows plus the residual (law 7.1). Largest difference between the "
        "steps and the one call: " +
        fixed(largest_difference(l.output, RowLoops::layer(weights, X))) + ".");
    return l.output;
}

// Exercise 7.2: what is special about the point in time whose key is longest.
void show_longest_key(const Input& input) {
    const Matrix<double>& X = input.batch[0];
    const Matrix<double>& table = input.table.values;
    heading("A long key");
    std::vector<double> length = lengths(RowLoops::product(X, input.weights[0].W_K));
    const auto longest = static_cast<std::size_t>(std::max_element(length.begin(), length.end()) - length.begin());
    std::sort(length.begin(), length.end());
    say("The longest key of head 1 is that of " + label(input.names, longest) + ", of length " + fixed(length.back()) +
        ". Half of the keys are no longer than " + fixed(length[(length.size() - 1) / 2]) + ".");

    std::vector<std::size_t> attributes(X.size2());
    std::iota(attributes.begin(), attributes.end(), std::size_t{0});
    const auto deviation = [&](std::size_t j) { return std::abs(X(longest, j)); };
    std::stable_sort(attributes.begin(), attributes.end(),
                     [&](std::size_t a, std::size_t b) { return deviation(a) > deviation(b); });
    const std::size_t first = attributes[0];
    const std::vector<std::string>& names = input.table.column_names;
    std::string found = "At that point in time the attribute furthest from its mean is " +
                        (names.empty() ? "number " + std::to_string(first + 1) : names[first]) + ", by " +
                        fixed(deviation(first)) + " standard deviations";
    if (attributes.size() > 1) found += "; no other is further than " + fixed(deviation(attributes[1]));
    found += ". In the table it is " + fixed(table(longest, first));
    if (longest > 0) found += ", after " + fixed(table(longest - 1, first)) + " one point before";
    say(found + ".");
}

void show_batch(const RowWeights& weights, const std::vector<Matrix<double>>& batch, const Progress& progress) {
    heading("A batch");
    progress.at("the batch");
    std::vector<Matrix<double>> samples = batch;
    if (samples.size() == 1 && samples[0].size1() > 1) {
        say("One sample makes a dull batch. So here are the series and its two halves: samples may differ in length.");
        const auto halves = windows(batch[0], batch[0].size1() / 2);
        samples.insert(samples.end(), halves.begin(), halves.begin() + 2);
    }
    const std::vector<Matrix<double>> by_loops = RowLoops::layer(weights, samples);
    const std::vector<Matrix<double>> by_algebra = RowAlgebra::layer(weights, samples);
    for (std::size_t b = 0; b < samples.size() && b < shown; ++b)
        print_both("output of sample " + std::to_string(b + 1), by_loops[b], by_algebra[b], shown);
    double largest = 0;
    for (std::size_t b = 0; b < samples.size(); ++b)
        largest = std::max(largest, largest_difference(by_loops[b], RowLoops::layer(weights, samples[b])));
    say("A sample does not know of the others: each output is the layer on that sample alone (law 7.2). Largest "
        "difference: " +
        fixed(largest) + ".");
}

// How much two outputs differ in their first row.
double first_change(const Matrix<double>& before, const Matrix<double>& after) {
    double largest = 0;
    for (std::size_t j = 0; j < before.size2(); ++j) largest = std::max(largest, std::abs(after(0, j) - before(0, j)));
    return largest;
}

void show_time(const RowWeights& weights, const Matrix<double>& X, const Matrix<double>& output, std::uint64_t seed,
               const std::vector<std::string>& names, const Progress& progress) {
    heading("What the layer knows of time");
    say("Nothing. Shuffle the points in time: the outputs are shuffled in the same way, and are the same otherwise "
        "(law "
        "5.3).");
    progress.at("shuffled points in time");
    const auto order = Draw<double>(seed).permutation(X.size1());
    const Matrix<double> shuffled = permuted_rows(X, order);
    print_both("output of the shuffled series", RowLoops::layer(weights, shuffled),
               RowAlgebra::layer(weights, shuffled), shown);
    print("the output, shuffled", permuted_rows(output, order), shown);

    progress.at("a changed point in time");
    const std::size_t last = X.size1() - 1;
    Matrix<double> changed = X;
    for (std::size_t j = 0; j < X.size2(); ++j) changed(last, j) += 1;
    say("Nor does anything keep a point from using later ones. Add 1 to every attribute of " + label(names, last) +
        ", the last point, and the output of " + label(names, 0) + ", the first, changes by up to " +
        fixed(first_change(output, RowLoops::layer(weights, changed))) + ".");
    say("A layer that must not look ahead needs a mask: scores of minus infinity for all later points (exercise 7.4). "
        "With it that change is " +
        fixed(first_change(loops::row::self_attention(weights, X, no_look_ahead),
                           loops::row::self_attention(weights, changed, no_look_ahead))) +
        ".");
}

void body(const Options& options) {
    Figures figures(options);
    const Progress progress;
    const Input input = read_input(options);
    const Matrix<double>& X = input.batch[0];
    show_input(input);
    const Matrix<double> output = show_steps(input.weights, X, input.names, progress, figures);
    show_longest_key(input);
    show_batch(input.weights, input.batch, progress);
    show_time(input.weights, X, output, options.number("seed"), input.names, progress);
    figures.add(
        "time-series-residual",
        svg(std::vector<HeatMap>{
            {.title = "X", .values = X, .row_axis = "time", .column_axis = "attribute", .row_names = input.names},
            {.title = "X + linear", .values = output, .column_axis = "attribute"}}));
    figures.write();
}

std::vector<Option> own_options() {
    return {{"csv",
             {"FILE"},
             "a table: a row a point in time, a column an attribute; it may have a header line and a first column of "
             "labels (default: US employment in 32 months)"},
            {"window",
             {"ROWS"},
             "cut the table into samples of this many rows, at most 4096, a batch (default: one sample)"},
            {"latent", {"D"}, "attributes of a query, a key and a value (default: 8)"},
            {"heads", {"H"}, "heads (default: 2)"},
            {"weights",
             {"DIR"},
             "a folder with the weights, W_Q.1.csv, W_K.1.csv, W_V.1.csv, W_Q.2.csv, ... and W_O.csv, laid out as in "
             "the folder golden of this chapter (default: those, where the sizes fit; else drawn)"}};
}

}  // namespace

int main(int argc, char** argv) {
    return run(argc, argv, Options("time_series", "chapter 7, one layer on a time series, step by step", own_options()),
               body);
}
