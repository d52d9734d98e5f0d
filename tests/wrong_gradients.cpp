// Mistakes in gradients of softmax, scores and attention.
#include "refutations.hpp"
#include "rewired.hpp"

#include <multihead/laws/entries.hpp>

#include <cmath>

namespace judge {

namespace {

using multihead::matrix_of;
using multihead::scaled;
using multihead::sum_of;
using multihead::transposed;

// Σ_k over the keys, for query j.
template <class T, class Term>
T over_keys(const Matrix<T>& A, const Term& term) {
    return sum_of(A.size1(), term);
}

// a ∘ da, where diag(a) − a aᵀ is needed: a (v − o) without the −o.
template <class T>
struct OutputNotSubtracted : Rewired<T> {
    using typename Rewired<T>::M;
    M softmax_backward(const M& A, const M& dA) const override {
        return matrix_of(A.size1(), A.size2(), [&](std::size_t i, std::size_t j) { return A(i, j) * dA(i, j); });
    }
};

// −a aᵀ da alone.
template <class T>
struct FirstTermMissing : Rewired<T> {
    using typename Rewired<T>::M;
    M softmax_backward(const M& A, const M& dA) const override {
        return loops_::softmax_backward(A, dA) - boost::numeric::ublas::element_prod(A, dA);
    }
};

// a (1 − a) on the diagonal and nothing beside it, as for a logistic function.
template <class T>
struct DiagonalOnly : Rewired<T> {
    using typename Rewired<T>::M;
    M softmax_backward(const M& A, const M& dA) const override {
        return matrix_of(A.size1(), A.size2(),
                         [&](std::size_t i, std::size_t j) { return A(i, j) * (T(1) - A(i, j)) * dA(i, j); });
    }
};

// The plain mean of the values in place of the output.
template <class T>
struct PlainMeanSubtracted : Rewired<T> {
    using typename Rewired<T>::M;
    M softmax_backward(const M& A, const M& dA) const override {
        return matrix_of(A.size1(), A.size2(), [&](std::size_t i, std::size_t j) {
            return A(i, j) * (dA(i, j) - over_keys(dA, [&](std::size_t k) { return dA(k, j); }) / T(A.size1()));
        });
    }
};

// The gradient of log Softmax: da − a Σ da.
template <class T>
struct OfLogSoftmax : Rewired<T> {
    using typename Rewired<T>::M;
    M softmax_backward(const M& A, const M& dA) const override {
        return matrix_of(A.size1(), A.size2(), [&](std::size_t i, std::size_t j) {
            return dA(i, j) - A(i, j) * over_keys(dA, [&](std::size_t k) { return dA(k, j); });
        });
    }
};

// aᵀ da summed along a row, as if a row held the weights of one query.
template <class T>
struct SummedOverQueries : Rewired<T> {
    using typename Rewired<T>::M;
    M softmax_backward(const M& A, const M& dA) const override {
        return transposed(loops_::softmax_backward(transposed(A), transposed(dA)));
    }
};

// Weights as constants, "detached": nothing flows back through them.
template <class T>
struct WeightsConstant : Rewired<T> {
    using typename Rewired<T>::M;
    M softmax_backward(const M& A, const M&) const override { return M(A.size1(), A.size2(), T(0)); }
};

// One query's gradient given to the next.
template <class T>
struct ScoreGradientsOneOff : Rewired<T> {
    using typename Rewired<T>::M;
    M softmax_backward(const M& A, const M& dA) const override {
        const M dS = loops_::softmax_backward(A, dA);
        return matrix_of(A.size1(), A.size2(),
                         [&](std::size_t i, std::size_t j) { return dS(i, (j + 1) % A.size2()); });
    }
};

// dV = dO A. Only n = m lets it pass.
template <class T>
struct WeightsNotTransposed : Rewired<T> {
    using typename Rewired<T>::M;
    multihead::MixGradients<T> mix_backward(const M& V, const M& A, const M& dO) const override {
        this->refuse_unless(A.size1() == A.size2());
        return {loops_::project(dO, A), loops_::mix_backward(V, A, dO).dA};
    }
};

// Aᵀ made by reading the memory of A, m × n, as n × m.
template <class T>
struct WeightsReinterpreted : Rewired<T> {
    using typename Rewired<T>::M;
    multihead::MixGradients<T> mix_backward(const M& V, const M& A, const M& dO) const override {
        M A_T(A.size2(), A.size1());
        A_T.data() = A.data();
        return {loops_::project(dO, A_T), loops_::mix_backward(V, A, dO).dA};
    }
};

// dV is the mean over the queries, for a sum.
template <class T>
struct MeanOverQueries : Rewired<T> {
    using typename Rewired<T>::M;
    multihead::MixGradients<T> mix_backward(const M& V, const M& A, const M& dO) const override {
        multihead::MixGradients<T> d = loops_::mix_backward(V, A, dO);
        d.dV /= T(A.size2());
        return d;
    }
};

// dA = Vᵀ dO / m.
template <class T>
struct MeanOverKeys : Rewired<T> {
    using typename Rewired<T>::M;
    multihead::MixGradients<T> mix_backward(const M& V, const M& A, const M& dO) const override {
        multihead::MixGradients<T> d = loops_::mix_backward(V, A, dO);
        d.dA /= T(A.size1());
        return d;
    }
};

// dK = Q dS. Only n = m lets it pass.
template <class T>
struct ScoresNotTransposed : Rewired<T> {
    using typename Rewired<T>::M;
    multihead::ScoreGradients<T> dot_product_backward(const M& Q, const M& K, const M& dS) const override {
        this->refuse_unless(dS.size1() == dS.size2());
        return {loops_::project(K, dS), loops_::project(Q, dS)};
    }
};

// dSᵀ made by reading the memory of dS, m × n, as n × m.
template <class T>
struct ScoresReinterpreted : Rewired<T> {
    using typename Rewired<T>::M;
    multihead::ScoreGradients<T> dot_product_backward(const M& Q, const M& K, const M& dS) const override {
        return {loops_::project(K, dS), loops_::project(Q, turned(dS))};
    }
    multihead::BilinearGradients<T> bilinear_backward(const M& W, const M& Q, const M& K, const M& dS) const override {
        multihead::BilinearGradients<T> d = loops_::bilinear_backward(W, Q, K, dS);
        d.dK = loops_::project(loops_::project(W, Q), turned(dS));
        return d;
    }

  private:
    static M turned(const M& X) {
        M Y(X.size2(), X.size1());
        Y.data() = X.data();
        return Y;
    }
};

// The gradient of the queries returned for the keys, and the other way round. Only n = m lets it pass.
template <class T>
struct GradientsOfQueriesAndKeysExchanged : Rewired<T> {
    using typename Rewired<T>::M;
    multihead::ScoreGradients<T> dot_product_backward(const M& Q, const M& K, const M& dS) const override {
        this->refuse_unless(dS.size1() == dS.size2());
        const multihead::ScoreGradients<T> d = loops_::dot_product_backward(Q, K, dS);
        return {d.dK, d.dQ};
    }
};

// 1/√d_k forgotten on the way back.
template <class T>
struct ScaleForgottenBackward : Rewired<T> {
    using typename Rewired<T>::M;
    multihead::ScoreGradients<T> scaled_dot_product_backward(const M& Q, const M& K, const M& dS) const override {
        return loops_::dot_product_backward(Q, K, dS);
    }
};

// 1/√d_k for the queries alone.
template <class T>
struct ScaleOfKeysForgotten : Rewired<T> {
    using typename Rewired<T>::M;
    multihead::ScoreGradients<T> scaled_dot_product_backward(const M& Q, const M& K, const M& dS) const override {
        return {loops_::scaled_dot_product_backward(Q, K, dS).dQ, loops_::dot_product_backward(Q, K, dS).dK};
    }
};

// dQ = W K dS and dK = Wᵀ Q dSᵀ. Only a square W lets it pass.
template <class T>
struct GradientsByFormTransposed : Rewired<T> {
    using typename Rewired<T>::M;
    multihead::BilinearGradients<T> bilinear_backward(const M& W, const M& Q, const M& K, const M& dS) const override {
        this->refuse_unless(W.size1() == W.size2());
        const multihead::BilinearGradients<T> d = loops_::bilinear_backward(M(transposed(W)), Q, K, dS);
        return {loops_::bilinear_backward(W, Q, K, dS).dW, d.dQ, d.dK};
    }
};

// dW = Q dSᵀ Kᵀ. Only a square W lets it pass.
template <class T>
struct FormGradientTransposed : Rewired<T> {
    using typename Rewired<T>::M;
    multihead::BilinearGradients<T> bilinear_backward(const M& W, const M& Q, const M& K, const M& dS) const override {
        this->refuse_unless(W.size1() == W.size2());
        multihead::BilinearGradients<T> d = loops_::bilinear_backward(W, Q, K, dS);
        d.dW = transposed(d.dW);
        return d;
    }
};

// The gradient of V with the scores for the weights.
template <class T>
struct ScoresForWeights : Rewired<T> {
    using typename Rewired<T>::M;
    multihead::AttentionGradients<T> attention_backward(const M& Q, const M& K, const M& V, const Score<T>& f,
                                                        const multihead::ScoreBackward<T>& f_backward,
                                                        const M& dO) const override {
        const multihead::AttentionGradients<T> d = Rewired<T>::attention_backward(Q, K, V, f, f_backward, dO);
        return {d.dQ, d.dK, this->mix_backward(V, f(Q, K), dO).dV};
    }
};

// A step downhill where the gradient is asked for.
template <class T>
struct Downhill : Rewired<T> {
    using typename Rewired<T>::M;
    multihead::AttentionGradients<T> attention_backward(const M& Q, const M& K, const M& V, const Score<T>& f,
                                                        const multihead::ScoreBackward<T>& f_backward,
                                                        const M& dO) const override {
        return Rewired<T>::attention_backward(Q, K, V, f, f_backward, scaled(T(-T(1)), dO));
    }
};

// d_k = d_model = 4: there a form is square in every world.
const std::vector<Shape> square_forms = {
    {.n = 3, .m = 5, .d_model = 4, .d_k = 4, .d_v = 6, .H = 2},
    {.n = 6, .m = 5, .d_model = 4, .d_k = 4, .d_v = 3, .H = 3},
};

}  // namespace

std::vector<Refutation> wrong_gradients() {
    return {
        refutation<OutputNotSubtracted>("gradient of softmax without its second term, so that the -o is missing",
                                        {"10.0", "10.1", "10.2", "10.3", "10.6", "10.7", "10.8", "10.10", "10.17"}),
        refutation<FirstTermMissing>("gradient of softmax without its first term",
                                     {"10.0", "10.1", "10.2", "10.3", "10.6", "10.7", "10.8", "10.10", "10.17"}),
        refutation<DiagonalOnly>("only the diagonal of the Jacobian of softmax",
                                 {"10.0", "10.1", "10.2", "10.3", "10.6", "10.7", "10.8", "10.10", "10.17"}),
        refutation<PlainMeanSubtracted>("the plain mean of the values subtracted in place of the output",
                                        {"10.0", "10.1", "10.2", "10.3", "10.6", "10.7", "10.8", "10.10"}),
        refutation<OfLogSoftmax>("gradient of log softmax for that of softmax",
                                 {"10.0", "10.1", "10.2", "10.3", "10.6", "10.7", "10.8", "10.16", "10.17"}),
        refutation<SummedOverQueries>("gradient of softmax summed over the queries",
                                      {"10.0", "10.1", "10.2", "10.3", "10.6", "10.7", "10.8", "10.10", "10.17"}),
        refutation<WeightsConstant>("weights taken for constants", {"10.0", "10.2", "10.3", "10.6", "10.7", "10.8"}),
        refutation<ScoreGradientsOneOff>("gradients of the scores one query off",
                                         {"10.0", "10.2", "10.3", "10.6", "10.7", "10.8", "10.15", "10.18"},
                                         many_tokens),
        refutation<WeightsNotTransposed>("dV by weights that are not transposed",
                                         {"10.4", "10.6", "10.7", "10.8", "10.14", "10.15"}, as_many_queries_as_keys),
        refutation<WeightsReinterpreted>("weights transposed by reinterpreting the buffer",
                                         {"10.4", "10.6", "10.7", "10.8", "10.14", "10.15", "10.18"}),
        refutation<MeanOverQueries>("dV divided by the number of queries",
                                    {"10.4", "10.6", "10.7", "10.8", "10.12", "10.14", "10.17", "10.18"}),
        refutation<MeanOverKeys>("gradient of the weights divided by the number of keys",
                                 {"10.2", "10.3", "10.4", "10.6", "10.7", "10.8", "10.16", "10.18"}),
        refutation<ScoresNotTransposed>("dK by gradients of scores that are not transposed",
                                        {"10.5", "10.6", "10.8", "10.11", "10.12", "10.18"}, as_many_queries_as_keys),
        refutation<ScoresReinterpreted>("gradients of scores transposed by reinterpreting the buffer",
                                        {"10.5", "10.6", "10.7", "10.8", "10.11", "10.12", "10.15", "10.18"}),
        refutation<GradientsOfQueriesAndKeysExchanged>("gradients of queries and keys exchanged",
                                                       {"10.3", "10.5", "10.6", "10.8", "10.11", "10.12"},
                                                       as_many_queries_as_keys),
        refutation<ScaleForgottenBackward>("scale forgotten on the way back", {"10.5", "10.6", "10.18"}),
        refutation<ScaleOfKeysForgotten>("scale forgotten in the gradient of the keys", {"10.5", "10.6", "10.18"}),
        refutation<GradientsByFormTransposed>("gradients by the transposed form",
                                              {"10.5", "10.6", "10.7", "10.11", "10.18"}, square_forms),
        refutation<FormGradientTransposed>("gradient of the form transposed", {"10.5", "10.6", "10.11", "10.18"},
                                           square_forms),
        refutation<ScoresForWeights>("dV by scores for weights",
                                     {"10.6", "10.7", "10.8", "10.12", "10.14", "10.16", "10.17", "10.18"}),
        refutation<Downhill>("a step downhill for the gradient",
                             {"10.2", "10.3", "10.6", "10.7", "10.8", "10.12", "10.14", "10.17", "10.18"}),
    };
}

}  // namespace judge
