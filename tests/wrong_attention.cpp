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

// X with every token one place off: column j is column j + 1.
template <class T>
Matrix<T> one_off(const Matrix<T>& X) {
    return matrix_of(X.size1(), X.size2(), [&](std::size_t l, std::size_t j) { return X(l, (j + 1) % X.size2()); });
}

// A weight to compare by: an interval's middle.
template <class T>
T middle(const T& x) {
    if constexpr (requires { x.lower(); })
        return T(boost::numeric::median(x));
    else
        return x;
}

template <class T>
struct KeysAndValuesExchanged : Rewired<T> {
    using M = Matrix<T>;
    M attention(const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return Rewired<T>::attention(Q, V, K, f);
    }
};

template <class T>
struct SoftmaxOutside : Rewired<T> {
    using M = Matrix<T>;
    M attention(const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return this->softmax(this->mix(V, f(Q, K)));
    }
};

template <class T>
struct ValuesOneOff : Rewired<T> {
    using M = Matrix<T>;
    M attention(const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return Rewired<T>::attention(Q, K, one_off(V), f);
    }
};

template <class T>
struct QueriesOneOff : Rewired<T> {
    using M = Matrix<T>;
    M attention(const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        return Rewired<T>::attention(one_off(Q), K, V, f);
    }
};

template <class T>
struct ScaledByValues : Rewired<T> {
    using M = Matrix<T>;
    M attention(const M& Q, const M& K, const M& V, const Score<T>& f) const override {
        using std::sqrt;
        const T factor = sqrt(T(Q.size1())) / sqrt(T(V.size1()));
        return Rewired<T>::attention(Q, K, V, [&](const M& q, const M& k) { return scaled(factor, f(q, k)); });
    }
};

template <class T>
struct BiasByPlace : Rewired<T> {
    using M = Matrix<T>;
    M attention_weights(const M& Q, const M& K, const Score<T>& f) const override {
        const M S = f(Q, K);
        return this->softmax(
            matrix_of(S.size1(), S.size2(), [&](std::size_t i, std::size_t j) { return S(i, j) + T(i); }));
    }
};

template <class T>
struct ScoresTransposed : Rewired<T> {
    using M = Matrix<T>;
    M attention_weights(const M& Q, const M& K, const Score<T>& f) const override {
        return this->softmax(transposed(f(Q, K)));
    }
};

template <class T>
struct NormalisedAgain : Rewired<T> {
    using M = Matrix<T>;
    M attention_weights(const M& Q, const M& K, const Score<T>& f) const override {
        const M A = Rewired<T>::attention_weights(Q, K, f);
        return matrix_of(A.size1(), A.size2(), [&](std::size_t i, std::size_t j) {
            return A(i, j) / sum_of(A.size2(), [&](std::size_t k) { return A(i, k); });
        });
    }
};

template <class T>
struct EarlierKeysOnly : Rewired<T> {
    using M = Matrix<T>;
    M attention_weights(const M& Q, const M& K, const Score<T>& f) const override {
        M A = Rewired<T>::attention_weights(Q, K, f);
        for (std::size_t j = 0; j < A.size2(); ++j) {
            T sum(0);
            for (std::size_t i = 0; i < A.size1() && i <= j; ++i) sum += A(i, j);
            for (std::size_t i = 0; i < A.size1(); ++i) A(i, j) = i <= j ? A(i, j) / sum : T(0);
        }
        return A;
    }
};

template <class T>
struct LargestWeightOnly : Rewired<T> {
    using M = Matrix<T>;
    M attention_weights(const M& Q, const M& K, const Score<T>& f) const override {
        M A = Rewired<T>::attention_weights(Q, K, f);
        for (std::size_t j = 0; j < A.size2(); ++j) {
            std::size_t largest = 0;
            for (std::size_t i = 1; i < A.size1(); ++i)
                if (middle(A(i, j)) > middle(A(largest, j))) largest = i;
            for (std::size_t i = 0; i < A.size1(); ++i) A(i, j) = T(i == largest ? 1 : 0);
        }
        return A;
    }
};

template <class T>
struct WeightsTransposed : Rewired<T> {
    using M = Matrix<T>;
    M mix(const M& V, const M& A) const override { return Rewired<T>::mix(V, transposed(A)); }
};

template <class T>
struct LastValueMissing : Rewired<T> {
    using M = Matrix<T>;
    M mix(const M& V, const M& A) const override {
        M all_but_one = V;
        for (std::size_t r = 0; r < V.size1(); ++r) all_but_one(r, V.size2() - 1) = T(0);
        return Rewired<T>::mix(all_but_one, A);
    }
};

}  // namespace

std::vector<Refutation> wrong_attention() {
    const std::vector<Shape> keys_like_values = {
        {.n = 3, .m = 5, .d_model = 7, .d_k = 4, .d_v = 4, .H = 2},
        {.n = 6, .m = 4, .d_model = 5, .d_k = 4, .d_v = 4, .H = 3},
    };
    return {
        refutation<KeysAndValuesExchanged>("keys and values exchanged", {"2.0", "2.1", "2.4", "2.5", "2.11", "3.0"},
                                           keys_like_values),
        refutation<SoftmaxOutside>("softmax of values times scores",
                                   {"2.0", "2.1", "2.4", "2.5", "2.8", "2.11", "3.0"}),
        refutation<ValuesOneOff>("values one place off", {"2.0", "2.2", "2.11", "3.0"}, many_tokens),
        refutation<QueriesOneOff>("queries one place off", {"2.0", "2.3", "2.11", "3.0"}, many_tokens),
        refutation_in_reals<ScaledByValues>("d_v in the scale", {"2.0", "2.11", "3.0"}),
        refutation<BiasByPlace>("scores plus the place of the key", {"2.0", "2.2", "2.5", "2.11", "3.0"}),
        refutation<ScoresTransposed>("scores transposed", {"2.0", "2.2", "2.3", "2.5", "2.11", "3.0"},
                                     as_many_queries_as_keys),
        refutation<NormalisedAgain>("weights normalised again over the queries",
                                    {"2.0", "2.4", "2.5", "2.8", "2.11", "3.0"}),
        refutation<EarlierKeysOnly>("a mask that nobody asked for", {"2.0", "2.2", "2.3", "2.5", "2.11", "3.0"}),
        refutation_in_reals<LargestWeightOnly>("only the value of largest weight taken", {"2.0", "2.5", "2.11", "3.0"}),
        refutation<WeightsTransposed>("weights transposed", {"2.0", "2.2", "2.3", "2.11", "3.0"},
                                      as_many_queries_as_keys),
        refutation<LastValueMissing>("values averaged one short", {"2.0", "2.4", "2.5", "2.8", "2.11", "3.0"}),
    };
}

}  // namespace judge
