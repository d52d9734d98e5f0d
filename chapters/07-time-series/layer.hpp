#pragma once
/// \file
/// Chapter 7: the layer step by step, with a row for every point in time.

#include "../shared/csv.hpp"

#include <multihead/algebra/row.hpp>
#include <multihead/loops/row.hpp>
#include <multihead/matrix.hpp>
#include <multihead/weights.hpp>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace chapters {

using multihead::Matrix;
using RowWeights = multihead::row::MultiHeadWeights<double>;

/// What the steps are made of, in plain loops.
struct RowLoops {
    static Matrix<double> product(const Matrix<double>& X, const Matrix<double>& W) {
        return multihead::loops::row::project(X, W);
    }
    static Matrix<double> scores(const Matrix<double>& Q, const Matrix<double>& K) {
        return multihead::loops::row::dot_product(Q, K);
    }
    static Matrix<double> softmax(const Matrix<double>& S) { return multihead::loops::row::softmax(S); }
    /// The whole layer as one function, of a sample or a batch.
    static auto layer(const RowWeights& weights, const auto& X) {
        return multihead::loops::row::self_attention(weights, X, multihead::loops::row::dot_product);
    }
};

/// What the steps are made of, in uBLAS.
struct RowAlgebra {
    static Matrix<double> product(const Matrix<double>& X, const Matrix<double>& W) {
        return boost::numeric::ublas::prod(X, W);
    }
    static Matrix<double> scores(const Matrix<double>& Q, const Matrix<double>& K) {
        return multihead::algebra::row::dot_product(Q, K);
    }
    static Matrix<double> softmax(const Matrix<double>& S) { return multihead::algebra::row::softmax(S); }
    /// The whole layer as one function, of a sample or a batch.
    static auto layer(const RowWeights& weights, const auto& X) {
        return multihead::algebra::row::self_attention(weights, X, multihead::algebra::row::dot_product);
    }
};

/// What one head computes from n points in time.
struct HeadSteps {
    Matrix<double> Q, K, V;  ///< n × d_k, n × d_k, n × d_v
    Matrix<double> S;        ///< scores, n × n
    Matrix<double> A;        ///< weights, n × n; row i: how much point i takes of every point
    Matrix<double> O;        ///< the head, n × d_v
};

/// Steps 1 to 4: one head. X is n × d_model.
// [head_steps]
template <class Hand>
HeadSteps head_steps(const multihead::row::Head<double>& head, const Matrix<double>& X) {
    HeadSteps s;
    s.Q = Hand::product(X, head.W_Q);  // 1. linear, to d_k features
    s.K = Hand::product(X, head.W_K);  // 2. twice more
    s.V = Hand::product(X, head.W_V);
    s.S = Hand::scores(s.Q, s.K);  // 3. every point with every point: Q Kᵀ
    s.A = Hand::softmax(s.S);
    s.O = Hand::product(s.A, s.V);  // 4. the weights times V
    return s;
}
// [head_steps]

/// What the layer makes of its heads.
struct LastSteps {
    Matrix<double> concat;  ///< the heads side by side, n × H d_v
    Matrix<double> linear;  ///< n × d_model
    Matrix<double> output;  ///< n × d_model
};

/// The heads side by side, or the blocks of W^O for their columns.
inline Matrix<double> side_by_side(const std::vector<Matrix<double>>& parts) {
    const std::size_t d = parts.at(0).size2();
    Matrix<double> whole(parts[0].size1(), parts.size() * d);
    for (std::size_t h = 0; h < parts.size(); ++h)
        for (std::size_t i = 0; i < whole.size1(); ++i)
            for (std::size_t l = 0; l < d; ++l) whole(i, h * d + l) = parts[h](i, l);
    return whole;
}

/// The blocks of W^O on top of each other: H d_v × d_model.
inline Matrix<double> stacked_W_O(const RowWeights& weights) {
    std::vector<Matrix<double>> blocks;
    for (const auto& head : weights) blocks.push_back(multihead::transposed(head.W_O));
    return multihead::transposed(side_by_side(blocks));
}

/// Steps 5 and 6: all heads, n × d_v each, back to the size of X.
// [last_steps]
template <class Hand>
LastSteps last_steps(const std::vector<Matrix<double>>& heads, const RowWeights& weights, const Matrix<double>& X) {
    LastSteps s;
    s.concat = side_by_side(heads);                            // 5. side by side, and linear
    s.linear = Hand::product(s.concat, stacked_W_O(weights));  //    back to d_model features
    s.output = X + s.linear;                                   // 6. plus the original
    return s;
}
// [last_steps]

/// `column 3 (information)`, counted as in the file.
inline std::string name_of_column(const Table& table, std::size_t j) {
    const std::string place = "column " + std::to_string(j + 1 + (table.row_names.empty() ? 0 : 1));
    return table.column_names.empty() ? place : place + " (" + table.column_names.at(j) + ")";
}

/// Every column minus its mean, over its population standard deviation (divide by N). Throws std::runtime_error, with
/// the column, where that is not possible.
inline Matrix<double> standardised(const Table& table) {
    const Matrix<double>& X = table.values;
    const auto N = double(X.size1());
    Matrix<double> Z(X.size1(), X.size2());
    for (std::size_t j = 0; j < X.size2(); ++j) {
        double mean = 0;
        double variance = 0;
        bool constant = true;
        for (std::size_t i = 0; i < X.size1(); ++i) mean += X(i, j) / N;
        for (std::size_t i = 0; i < X.size1(); ++i) {
            variance += (X(i, j) - mean) * (X(i, j) - mean) / N;
            constant = constant && X(i, j) == X(0, j);
        }
        const std::string cannot = name_of_column(table, j) + " cannot be standardised: ";
        if (constant) throw std::runtime_error(cannot + "it is constant");
        if (!std::isnormal(variance)) throw std::runtime_error(cannot + "its numbers are too large or too alike");
        for (std::size_t i = 0; i < X.size1(); ++i) Z(i, j) = (X(i, j) - mean) / std::sqrt(variance);
    }
    return Z;
}

/// The table cut into samples of this many rows, one after the other: a batch. Rows left over at the end are left out.
inline std::vector<Matrix<double>> windows(const Matrix<double>& X, std::size_t rows) {
    std::vector<Matrix<double>> batch;
    for (std::size_t begin = 0; rows > 0 && begin + rows <= X.size1(); begin += rows)
        batch.emplace_back(boost::numeric::ublas::subrange(X, begin, begin + rows, 0, X.size2()));
    return batch;
}

/// How much of its weight a point in time gives to later ones, on average over all points. A is n × n.
inline double weight_on_later(const Matrix<double>& A) {
    double later = 0;
    for (std::size_t i = 0; i < A.size1(); ++i)
        for (std::size_t j = i + 1; j < A.size2(); ++j) later += A(i, j);
    return later / double(A.size1());
}

}  // namespace chapters
