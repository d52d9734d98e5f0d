#pragma once
/// \file
/// How the program of "How exact is floating point?" shows errors: two digits, in tables and in charts.

#include "../../chapters/shared/figures.hpp"
#include "../../chapters/shared/print.hpp"
#include "errors.hpp"

#include <cmath>
#include <concepts>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace floating_point {

/// A number with two significant digits.
inline std::string two_digits(const Truth& number) {
    const auto x = number.convert_to<double>();
    if (!std::isfinite(x)) return chapters::fixed(x, 0);
    std::ostringstream scientific;
    scientific << std::scientific << std::setprecision(1) << x;
    const double kept = std::strtod(scientific.str().c_str(), nullptr);
    if (kept != 0 && (std::abs(kept) < 0.01 || std::abs(kept) >= 1e6)) return scientific.str();
    return chapters::fixed(kept, kept >= 10 ? 0 : kept >= 1 ? 1 : kept >= 0.1 ? 2 : 3);
}

/// A line of a table: its name and what stands in the columns.
inline void print_row(const std::string& name, const std::vector<std::string>& cells, int width_of_name = 10) {
    std::cout << std::left << std::setw(width_of_name) << name << std::right;
    for (const std::string& cell : cells) std::cout << std::setw(10) << cell;
    std::cout << '\n';
}

/// The same with numbers.
inline void print_row(const std::string& name, const std::vector<Truth>& numbers) {
    std::vector<std::string> cells;
    for (const Truth& number : numbers) cells.push_back(two_digits(number));
    print_row(name, cells);
}

/// `12 of 12 runs stay below their bounds.`
inline std::string text(const Tally& tally) {
    return std::to_string(tally.below) + " of " + std::to_string(tally.runs) + " runs stay below their bounds.";
}

/// One thing that is measured in float and in double: two curves of one dash pattern.
class Pair {
  public:
    explicit Pair(std::string name) : name_(std::move(name)) {}

    /// A point of the curve of T.
    template <std::floating_point T>
    void add(double x, const Truth& y) {
        curves_[sizeof(T) == sizeof(double) ? 1 : 0].emplace_back(x, y.convert_to<double>());
    }

    /// Both curves.
    std::vector<chapters::LineChart::Curve> curves() const {
        return {{"float, " + name_, curves_[0]}, {"double, " + name_, curves_[1]}};
    }

  private:
    std::string name_;
    std::vector<std::vector<std::pair<double, double>>> curves_{2};
};

/// A chart of pairs, in powers of ten.
inline std::string pairs_chart(std::string title, std::string x_axis, std::string y_axis,
                               const std::vector<Pair>& pairs) {
    chapters::LineChart chart{std::move(title), std::move(x_axis), std::move(y_axis), {}};
    chart.logarithmic = true;
    for (const Pair& pair : pairs)
        for (const auto& curve : pair.curves()) chart.curves.push_back(curve);
    return chapters::svg(chart);
}

}  // namespace floating_point
