#pragma once
/// \file
/// Chapter 8: a picture in patches, and how it is shown.

#include "../shared/figures.hpp"
#include "scene.hpp"

#include <string>
#include <vector>

namespace chapters {

/// A picture and how it is cut.
struct Cut {
    Matrix<double> picture;                                   ///< grey values
    std::size_t rows;                                         ///< patches above each other
    std::size_t columns;                                      ///< patches beside each other
    Matrix<double> X = patch_tokens(picture, rows, columns);  ///< the patches without their means, one a column
    std::size_t height = picture.size1() / rows;              ///< pixels of a patch above each other

    /// patch 1, patch 2, ...
    std::vector<std::string> names() const {
        std::vector<std::string> patches;
        for (std::size_t p = 1; p <= X.size2(); ++p) patches.push_back("patch " + std::to_string(p));
        return patches;
    }
};

/// Rows and columns of a matrix.
inline std::string size(const Matrix<double>& X) { return std::to_string(X.size1()) + "x" + std::to_string(X.size2()); }

/// The picture, its weights, and what comes out, side by side.
inline std::string figure(const Cut& cut, const Matrix<double>& A, const Matrix<double>& O) {
    const HeatMap in{.title = "in", .values = with_gaps(cut.X, cut.rows, cut.columns, cut.height), .grey = true};
    const HeatMap weights{.title = "weights",
                          .values = A,
                          .row_axis = "key",
                          .column_axis = "query",
                          .row_names = cut.names(),
                          .column_names = cut.names(),
                          .full = 1};
    const HeatMap out{.title = "out", .values = with_gaps(O, cut.rows, cut.columns, cut.height), .grey = true};
    return svg(std::vector<HeatMap>{in, weights, out});
}

}  // namespace chapters
