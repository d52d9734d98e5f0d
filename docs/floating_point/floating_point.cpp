// How exact is floating point? Errors of dot products and of softmax beside their bounds, and inputs that hurt.

#include "../../chapters/shared/options.hpp"
#include "../../chapters/shared/progress.hpp"
#include "exercises.hpp"
#include "runs.hpp"
#include "tables.hpp"

#include <multihead/algebra/attention.hpp>
#include <multihead/loops/attention.hpp>
#include <multihead/scalars/rounded.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace multihead;
using namespace chapters;
using namespace floating_point;

const std::vector<std::size_t> sizes = {10, 100, 1000, 10'000, 100'000};

template <class T>
std::vector<std::string> about() {
    using Limits = std::numeric_limits<T>;
    return {std::to_string(Limits::digits),
            two_digits(unit_roundoff<T>()),
            two_digits(smallest<T>()),
            two_digits(Truth(Limits::max())),
            fixed(std::log(double(Limits::max())), 1),
            fixed(limit_of_distance<T>().template convert_to<double>(), 1)};
}

void numbers() {
    heading("Numbers");
    print_row("", std::vector<std::string>{"digits", "u", "lambda", "largest", "its log", "L"});
    print_row("float", about<float>());
    print_row("double", about<double>());
    std::cout << '\n';
}

template <class T>
std::vector<Truth> dot_products_of(std::uint64_t seed, std::size_t d, std::vector<Pair>& pairs, Tally& tally) {
    Draw<T> draw(seed);
    const T u = std::numeric_limits<T>::epsilon() / 2;
    const Matrix<T> k = draw.matrix(d, 1);
    const Matrix<T> q = draw.matrix(d, 1);
    const Matrix<T> ones = column(std::vector<T>(d, 1));
    std::vector<Truth> errors = {dot_product_error(k, q, tally),
                                 dot_product_error(ones, one_and_many(d, T(1), u - u / 64), tally), gamma<T>(d)};
    for (std::size_t i = 0; i < errors.size(); ++i) pairs[i].add<T>(double(d), errors[i]);
    for (Truth& error : errors) error /= unit_roundoff<T>();
    return errors;
}

void dot_products(std::uint64_t seed, Figures& figures) {
    heading("Dot products");
    say("The error of a dot product of d numbers, as a part of the sum of |k_l| |q_l|, in units of u: for numbers "
        "drawn "
        "from -1 to 1; for 1 and d - 1 numbers a little below u, each times 1; and the bound gamma_d.");
    print_row("", std::vector<std::string>{"drawn", "drawn", "1 and u", "1 and u", "bound"});
    print_row("d", std::vector<std::string>{"float", "double", "float", "double", "float"});
    std::vector<Pair> pairs = {Pair("drawn"), Pair("1 and many u"), Pair("bound")};
    Tally tally;
    for (const std::size_t d : sizes) {
        const std::vector<Truth> f = dot_products_of<float>(seed, d, pairs, tally);
        const std::vector<Truth> g = dot_products_of<double>(seed, d, pairs, tally);
        print_row(std::to_string(d), std::vector<Truth>{f[0], g[0], f[1], g[1], f[2]});
    }
    std::cout << '\n';
    say("By loops and by uBLAS, " + text(tally));
    figures.add("floating-point-dot", pairs_chart("Dot products", "d", "error / sum of |k| |q|", pairs));
}

template <class T>
std::vector<Truth> softmax_of_size(std::uint64_t seed, std::size_t m, std::vector<Pair>& pairs, Tally& tally) {
    Draw<T> draw(seed);
    const SoftmaxErrors drawn = softmax_errors(drawn_scores(draw, m, 16), tally);
    std::vector<Truth> errors = {drawn.pivot, drawn.none, dominating_error<T>(m, tally), drawn.bound};
    for (std::size_t i = 0; i < errors.size(); ++i) pairs[i].add<T>(double(m), errors[i]);
    for (Truth& error : errors) error /= unit_roundoff<T>();
    return errors;
}

void softmax_by_size(std::uint64_t seed, Figures& figures, const Progress& progress) {
    heading("Softmax of m scores");
    say("The largest relative error of a weight, in units of u: of scores drawn from -8 to 8, with the pivot and "
        "without "
        "it; of the weight of a score that dominates all others; and the bound of the drawn scores, with the pivot.");
    print_row("", std::vector<std::string>{"pivot", "pivot", "none", "none", "one", "one", "bound"});
    print_row("m", std::vector<std::string>{"float", "double", "float", "double", "float", "double", "float"});
    std::vector<Pair> pairs = {Pair("pivot"), Pair("no pivot"), Pair("one dominates"), Pair("bound")};
    Tally tally;
    for (const std::size_t m : sizes) {
        progress.at("softmax of " + std::to_string(m) + " scores", 2e4 * double(m));
        const std::vector<Truth> f = softmax_of_size<float>(seed, m, pairs, tally);
        const std::vector<Truth> g = softmax_of_size<double>(seed, m, pairs, tally);
        print_row(std::to_string(m), std::vector<Truth>{f[0], g[0], f[1], g[1], f[2], g[2], f[3]});
    }
    std::cout << '\n';
    say("By loops and by uBLAS, with std::exp and with an exponential that is rounded to nearest, " + text(tally));
    figures.add("floating-point-softmax", pairs_chart("Softmax of m scores", "m", "largest relative error", pairs));
}

template <class T>
std::vector<Truth> softmax_of_distance(std::uint64_t seed, double R, std::vector<Pair>& pairs, Tally& tally) {
    Draw<T> draw(seed);
    std::vector<Truth> largest(4);
    for (int column = 0; column < 100; ++column) {
        const SoftmaxErrors drawn = softmax_errors(drawn_scores(draw, 10, R), tally);
        const std::vector<Truth> errors = {drawn.pivot, drawn.none, drawn.bound, drawn.naive_bound};
        for (std::size_t i = 0; i < 4; ++i) largest[i] = std::max(largest[i], Truth(errors[i] / unit_roundoff<T>()));
    }
    for (std::size_t i = 0; i < 4; ++i) pairs[i].add<T>(R, largest[i]);
    return largest;
}

void softmax_by_distance(std::uint64_t seed, Figures& figures, const Progress& progress) {
    heading("Softmax of scores that are far apart");
    say("The largest relative error of a weight in 100 columns of 10 scores, drawn from -R/2 to R/2, in units of u, "
        "and "
        "the bounds. In float the smallest weights become subnormal for larger R.");
    print_row("", std::vector<std::string>{"pivot", "pivot", "none", "none", "pivot's", "none's"});
    print_row("R", std::vector<std::string>{"float", "double", "float", "double", "bound", "bound"});
    std::vector<Pair> pairs = {Pair("pivot"), Pair("no pivot"), Pair("bound, pivot"), Pair("bound, no pivot")};
    Tally tally;
    progress.at("scores that are far apart");
    for (const double R : {1., 2., 5., 10., 20., 50., 80., 200., 500.}) {
        const std::vector<Truth> g = softmax_of_distance<double>(seed, R, pairs, tally);
        if (R <= 80) {
            const std::vector<Truth> f = softmax_of_distance<float>(seed, R, pairs, tally);
            print_row(fixed(R, 0), std::vector<Truth>{f[0], g[0], f[1], g[1], g[2], g[3]});
        } else {
            print_row(fixed(R, 0), {"", two_digits(g[0]), "", two_digits(g[1]), two_digits(g[2]), two_digits(g[3])});
        }
    }
    std::cout << '\n';
    say("By loops and by uBLAS, with std::exp and with an exponential that is rounded to nearest, " + text(tally));
    figures.add("floating-point-pivot",
                pairs_chart("Softmax of scores at most R apart", "R", "largest relative error / u", pairs));
}

// What came out: a NaN, or the error in ulps.
template <class T>
std::string outcome(const Matrix<T>& run, const Matrix<Truth>& truth) {
    for (const T x : run.data())
        if (std::isnan(x)) return "nan";
    return two_digits(error_in_ulps(run, truth));
}

template <class T>
void nasty(const std::string& type) {
    print_row("softmax in " + type, std::vector<std::string>{"loops", "uBLAS", "no pivot", "bound"}, 20);
    Tally tally;
    for (const Nasty<T>& input : nasty_scores<T>()) {
        const Matrix<Truth> truth = loops::softmax(truth_of(input.S));
        const WeightBound<T> bound_of(input.S.size1(), largest_distance(input.S));
        const Matrix<T> by_loops = values(loops::softmax(rounded(input.S)));
        const Matrix<T> by_algebra = values(algebra::softmax(rounded(input.S)));
        Truth most = 0;
        for (std::size_t i = 0; i < truth.size1(); ++i) {
            const Truth bound = bound_of(truth(i, 0));
            most = std::max(most, Truth(bound / ulp<T>(truth(i, 0))));
            tally.count(abs(Truth(by_loops(i, 0)) - truth(i, 0)), bound);
            tally.count(abs(Truth(by_algebra(i, 0)) - truth(i, 0)), bound);
        }
        print_row(input.name,
                  {outcome(by_loops, truth), outcome(by_algebra, truth),
                   outcome(values(naive_softmax(rounded(input.S))), truth), two_digits(most)},
                  20);
    }
    std::cout << '\n';
    say("Weight by weight, " + text(tally));
}

void inputs_that_hurt() {
    heading("Inputs that hurt");
    say("The largest error of a weight in ulps, by both hands and without the pivot, and the largest bound.");
    nasty<float>("float");
    nasty<double>("double");
}

template <class T>
void cancelling(const std::string& type, T large) {
    const Matrix<T> equal(1, 3, T(0));
    Matrix<T> V(1, 3, T(1));
    V(0, 0) = large;
    V(0, 2) = -large;
    Tally tally;
    const Matrix<T> query(1, 1, T(1));
    const AttentionError e = attention_error(query, equal, V, tally);
    const T output = loops::attention(query, equal, V, loops::dot_product)(0, 0);
    const Truth u = unit_roundoff<T>();
    print_row(type, {two_digits(Truth(large)), two_digits(Truth(output)), two_digits(ulps(output, Truth(1) / 3)),
                     two_digits(e.error / u), two_digits(e.bound / u)});
}

template <class T>
void drawn_attention(const std::string& type, std::uint64_t seed, Tally& tally) {
    Draw<T> draw(seed);
    const Matrix<T> Q = draw.matrix(64, 1);
    const Matrix<T> K = draw.matrix(64, 1000);
    const Matrix<T> V = draw.matrix(1, 1000);
    const AttentionError e = attention_error(Q, K, V, tally);
    print_row(type, std::vector<Truth>{e.error / unit_roundoff<T>(), e.bound / unit_roundoff<T>()});
}

void attention(std::uint64_t seed) {
    heading("Attention");
    say("Three equal weights and the values v, 1 and -v: the average is 1/3. Its error in ulps, and as a part of the "
        "sum "
        "of a_i |v_i| in units of u, with the bound.");
    print_row("", std::vector<std::string>{"v", "average", "ulps", "error/u", "bound/u"});
    cancelling<float>("float", 1e8F);
    cancelling<double>("double", 1e17);
    std::cout << '\n';
    say("A query, 1000 keys with 64 features and 1000 values, drawn from -1 to 1:");
    print_row("", std::vector<std::string>{"error/u", "bound/u"});
    Tally tally;
    drawn_attention<float>("float", seed, tally);
    drawn_attention<double>("double", seed, tally);
    std::cout << '\n';
    say("By loops and by uBLAS, with std::exp and with an exponential that is rounded to nearest, " + text(tally));
}

// The largest relative error of a weight, in units of u.
Truth error_in_u(const Matrix<Rounded<float>>& weights, const Matrix<Truth>& truth) {
    return relative_error(values(weights), truth) / unit_roundoff<float>();
}

void exercises(std::uint64_t seed) {
    heading("Exercises");
    say("Largest relative errors of a weight in float, in units of u.");
    constexpr std::size_t m = 10'000;
    Matrix<float> one = one_dominates<float>(m);
    const Truth first = error_in_u(loops::softmax(rounded(one)), loops::softmax(truth_of(one)));
    std::swap(one(0, 0), one(m - 1, 0));
    const Truth last = error_in_u(loops::softmax(rounded(one)), loops::softmax(truth_of(one)));
    say("Exercise 0.5: one score dominates 9999 others. It comes first: " + two_digits(first) +
        ". It comes last: " + two_digits(last) + ".");

    Draw<float> draw(seed);
    const Matrix<float> S = drawn_scores(draw, m, 16);
    const Matrix<Truth> truth = loops::softmax(truth_of(S));
    say("Exercise 0.6: 10000 scores drawn from -8 to 8. Summed from left to right: " +
        two_digits(error_in_u(loops::softmax(rounded(S)), truth)) +
        ". Summed by halves: " + two_digits(error_in_u(softmax_by_halves(rounded(S)), truth)) + ".");

    std::cout << "Exercise 0.7: the scores s and s - 1\n";
    print_row("s", std::vector<std::string>{"division", "none"});
    for (const float s : {1e1F, 1e3F, 1e5F}) {
        const Matrix<float> two = column<float>({s, s - 1});
        const Matrix<Truth> weights = loops::softmax(truth_of(two));
        print_row(fixed(s, 0), {two_digits(error_in_u(loops::softmax(rounded(two)), weights)),
                                two_digits(error_in_u(softmax_without_division(rounded(two)), weights))});
    }
    std::cout << '\n';
}

void body(const Options& options) {
    Figures figures(options);
    const Progress progress;
    const std::uint64_t seed = options.number("seed");
    numbers();
    dot_products(seed, figures);
    softmax_by_size(seed, figures, progress);
    softmax_by_distance(seed, figures, progress);
    inputs_that_hurt();
    attention(seed);
    progress.at("exercises");
    exercises(seed);
    figures.write();
}

}  // namespace

int main(int argc, char** argv) {
    return run(argc, argv, Options("floating_point", "how exact floating point is"), body);
}
