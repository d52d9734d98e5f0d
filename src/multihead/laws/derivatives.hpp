#pragma once
/// \file
/// What the laws of gradients are written with: derivatives by dual numbers, to which a gradient is compared.
///
/// L = Σ dO∘O is a number whose gradient with respect to O is dO. So a gradient dX is right if Σ dX∘D is the derivative
/// of L along D, for every D: along the directions of the coordinates, or along one that is drawn. In F_p a wrong
/// gradient passes for a drawn direction with probability 1/p.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>
#include <multihead/laws/law.hpp>
#include <multihead/scalars/dual.hpp>

#include <string>
#include <utility>

namespace multihead::laws {

/// X as a constant.
template <class T>
Matrix<Dual<T>> constant(const Matrix<T>& X) {
    return matrix_of(X.size1(), X.size2(), [&](std::size_t i, std::size_t j) { return Dual<T>(X(i, j)); });
}

/// X + ε D.
template <class T>
Matrix<Dual<T>> moved(const Matrix<T>& X, const Matrix<T>& D) {
    return matrix_of(X.size1(), X.size2(), [&](std::size_t i, std::size_t j) { return Dual<T>(X(i, j), D(i, j)); });
}

/// Σ A∘B.
template <class T>
T paired(const Matrix<T>& A, const Matrix<T>& B) {
    return sum_of(A.size1(),
                  [&](std::size_t i) { return sum_of(A.size2(), [&](std::size_t j) { return A(i, j) * B(i, j); }); });
}

/// d/dε Σ dO∘O.
template <class T>
T slope_of(const Matrix<T>& dO, const Matrix<Dual<T>>& O) {
    return sum_of(O.size1(), [&](std::size_t i) {
        return sum_of(O.size2(), [&](std::size_t j) { return dO(i, j) * O(i, j).slope; });
    });
}

/// The gradient of Σ dO∘O(X) by dual numbers, entry by entry. O takes X + ε D and returns O(X + ε D).
template <class T, class Forward>
Matrix<T> derivatives(const Matrix<T>& X, const Matrix<T>& dO, const Forward& O) {
    return matrix_of(X.size1(), X.size2(), [&](std::size_t i, std::size_t j) {
        Matrix<T> D(X.size1(), X.size2(), T(0));
        D(i, j) = T(1);
        return slope_of(dO, O(moved(X, D)));
    });
}

/// Σ dX∘D = d/dε Σ dO∘O(X + ε D) along a direction D that is drawn.
template <class T, class Forward>
Equation<T> along_a_direction(std::string name, Draw<T>& draw, const Matrix<T>& dX, const Matrix<T>& X,
                              const Matrix<T>& dO, const Forward& O) {
    const Matrix<T> D = draw.matrix(X.size1(), X.size2());
    return {std::move(name), number(paired(dX, D)), number(slope_of(dO, O(moved(X, D))))};
}

}  // namespace multihead::laws
