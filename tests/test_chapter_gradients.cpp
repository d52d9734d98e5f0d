// Chapter 10: the gradients that its program descends along, and what its page says of the months.

#include "../chapters/07-time-series/layer.hpp"
#include "../chapters/10-gradients/exercises.hpp"
#include "../chapters/10-gradients/prediction.hpp"
#include "../chapters/shared/data.hpp"
#include "../chapters/shared/print.hpp"
#include "close.hpp"
#include "expected.hpp"

#include <multihead/laws/derivatives.hpp>
#include <multihead/laws/gradients_of_heads.hpp>
#include <multihead/scalars/interval.hpp>
#include <multihead/scalars/modular.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

using namespace chapters;
using judge::exact_difference;
using multihead::Draw;
using multihead::Dual;
using multihead::Free;
using multihead::Head;
using multihead::Interval;
namespace laws = multihead::laws;

namespace {

Table employment() { return read_csv(data("07-time-series/us_employment_32x16.csv")); }

// The blocks of a head, and their names.
template <class T>
constexpr std::array<Matrix<T> Head<T>::*, 4> blocks{&Head<T>::W_Q, &Head<T>::W_K, &Head<T>::W_V, &Head<T>::W_O};
constexpr std::array<const char*, 4> names{"W_Q", "W_K", "W_V", "W_O"};

template <class T>
std::vector<Example<Dual<T>>> constants(const std::vector<Example<T>>& all) {
    std::vector<Example<Dual<T>>> result;
    for (const Example<T>& e : all)
        result.push_back({laws::constant(e.last), laws::constant(e.earlier), laws::constant(e.next)});
    return result;
}

// d/dε of the loss with ε D added to block b of head h, by dual numbers.
template <class T>
T slope(const MultiHeadWeights<T>& weights, const std::vector<Example<Dual<T>>>& all, std::size_t h, std::size_t b,
        const Matrix<T>& D) {
    MultiHeadWeights<Dual<T>> moved = laws::constant(weights);
    moved[h].*blocks<Dual<T>>[b] = laws::moved(weights[h].*blocks<T>[b], D);
    return loss<ByLoops>(moved, all).slope;
}

template <class Hand>
void every_weight() {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        Draw<Free> draw(seed);
        const auto weights = draw.weights({.n = 1, .m = 1, .d_model = 5, .d_k = 2, .d_v = 3, .H = 2});
        const auto all = examples(draw.matrix(5, 7), 2, 7);
        const auto duals = constants(all);
        const auto d = loss_backward<Hand>(weights, all);
        REQUIRE(d.size() == 2);
        for (std::size_t h = 0; h < d.size(); ++h)
            for (std::size_t b = 0; b < 4; ++b) {
                const Matrix<Free>& dW = d[h].*blocks<Free>[b];
                for (std::size_t i = 0; i < dW.size1(); ++i)
                    for (std::size_t j = 0; j < dW.size2(); ++j) {
                        Matrix<Free> D(dW.size1(), dW.size2(), Free(0));
                        D(i, j) = Free(1);
                        CAPTURE(seed);
                        CAPTURE(h);
                        CAPTURE(names[b]);
                        CAPTURE(i);
                        CAPTURE(j);
                        CHECK((dW(i, j) == slope(weights, duals, h, b, D)));
                    }
            }
    }
}

using I = Interval<double>;

Matrix<I> enclosing(const Matrix<double>& X) {
    return multihead::matrix_of(X.size1(), X.size2(), [&](std::size_t i, std::size_t j) { return I(X(i, j)); });
}

MultiHeadWeights<I> enclosing(const MultiHeadWeights<double>& weights) {
    MultiHeadWeights<I> result;
    for (const Head<double>& h : weights)
        result.push_back({enclosing(h.W_Q), enclosing(h.W_K), enclosing(h.W_V), enclosing(h.W_O)});
    return result;
}

std::vector<Example<I>> enclosing(const std::vector<Example<double>>& all) {
    std::vector<Example<I>> result;
    for (const Example<double>& e : all) result.push_back({enclosing(e.last), enclosing(e.earlier), enclosing(e.next)});
    return result;
}

bool meet(const I& x, const I& y) { return x.lower() <= y.upper() && y.lower() <= x.upper(); }

template <class Hand>
void on_the_months() {
    const Months months(employment());
    const auto all = enclosing(months.training);
    const auto duals = constants(all);
    const std::vector<Example<I>> one_missing(all.begin(), all.end() - 1);
    Draw<double> draw(1);
    for (const std::uint64_t seed : {1U, 2U}) {
        const MultiHeadWeights<double> weights = small_start(seed, 16);
        const MultiHeadWeights<I> enclosed = enclosing(weights);
        const auto run = loss_backward<Hand>(weights, months.training);
        const auto d = loss_backward<Hand>(enclosed, all);
        const auto wrong = loss_backward<Hand>(enclosed, one_missing);
        for (std::size_t h = 0; h < d.size(); ++h)
            for (std::size_t b = 0; b < 4; ++b) {
                const Matrix<I>& dW = d[h].*blocks<I>[b];
                const Matrix<double>& computed = run[h].*blocks<double>[b];
                CAPTURE(seed);
                CAPTURE(h);
                CAPTURE(names[b]);
                for (std::size_t i = 0; i < dW.size1(); ++i)
                    for (std::size_t j = 0; j < dW.size2(); ++j)
                        CHECK((dW(i, j).lower() <= computed(i, j) && computed(i, j) <= dW(i, j).upper()));
                const Matrix<I> D = enclosing(draw.matrix(dW.size1(), dW.size2()));
                const I along = slope(enclosed, duals, h, b, D);
                CHECK(meet(laws::paired(dW, D), along));
                CHECK_FALSE(meet(laws::paired(wrong[h].*blocks<I>[b], D), along));
            }
    }
}

template <class Hand>
void downhill() {
    const Months months(employment());
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
        for (double rate = learning_rate; rate > 1e-3; rate /= 4) {
            CAPTURE(seed);
            CAPTURE(rate);
            MultiHeadWeights<double> weights = small_start(seed, 16);
            const double before = loss<Hand>(weights, months.training);
            step<Hand>(weights, months.training, rate);
            CHECK(loss<Hand>(weights, months.training) < before);
        }
}

template <class Hand>
void no_leak() {
    const Table table = employment();
    const Matrix<double> X = standardised_by(training_months, table);
    const MultiHeadWeights<double> weights = small_start(1, 16);
    for (std::size_t t = 2; t < X.size2(); ++t) {
        CAPTURE(t);
        const Matrix<double> before = predicted<Hand>(weights, examples(X, t, t + 1)[0]);
        Matrix<double> changed = X;
        for (std::size_t i = 0; i < X.size1(); ++i)
            for (std::size_t j = t; j < X.size2(); ++j) changed(i, j) += 1;
        CHECK(largest_difference(predicted<Hand>(weights, examples(changed, t, t + 1)[0]), before) == 0);
        // The months before it do count.
        for (std::size_t i = 0; i < X.size1(); ++i) changed(i, t - 2) += 1;
        CHECK(largest_difference(predicted<Hand>(weights, examples(changed, t, t + 1)[0]), before) > 0);
    }

    // Nor does a held-out month change what is learned: standardising is done by the training months alone.
    Table later = table;
    for (std::size_t i = training_months; i < later.values.size1(); ++i)
        for (std::size_t j = 0; j < later.values.size2(); ++j) later.values(i, j) += 1000;
    MultiHeadWeights<double> from_table = weights;
    MultiHeadWeights<double> from_later = weights;
    step<Hand>(from_table, Months(table).training, learning_rate);
    step<Hand>(from_later, Months(later).training, learning_rate);
    for_each_block(from_table, from_later,
                   [](const Matrix<double>& a, const Matrix<double>& b) { CHECK(largest_difference(a, b) == 0); });
    const Matrix<double> first = predicted<Hand>(weights, Months(table).held_out[0]);
    CHECK(largest_difference(predicted<Hand>(weights, Months(later).held_out[0]), first) == 0);
}

MultiHeadWeights<double> learned(std::uint64_t seed, const Months& months) {
    MultiHeadWeights<double> weights = small_start(seed, 16);
    for (std::size_t s = 0; s < steps; ++s) step<ByLoops>(weights, months.training, learning_rate);
    return weights;
}

}  // namespace

TEST_CASE("the gradient of the loss is its derivative by loops") { every_weight<ByLoops>(); }
TEST_CASE("the gradient of the loss is its derivative by algebra") { every_weight<ByAlgebra>(); }
TEST_CASE("the gradient of the loss on the months is enclosed by loops") { on_the_months<ByLoops>(); }
TEST_CASE("the gradient of the loss on the months is enclosed by algebra") { on_the_months<ByAlgebra>(); }
TEST_CASE("a small step downhill lowers the training loss by loops") { downhill<ByLoops>(); }
TEST_CASE("a small step downhill lowers the training loss by algebra") { downhill<ByAlgebra>(); }
TEST_CASE("no prediction uses a later month by loops") { no_leak<ByLoops>(); }
TEST_CASE("no prediction uses a later month by algebra") { no_leak<ByAlgebra>(); }

TEST_CASE("months are standardised by the training months alone") {
    const Table table = employment();
    const Matrix<double> X = multihead::transposed(standardised_by(training_months, table));
    Table training = table;
    training.values.resize(training_months, table.values.size2());
    const Matrix<double> first = boost::numeric::ublas::subrange(X, 0, training_months, 0, X.size2());
    check_close("training months", first, standardised(training), 1e-12);
}

TEST_CASE("the layer fits the training months and hardly beats no change on the others") {
    const Months months(employment());
    std::size_t better = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        CAPTURE(seed);
        const MultiHeadWeights<double> weights = learned(seed, months);
        const MultiHeadWeights<double> none = no_change(weights);
        CHECK(loss<ByLoops>(weights, months.training) < 0.7 * loss<ByLoops>(none, months.training));
        const double held_out = loss<ByLoops>(weights, months.held_out) / loss<ByLoops>(none, months.held_out);
        CHECK(held_out > 0.985);
        CHECK(held_out < 1.015);
        if (held_out < 1) ++better;
    }
    CHECK(better > 5);
}

TEST_CASE("the loss by attribute adds up and most of it is government") {
    const Months months(employment());
    const MultiHeadWeights<double> none = no_change(small_start(1, 16));
    const Matrix<double> by_attribute = loss_by_attribute<ByLoops>(none, months.held_out);
    double sum = 0;
    for (const double x : by_attribute.data()) sum += x;
    CHECK(std::abs(sum / 16 - loss<ByLoops>(none, months.held_out)) < 1e-12);
    CHECK(by_attribute(14, 0) > 0.85 * sum);
    CHECK(by_attribute(14, 0) + by_attribute(15, 0) > 0.97 * sum);
    CHECK(employment().column_names.at(14) == "government");
}

TEST_CASE("a Gaussian kernel with a backward function of its own") {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        Draw<Free> draw(seed);
        const Matrix<Free> Q = draw.matrix(2, 3);
        const Matrix<Free> K = draw.matrix(2, 5);
        const Matrix<Free> V = draw.matrix(4, 5);
        const Matrix<Free> dO = draw.matrix(4, 3);
        const Free h = draw.number();
        const GaussianKernelBackward<Free> backward{h};
        using M = Matrix<Dual<Free>>;
        const auto forward = [&](const M& q, const M& k) {
            return multihead::loops::attention(q, k, laws::constant(V),
                                               multihead::loops::gaussian_kernel{Dual<Free>(h)});
        };
        const Matrix<Free> dQ = laws::derivatives(Q, dO, [&](const M& q) { return forward(q, laws::constant(K)); });
        const Matrix<Free> dK = laws::derivatives(K, dO, [&](const M& k) { return forward(laws::constant(Q), k); });
        const auto loops =
            multihead::loops::attention_backward(Q, K, V, multihead::loops::gaussian_kernel{h}, backward, dO);
        const auto algebra =
            multihead::algebra::attention_backward(Q, K, V, multihead::algebra::gaussian_kernel{h}, backward, dO);
        CHECK(exact_difference(loops.dQ, dQ) == "");
        CHECK(exact_difference(loops.dK, dK) == "");
        CHECK(exact_difference(algebra.dQ, dQ) == "");
        CHECK(exact_difference(algebra.dK, dK) == "");
    }
}

TEST_CASE("a step changes what gradient flow keeps by the square of its rate alone") {
    // Exactly rate² (dW_Q dW_Qᵀ − dW_K dW_Kᵀ), as a law of the free world.
    Draw<Free> draw(1);
    auto weights = draw.weights({.n = 1, .m = 1, .d_model = 5, .d_k = 2, .d_v = 3, .H = 2});
    const auto all = examples(draw.matrix(5, 7), 2, 7);
    const auto before = weights;
    const auto d = loss_backward<ByLoops>(weights, all);
    const Free rate = draw.number();
    step<ByLoops>(weights, all, rate);
    for (std::size_t h = 0; h < 2; ++h) {
        const Matrix<Free> change = kept(weights[h]) - kept(before[h]);
        CHECK(exact_difference(change, multihead::scaled(rate * rate, kept(d[h]))) == "");
    }
    // On the months: the weights change much, and what is kept changes by less than a tenth of that.
    const Months months(employment());
    const MultiHeadWeights<double> start = small_start(1, 16);
    const MultiHeadWeights<double> end = learned(1, months);
    const auto squares = [](const Head<double>& head) {
        return multihead::loops::project(head.W_Q, multihead::transposed(head.W_Q));
    };
    CHECK(largest_difference(squares(end[0]), squares(start[0])) > 0.1);
    CHECK(largest_difference(kept(end[0]), kept(start[0])) < 0.01);
}

TEST_CASE("a layer that begins with zero blocks") {
    const Months months(employment());
    const auto largest = [](const Matrix<double>& X) { return largest_difference(X, 0 * X); };
    MultiHeadWeights<double> weights = no_change(small_start(1, 16));
    MultiHeadWeights<double> d = loss_backward<ByLoops>(weights, months.training);
    for (const Head<double>& h : d) {
        CHECK(largest(h.W_Q) == 0);
        CHECK(largest(h.W_K) == 0);
        CHECK(largest(h.W_V) == 0);
        CHECK(largest(h.W_O) > 0);
    }
    step<ByLoops>(weights, months.training, learning_rate);
    for (const Head<double>& h : loss_backward<ByLoops>(weights, months.training)) CHECK(largest(h.W_Q) > 0);

    // With W^V = 0 as well there is no way out.
    weights = no_change(small_start(1, 16));
    for (Head<double>& h : weights) h.W_V *= 0;
    d = loss_backward<ByLoops>(weights, months.training);
    for (const Head<double>& h : d)
        for (const auto block : blocks<double>) CHECK(largest(h.*block) == 0);
}
