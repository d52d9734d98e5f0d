#include "figures.hpp"
#include "print.hpp"
#include "svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace chapters {

using namespace svg_parts;

namespace {

constexpr double width = 560;
constexpr double height = 320;
constexpr double left = 64;
constexpr double right = 24;
constexpr double top = 40;
constexpr double bottom = 52;

// One axis: it goes from a round number to a round number. Of a logarithmic one the numbers are powers of ten.
struct Axis {
    double low;
    double high;
    double step;  // between its round numbers: 1, 2 or 5 times a power of ten
    bool logarithmic;

    Axis(Range range, bool in_logarithms) : logarithmic(in_logarithms) {
        // A single value, or none, still needs an axis.
        if (!(range.low < range.high)) range.high = range.low + 1;
        const double least = std::max((range.high - range.low) / 6, logarithmic ? 1.0 : 0.0);
        const double power = std::pow(10, std::floor(std::log10(least)));
        step = power * (least <= power ? 1 : least <= 2 * power ? 2 : least <= 5 * power ? 5 : 10);
        low = std::floor(range.low / step) * step;
        high = std::ceil(range.high / step) * step;
    }

    // How far along the axis x is, from 0 to 1.
    double share(double x) const { return (x - low) / (high - low); }

    // Its round numbers, as they are written.
    std::vector<std::pair<double, std::string>> ticks() const {
        const int decimals = std::clamp(int(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
        std::vector<std::pair<double, std::string>> found;
        for (int k = 0; k <= std::lround((high - low) / step); ++k)
            found.emplace_back(low + k * step, (logarithmic ? "1e" : "") + fixed(low + k * step, decimals));
        return found;
    }
};

// The numbers on the axes and where they are in the picture.
struct Axes {
    Axis x;
    Axis y;

    double x_at(double px) const { return left + x.share(px) * (width - left - right); }
    double y_at(double py) const { return height - bottom - y.share(py) * (height - top - bottom); }
};

Axes axes_of(const LineChart& chart) {
    Range x;
    Range y;
    for (const auto& curve : chart.curves)
        for (const auto& [px, py] : curve.points)
            if (std::isfinite(px) && std::isfinite(py)) {
                x.see(px);
                y.see(py);
            }
    return {{x, chart.logarithmic}, {y, chart.logarithmic}};
}

// The chart with the logarithms of its points.
LineChart in_logarithms(LineChart chart) {
    for (auto& curve : chart.curves) {
        std::erase_if(curve.points, [](const auto& point) { return !(point.first > 0 && point.second > 0); });
        for (auto& [x, y] : curve.points) {
            x = std::log10(x);
            y = std::log10(y);
        }
    }
    return chart;
}

std::string line(double x1, double x2, double y, const std::string& style) {
    return element("line",
                   {{"x1", number(x1)}, {"x2", number(x2)}, {"y1", number(y)}, {"y2", number(y)}, {"style", style}});
}

std::string circle(const Axes& axes, const std::pair<double, double>& at, const std::string& style) {
    return element(
        "circle",
        {{"cx", number(axes.x_at(at.first))}, {"cy", number(axes.y_at(at.second))}, {"r", "4"}, {"style", style}});
}

std::string axes_and_ticks(const LineChart& chart, const Axes& axes) {
    std::string body = formula(12, 20, chart.title, "start", 13, {{"font-weight", "600"}});
    body += formula((left + width - right) / 2, height - 10, chart.x_axis, "middle", 11);
    body += upwards(16, (top + height - bottom) / 2, chart.y_axis, "middle", 11);
    for (const auto& [x, written] : axes.x.ticks())
        body += formula(axes.x_at(x), height - bottom + 16, written, "middle", 10);
    for (const auto& [y, written] : axes.y.ticks()) {
        body += formula(left - 6, axes.y_at(y) + 3, written, "end", 10);
        body += line(left, width - right, axes.y_at(y), "stroke:" + ink + ";stroke-opacity:0.15");
    }
    return body;
}

// Curve c: colour tells two curves apart, the dash pattern tells more.
std::string curve_and_legend(const LineChart& chart, std::size_t c, const Axes& axes) {
    static const std::array<std::string, 4> dashes = {"none", "6 3", "2 3", "8 3 2 3"};
    const auto& curve = chart.curves[c];
    const std::string stroke = "fill:none;stroke-width:2;stroke:" + (c % 2 == 0 ? positive : negative) +
                               ";stroke-dasharray:" + dashes.at(c / 2 % dashes.size());
    std::string points;
    for (const auto& [x, y] : curve.points) {
        if (!std::isfinite(x) || !std::isfinite(y)) continue;
        if (!points.empty()) points += ' ';
        points += number(axes.x_at(x));
        points += ',';
        points += number(axes.y_at(y));
    }
    std::string body = element("polyline", {{"points", points}, {"style", stroke}},
                               curve.name.empty() ? "" : element("title", {}, escaped(curve.name)));
    if (chart.ends && !curve.points.empty()) {
        body += circle(axes, curve.points.front(), "fill:" + paper + ";stroke:" + ink);
        body += circle(axes, curve.points.back(), "fill:" + ink);
    }
    if (curve.name.empty()) return body;
    const double x = width - right + 12;
    const double y = top + 4 + 16 * double(c);
    return body + line(x, x + 28, y, stroke) + formula(x + 34, y + 4, curve.name, "start", 11);
}

}  // namespace

std::string svg(const LineChart& chart) {
    const LineChart drawn = chart.logarithmic ? in_logarithms(chart) : chart;
    const Axes axes = axes_of(drawn);
    std::size_t longest = 0;
    for (const auto& curve : drawn.curves) longest = std::max(longest, curve.name.size());
    const double legend = longest == 0 ? 0 : 40 + 6 * double(longest);
    std::string body = axes_and_ticks(drawn, axes);
    for (std::size_t c = 0; c < drawn.curves.size(); ++c) body += curve_and_legend(drawn, c, axes);
    return document(width + legend, height, drawn.title, body);
}

}  // namespace chapters
