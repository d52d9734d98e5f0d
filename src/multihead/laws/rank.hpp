#pragma once
/// \file
/// Rank by elimination. It needs numbers that are exactly zero or not: it is for the exact worlds only.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>
#include <multihead/matrix.hpp>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace multihead {

/// A matrix A of rank r as a product C R. Shapes: A is a×b, C a×r, R r×b.
template <class T>
struct RankFactors {
    Matrix<T> C;  ///< the pivot columns of A: a basis of its column space
    Matrix<T> R;  ///< the nonzero rows of its reduced echelon form: how every column of A is made from that basis
};

/// C and R with A = C R and as few columns of C as possible, by Gauss–Jordan elimination.
template <class T>
requires is_exact<T> RankFactors<T> rank_factors(const Matrix<T>& A) {
    Matrix<T> E = A;
    std::vector<std::size_t> pivots;
    for (std::size_t j = 0; j < E.size2() && pivots.size() < E.size1(); ++j) {
        const std::size_t r = pivots.size();
        std::size_t p = r;
        while (p < E.size1() && E(p, j) == T(0)) ++p;
        if (p == E.size1()) continue;

        const T pivot = E(p, j);
        for (std::size_t k = 0; k < E.size2(); ++k) {
            std::swap(E(p, k), E(r, k));
            E(r, k) /= pivot;
        }
        for (std::size_t i = 0; i < E.size1(); ++i) {
            const T factor = E(i, j);
            if (i == r || factor == T(0)) continue;
            for (std::size_t k = 0; k < E.size2(); ++k) E(i, k) -= factor * E(r, k);
        }
        pivots.push_back(j);
    }
    const std::size_t rank = pivots.size();
    return {matrix_of(A.size1(), rank, [&](std::size_t i, std::size_t k) { return A(i, pivots[k]); }),
            matrix_of(rank, A.size2(), [&](std::size_t k, std::size_t j) { return E(k, j); })};
}

/// The rank of A.
template <class T>
requires is_exact<T> std::size_t rank(const Matrix<T>& A) { return rank_factors(A).C.size2(); }

/// The rank of A with degrees. It is found too small only if all larger minors vanish by accident. The numerator of a
/// k×k minor, over the product of the denominators of its k² entries, has at most k times the degree of a numerator and
/// k² times that of a denominator.
inline std::size_t rank(const Matrix<Degree>& A) {
    double numerator = 0;
    double denominator = 0;
    std::set<std::size_t> scores;
    const Matrix<Free> values = matrix_of(A.size1(), A.size2(), [&](std::size_t i, std::size_t j) {
        numerator = std::max(numerator, A(i, j).numerator());
        denominator = std::max(denominator, A(i, j).denominator());
        scores.insert(A(i, j).scores().begin(), A(i, j).scores().end());
        return A(i, j).value();
    });
    const auto k = static_cast<double>(std::min(A.size1(), A.size2()));
    accidents().degree += k * numerator + k * k * denominator + accidents().of_pairs(scores.size());
    return rank(values);
}

}  // namespace multihead
