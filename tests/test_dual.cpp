// Dual numbers, and hands that are run over them.

#include <multihead/algebra/hand.hpp>
#include <multihead/laws/derivatives.hpp>
#include <multihead/loops/hand.hpp>
#include <multihead/scalars/dual.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using multihead::Dual;
using multihead::Free;
using multihead::Matrix;

TEST_CASE("dual numbers follow the rules of differentiation") {
    multihead::Draw<Free> draw(1);
    const Dual<Free> x{draw.number(), draw.number()};
    const Dual<Free> y{draw.number(), draw.number()};
    CHECK((x * y).slope == x.slope * y.value + x.value * y.slope);
    CHECK(x / y * y == x);
    CHECK(x - y + y == x);
    CHECK(-x + x == Dual<Free>(0));
    CHECK(exponential(x).value == exponential(x.value));
    CHECK(exponential(x).slope == exponential(x.value) * x.slope);  // E' = E
    const Dual<Free> nine(Free(9), draw.number());
    CHECK(sqrt(nine) * sqrt(nine) == nine);
    const Dual<double> one(1, 1);
    CHECK(tanh(one).value == std::tanh(1.0));
    CHECK(tanh(one).slope == 1 - std::tanh(1.0) * std::tanh(1.0));
    CHECK(pivot(one, Dual<double>(2, 5)) == Dual<double>(2));
}

namespace {

// d/dε Σ dO∘F(all inputs + ε D), by running the hand's own F over dual numbers, and Σ of its gradients along D.
template <template <class> class H>
void check_hand() {
    using namespace multihead::laws;
    using D = Dual<Free>;
    const H<D> dual_object;
    const H<Free> object;
    const multihead::Hand<D>& over_duals = dual_object;
    const multihead::Hand<Free>& hand = object;
    multihead::Draw<Free> draw(1);
    const multihead::Shape s{.n = 2, .m = 3, .d_model = 5, .d_k = 4, .d_v = 2, .H = 2};
    const auto moved_head = [](const auto& h, const auto& along) {
        multihead::Head<D> y{moved(h.W_Q, along.W_Q), moved(h.W_K, along.W_K), moved(h.W_V, along.W_V), {}};
        if constexpr (requires { h.W_O; }) y.W_O = moved(h.W_O, along.W_O);
        return y;
    };

    const Matrix<Free> Q = draw.matrix(s.d_model, s.n), DQ = draw.matrix(s.d_model, s.n);
    const Matrix<Free> K = draw.matrix(s.d_model, s.m), DK = draw.matrix(s.d_model, s.m);
    const Matrix<Free> V = draw.matrix(s.d_model, s.m), DV = draw.matrix(s.d_model, s.m);
    const auto weights = draw.weights(s);
    const auto Dweights = draw.weights(s);
    const Matrix<Free> dO = draw.matrix(s.d_model, s.n);
    multihead::MultiHeadWeights<D> moved_weights;
    for (std::size_t h = 0; h < s.H; ++h) moved_weights.push_back(moved_head(weights[h], Dweights[h]));
    const auto d = hand.multi_head_backward(weights, Q, K, V, hand.dot(), hand.dot_backward(), dO);
    Free along = paired(d.dQ, DQ) + paired(d.dK, DK) + paired(d.dV, DV);
    for (std::size_t h = 0; h < s.H; ++h)
        along += paired(d.dweights[h].W_Q, Dweights[h].W_Q) + paired(d.dweights[h].W_K, Dweights[h].W_K) +
                 paired(d.dweights[h].W_V, Dweights[h].W_V) + paired(d.dweights[h].W_O, Dweights[h].W_O);
    CHECK(slope_of(dO, over_duals.multi_head(moved_weights, moved(Q, DQ), moved(K, DK), moved(V, DV),
                                             over_duals.dot())) == along);

    const auto heads = draw.residual_heads(s);
    const auto Dheads = draw.residual_heads(s);
    std::vector<multihead::ResidualHead<D>> moved_heads;
    for (std::size_t h = 0; h < s.H; ++h) {
        const auto y = moved_head(heads[h], Dheads[h]);
        moved_heads.push_back({y.W_Q, y.W_K, y.W_V});
    }
    const auto r = hand.residual_attention_backward(heads, Q, dO);
    along = paired(r.dX, DQ);
    for (std::size_t h = 0; h < s.H; ++h)
        along += paired(r.dheads[h].W_Q, Dheads[h].W_Q) + paired(r.dheads[h].W_K, Dheads[h].W_K) +
                 paired(r.dheads[h].W_V, Dheads[h].W_V);
    CHECK(slope_of(dO, over_duals.residual_attention(moved_heads, moved(Q, DQ))) == along);
}

}  // namespace

TEST_CASE("a hand run over dual numbers has the derivatives that its backward functions return") {
    check_hand<multihead::Loops>();
    check_hand<multihead::Algebra>();
}
