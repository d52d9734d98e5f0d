// Mistakes in the math papers' form: the residual, the folded W^O, the tokens.
#include "refutations.hpp"
#include "rewired.hpp"

namespace judge {

namespace {

using multihead::transposed;

template <class T>
struct ResidualTwice : Rewired<T> {
    using typename Rewired<T>::M;
    M plus_residual(const M& X, const M& Y) const override {
        return Rewired<T>::plus_residual(X, Rewired<T>::plus_residual(X, Y));
    }
};

template <class T>
struct ResidualForgotten : Rewired<T> {
    using typename Rewired<T>::M;
    M plus_residual(const M&, const M& Y) const override { return Y; }
};

template <class T>
struct ResidualMultiplied : Rewired<T> {
    using typename Rewired<T>::M;
    M plus_residual(const M& X, const M& Y) const override {
        this->refuse_unless(this->same_shape(X, Y));
        return boost::numeric::ublas::element_prod(X, Y);
    }
};

// X stands for its own projection after the first line of a program.
template <class T>
struct ProjectedInputAdded : Rewired<T> {
    using typename Rewired<T>::M;
    M residual_attention(const std::vector<ResidualHead<T>>& heads, const M& X) const override {
        const M without = Rewired<T>::residual_attention(heads, X) - X;
        return this->plus_residual(this->project(heads[0].W_V, X), without);
    }
};

template <class T>
struct QueriesAndKeysExchanged : Rewired<T> {
    using typename Rewired<T>::M;
    M residual_attention(const std::vector<ResidualHead<T>>& heads, const M& X) const override {
        std::vector<ResidualHead<T>> exchanged;
        for (const auto& h : heads) exchanged.push_back({h.W_K, h.W_Q, h.W_V});
        return Rewired<T>::residual_attention(exchanged, X);
    }
};

template <class T>
struct ValuesTransposed : Rewired<T> {
    using typename Rewired<T>::M;
    M residual_attention(const std::vector<ResidualHead<T>>& heads, const M& X) const override {
        std::vector<ResidualHead<T>> changed;
        for (const auto& h : heads) changed.push_back({h.W_Q, h.W_K, transposed(h.W_V)});
        return Rewired<T>::residual_attention(changed, X);
    }
};

// The math papers write no scale.
template <class T>
struct ScaleAdded : Rewired<T> {
    using typename Rewired<T>::M;
    M residual_attention(const std::vector<ResidualHead<T>>& heads, const M& X) const override {
        std::vector<ResidualHead<T>> scaled = heads;
        for (auto& h : scaled) h.W_Q /= T(h.W_Q.size1());
        return Rewired<T>::residual_attention(scaled, X);
    }
};

// Head 2 sees what head 1 made of X.
template <class T>
struct HeadsInAChain : Rewired<T> {
    using typename Rewired<T>::M;
    M residual_attention(const std::vector<ResidualHead<T>>& heads, const M& X) const override {
        M Y = X;
        for (const auto& h : heads) Y = M(Rewired<T>::residual_attention({h}, Y));
        return Y;
    }
};

// O = instead of O +=, in every sum over heads.
template <class T>
struct OnlyLastHead : Rewired<T> {
    using typename Rewired<T>::M;
    M total(const std::vector<M>& terms) const override { return terms.back(); }
};

template <class T>
struct MeanOverHeads : Rewired<T> {
    using typename Rewired<T>::M;
    M total(const std::vector<M>& terms) const override { return Rewired<T>::total(terms) / T(terms.size()); }
};

// A token sees itself and the tokens before it.
template <class T>
struct CausalMask : Rewired<T> {
    using typename Rewired<T>::M;
    M residual_attention(const std::vector<ResidualHead<T>>& heads, const M& X) const override {
        M Y = X;
        for (std::size_t j = 0; j < X.size2(); ++j) {
            M past = X;
            past.resize(X.size1(), j + 1, true);
            const M seen = Rewired<T>::residual_attention(heads, past);
            for (std::size_t i = 0; i < X.size1(); ++i) Y(i, j) = seen(i, j);
        }
        return Y;
    }
};

template <class T>
struct PositionAdded : Rewired<T> {
    using typename Rewired<T>::M;
    M residual_attention(const std::vector<ResidualHead<T>>& heads, const M& X) const override {
        M placed = X;
        for (std::size_t i = 0; i < X.size1(); ++i)
            for (std::size_t j = 0; j < X.size2(); ++j) placed(i, j) += T(j);
        return Rewired<T>::residual_attention(heads, placed);
    }
};

// Kᵀ made by reading the memory of K, d_k × m, as m × d_k.
template <class T>
struct KeysReinterpreted : Rewired<T> {
    using typename Rewired<T>::M;
    M dot_product(const M& Q, const M& K) const override {
        this->refuse_unless(K.size1() == Q.size1());
        M K_T(K.size2(), K.size1());
        K_T.data() = K.data();
        return loops_::project(K_T, Q);
    }
};

template <class T>
struct DistanceForProduct : Rewired<T> {
    using typename Rewired<T>::M;
    M dot_product(const M& Q, const M& K) const override { return this->gaussian_kernel(T(1), Q, K); }
};

template <class T>
struct FoldedInWrongOrder : Rewired<T> {
    using typename Rewired<T>::Weights;
    std::vector<ResidualHead<T>> fold(const Weights& w) const override {
        std::vector<ResidualHead<T>> heads;
        for (const auto& h : w) heads.push_back({h.W_Q, h.W_K, this->project(h.W_V, h.W_O)});
        return heads;
    }
};

template <class T>
struct FoldedWithoutOutput : Rewired<T> {
    using typename Rewired<T>::Weights;
    std::vector<ResidualHead<T>> fold(const Weights& w) const override {
        std::vector<ResidualHead<T>> heads;
        for (const auto& h : w) heads.push_back({h.W_Q, h.W_K, h.W_V});
        return heads;
    }
};

template <class T>
struct FoldedWithBlockOne : Rewired<T> {
    using typename Rewired<T>::Weights;
    std::vector<ResidualHead<T>> fold(const Weights& w) const override {
        std::vector<ResidualHead<T>> heads;
        for (const auto& h : w) heads.push_back({h.W_Q, h.W_K, this->project(w[0].W_O, h.W_V)});
        return heads;
    }
};

// d_v = d_model: there a fold in the wrong order, or without W^O, has the right shape.
const std::vector<Shape> square_folded_blocks = {
    {.n = 3, .m = 4, .d_model = 6, .d_k = 5, .d_v = 6, .H = 2},
    {.n = 6, .m = 4, .d_model = 5, .d_k = 2, .d_v = 5, .H = 3},
};

}  // namespace

std::vector<Refutation> wrong_residual() {
    return {
        refutation<ResidualTwice>("residual added twice", {"5.0", "5.1", "5.2", "5.5", "5.6"}),
        refutation<ResidualForgotten>("residual forgotten", {"5.0", "5.1", "5.2", "5.5", "5.6"}),
        refutation<ResidualMultiplied>("residual multiplied", {"5.0", "5.1", "5.2", "5.5", "5.6"}),
        refutation<ProjectedInputAdded>("the projected input added", {"5.0", "5.1", "5.2", "5.5", "5.6"}),
        refutation<QueriesAndKeysExchanged>("(W_Q X)^T (W_K X) for the scores", {"5.0", "5.1", "5.6"}),
        refutation<ValuesTransposed>("W_V of the residual form transposed", {"5.0", "5.1", "5.6"}),
        refutation<ScaleAdded>("scores of the residual form divided by d_k", {"5.0", "5.1", "5.6"}),
        refutation<HeadsInAChain>("heads one after the other", {"5.0", "5.1", "5.5", "5.6"}),
        refutation<OnlyLastHead>("only the last head counted in sums", {"4.2", "5.0", "5.1", "5.5", "5.6", "6.6"}),
        refutation<MeanOverHeads>("sums over heads divided by H", {"4.2", "5.0", "5.1", "5.5", "5.6", "6.6"}),
        refutation<CausalMask>("only earlier tokens seen", {"5.0", "5.1", "5.3", "5.6"}),
        refutation<PositionAdded>("the token's position added to it", {"5.0", "5.1", "5.2", "5.3", "5.5", "5.6"}),
        refutation<KeysReinterpreted>("keys transposed by reinterpreting the buffer", {"5.0", "5.3", "5.4", "6.1"}),
        refutation<DistanceForProduct>("a distance in place of the dot product", {"5.0", "5.4", "6.1"}),
        refutation<FoldedInWrongOrder>("fold in the wrong order", {"5.1"}, square_folded_blocks),
        refutation<FoldedWithoutOutput>("fold without W^O", {"5.1"}, square_folded_blocks),
        refutation<FoldedWithBlockOne>("fold with the block of head 1", {"5.1"}),
    };
}

}  // namespace judge
