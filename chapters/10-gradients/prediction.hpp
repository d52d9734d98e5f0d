#pragma once
/// \file
/// Chapter 10: the next month of a table predicted from the months so far, and the weights fitted by gradient descent.
/// Columns are months.

#include "../shared/csv.hpp"

#include <multihead/algebra/multi_head_gradients.hpp>
#include <multihead/laws/draw.hpp>
#include <multihead/loops/multi_head_gradients.hpp>
#include <multihead/matrix.hpp>
#include <multihead/weights.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

namespace chapters {

using multihead::Matrix;
using multihead::MultiHeadWeights;

/// Multi-head attention with one matrix for keys and values, and the gradients of its weights, in plain loops.
struct ByLoops {
    template <class T>
    static Matrix<T> output(const MultiHeadWeights<T>& weights, const Matrix<T>& Q, const Matrix<T>& K) {
        return multihead::loops::multi_head(weights, Q, K, K, multihead::loops::dot_product);
    }
    template <class T>
    static MultiHeadWeights<T> backward(const MultiHeadWeights<T>& weights, const Matrix<T>& Q, const Matrix<T>& K,
                                        const Matrix<T>& dO) {
        using namespace multihead::loops;
        return multi_head_backward(weights, Q, K, K, dot_product, dot_product_backward, dO).dweights;
    }
};

/// The same in uBLAS.
struct ByAlgebra {
    template <class T>
    static Matrix<T> output(const MultiHeadWeights<T>& weights, const Matrix<T>& Q, const Matrix<T>& K) {
        return multihead::algebra::multi_head(weights, Q, K, K, multihead::algebra::dot_product);
    }
    template <class T>
    static MultiHeadWeights<T> backward(const MultiHeadWeights<T>& weights, const Matrix<T>& Q, const Matrix<T>& K,
                                        const Matrix<T>& dO) {
        using namespace multihead::algebra;
        return multi_head_backward(weights, Q, K, K, dot_product, dot_product_backward, dO).dweights;
    }
};

/// A month to predict, from the one before it and from those before that.
template <class T>
struct Example {
    Matrix<T> last;     ///< d × 1: the query
    Matrix<T> earlier;  ///< d × m: keys and values
    Matrix<T> next;     ///< d × 1: what is to be predicted
};

/// The months begin, …, end − 1 of X, counted from 0, as what is to be predicted. X is d × months, begin ≥ 2.
template <class T>
std::vector<Example<T>> examples(const Matrix<T>& X, std::size_t begin, std::size_t end) {
    using boost::numeric::ublas::subrange;
    const std::size_t d = X.size1();
    std::vector<Example<T>> all;
    for (std::size_t t = begin; t < end; ++t)
        all.push_back(
            {subrange(X, 0, d, t - 1, t), subrange(X, 0, d, 0, t - 1), Matrix<T>(subrange(X, 0, d, t, t + 1))});
    return all;
}

/// last + MultiHead(last, earlier, earlier), d × 1.
// [predicted]
template <class Hand, class T>
Matrix<T> predicted(const MultiHeadWeights<T>& weights, const Example<T>& e) {
    return e.last + Hand::output(weights, e.last, e.earlier);
}
// [predicted]

/// The mean of (predicted − next)² over all examples and attributes. There must be an example.
// [loss]
template <class Hand, class T>
T loss(const MultiHeadWeights<T>& weights, const std::vector<Example<T>>& all) {
    T squares(0);
    for (const Example<T>& e : all) {
        const Matrix<T> error = predicted<Hand>(weights, e) - e.next;
        for (const T& x : error.data()) squares += x * x;
    }
    return squares / T(all.size() * all.front().next.size1());
}
// [loss]

/// Calls f(W, V) for every block W of the weights and the same block V of the others.
template <class Weights, class Others, class F>
void for_each_block(Weights& weights, Others& others, const F& f) {
    for (std::size_t h = 0; h < weights.size(); ++h) {
        f(weights[h].W_Q, others[h].W_Q);
        f(weights[h].W_K, others[h].W_K);
        f(weights[h].W_V, others[h].W_V);
        f(weights[h].W_O, others[h].W_O);
    }
}

/// The gradient of the loss by every block of the weights. All examples use the same weights, so their gradients add.
// [loss_backward]
template <class Hand, class T>
MultiHeadWeights<T> loss_backward(const MultiHeadWeights<T>& weights, const std::vector<Example<T>>& all) {
    const T factor = T(2) / T(all.size() * all.front().next.size1());
    MultiHeadWeights<T> gradients;
    for (const Example<T>& e : all) {
        const Matrix<T> error = predicted<Hand>(weights, e) - e.next;
        const Matrix<T> dO = factor * error;  // L = … + Σ error² / (N d)
        const MultiHeadWeights<T> d = Hand::backward(weights, e.last, e.earlier, dO);
        if (gradients.empty())
            gradients = d;
        else
            for_each_block(gradients, d, [](Matrix<T>& total, const Matrix<T>& dW) { total += dW; });
    }
    return gradients;
}
// [loss_backward]

/// One step of gradient descent: every block minus `rate` times its gradient.
// [step]
template <class Hand, class T>
void step(MultiHeadWeights<T>& weights, const std::vector<Example<T>>& all, const T& rate) {
    const MultiHeadWeights<T> d = loss_backward<Hand>(weights, all);
    for_each_block(weights, d, [&](Matrix<T>& W, const Matrix<T>& dW) { W -= rate * dW; });
}
// [step]

/// Months as columns, every attribute minus its mean over the first `training` months, over its deviation there. No
/// attribute may be constant in them. The later months have no say in it.
inline Matrix<double> standardised_by(std::size_t training, const Table& table) {
    Matrix<double> X = multihead::transposed(table.values);
    const auto N = double(training);
    for (std::size_t i = 0; i < X.size1(); ++i) {
        double mean = 0;
        double variance = 0;
        for (std::size_t j = 0; j < training; ++j) mean += X(i, j) / N;
        for (std::size_t j = 0; j < training; ++j) variance += (X(i, j) - mean) * (X(i, j) - mean) / N;
        for (std::size_t j = 0; j < X.size2(); ++j) X(i, j) = (X(i, j) - mean) / std::sqrt(variance);
    }
    return X;
}

/// Months in training: two years. The rest is held out.
inline constexpr std::size_t training_months = 24;
/// How far a step of gradient descent goes: this times the gradient.
inline constexpr double learning_rate = 2;
/// Steps of gradient descent.
inline constexpr std::size_t steps = 60;

/// What the layer is fitted to, and what it is asked afterwards.
struct Months {
    std::vector<Example<double>> training;
    std::vector<Example<double>> held_out;

    /// From a table with a row for each month.
    explicit Months(const Table& table) {
        const Matrix<double> X = standardised_by(training_months, table);
        training = examples(X, 2, training_months);
        held_out = examples(X, training_months, X.size2());
    }
};

/// Two heads with d_k = d_v = 2 for d attributes, drawn from a seed and small: the layer changes little at first.
inline MultiHeadWeights<double> small_start(std::uint64_t seed, std::size_t d) {
    MultiHeadWeights<double> weights =
        multihead::Draw<double>(seed).weights({.n = 1, .m = 1, .d_model = d, .d_k = 2, .d_v = 2, .H = 2});
    for_each_block(weights, weights, [](Matrix<double>& W, const Matrix<double>&) { W /= 10; });
    return weights;
}

/// The same heads with W^O = 0: the layer that predicts no change.
inline MultiHeadWeights<double> no_change(MultiHeadWeights<double> weights) {
    for (multihead::Head<double>& h : weights) h.W_O *= 0;
    return weights;
}

}  // namespace chapters
