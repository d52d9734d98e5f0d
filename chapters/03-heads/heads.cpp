// Chapter 3. Heads: attention after a projection, and what each projection looks for.

#include "../shared/example.hpp"
#include "../shared/figures.hpp"
#include "../shared/options.hpp"
#include "../shared/print.hpp"
#include "../shared/small.hpp"
#include "channels.hpp"
#include "exercises.hpp"

#include <multihead/algebra/multi_head.hpp>
#include <multihead/laws/draw.hpp>
#include <multihead/loops/multi_head.hpp>

#include <algorithm>
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

void two_meanings() {
    heading("Two meanings of Q");
    say("In equation (1), Attention(Q, K, V), the queries are d_k x n: they meet the keys as they are. In equation "
        "(2), head_h = Attention(W_Q Q, W_K K, W_V V), the same letter means d_model x n, and it is W_Q Q that is d_k "
        "x n. Here d_model = 4, d_k = 2, d_v = 1, n = 2 and m = 3.");
    const Matrix<double> Q_1 = loops::project(heads[0].W_Q, Q);
    print_beside("Q of (2): d_model x n", Q, "W_Q Q, the Q of (1): d_k x n", Q_1);
    say("Whoever mixes the two up is told so. Attention(Q, W_K K, W_V V), with Q left as it is, says:");
    try {
        loops::attention(Q, loops::project(heads[0].W_K, K), loops::project(heads[0].W_V, V), loops::dot_product);
    } catch (const shape_error& error) {
        say(error.what());
    }
}

void by_hand(Figures& figures) {
    heading("Equation (2), by hand");
    const Head<double>& h = heads[0];
    print_beside("W_Q", h.W_Q, "Q", Q);
    print_beside("W_K", h.W_K, "K", K);
    print_beside("W_V", h.W_V, "V", V);
    const Matrix<double> Q_1 = loops::project(h.W_Q, Q);
    const Matrix<double> K_1 = loops::project(h.W_K, K);
    const Matrix<double> V_1 = loops::project(h.W_V, V);
    print_both("W_K K", K_1, prod(h.W_K, K));
    print_both("W_V V", V_1, prod(h.W_V, V));
    say("Rows 2 and 3 of K never reach the scores: W_K has only zeros for them. What remains are the queries and keys "
        "of chapter 2, and so are the weights.");
    const Matrix<double> A = loops::attention_weights(Q_1, K_1, loops::dot_product);
    print_both("Softmax((W_K K)^T (W_Q Q))", A,
               algebra::attention_weights<double>(prod(h.W_Q, Q), prod(h.W_K, K), algebra::dot_product));
    const Matrix<double> O = loops::head(h, Q, K, V, loops::dot_product);
    print_both("head_1", O, algebra::head(h, Q, K, V, algebra::dot_product));
    say("Output 1 is 1/7 of 7 plus 2/7 of 14 = 5. Output 2 is 4/6 of 7 plus 1/6 of 14 = 7. A head is d_v x n.");
    figures.add("heads-by-hand",
                svg(std::vector<HeatMap>{
                    {.title = "W^Q Q", .values = Q_1, .column_axis = "query"},
                    {.title = "W^K K", .values = K_1, .column_axis = "key"},
                    {.title = "W^V V", .values = V_1, .column_axis = "key"},
                    {.title = "weights", .values = A, .row_axis = "key", .column_axis = "query", .sign = "·"},
                    {.title = "head", .values = O, .column_axis = "query", .sign = "="}}));
}

void identity_and_composition() {
    heading("What projections can be");
    const Matrix<double> I = Draw<double>::identity(4);
    const Head<double> id{I, I, I, I};
    print_both("head with W_Q = W_K = W_V = I", loops::head(id, Q, K, V, loops::dot_product),
               algebra::head(id, Q, K, V, algebra::dot_product));
    print_both("Attention(Q, K, V)", loops::attention(Q, K, V, loops::dot_product),
               algebra::attention(Q, K, V, algebra::dot_product));
    say("With identities a head is attention (law 3.1); then d_k = d_v = d_model. Row 2 of K counts now, but it adds 5 "
        "log 2 to every score of query 2, and a constant per column changes nothing (law 1.2).");

    say("Often the queries are themselves a projection of data X. Two linear maps after each other are one.");
    const Matrix<double> W = heads[0].W_Q;
    const Matrix<double> W_X = matrix({{1, 0}, {0, 1}, {1, 1}, {1, -1}});
    const Matrix<double> X = example::log_2 * matrix({{1, 2, 3}, {1, 0, -1}});
    print_beside("W'", W_X, "X", X);
    const Matrix<double> W_X_X = loops::project(W_X, X);
    print_both("W_Q (W' X)", loops::project(W, W_X_X), prod(W, W_X_X));
    Head<double> composed = heads[0];
    composed.W_Q = prod(W, W_X);
    print_both("W_Q W'", loops::project(W, W_X), composed.W_Q);
    print_both("(W_Q W') X", loops::project(loops::project(W, W_X), X), prod(composed.W_Q, X));
    print_both("head: W_Q, queries W' X", loops::head(heads[0], W_X_X, K, V, loops::dot_product),
               algebra::head(heads[0], W_X_X, K, V, algebra::dot_product));
    print_both("head: W_Q W', queries X", loops::head(composed, X, K, V, loops::dot_product),
               algebra::head(composed, X, K, V, algebra::dot_product));
    say("The head cannot tell which of the two it was given (law 3.2).");
}

void packed() {
    heading("All heads in one multiplication");
    say("A second head has projections of its own. Stacked, the W_Q of both heads are one matrix of H d_k rows, and "
        "one multiplication makes the queries of all heads.");
    const Matrix<double> W = loops::packed_W_Q(heads);
    print_both("packed W_Q", W, algebra::packed_W_Q(heads));
    const Matrix<double> P = loops::project(W, Q);
    print_both("packed W_Q Q", P, prod(algebra::packed_W_Q(heads), Q));
    for (std::size_t h = 0; h < heads.size(); ++h)
        print_both("slice " + std::to_string(h + 1) + ": W_Q Q of head " + std::to_string(h + 1),
                   loops::slice(P, h, heads.size()), algebra::slice(P, h, heads.size()));
    say("The slices are what each head would have computed alone (law 3.3). A slice is d_k neighbouring rows: rows 1 "
        "and 3 together belong to no head.");
}

void drawn(std::uint64_t seed, Figures& figures) {
    heading("Drawn heads");
    say("Three heads with drawn projections, n = 4, m = 6, d_model = 5, d_k = 3, d_v = 2. All three are given the same "
        "Q, K and V.");
    Draw<double> draw(seed);
    const MultiHeadWeights<double> three = draw.weights({.n = 4, .m = 6, .d_model = 5, .d_k = 3, .d_v = 2, .H = 3});
    const Matrix<double> Q_drawn = 2 * draw.matrix(5, 4);
    const Matrix<double> K_drawn = 2 * draw.matrix(5, 6);
    const Matrix<double> V_drawn = 2 * draw.matrix(5, 6);
    std::vector<HeatMap> maps;
    for (std::size_t h = 0; h < three.size(); ++h) {
        const std::string name = "head " + std::to_string(h + 1);
        print_both(name, loops::head(three[h], Q_drawn, K_drawn, V_drawn, loops::dot_product),
                   algebra::head(three[h], Q_drawn, K_drawn, V_drawn, algebra::dot_product));
        maps.push_back({.title = name,
                        .values = loops::attention_weights(loops::project(three[h].W_Q, Q_drawn),
                                                           loops::project(three[h].W_K, K_drawn), loops::dot_product),
                        .row_axis = "key",
                        .column_axis = "query",
                        .full = 1});
    }
    figures.add("heads-drawn", svg(maps));
    const std::vector<Matrix<double>> at_once = heads_at_once(three, Q_drawn, K_drawn, V_drawn, loops::dot_product);
    double difference = 0;
    for (std::size_t h = 0; h < three.size(); ++h)
        difference = std::max(difference, largest_difference(at_once[h], loops::head(three[h], Q_drawn, K_drawn,
                                                                                     V_drawn, loops::dot_product)));
    say("All heads from three products (exercise 3.4): largest difference " + fixed(difference) + ".");
    say("Draw others with --seed. The figure shows the weights of each head: the same tokens, seen in three ways.");
}

void body(const Options& options) {
    Figures figures(options);
    two_meanings();
    by_hand(figures);
    identity_and_composition();
    packed();
    channels::show(figures);
    drawn(options.number("seed"), figures);
    figures.write();
}

}  // namespace

int main(int argc, char** argv) {
    return run(argc, argv, Options("heads", "chapter 3, attention after learned projections"), body);
}
