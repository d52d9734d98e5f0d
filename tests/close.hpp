#pragma once
/// \file
/// A result compared with one that was computed elsewhere.

#include <multihead/matrix.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>

/// Fails unless the shapes are equal and every entry is within `most` of the expected one; says which is worst.
inline void check_close(const std::string& name, const multihead::Matrix<double>& result,
                        const multihead::Matrix<double>& expected, double most) {
    INFO(name);
    REQUIRE(result.size1() == expected.size1());
    REQUIRE(result.size2() == expected.size2());
    double worst = 0;
    std::size_t row = 0;
    std::size_t column = 0;
    for (std::size_t i = 0; i < result.size1(); ++i)
        for (std::size_t j = 0; j < result.size2(); ++j) {
            const double difference = std::abs(result(i, j) - expected(i, j));
            if (std::isnan(worst) || difference <= worst) continue;  // a NaN is the worst
            worst = difference;
            row = i;
            column = j;
        }
    if (worst <= most) return;
    FAIL_CHECK(name, ": entry (", row, ", ", column, ") is ", result(row, column), ", not ", expected(row, column),
               ", ", worst, " apart, but at most ", most, " is allowed");
}
