#pragma once
/// \file
/// Figures as SVG. They are collected while a program runs and written together when it has succeeded.
///
/// Colours are CSS variables with a default, so that a figure inlined into a page follows its theme: `--ink`
/// (text and lines), `--paper` (background), `--figure-1` (positive values), `--figure-2` (negative values).

#include "options.hpp"

#include <multihead/matrix.hpp>

#include <string>
#include <utility>
#include <vector>

namespace chapters {

/// A matrix as coloured cells, or a picture. A cell says its value as a tooltip, and in writing where it is large
/// enough. What has more than 128 rows or columns is reduced: a picture by averaging, a matrix to its first rows and
/// columns.
struct HeatMap {
    std::string title;
    multihead::Matrix<double> values;
    std::string row_axis = {};                   ///< what the rows are
    std::string column_axis = {};                ///< what the columns are
    std::vector<std::string> row_names = {};     ///< one a row, or none
    std::vector<std::string> column_names = {};  ///< one a column, or none
    bool grey = false;                           ///< a picture: the lowest value black, the highest white, NaN blank
    std::string sign = {};                       ///< what stands before the panel: "+", "="
    double full = 0;                             ///< the value of full colour; 0: the largest of this map
    std::vector<std::pair<std::size_t, std::size_t>> marked = {};  ///< cells with a frame
};

/// Curves over one axis.
struct LineChart {
    struct Curve {
        std::string name;
        std::vector<std::pair<double, double>> points;
    };
    std::string title;
    std::string x_axis;
    std::string y_axis;
    std::vector<Curve> curves;  ///< one without a name is not in the legend
    bool ends = false;          ///< a ring where a curve begins, a dot where it ends
    bool logarithmic = false;   ///< both axes in powers of ten; only points with positive coordinates are drawn
};

/// One heat map as an SVG document.
std::string svg(const HeatMap& map);
/// Several heat maps side by side.
std::string svg(const std::vector<HeatMap>& maps);
/// Rows of heat maps, one below the other.
std::string svg(const std::vector<std::vector<HeatMap>>& rows);
/// A line chart as an SVG document.
std::string svg(const LineChart& chart);

/// The figures of one program.
class Figures {
  public:
    /// Writes nothing unless --figures is given. Throws std::runtime_error if a file stands in the folder's way: better
    /// now than after a long run.
    explicit Figures(const Options& options);

    /// Keeps a figure: `name` becomes name.svg.
    void add(std::string name, std::string document) { figures_.emplace_back(std::move(name), std::move(document)); }

    /// Writes all of them, or none: throws std::runtime_error if the folder cannot be written.
    void write() const;

  private:
    std::string folder_;
    std::vector<std::pair<std::string, std::string>> figures_;
};

}  // namespace chapters
