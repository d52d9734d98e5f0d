#include "judge.hpp"
#include "laws.hpp"
#include "prove.hpp"

#include <multihead/laws/entries.hpp>
#include <multihead/laws/named_gradients.hpp>
#include <multihead/scalars/dual.hpp>

#include <doctest/doctest.h>
#include <boost/math/differentiation/autodiff.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

using judge::prove;

TEST_CASE("10.0 softmax-jacobian") { prove("10.0"); }
TEST_CASE("10.1 jacobian-sums-to-zero") { prove("10.1"); }
TEST_CASE("10.2 output-by-score") { prove("10.2"); }
TEST_CASE("10.3 output-by-query") { prove("10.3"); }
TEST_CASE("10.4 product-gradients") { prove("10.4"); }
TEST_CASE("10.5 score-gradients") { prove("10.5"); }
TEST_CASE("10.6 attention-gradients") { prove("10.6"); }
TEST_CASE("10.7 multi-head-gradients") { prove("10.7"); }
TEST_CASE("10.8 residual-gradients") { prove("10.8"); }
TEST_CASE("10.9 folded-gradients") { prove("10.9"); }
TEST_CASE("10.10 key-shift-gradient") { prove("10.10"); }
TEST_CASE("10.11 change-of-basis-gradient") { prove("10.11"); }
TEST_CASE("10.12 head-gauge-gradients") { prove("10.12"); }
TEST_CASE("10.13 basis-of-inputs-gradients") { prove("10.13"); }
TEST_CASE("10.14 linear-in-values-gradients") { prove("10.14"); }
TEST_CASE("10.15 permuted-gradients") { prove("10.15"); }
TEST_CASE("10.16 doubled-keys-gradients") { prove("10.16"); }
TEST_CASE("10.17 no-gradient") { prove("10.17"); }
TEST_CASE("10.18 row-gradients") { prove("10.18"); }

// The derivatives of the laws come from our own dual numbers. Here stand those of Boost.Math, also over 50 digits.

namespace {

using multihead::Dual;
using multihead::Interval;
using multihead::Matrix;
using Digits50 = boost::multiprecision::cpp_bin_float_50;
template <class Real>
using Autodiff = boost::math::differentiation::autodiff_fvar<Real, 1>;

template <class X>
X exponential_of(const X& x) {
    using multihead::exponential;
    if constexpr (requires { exponential(x); })
        return exponential(x);
    else
        return exp(x);
}

// Multi-head attention with scaled scores and a gradient of its output.
template <class X>
struct Inputs {
    multihead::MultiHeadWeights<X> weights;
    Matrix<X> Q, K, V, dO;

    // All that the output depends on, entry by entry, in the order of `named`.
    std::vector<X*> inputs() {
        std::vector<Matrix<X>*> matrices = {&Q, &K, &V};
        for (auto& h : weights) matrices.insert(matrices.end(), {&h.W_Q, &h.W_K, &h.W_V, &h.W_O});
        std::vector<X*> entries;
        for (Matrix<X>* M : matrices)
            for (X& entry : M->data()) entries.push_back(&entry);
        return entries;
    }

    // Σ dO∘MultiHead(Q, K, V), written once more.
    X loss() const {
        using multihead::product;
        using multihead::transposed;
        using std::sqrt;
        X L(0);
        for (const auto& h : weights) {
            const Matrix<X> S = product(transposed(product(h.W_K, K)), product(h.W_Q, Q));
            const Matrix<X> dA = product(transposed(product(h.W_O, product(h.W_V, V))), dO);
            const X root = sqrt(X(h.W_Q.size1()));
            for (std::size_t j = 0; j < S.size2(); ++j) {
                X above(0);
                X below(0);
                for (std::size_t i = 0; i < S.size1(); ++i) {
                    const X e = exponential_of(X(S(i, j) / root));
                    above += e * dA(i, j);
                    below += e;
                }
                L += above / below;
            }
        }
        return L;
    }
};

// The same numbers, none of them changed: every double is an X.
template <class X>
Inputs<X> converted(const Inputs<double>& x) {
    const auto matrix = [](const Matrix<double>& M) {
        return multihead::matrix_of(M.size1(), M.size2(), [&](std::size_t i, std::size_t j) { return X(M(i, j)); });
    };
    Inputs<X> y{{}, matrix(x.Q), matrix(x.K), matrix(x.V), matrix(x.dO)};
    for (const auto& h : x.weights) y.weights.push_back({matrix(h.W_Q), matrix(h.W_K), matrix(h.W_V), matrix(h.W_O)});
    return y;
}

// ∂L/∂x for every input x.
template <class Real>
std::vector<Real> by_autodiff(const Inputs<double>& x) {
    auto y = converted<Autodiff<Real>>(x);
    std::vector<Real> derivatives;
    for (Autodiff<Real>* entry : y.inputs()) {
        const Autodiff<Real> constant = *entry;
        *entry = boost::math::differentiation::make_fvar<Real, 1>(static_cast<Real>(constant));
        derivatives.push_back(y.loss().derivative(1));
        *entry = constant;
    }
    return derivatives;
}

template <class T>
std::vector<T> by_dual_numbers(const Inputs<double>& x) {
    auto y = converted<Dual<T>>(x);
    std::vector<T> derivatives;
    for (Dual<T>* entry : y.inputs()) {
        entry->slope = T(1);
        derivatives.push_back(y.loss().slope);
        entry->slope = T(0);
    }
    return derivatives;
}

template <class T>
std::vector<T> by_gradients(const multihead::Hand<T>& hand, const Inputs<double>& x) {
    const auto y = converted<T>(x);
    using M = Matrix<T>;
    const auto d = hand.multi_head_backward(
        y.weights, y.Q, y.K, y.V, [&](const M& q, const M& k) { return hand.scaled_dot_product(q, k); },
        [&](const M& q, const M& k, const M& dS) { return hand.scaled_dot_product_backward(q, k, dS); }, y.dO);
    std::vector<T> entries;
    for (const auto& gradient : named(d))
        entries.insert(entries.end(), gradient.gradient.data().begin(), gradient.gradient.data().end());
    return entries;
}

// Every number lies in its interval.
template <class Real>
void check_enclosed(const std::vector<Real>& numbers, const std::vector<Interval<double>>& enclosures) {
    REQUIRE(numbers.size() == enclosures.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        INFO("input ", i, " of ", numbers.size());
        CHECK(Real(enclosures[i].lower()) <= numbers[i]);
        CHECK(numbers[i] <= Real(enclosures[i].upper()));
    }
}

}  // namespace

TEST_CASE("gradients enclose the derivatives of an independent automatic differentiation with 50 digits") {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        multihead::Draw<double> draw(seed);
        const multihead::Shape s{.n = 2, .m = 3, .d_model = 4, .d_k = 3, .d_v = 2, .H = 2};
        Inputs<double> x;
        x.weights = draw.weights(s);
        x.Q = draw.matrix(s.d_model, s.n);
        x.K = draw.matrix(s.d_model, s.m);
        x.V = draw.matrix(s.d_model, s.m);
        x.dO = draw.matrix(s.d_model, s.n);

        const std::vector<Digits50> truth = by_autodiff<Digits50>(x);
        const auto enclosures = by_dual_numbers<Interval<double>>(x);
        check_enclosed(truth, enclosures);
        check_enclosed(by_dual_numbers<double>(x), enclosures);
        check_enclosed(by_autodiff<double>(x), enclosures);
        for (const judge::AnyHand* hand : judge::all_hands()) {
            INFO("hand ", hand->name);
            const auto gradients = by_gradients(hand->in<Interval<double>>(), x);
            check_enclosed(truth, gradients);
            check_enclosed(by_gradients(hand->in<double>(), x), gradients);
        }
    }
}
