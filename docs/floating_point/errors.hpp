#pragma once
/// \file
/// Errors of runs beside the bounds of the page "How exact is floating point?". Both hands are measured.

#include "bounds.hpp"
#include "runs.hpp"

#include <multihead/algebra/attention.hpp>
#include <multihead/loops/attention.hpp>
#include <multihead/scalars/rounded.hpp>

#include <algorithm>
#include <string>

namespace floating_point {

namespace loops = multihead::loops;
namespace algebra = multihead::algebra;
using multihead::rounded;
using multihead::values;

/// How many runs were compared with their bound, and how many stay below it.
struct Tally {
    int runs = 0;
    int below = 0;

    /// One more run.
    void count(const Truth& error, const Truth& bound) {
        ++runs;
        below += error <= bound ? 1 : 0;
    }
};

/// The largest |run − truth| / |truth|. No entry of the truth may be 0.
template <std::floating_point T>
Truth relative_error(const Matrix<T>& run, const Matrix<Truth>& truth) {
    Truth largest = 0;
    for (std::size_t i = 0; i < run.size1(); ++i)
        for (std::size_t j = 0; j < run.size2(); ++j)
            largest = std::max(largest, Truth(abs(Truth(run(i, j)) - truth(i, j)) / abs(truth(i, j))));
    return largest;
}

/// The largest error in ulps of T.
template <std::floating_point T>
Truth error_in_ulps(const Matrix<T>& run, const Matrix<Truth>& truth) {
    Truth largest = 0;
    for (std::size_t i = 0; i < run.size1(); ++i)
        for (std::size_t j = 0; j < run.size2(); ++j)
            largest = std::max(largest, multihead::ulps(run(i, j), truth(i, j)));
    return largest;
}

/// The error of kᵀq as a part of Σ |k_l| |q_l|: the larger one of the two hands. Shapes: k and q are d×1.
template <std::floating_point T>
Truth dot_product_error(const Matrix<T>& k, const Matrix<T>& q, Tally& tally) {
    const Truth truth = loops::dot_product(truth_of(q), truth_of(k))(0, 0);
    const Truth size =
        multihead::sum_of(q.size1(), [&](std::size_t l) { return Truth(abs(Truth(k(l, 0)) * Truth(q(l, 0)))); });
    Truth largest = 0;
    for (const T run : {loops::dot_product(q, k)(0, 0), algebra::dot_product(q, k)(0, 0)}) {
        const Truth error = abs(Truth(run) - truth) / size;
        tally.count(error, gamma<T>(q.size1()));
        largest = std::max(largest, error);
    }
    return largest;
}

/// Largest relative errors of the weights of one column, and their bounds.
struct SoftmaxErrors {
    Truth pivot;        ///< of softmax
    Truth none;         ///< of softmax without its pivot
    Truth bound;        ///< of softmax at most (bound 2)
    Truth naive_bound;  ///< of softmax without its pivot at most
};

/// Errors of runs with an exponential that is rounded to nearest; runs with std::exp are counted only, as their last
/// digits depend on the machine. No exponential and no weight may be subnormal. Shape: S is m×1.
template <std::floating_point T>
SoftmaxErrors softmax_errors(const Matrix<T>& S, Tally& tally) {
    const std::size_t m = S.size1();
    const Matrix<Truth> truth = loops::softmax(truth_of(S));
    SoftmaxErrors errors = {relative_error(values(loops::softmax(rounded(S))), truth),
                            relative_error(values(naive_softmax(rounded(S))), truth),
                            gamma<T>(roundings_of_softmax(m, largest_distance(S))),
                            gamma<T>(roundings_of_naive_softmax(m))};
    tally.count(errors.pivot, errors.bound);
    tally.count(errors.none, errors.naive_bound);
    tally.count(relative_error(loops::softmax(S), truth), errors.bound);
    tally.count(relative_error(algebra::softmax(S), truth), errors.bound);
    tally.count(relative_error(naive_softmax(S), truth), errors.naive_bound);
    return errors;
}

/// One score dominates m − 1 others. Its weight is 1 / (1 + (m − 1) e^s), and a run makes it 1.
template <std::floating_point T>
Truth dominating_error(std::size_t m, Tally& tally) {
    const Matrix<T> S = one_dominates<T>(m);
    const Truth rest = (m - 1) * exp(Truth(S(m - 1, 0)));
    Truth largest = 0;
    for (const T run : {loops::softmax(S)(0, 0), algebra::softmax(S)(0, 0)}) {
        const Truth error = abs(Truth(run) * (1 + rest) - 1);
        tally.count(error, gamma<T>(roundings_of_softmax(m, largest_distance(S))));
        largest = std::max(largest, error);
    }
    return largest;
}

/// The error of an output of attention as a part of Σ a_i |v_i|, and its bound.
struct AttentionError {
    Truth error;
    Truth bound;
};

/// Attention with dot products as scores, by both hands and with both exponentials (bound 4). The error is that of the
/// run which is the same everywhere. Shapes: Q d_k×1, K d_k×m, V 1×m.
template <std::floating_point T>
AttentionError attention_error(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V, Tally& tally) {
    const auto truth_of_product = [](const Matrix<Truth>& q, const Matrix<Truth>& k) {
        return loops::dot_product(q, k);
    };
    const Matrix<Truth> A = loops::attention_weights(truth_of(Q), truth_of(K), truth_of_product);
    const Truth truth = loops::mix(truth_of(V), A)(0, 0);
    Truth size = 0;
    for (std::size_t i = 0; i < A.size1(); ++i) size += A(i, 0) * abs(Truth(V(0, i)));

    AttentionError result{0, gamma<T>(roundings_of_attention(Q, K))};
    const auto error = [&](const T& run) { return Truth(abs(Truth(run) - truth) / size); };
    result.error = error(loops::attention(rounded(Q), rounded(K), rounded(V), loops::dot_product)(0, 0).value());
    tally.count(result.error, result.bound);
    tally.count(error(loops::attention(Q, K, V, loops::dot_product)(0, 0)), result.bound);
    tally.count(error(algebra::attention(Q, K, V, algebra::dot_product)(0, 0)), result.bound);
    return result;
}

}  // namespace floating_point
