// Chapter 6. The transformer's rows: the same computation in both conventions.

#include "../shared/example.hpp"
#include "../shared/figures.hpp"
#include "../shared/options.hpp"
#include "../shared/print.hpp"
#include "../shared/small.hpp"
#include "exercises.hpp"

#include <multihead/algebra/multi_head.hpp>
#include <multihead/algebra/row.hpp>
#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>
#include <multihead/loops/multi_head.hpp>
#include <multihead/loops/row.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace multihead;
using namespace chapters;
using boost::numeric::ublas::prod;

// The example of chapters 3 and 4, and the same in rows: every matrix transposed.
const MultiHeadWeights<double>& heads = example::heads;
const row::MultiHeadWeights<double> row_heads = row::transposed(heads);
const Matrix<double> Q = transposed(example::Q);
const Matrix<double> K = transposed(example::K);
const Matrix<double> V = transposed(example::V);

constexpr auto& dot = loops::dot_product;
constexpr auto& row_dot = loops::row::dot_product;
constexpr auto& row_dot_algebra = algebra::row::dot_product;

// One step in both conventions, then the row result by both hands.
void step(const std::string& column_name, const Matrix<double>& column, const std::string& row_name,
          const Matrix<double>& by_loops, const Matrix<double>& by_algebra) {
    print_beside("columns: " + column_name, column, "rows: " + row_name, by_loops);
    print_both(row_name, by_loops, by_algebra);
}

// A panel with one entry framed.
HeatMap panel(const std::string& title, const Matrix<double>& X, const std::string& rows, const std::string& columns,
              const std::vector<std::pair<std::size_t, std::size_t>>& framed, const std::string& sign = "") {
    return {.title = title, .values = X, .row_axis = rows, .column_axis = columns, .sign = sign, .marked = framed};
}

void one_head(Figures& figures) {
    heading("One head, twice");
    say("On the left tokens are columns, as in chapters 1 to 5. On the right they are rows, as in the transformer "
        "paper. Inputs and weights on the right are the transposes of those on the left.");
    print_beside("columns: Q, d_model x n", example::Q, "rows: Q, n x d_model", Q);
    print_beside("columns: W_Q, d_k x d_model", heads[0].W_Q, "rows: W_Q, d_model x d_k", row_heads[0].W_Q);

    const Matrix<double> Q_1 = loops::project(heads[0].W_Q, example::Q);
    const Matrix<double> K_1 = loops::project(heads[0].W_K, example::K);
    const Matrix<double> V_1 = loops::project(heads[0].W_V, example::V);
    const Matrix<double> Q_row = prod(Q, row_heads[0].W_Q);
    const Matrix<double> K_row = prod(K, row_heads[0].W_K);
    const Matrix<double> V_row = prod(V, row_heads[0].W_V);
    step("W_K K", K_1, "K W_K", product(K, row_heads[0].W_K), K_row);
    say("A weight that stood left stands right: (W X)^T = X^T W^T. That is the whole chapter.");

    const Matrix<double> S = dot(Q_1, K_1);
    const Matrix<double> S_row = row_dot(Q_row, K_row);
    step("S = K^T Q, m x n", S, "S = Q K^T, n x m", S_row, row_dot_algebra(Q_row, K_row));
    const Matrix<double> A = loops::softmax(S);
    const Matrix<double> A_row = loops::row::softmax(S_row);
    step("A, columns sum to 1", A, "A, rows sum to 1", A_row, algebra::row::softmax(S_row));
    say("Scores (law 6.1) and weights (law 6.2) are transposes of their twins. In rows, row j holds the weights of "
        "query j, so softmax runs along rows, and the weights stand left of the values:");
    const Matrix<double> O = loops::attention(Q_1, K_1, V_1, dot);
    const Matrix<double> O_row = loops::row::attention(Q_row, K_row, V_row, row_dot);
    step("V A, d_v x n", O, "A V, n x d_v", O_row, algebra::row::attention(Q_row, K_row, V_row, row_dot_algebra));
    say("Attention (law 6.3). With the projections inside it is a head (law 6.4):");
    print_both("row::head 1", loops::row::head(row_heads[0], Q, K, V, row_dot),
               algebra::row::head(row_heads[0], Q, K, V, row_dot_algebra));
    figures.add(
        "row-convention",
        svg({{panel("S = K^T Q", S, "key", "query", {{1, 0}}), panel("V", V_1, "d_v", "key", {{0, 1}}),
              panel("A", A, "key", "query", {{1, 0}}, "·"), panel("V A", O, "d_v", "query", {{0, 0}}, "=")},
             {panel("S = Q K^T", S_row, "query", "key", {{0, 1}}), panel("A", A_row, "query", "key", {{0, 1}}),
              panel("V", V_row, "key", "d_v", {{1, 0}}, "·"), panel("A V", O_row, "query", "d_v", {{0, 0}}, "=")}}));
}

void all_heads() {
    heading("Heads side by side");
    const Matrix<double> columns = above(loops::head(heads[0], example::Q, example::K, example::V, dot),
                                         loops::head(heads[1], example::Q, example::K, example::V, dot));
    const Matrix<double> by_loops =
        beside(loops::row::head(row_heads[0], Q, K, V, row_dot), loops::row::head(row_heads[1], Q, K, V, row_dot));
    const Matrix<double> by_algebra = beside(algebra::row::head(row_heads[0], Q, K, V, row_dot_algebra),
                                             algebra::row::head(row_heads[1], Q, K, V, row_dot_algebra));
    step("heads stacked", columns, "heads side by side", by_loops, by_algebra);
    print_beside("columns: W^O, blocks side by side", W_O(heads), "rows: W^O, blocks stacked",
                 above(row_heads[0].W_O, row_heads[1].W_O));
    step("MultiHead", loops::multi_head(heads, example::Q, example::K, example::V, dot), "MultiHead",
         loops::row::multi_head(row_heads, Q, K, V, row_dot),
         algebra::row::multi_head(row_heads, Q, K, V, row_dot_algebra));
    print_both("sum of head_h W_h^O", loops::row::multi_head_sum(row_heads, Q, K, V, row_dot),
               algebra::row::multi_head_sum(row_heads, Q, K, V, row_dot_algebra));
    say("Side by side times stacked is again a sum over heads (laws 6.5 and 6.6), and its rows are the columns of "
        "chapter 4.");
}

void what_goes_wrong(Figures& figures) {
    heading("A stored weight, untransposed");
    say("A W_Q that was stored for columns, used in rows as it is:");
    try {
        row::Head<double> wrong = row_heads[0];
        wrong.W_Q = heads[0].W_Q;
        loops::row::head(wrong, Q, K, V, row_dot);
    } catch (const shape_error& error) {
        say(error.what());
    }
    say("Where d_k = d_model the shape is right either way, and nothing warns. W_K and W_V are identities here; keys "
        "and values are those of chapter 2.");
    const Matrix<double> I = Draw<double>::identity(2);
    const Matrix<double> W_Q = matrix({{1, 1}, {0, 1}});
    const Matrix<double> X = example::log_2 * I;
    const Matrix<double> Y = transposed(example::attention::K);
    const Matrix<double> Z = transposed(example::attention::V);
    print_beside("W_Q as stored for columns", W_Q, "its transpose", transposed(W_Q));
    const row::Head<double> right{transposed(W_Q), I, I, I};
    const row::Head<double> wrong{W_Q, I, I, I};
    const Matrix<double> right_head = loops::row::head(right, X, Y, Z, row_dot);
    const Matrix<double> wrong_head = loops::row::head(wrong, X, Y, Z, row_dot);
    print_both("head, W_Q transposed", right_head, algebra::row::head(right, X, Y, Z, row_dot_algebra));
    print_both("WRONG: head, W_Q as stored", wrong_head, algebra::row::head(wrong, X, Y, Z, row_dot_algebra));

    say("The other mistake of this kind is softmax along the columns of Q K^T. These are its weights; their rows do "
        "not sum to 1:");
    const Matrix<double> S_row = row_dot(Matrix<double>(prod(X, right.W_Q)), Y);
    print_beside("rows: A", loops::row::softmax(S_row), "WRONG: A", loops::softmax(S_row));
    figures.add("row-untransposed",
                svg(std::vector<HeatMap>{{.title = "W^Q transposed", .values = right_head, .full = 10},
                                         {.title = "W^Q as stored", .values = wrong_head, .full = 10}}));
}

void drawn(std::uint64_t seed) {
    heading("Drawn weights");
    say("Three heads, n = 4, m = 6, d_model = 5, d_k = 3, d_v = 2.");
    Draw<double> draw(seed);
    const MultiHeadWeights<double> three = draw.weights({.n = 4, .m = 6, .d_model = 5, .d_k = 3, .d_v = 2, .H = 3});
    const Matrix<double> X = draw.matrix(5, 4);
    const Matrix<double> Y = draw.matrix(5, 6);
    const row::MultiHeadWeights<double> rows = row::transposed(three);
    const Matrix<double> X_row = transposed(X);
    const Matrix<double> Y_row = transposed(Y);
    const Matrix<double> O = loops::multi_head(three, X, Y, Y, dot);
    const Matrix<double> O_row = loops::row::multi_head(rows, X_row, Y_row, Y_row, row_dot);
    print("columns: MultiHead, d_model x n", O);
    print_both("rows: MultiHead, n x d_model", O_row,
               algebra::row::multi_head(rows, X_row, Y_row, Y_row, row_dot_algebra));
    say("Largest difference between one and the transpose of the other: " +
        fixed(largest_difference(O, transposed(O_row))) + ". From the function for columns (exercise 6.3): " +
        fixed(largest_difference(by_transposing(rows, X_row, Y_row, Y_row, row_dot), O_row)) +
        ". Draw others with --seed.");
}

void body(const Options& options) {
    Figures figures(options);
    one_head(figures);
    all_heads();
    what_goes_wrong(figures);
    drawn(options.number("seed"));
    figures.write();
}

}  // namespace

int main(int argc, char** argv) {
    return run(argc, argv, Options("row_convention", "chapter 6, the transformer paper's rows beside columns"), body);
}
