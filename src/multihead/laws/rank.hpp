#pragma once
/// \file
/// Rank by elimination. It needs numbers that are exactly zero or not: it is for the exact worlds only.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>
#include <multihead/matrix.hpp>

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

}  // namespace multihead
