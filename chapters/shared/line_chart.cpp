#include "figures.hpp"
#include "print.hpp"
#include "svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace chapters {

using namespace svg_parts;

namespace {

constexpr double width = 560;
constexpr double height = 320;
constexpr double left = 64;
constexpr double right = 24;
constexpr double top = 40;
constexpr double bottom = 52;

// The numbers on the axes and where they are in the picture.
struct Axes {
    Range x;
    Range y;

    explicit Axes(const LineChart& chart) {
        for (const auto& curve : chart.curves)
            for (const auto& [px, py] : curve.points)
                if (std::isfinite(px) && std::isfinite(py)) {
                    x.see(px);
                    y.see(py);
                }
        if (chart.logarithmic) {
            for (Range* range : {&x, &y}) {
                range->low = std::floor(range->low);
                range->high = std::ceil(range->high);
            }
        }
        // A single value, or none, still needs an axis.
        if (!(x.low < x.high)) x.high = x.low + 1;
        if (!(y.low < y.high)) y.high = y.low + 1;
    }

    double x_at(double px) const { return left + (px - x.low) / (x.high - x.low) * (width - left - right); }
    double y_at(double py) const { return height - bottom - (py - y.low) / (y.high - y.low) * (height - top - bottom); }
};

std::string line(double x1, double x2, double y, const std::string& style) {
    return element("line",
                   {{"x1", number(x1)}, {"x2", number(x2)}, {"y1", number(y)}, {"y2", number(y)}, {"style", style}});
}

std::string circle(const Axes& axes, const std::pair<double, double>& at, const std::string& style) {
    return element(
        "circle",
        {{"cx", number(axes.x_at(at.first))}, {"cy", number(axes.y_at(at.second))}, {"r", "4"}, {"style", style}});
}

// Where an axis has its numbers: at five places, or at powers of ten, which are whole numbers here.
std::vector<double> ticks(const Range& range, bool logarithmic) {
    std::vector<double> places;
    const double span = range.high - range.low;
    const double step = logarithmic ? std::ceil(span / 8) : span / 4;
    const int last = logarithmic ? int(span / step) : 4;
    for (int tick = 0; tick <= last; ++tick) places.push_back(range.low + step * tick);
    return places;
}

std::string tick_name(double at, bool logarithmic) { return logarithmic ? "1e" + fixed(at, 0) : fixed(at, 2); }

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

std::string axes_and_ticks(const LineChart& chart, const Axes& axes) {
    std::string body = text(12, 20, chart.title, "start", 13, {{"font-weight", "600"}});
    body += text((left + width - right) / 2, height - 10, chart.x_axis, "middle", 11);
    body += upwards(16, (top + height - bottom) / 2, chart.y_axis, "middle", 11);
    for (const double x : ticks(axes.x, chart.logarithmic))
        body += text(axes.x_at(x), height - bottom + 16, tick_name(x, chart.logarithmic), "middle", 10);
    for (const double y : ticks(axes.y, chart.logarithmic)) {
        body += text(left - 6, axes.y_at(y) + 3, tick_name(y, chart.logarithmic), "end", 10);
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
    return body + line(x, x + 28, y, stroke) + text(x + 34, y + 4, curve.name, "start", 11);
}

}  // namespace

std::string svg(const LineChart& chart) {
    const LineChart drawn = chart.logarithmic ? in_logarithms(chart) : chart;
    const Axes axes(drawn);
    std::size_t longest = 0;
    for (const auto& curve : drawn.curves) longest = std::max(longest, curve.name.size());
    const double legend = longest == 0 ? 0 : 40 + 6 * double(longest);
    std::string body = axes_and_ticks(drawn, axes);
    for (std::size_t c = 0; c < drawn.curves.size(); ++c) body += curve_and_legend(drawn, c, axes);
    return document(width + legend, height, drawn.title, body);
}

}  // namespace chapters
