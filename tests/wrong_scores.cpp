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

// Each token of X minus the mean of all.
template <class T>
Matrix<T> centred(const Matrix<T>& X) {
    return matrix_of(X.size1(), X.size2(), [&](std::size_t l, std::size_t j) {
        return X(l, j) - sum_of(X.size2(), [&](std::size_t k) { return X(l, k); }) / T(X.size2());
    });
}

template <class T>
struct QueriesTransposed : Rewired<T> {
    Matrix<T> dot_product(const Matrix<T>& Q, const Matrix<T>& K) const override {
        return Rewired<T>::dot_product(K, Q);
    }
};

template <class T>
struct QueriesCentred : Rewired<T> {
    Matrix<T> dot_product(const Matrix<T>& Q, const Matrix<T>& K) const override {
        return Rewired<T>::dot_product(centred(Q), K);
    }
};

template <class T>
struct KeysCentred : Rewired<T> {
    Matrix<T> dot_product(const Matrix<T>& Q, const Matrix<T>& K) const override {
        return Rewired<T>::dot_product(Q, centred(K));
    }
};

template <class T>
struct LastFeatureMissing : Rewired<T> {
    Matrix<T> dot_product(const Matrix<T>& Q, const Matrix<T>& K) const override {
        Matrix<T> all_but_one = Q;
        for (std::size_t j = 0; j < Q.size2(); ++j) all_but_one(Q.size1() - 1, j) = T(0);
        return Rewired<T>::dot_product(all_but_one, K);
    }
};

template <class T>
struct KeysNormalised : Rewired<T> {
    Matrix<T> dot_product(const Matrix<T>& Q, const Matrix<T>& K) const override {
        const Matrix<T> S = Rewired<T>::dot_product(Q, K);
        return matrix_of(S.size1(), S.size2(), [&](std::size_t i, std::size_t j) {
            return S(i, j) / sum_of(K.size1(), [&](std::size_t l) { return K(l, i) * K(l, i); });
        });
    }
};

template <class T>
struct ScaledTwice : Rewired<T> {
    Matrix<T> scaled_dot_product(const Matrix<T>& Q, const Matrix<T>& K) const override {
        return scaled(T(T(1) / T(Q.size1())), this->dot_product(Q, K));
    }
};

template <class T>
struct ScaleForgotten : Rewired<T> {
    Matrix<T> scaled_dot_product(const Matrix<T>& Q, const Matrix<T>& K) const override {
        return this->dot_product(Q, K);
    }
};

template <class T>
struct ScaledByKeys : Rewired<T> {
    Matrix<T> scaled_dot_product(const Matrix<T>& Q, const Matrix<T>& K) const override {
        using std::sqrt;
        return scaled(T(T(1) / sqrt(T(K.size2()))), this->dot_product(Q, K));
    }
};

template <class T>
struct FormTransposed : Rewired<T> {
    Matrix<T> bilinear(const Matrix<T>& W, const Matrix<T>& Q, const Matrix<T>& K) const override {
        return Rewired<T>::bilinear(transposed(W), Q, K);
    }
};

template <class T>
struct TanhForgotten : Rewired<T> {
    Matrix<T> additive(const Matrix<T>& W_q, const Matrix<T>& W_k, const Matrix<T>& w, const Matrix<T>& Q,
                       const Matrix<T>& K) const override {
        const Matrix<T> queries = this->project(W_q, Q);
        const Matrix<T> keys = this->project(W_k, K);
        return matrix_of(K.size2(), Q.size2(), [&](std::size_t i, std::size_t j) {
            return sum_of(w.size1(), [&](std::size_t a) { return w(a, 0) * (queries(a, j) + keys(a, i)); });
        });
    }
};

template <class T>
struct TanhUnweighted : Rewired<T> {
    Matrix<T> additive(const Matrix<T>& W_q, const Matrix<T>& W_k, const Matrix<T>& w, const Matrix<T>& Q,
                       const Matrix<T>& K) const override {
        return Rewired<T>::additive(W_q, W_k, Matrix<T>(w.size1(), 1, T(1)), Q, K);
    }
};

template <class T>
struct DistanceNotSquared : Rewired<T> {
    Matrix<T> gaussian_kernel(const T& h, const Matrix<T>& Q, const Matrix<T>& K) const override {
        using std::sqrt;
        const Matrix<T> S = Rewired<T>::gaussian_kernel(h, Q, K);
        const T two_h2 = T(2) * h * h;
        return matrix_of(S.size1(), S.size2(),
                         [&](std::size_t i, std::size_t j) { return -sqrt(-S(i, j) * two_h2) / two_h2; });
    }
};

template <class T>
struct FarKeysWin : Rewired<T> {
    Matrix<T> gaussian_kernel(const T& h, const Matrix<T>& Q, const Matrix<T>& K) const override {
        return scaled(T(-1), Rewired<T>::gaussian_kernel(h, Q, K));
    }
};

template <class T>
struct BandwidthNotSquared : Rewired<T> {
    Matrix<T> gaussian_kernel(const T& h, const Matrix<T>& Q, const Matrix<T>& K) const override {
        return scaled(h, Rewired<T>::gaussian_kernel(h, Q, K));
    }
};

}  // namespace

std::vector<Refutation> wrong_scores() {
    // d_k = d_model: there the form is square. Law 2.0 takes d_k = 4 in the free world.
    const std::vector<Shape> square_form = {
        {.n = 3, .m = 5, .d_model = 4, .d_k = 4, .d_v = 6, .H = 2},
        {.n = 6, .m = 2, .d_model = 4, .d_k = 4, .d_v = 3, .H = 3},
    };
    return {
        refutation<QueriesTransposed>("scores are queries transposed times keys",
                                      {"2.0", "2.5", "2.6", "2.10", "2.11", "3.0"}, as_many_queries_as_keys),
        refutation<QueriesCentred>("queries centred", {"2.0", "2.6", "2.10", "2.11", "3.0"}),
        refutation<KeysCentred>("keys centred", {"2.0", "2.6", "2.10"}),
        refutation<LastFeatureMissing>("dot product one feature short", {"2.0", "2.6", "2.7", "2.10", "2.11", "3.0"}),
        refutation<KeysNormalised>("keys divided by their squared lengths",
                                   {"2.0", "2.6", "2.7", "2.10", "2.11", "3.0"}),
        refutation<ScaledTwice>("dot product scaled twice", {"2.0", "2.10"}),
        refutation<ScaleForgotten>("scale forgotten", {"2.0", "2.10"}),
        refutation_in_reals<ScaledByKeys>("scaled by the number of keys", {"2.0", "2.10"}),
        refutation<FormTransposed>("bilinear form transposed", {"2.0", "3.0"}, square_form),
        refutation_in_reals<TanhForgotten>("additive scores without tanh", {"2.0"}),
        refutation_in_reals<TanhUnweighted>("additive scores without w", {"2.0"}),
        refutation_in_reals<DistanceNotSquared>("Gaussian kernel of the distance itself", {"2.0", "2.11"}),
        refutation_in_reals<FarKeysWin>("Gaussian kernel with the wrong sign", {"2.0", "2.11"}),
        refutation_in_reals<BandwidthNotSquared>("Gaussian kernel of the bandwidth itself", {"2.0", "2.11"}),
    };
}

}  // namespace judge
