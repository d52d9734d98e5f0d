#pragma once
/// \file
/// Random instances: matrices, heads, permutations, changes of basis.
///
/// The numbers come from std::mt19937_64 and a few lines of mapping, the same on every platform. Drawing doubles,
/// intervals or numbers of 50 digits from one seed gives the same numbers, and so do the exact worlds with degrees and
/// without: a law can be run twice on one instance.

#include <multihead/hand.hpp>
#include <multihead/laws/law.hpp>
#include <multihead/matrix.hpp>
#include <multihead/scalars/degree.hpp>
#include <multihead/scalars/interval.hpp>
#include <multihead/scalars/modular.hpp>
#include <multihead/weights.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace multihead {

/// True for the scalars of the exact worlds.
template <class T>
inline constexpr bool is_exact = false;
template <std::uint64_t P>
inline constexpr bool is_exact<Modular<P>> = true;
template <>
inline constexpr bool is_exact<Degree> = true;
template <>
inline constexpr bool is_exact<ExponentDegree> = true;

/// A source of random instances over the scalar T.
template <class T>
class Draw {
  public:
    /// The same seed gives the same instances. Numbers of more digits are drawn with those of a double, or of a float
    /// if `digits` says so.
    explicit Draw(std::uint64_t seed, int digits = std::numeric_limits<double>::digits)
        : random_(seed), digits_(digits) {}

    /// A number: uniform in [−1, 1) for real numbers, uniform among all residues in an exact world.
    T number() { return number_as(static_cast<T*>(nullptr)); }

    /// A whole number in [0, bound).
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

    /// A rows × columns matrix of numbers.
    Matrix<T> matrix(std::size_t rows, std::size_t columns) {
        Matrix<T> X(rows, columns);
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < columns; ++j) X(i, j) = number();
        return X;
    }

    /// One head for inputs of d_model features.
    Head<T> head(const Shape& s) {
        Matrix<T> W_Q = matrix(s.d_k, s.d_model);
        Matrix<T> W_K = matrix(s.d_k, s.d_model);
        Matrix<T> W_V = matrix(s.d_v, s.d_model);
        Matrix<T> W_O = matrix(s.d_model, s.d_v);
        return {W_Q, W_K, W_V, W_O};
    }

    /// H heads.
    MultiHeadWeights<T> weights(const Shape& s) {
        MultiHeadWeights<T> heads;
        for (std::size_t h = 0; h < s.H; ++h) heads.push_back(head(s));
        return heads;
    }

    /// H heads in the math papers' form.
    std::vector<ResidualHead<T>> residual_heads(const Shape& s) {
        std::vector<ResidualHead<T>> heads;
        for (std::size_t h = 0; h < s.H; ++h) {
            Matrix<T> W_Q = matrix(s.d_k, s.d_model);
            Matrix<T> W_K = matrix(s.d_k, s.d_model);
            Matrix<T> W_V = matrix(s.d_model, s.d_model);
            heads.push_back({W_Q, W_K, W_V});
        }
        return heads;
    }

    /// A permutation of 0, …, size − 1 that is not the identity when size > 1.
    std::vector<std::size_t> permutation(std::size_t size) {
        std::vector<std::size_t> order(size);
        std::iota(order.begin(), order.end(), std::size_t{0});
        if (size < 2) return order;
        for (std::size_t i = size - 1; i > 0; --i) std::swap(order[i], order[below(i + 1)]);
        if (order[0] == 0) std::swap(order[0], order[1]);
        return order;
    }

    /// A change of basis G with entries that are whole numbers, and its inverse, which has such entries too: exact in
    /// every world. G is not orthogonal and not symmetric when size > 1.
    std::pair<Matrix<T>, Matrix<T>> unimodular(std::size_t size) {
        Matrix<T> G = identity(size);
        Matrix<T> inverse = identity(size);
        for (std::size_t step = 1; step < size; ++step) {
            add_multiple(G, inverse, step, step - 1, 1);
            add_multiple(G, inverse, step - 1, below(2) == 0 ? step : size - 1, 2);
        }
        return {G, inverse};
    }

    /// The identity.
    static Matrix<T> identity(std::size_t size) {
        Matrix<T> I(size, size, T(0));
        for (std::size_t i = 0; i < size; ++i) I(i, i) = T(1);
        return I;
    }

  private:
    std::mt19937_64 random_;
    int digits_;

    template <std::floating_point U>
    U number_as(U*) {
        constexpr int digits = std::numeric_limits<U>::digits;
        return static_cast<U>(random_() >> (64U - unsigned(digits))) /
                   static_cast<U>(std::uint64_t{1} << unsigned(digits - 1)) -
               U(1);
    }
    // Numbers of more digits, such as Truth; pages draw too, and WebAssembly could not include that.
    template <class U>
    requires(!std::floating_point<U> && std::numeric_limits<U>::digits > std::numeric_limits<double>::digits) U
        number_as(U*) {
        if (digits_ == std::numeric_limits<float>::digits) return U(number_as(static_cast<float*>(nullptr)));
        return U(number_as(static_cast<double*>(nullptr)));
    }
    template <std::floating_point U>
    Interval<U> number_as(Interval<U>*) {
        return Interval<U>(number_as(static_cast<U*>(nullptr)));
    }
    template <std::uint64_t P>
    Modular<P> number_as(Modular<P>*) {
        std::uint64_t x = random_() >> 1U;
        while (x >= P) x = random_() >> 1U;
        return Modular<P>(x);
    }
    Degree number_as(Degree*) { return {number_as(static_cast<Free*>(nullptr)), 1, 0}; }
    ExponentDegree number_as(ExponentDegree*) { return {number_as(static_cast<Exponent*>(nullptr)), 1, 0}; }

    // Row a of G plus `factor` times row b; column b of the inverse minus `factor` times column a.
    static void add_multiple(Matrix<T>& G, Matrix<T>& inverse, std::size_t a, std::size_t b, int factor) {
        if (a == b) return;
        for (std::size_t j = 0; j < G.size2(); ++j) G(a, j) += T(factor) * G(b, j);
        for (std::size_t i = 0; i < G.size1(); ++i) inverse(i, b) -= T(factor) * inverse(i, a);
    }
};

}  // namespace multihead
