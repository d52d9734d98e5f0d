// Chapter 2. Attention: values averaged with weights that come from queries and keys.

#include "../shared/example.hpp"
#include "../shared/figures.hpp"
#include "../shared/options.hpp"
#include "../shared/print.hpp"
#include "../shared/small.hpp"
#include "exercises.hpp"

#include <multihead/algebra/attention.hpp>
#include <multihead/laws/draw.hpp>
#include <multihead/loops/attention.hpp>

#include <string>
#include <vector>

namespace {

using namespace multihead;
using namespace chapters;

void definition(Figures& figures) {
    heading("Equation (1), by hand");
    say("Two queries, three keys with their values: d_k = 2, d_v = 2, n = 2, m = 3. Columns are tokens.");
    using example::attention::K;
    using example::attention::Q;
    using example::attention::V;
    print("Q", Q);
    print("K", K);
    print("V", V);

    const Matrix<double> S = loops::dot_product(Q, K);
    print_both("S = K^T Q", S, algebra::dot_product(Q, K));
    say("Row i, column j: how well key i fits query j. Query 1 is (log 2, 0), so its scores are 0, log 2, log 4: the "
        "column of chapter 1.");

    const Matrix<double> A = loops::attention_weights(Q, K, loops::dot_product);
    print_both("A = Softmax(S)", A, algebra::attention_weights(Q, K, algebra::dot_product));
    const Matrix<double> O = loops::attention(Q, K, V, loops::dot_product);
    print_both("Attention(Q, K, V) = V A", O, algebra::attention(Q, K, V, algebra::dot_product));
    say("Output 1 is 1/7 v_1 + 2/7 v_2 + 4/7 v_3 = (1, 0 + 2 + 8). It has one column per query and one row per row of "
        "V.");
    figures.add(
        "attention-by-hand",
        svg(std::vector<HeatMap>{{.title = "scores", .values = S, .row_axis = "key", .column_axis = "query"},
                                 {.title = "weights", .values = A, .row_axis = "key", .column_axis = "query"},
                                 {.title = "output", .values = O, .row_axis = "row of V", .column_axis = "query"}}));
}

void any_score(std::uint64_t seed) {
    heading("Any score function");
    say("Equation (1) holds for every f that gives one score for each key and query. The same Q, K and V under the "
        "score functions of the library:");
    Draw<double> draw(seed);
    const Matrix<double> Q = draw.matrix(2, 3);
    const Matrix<double> K = draw.matrix(2, 4);
    const Matrix<double> V = draw.matrix(2, 4);
    const Matrix<double> W = draw.matrix(2, 2);
    const Matrix<double> W_q = draw.matrix(3, 2);
    const Matrix<double> W_k = draw.matrix(3, 2);
    const Matrix<double> w = draw.matrix(3, 1);
    print("Q", Q);
    print("K", K);
    print("V", V);
    const auto show = [&](const std::string& name, const auto& by_loops, const auto& by_algebra) {
        print_both("attention with " + name, loops::attention(Q, K, V, by_loops),
                   algebra::attention(Q, K, V, by_algebra));
    };
    show("dot_product", loops::dot_product, algebra::dot_product);
    show("scaled_dot_product", loops::scaled_dot_product, algebra::scaled_dot_product);
    show("bilinear{W}", loops::bilinear{W}, algebra::bilinear{W});
    show("additive{W_q, W_k, w}", loops::additive{W_q, W_k, w}, algebra::additive{W_q, W_k, w});
    show("gaussian_kernel{0.5}", loops::gaussian_kernel{0.5}, algebra::gaussian_kernel{0.5});
    const auto own = [](const Matrix<double>& q, const Matrix<double>& k) {
        return Matrix<double>(k.size2(), q.size2(), 0.0);
    };
    show("a score of your own, always 0", own, own);
    say("Equal scores give the mean of the values, whatever the query (law 2.5).");
}

void no_parameters(std::uint64_t seed, Figures& figures) {
    heading("There is nothing to learn in it");
    say("Attention has no weights of its own: Q, K and V alone decide. Add one vector to all keys and nothing changes "
        "(law 2.6); add it to the queries and everything does.");
    Draw<double> draw(seed);
    const Matrix<double> Q = draw.matrix(2, 3);
    const Matrix<double> K = draw.matrix(2, 4);
    const Matrix<double> V = draw.matrix(2, 4);
    Matrix<double> K_shifted = K;
    Matrix<double> Q_shifted = Q;
    for (std::size_t j = 0; j < K.size2(); ++j) K_shifted(0, j) += 5;
    for (std::size_t j = 0; j < Q.size2(); ++j) Q_shifted(0, j) += 5;
    print_both("attention", loops::attention(Q, K, V, loops::dot_product),
               algebra::attention(Q, K, V, algebra::dot_product));
    print_both("attention, keys shifted", loops::attention(Q, K_shifted, V, loops::dot_product),
               algebra::attention(Q, K_shifted, V, algebra::dot_product));
    print_both("attention, queries shifted", loops::attention(Q_shifted, K, V, loops::dot_product),
               algebra::attention(Q_shifted, K, V, algebra::dot_product));
    const auto weights = [&](const std::string& title, const Matrix<double>& q, const Matrix<double>& k) {
        return HeatMap{.title = title,
                       .values = loops::attention_weights(q, k, loops::dot_product),
                       .row_axis = "key",
                       .column_axis = "query"};
    };
    figures.add("attention-shifts",
                svg(std::vector<HeatMap>{weights("weights", Q, K), weights("keys shifted", Q, K_shifted),
                                         weights("queries shifted", Q_shifted, K)}));
    say("That is why the next chapter maps Q, K and V by learned matrices before it calls attention.");
}

void exercise() {
    heading("Exercise 2.4: directions only");
    const Matrix<double> Q = matrix({{1, 0}, {0, 2}});
    const Matrix<double> K = matrix({{1, 3, 3}, {0, 0, 4}});
    const Matrix<double> V = matrix({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    print_beside("cosine(Q, K)", cosine(Q, K), "K^T Q", loops::dot_product(Q, K));
    print_both("attention with cosine", loops::attention(Q, K, V, cosine), algebra::attention(Q, K, V, cosine));
    say("Keys 1 and 2 point the same way, so each query weighs them alike, however long they are.");
}

void body(const Options& options) {
    Figures figures(options);
    definition(figures);
    any_score(options.number("seed"));
    no_parameters(options.number("seed"), figures);
    exercise();
    figures.write();
}

}  // namespace

int main(int argc, char** argv) {
    return run(argc, argv, Options("attention", "chapter 2, values averaged by the fit of queries and keys"), body);
}
