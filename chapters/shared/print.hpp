#pragma once
/// \file
/// Printing matrices so that a reader can follow them: four decimals, the shape beside the name.

#include <multihead/matrix.hpp>

#include <string>

namespace chapters {

/// x with this many decimals, never "-0.0000".
std::string fixed(double x, int decimals = 4);

/// Prints `name (rows x columns)` and the entries below it. Of more than `most` rows or columns only the first are
/// shown, and it says so.
void print(const std::string& name, const multihead::Matrix<double>& X, std::size_t most = 8);

/// Prints a heading with a line under it.
void heading(const std::string& text);

/// Prints a sentence or more, wrapped at 80 columns, and an empty line after it.
void say(const std::string& text);

/// Prints a result by loops, then by uBLAS, and how far they are apart: side by side where the lines hold both.
void print_both(const std::string& name, const multihead::Matrix<double>& by_loops,
                const multihead::Matrix<double>& by_algebra, std::size_t most = 8);

/// Prints two matrices side by side: `left name (2x3) | right name (3x2)`.
void print_beside(const std::string& left_name, const multihead::Matrix<double>& left, const std::string& right_name,
                  const multihead::Matrix<double>& right);

/// The largest distance between two entries at one place; NaN if there is one. The shapes must agree.
double largest_difference(const multihead::Matrix<double>& A, const multihead::Matrix<double>& B);

}  // namespace chapters
