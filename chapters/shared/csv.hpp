#pragma once
/// \file
/// Tables of numbers as CSV.

#include <multihead/matrix.hpp>

#include <string>
#include <vector>

namespace chapters {

/// A table whose first column may hold labels.
struct Table {
    std::vector<std::string> column_names;  ///< of the numbers, from the header; empty if there is none
    std::vector<std::string> row_names;     ///< the first column, if it is not numbers; else empty
    multihead::Matrix<double> values;       ///< row i, column j of the numbers
};

/// Reads a comma-separated file: an optional header line, in which nothing is a number, then one line a row. The first
/// column may be labels. Between double quotes a comma is part of a field, and a quote is written twice. Blank lines
/// are skipped. Throws std::runtime_error, with line and column, if the file is missing, empty, ragged, larger than 256
/// MB or wider than 100 000 columns, a quote is not closed at the end of its field, or an entry is no finite number.
Table read_csv(const std::string& path);

/// The numbers alone.
inline multihead::Matrix<double> read_matrix(const std::string& path) { return read_csv(path).values; }

}  // namespace chapters
