#pragma once
/// \file
/// Small matrices written as they look.

#include <multihead/matrix.hpp>

#include <initializer_list>
#include <stdexcept>

namespace chapters {

/// The matrix with these rows: `matrix({{1, 2}, {3, 4}})`.
inline multihead::Matrix<double> matrix(std::initializer_list<std::initializer_list<double>> rows) {
    multihead::Matrix<double> X(rows.size(), rows.size() == 0 ? 0 : rows.begin()->size());
    std::size_t i = 0;
    for (const auto& row : rows) {
        if (row.size() != X.size2()) throw std::logic_error("matrix: the rows differ in length");
        std::size_t j = 0;
        for (const double x : row) X(i, j++) = x;
        ++i;
    }
    return X;
}

}  // namespace chapters
