// Chapter 7: what its program computes, and what its page says of the data.

#include "../chapters/07-time-series/exercises.hpp"
#include "../chapters/07-time-series/layer.hpp"
#include "../chapters/shared/data.hpp"
#include "../chapters/shared/print.hpp"
#include "../chapters/shared/small.hpp"
#include "../chapters/shared/weights.hpp"
#include "close.hpp"

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace chapters;
using multihead::Draw;
using multihead::MultiHeadWeights;
using multihead::permuted_rows;

namespace {

const std::string golden_folder = data("07-time-series/golden");

Matrix<double> golden(const std::string& name) { return read_matrix(golden_folder + "/" + name + ".csv"); }

Table employment() { return read_csv(data("07-time-series/us_employment_32x16.csv")); }

RowWeights weights() { return multihead::row::transposed(read_weights(golden_folder, 16)); }

template <class Hand>
void reproduce() {
    constexpr double most = 1e-12;
    const Matrix<double> X = standardised(employment());
    check_close("X", X, golden("X"), most);
    const RowWeights w = weights();
    std::vector<Matrix<double>> heads;
    for (std::size_t h = 0; h < w.size(); ++h) {
        const HeadSteps s = head_steps<Hand>(w[h], X);
        const std::string of = "." + std::to_string(h + 1);
        check_close("Q" + of, s.Q, golden("Q" + of), most);
        check_close("K" + of, s.K, golden("K" + of), most);
        check_close("V" + of, s.V, golden("V" + of), most);
        check_close("weights" + of, s.A, golden("weights" + of), most);
        check_close("head" + of, s.O, golden("head" + of), most);
        heads.push_back(s.O);
    }
    REQUIRE(heads.size() == 2);
    const LastSteps s = last_steps<Hand>(heads, w, X);
    check_close("concat", s.concat, golden("concat"), most);
    check_close("linear", s.linear, golden("linear"), most);
    check_close("output", s.output, golden("output"), most);
    check_close("the layer in one call", Hand::layer(w, X), golden("output"), most);
}

}  // namespace

TEST_CASE("the time series reproduces every golden result by loops") { reproduce<RowLoops>(); }
TEST_CASE("the time series reproduces every golden result by algebra") { reproduce<RowAlgebra>(); }

TEST_CASE("a transposed W_O has the right shape for the time series and is wrong") {
    MultiHeadWeights<double> w = read_weights(golden_folder, 16);
    const Matrix<double> turned = multihead::transposed(multihead::W_O(w));
    for (std::size_t h = 0; h < w.size(); ++h)
        for (std::size_t i = 0; i < 16; ++i)
            for (std::size_t l = 0; l < 8; ++l) w[h].W_O(i, l) = turned(i, 8 * h + l);
    const Matrix<double> X = standardised(employment());
    const Matrix<double> wrong = RowLoops::layer(multihead::row::transposed(w), X);
    CHECK(largest_difference(wrong, golden("output")) > 1);
}

TEST_CASE("every row of weights meets every column of the values") {
    const Matrix<double> A = golden("weights.1");
    const Matrix<double> V = golden("V.1");
    const Matrix<double> head = RowLoops::product(A, V);
    for (std::size_t l = 0; l < V.size2(); ++l) {
        // A change of column l of the values changes column l of the head in every row, and no other column.
        Matrix<double> changed = V;
        for (std::size_t j = 0; j < V.size1(); ++j) changed(j, l) += 1;
        const Matrix<double> after = RowLoops::product(A, changed);
        for (std::size_t i = 0; i < head.size1(); ++i)
            for (std::size_t c = 0; c < head.size2(); ++c) {
                CAPTURE(i);
                CAPTURE(c);
                CHECK(std::abs(after(i, c) - head(i, c) - (c == l ? 1 : 0)) < 1e-12);
            }
    }
}

TEST_CASE("row i of the weights with column i of the values alone is not the head") {
    // That reading fills 8 of the 256 entries.
    const Matrix<double> A = golden("weights.1");
    const Matrix<double> V = golden("V.1");
    Matrix<double> paired(A.size1(), V.size2(), 0.0);
    for (std::size_t i = 0; i < V.size2(); ++i)
        for (std::size_t j = 0; j < V.size1(); ++j) paired(i, i) += A(i, j) * V(j, i);
    for (std::size_t i = 0; i < V.size2(); ++i) CHECK(std::abs(paired(i, i) - golden("head.1")(i, i)) < 1e-12);
    CHECK(largest_difference(paired, golden("head.1")) > 1);
}

TEST_CASE("without a look ahead no later month changes an earlier output") {
    const Matrix<double> X = golden("X");
    const auto layer = [](const Matrix<double>& x) {
        return multihead::loops::row::self_attention(weights(), x, no_look_ahead);
    };
    const Matrix<double> before = layer(X);
    for (const std::size_t month : {1U, 16U, 31U}) {
        Matrix<double> changed = X;
        for (std::size_t j = 0; j < X.size2(); ++j) changed(month, j) += 1;
        const Matrix<double> after = layer(changed);
        double earlier = 0;
        double own = 0;
        for (std::size_t j = 0; j < X.size2(); ++j) {
            for (std::size_t i = 0; i < month; ++i) earlier = std::max(earlier, std::abs(after(i, j) - before(i, j)));
            own = std::max(own, std::abs(after(month, j) - before(month, j)));
        }
        CHECK(earlier == 0);
        CHECK(own > 0.1);
    }
}

TEST_CASE("a later month changes earlier outputs where there is no mask") {
    const Matrix<double> X = golden("X");
    Matrix<double> changed = X;
    for (std::size_t j = 0; j < X.size2(); ++j) changed(31, j) += 1;
    const auto earliest = [&](const auto& layer) {
        const Matrix<double> before = layer(weights(), X);
        const Matrix<double> after = layer(weights(), changed);
        double most = 0;
        for (std::size_t j = 0; j < X.size2(); ++j) most = std::max(most, std::abs(after(0, j) - before(0, j)));
        return most;
    };
    CHECK(earliest([](const auto& w, const auto& x) { return RowLoops::layer(w, x); }) > 0.1);
    CHECK(earliest([](const auto& w, const auto& x) { return RowAlgebra::layer(w, x); }) > 0.1);

    // More than a third of all weight goes to later months.
    CHECK(weight_on_later(golden("weights.1")) > 0.35);
    CHECK(weight_on_later(golden("weights.2")) > 0.35);

    // In the first head the first month takes more from May 2010 than from everything else.
    const Matrix<double> A = golden("weights.1");
    CHECK(A(0, 28) > 0.8);
    CHECK(employment().row_names.at(28) == "2010-05-01");
}

TEST_CASE("shuffled months give shuffled outputs") {
    const Matrix<double> X = golden("X");
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const auto order = Draw<double>(seed).permutation(X.size1());
        const Matrix<double> expected = permuted_rows(golden("output"), order);
        check_close("loops", RowLoops::layer(weights(), permuted_rows(X, order)), expected, 1e-12);
        check_close("algebra", RowAlgebra::layer(weights(), permuted_rows(X, order)), expected, 1e-12);
        CHECK(largest_difference(expected, golden("output")) > 1);
    }
}

TEST_CASE("windows are the samples of a batch and each is computed alone") {
    const Matrix<double> X = golden("X");
    const std::vector<Matrix<double>> batch = windows(X, 10);
    REQUIRE(batch.size() == 3);
    for (std::size_t b = 0; b < 3; ++b)
        for (std::size_t i = 0; i < 10; ++i)
            for (std::size_t j = 0; j < 16; ++j) CHECK(batch[b](i, j) == X(10 * b + i, j));
    const auto by_loops = RowLoops::layer(weights(), batch);
    const auto by_algebra = RowAlgebra::layer(weights(), batch);
    REQUIRE(by_loops.size() == 3);
    REQUIRE(by_algebra.size() == 3);
    for (std::size_t b = 0; b < 3; ++b) {
        std::vector<Matrix<double>> heads;
        for (const auto& head : weights()) heads.push_back(head_steps<RowLoops>(head, batch[b]).O);
        const Matrix<double> alone = last_steps<RowLoops>(heads, weights(), batch[b]).output;
        check_close("loops", by_loops[b], alone, 1e-12);
        check_close("algebra", by_algebra[b], alone, 1e-12);
    }
    CHECK(windows(X, 32).size() == 1);
    CHECK(windows(X, 33).empty());
}

TEST_CASE("standardised columns have mean 0 and deviation 1") {
    const Matrix<double> Z = standardised(employment());
    for (std::size_t j = 0; j < Z.size2(); ++j) {
        double mean = 0;
        double squares = 0;
        for (std::size_t i = 0; i < Z.size1(); ++i) {
            mean += Z(i, j) / double(Z.size1());
            squares += Z(i, j) * Z(i, j) / double(Z.size1());
        }
        CAPTURE(j);
        CHECK(std::abs(mean) < 1e-12);
        CHECK(std::abs(squares - 1) < 1e-12);
    }
    // By hand: 1, 2, 3 have mean 2 and deviation √(2/3); dividing by N − 1 would give 1.
    const Matrix<double> by_hand = standardised({{}, {}, matrix({{1}, {2}, {3}})});
    CHECK(std::abs(by_hand(2, 0) - std::sqrt(1.5)) < 1e-15);
}

TEST_CASE("a column that cannot be standardised is named") {
    const auto message = [](const Table& table) {
        try {
            standardised(table);
        } catch (const std::runtime_error& error) {
            return std::string(error.what());
        }
        return std::string("nothing was thrown");
    };
    const Matrix<double> constant = matrix({{1, 0.1}, {2, 0.1}, {3, 0.1}});
    CHECK(message({{}, {}, constant}) == "column 2 cannot be standardised: it is constant");
    CHECK(message({{"jobs", "rate"}, {"a", "b", "c"}, constant}) ==
          "column 3 (rate) cannot be standardised: it is constant");
    CHECK(message({{}, {}, matrix({{1e300}, {-1e300}})}) ==
          "column 1 cannot be standardised: its numbers are too large or too alike");
    CHECK(message({{}, {}, matrix({{1e-300}, {0}})}) ==
          "column 1 cannot be standardised: its numbers are too large or too alike");
    CHECK(message({{}, {}, matrix({{1, 2}})}) == "column 1 cannot be standardised: it is constant");
}
