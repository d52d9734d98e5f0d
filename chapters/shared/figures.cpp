#include "figures.hpp"

#include "print.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <stdexcept>

namespace chapters {

namespace {

constexpr const char* ink = "var(--ink, #24292f)";
constexpr const char* paper = "var(--paper, #ffffff)";
constexpr const char* positive = "var(--figure-1, #0969da)";
constexpr const char* negative = "var(--figure-2, #bc4c00)";

std::string escaped(const std::string& text) {
    std::string safe;
    for (const char c : text) switch (c) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            default:
                safe += c;
        }
    return safe;
}

std::string number(double x) { return fixed(x, 2); }

std::string text(double x, double y, const std::string& words, const std::string& anchor = "start", double size = 12,
                 const std::string& more = "") {
    return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\" font-size=\"" +
           number(size) + "\" " + more + ">" + escaped(words) + "</text>\n";
}

std::string document(double width, double height, const std::string& title, const std::string& body) {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" role=\"img\" viewBox=\"0 0 " + number(width) +
           " " + number(height) + "\" width=\"" + number(width) + "\" height=\"" + number(height) +
           "\" font-family=\"system-ui, sans-serif\" style=\"fill:" + ink + "\">\n<title>" + escaped(title) +
           "</title>\n<rect width=\"100%\" height=\"100%\" style=\"fill:" + paper + "\"/>\n" + body + "</svg>\n";
}

// A heat map drawn at (0, 0) with the size it takes.
struct Panel {
    double width;
    double height;
    std::string body;
};

// How much of the full colour a value has.
double share_of(const HeatMap& map, double value, double lowest, double highest) {
    if (!std::isfinite(value)) return 0;
    const double full = map.full > 0 ? map.full : std::max(std::abs(lowest), std::abs(highest));
    return full > 0 ? std::min(1.0, std::abs(value) / full) : 0;
}

std::string cell_style(const HeatMap& map, double value, double lowest, double highest) {
    if (map.grey) {
        const double share = highest > lowest ? (value - lowest) / (highest - lowest) : 0.5;
        const int level = int(std::lround(255 * share));
        return "fill:rgb(" + std::to_string(level) + "," + std::to_string(level) + "," + std::to_string(level) + ")";
    }
    return std::string("fill:") + (value < 0 ? negative : positive) +
           ";fill-opacity:" + fixed(share_of(map, value, lowest, highest), 3);
}

// A value as it is written into a cell: two decimals, without the zeros at the end. Nothing for what is almost 0.
std::string short_number(double x) {
    if (x != 0 && std::abs(x) < 0.005) return "";
    std::string digits = fixed(x, 2);
    while (digits.ends_with('0')) digits.pop_back();
    if (digits.ends_with('.')) digits.pop_back();
    return digits;
}

// No more cells on a side than a page can show.
constexpr std::size_t most_cells = 128;

// A large picture: the mean of every block of pixels.
HeatMap reduced_picture(const HeatMap& map) {
    const auto& X = map.values;
    const std::size_t block = (std::max(X.size1(), X.size2()) + most_cells - 1) / most_cells;
    HeatMap small = map;
    small.values.resize((X.size1() + block - 1) / block, (X.size2() + block - 1) / block, false);
    for (std::size_t i = 0; i < small.values.size1(); ++i)
        for (std::size_t j = 0; j < small.values.size2(); ++j) {
            double sum = 0;
            double pixels = 0;
            for (std::size_t r = i * block; r < std::min((i + 1) * block, X.size1()); ++r)
                for (std::size_t c = j * block; c < std::min((j + 1) * block, X.size2()); ++c)
                    if (std::isfinite(X(r, c))) {
                        sum += X(r, c);
                        pixels += 1;
                    }
            small.values(i, j) = sum / pixels;
        }
    return small;
}

// A large matrix: its first rows and columns, and it says so.
HeatMap reduced_matrix(const HeatMap& map) {
    const std::size_t rows = std::min(map.values.size1(), most_cells);
    const std::size_t columns = std::min(map.values.size2(), most_cells);
    HeatMap small = map;
    small.title += " (the first " + std::to_string(rows) + " rows and " + std::to_string(columns) + " columns)";
    small.values.resize(rows, columns);
    if (!small.row_names.empty()) small.row_names.resize(rows);
    if (!small.column_names.empty()) small.column_names.resize(columns);
    std::erase_if(small.marked, [&](const auto& cell) { return cell.first >= rows || cell.second >= columns; });
    return small;
}

// The pixels of a picture: one path for each grey level, of runs of equal pixels. A NaN stays blank.
std::string pixels(const HeatMap& map, double left, double top, double side, double lowest, double highest) {
    const auto& X = map.values;
    std::map<std::string, std::string> runs;
    for (std::size_t i = 0; i < X.size1(); ++i)
        for (std::size_t j = 0, end = 0; j < X.size2(); j = end) {
            end = j + 1;
            if (!std::isfinite(X(i, j))) continue;
            const std::string style = cell_style(map, X(i, j), lowest, highest);
            while (end < X.size2() && std::isfinite(X(i, end)) && cell_style(map, X(i, end), lowest, highest) == style)
                ++end;
            const std::string length = std::to_string(end - j);
            runs[style] += "M" + std::to_string(j) + " " + std::to_string(i) + "h" + length + "v1h-" + length + "z";
        }
    std::string body = "<g shape-rendering=\"crispEdges\" transform=\"translate(" + number(left) + " " + number(top) +
                       ") scale(" + number(side) + ")\">\n";
    for (const auto& [style, path] : runs) body += "<path style=\"" + style + "\" d=\"" + path + "\"/>\n";
    return body + "</g>\n";
}

Panel panel(const HeatMap& map) {
    if (std::max(map.values.size1(), map.values.size2()) > most_cells)
        return panel(map.grey ? reduced_picture(map) : reduced_matrix(map));
    const auto& X = map.values;
    const double side = std::clamp(256.0 / double(std::max<std::size_t>({X.size1(), X.size2(), 1})), 4.0, 40.0);
    std::size_t longest = 0;
    for (const auto& name : map.row_names) longest = std::max(longest, name.size());
    std::size_t tallest = 0;
    for (const auto& name : map.column_names) tallest = std::max(tallest, name.size());
    const double letter = 5.6;
    const double size = std::clamp(side, 7.0, 10.0);
    const double before = map.sign.empty() ? 0 : 14 + 7 * double(map.sign.size());
    const double left = 12 + before + letter * double(longest) + (map.row_axis.empty() ? 0 : 18);
    const double top = 30 + letter * double(tallest) + (map.column_axis.empty() ? 0 : 18);
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -lowest;
    for (const double x : X.data())
        if (std::isfinite(x)) {
            lowest = std::min(lowest, x);
            highest = std::max(highest, x);
        }
    const double width = side * double(X.size2());
    const double height = side * double(X.size1());

    std::string body = text(12 + before, 20, map.title, "start", 13, "font-weight=\"600\"");
    if (!map.sign.empty()) body += text(4 + before / 2, top + height / 2 + 7, map.sign, "middle", 20);
    if (!map.column_axis.empty()) body += text(left + width / 2, 40, map.column_axis, "middle", 11);
    if (!map.row_axis.empty())
        body +=
            text(0, 0, map.row_axis, "middle", 11,
                 "transform=\"translate(" + number(20 + before) + " " + number(top + height / 2) + ") rotate(-90)\"");
    // Where cells are smaller than letters, some names are left out.
    const auto step = std::size_t(std::ceil(size / side));
    for (std::size_t i = 0; i < map.row_names.size(); i += step)
        body += text(left - 5, top + side * (double(i) + 0.5) + size / 3, map.row_names[i], "end", size);
    for (std::size_t j = 0; j < map.column_names.size(); j += step)
        body += text(0, 0, map.column_names[j], "start", size,
                     "transform=\"translate(" + number(left + side * (double(j) + 0.5) + size / 3) + " " +
                         number(top - 5) + ") rotate(-90)\"");
    if (map.grey) body += pixels(map, left, top, side, lowest, highest);
    for (std::size_t i = 0; i < X.size1() && !map.grey; ++i)
        for (std::size_t j = 0; j < X.size2(); ++j) {
            const std::string row = map.row_names.empty() ? std::to_string(i + 1) : map.row_names.at(i);
            const std::string column = map.column_names.empty() ? std::to_string(j + 1) : map.column_names.at(j);
            body += "<rect x=\"" + number(left + side * double(j)) + "\" y=\"" + number(top + side * double(i)) +
                    "\" width=\"" + number(side) + "\" height=\"" + number(side) + "\" style=\"" +
                    cell_style(map, X(i, j), lowest, highest) + "\"><title>" + escaped(row + ", " + column) + ": " +
                    fixed(X(i, j)) + "</title></rect>\n";
            if (side < 32) continue;
            // Dark cells are written on in the colour of the paper.
            const bool dark = share_of(map, X(i, j), lowest, highest) > 0.75;
            body += text(left + side * (double(j) + 0.5), top + side * (double(i) + 0.5) + 4, short_number(X(i, j)),
                         "middle", 11,
                         "pointer-events=\"none\"" + (dark ? " style=\"fill:" + std::string(paper) + "\"" : ""));
        }
    for (const auto& [i, j] : map.marked)
        body += "<rect x=\"" + number(left + side * double(j)) + "\" y=\"" + number(top + side * double(i)) +
                "\" width=\"" + number(side) + "\" height=\"" + number(side) +
                "\" style=\"fill:none;stroke-width:2.5;stroke:" + negative + "\"/>\n";
    body += "<rect x=\"" + number(left) + "\" y=\"" + number(top) + "\" width=\"" + number(width) + "\" height=\"" +
            number(height) + "\" style=\"fill:none;stroke:" + ink + ";stroke-opacity:0.35\"/>\n";
    const double title_width = 24 + before + 8 * double(map.title.size());
    return {std::max(left + width + 12, title_width), top + height + 12, body};
}

}  // namespace

std::string svg(const HeatMap& map) { return svg(std::vector<HeatMap>{map}); }

std::string svg(const std::vector<HeatMap>& maps) { return svg(std::vector<std::vector<HeatMap>>{maps}); }

std::string svg(const std::vector<std::vector<HeatMap>>& rows) {
    double width = 0;
    double height = 0;
    std::string title;
    std::string body;
    for (const auto& maps : rows) {
        double x = 0;
        double row_height = 0;
        for (const HeatMap& map : maps) {
            const Panel part = panel(map);
            body += "<g transform=\"translate(" + number(x) + " " + number(height) + ")\">\n" + part.body + "</g>\n";
            x += part.width;
            row_height = std::max(row_height, part.height);
            title += (title.empty() ? "" : "; ") + map.title;
        }
        width = std::max(width, x);
        height += row_height;
    }
    return document(width, height, title, body);
}

std::string svg(const LineChart& chart) {
    std::size_t longest = 0;
    for (const auto& curve : chart.curves) longest = std::max(longest, curve.name.size());
    const double legend = longest == 0 ? 0 : 40 + 6 * double(longest);
    constexpr double plot = 560;
    const double width = plot + legend;
    constexpr double height = 320;
    constexpr double left = 64;
    constexpr double right = 24;
    constexpr double top = 40;
    constexpr double bottom = 52;
    double x_low = std::numeric_limits<double>::infinity();
    double x_high = -x_low;
    double y_low = x_low;
    double y_high = -x_low;
    for (const auto& curve : chart.curves)
        for (const auto& [x, y] : curve.points) {
            if (!std::isfinite(x) || !std::isfinite(y)) continue;
            x_low = std::min(x_low, x);
            x_high = std::max(x_high, x);
            y_low = std::min(y_low, y);
            y_high = std::max(y_high, y);
        }
    // A single value, or none, still needs an axis.
    if (!(x_low < x_high)) x_high = (x_low = std::isfinite(x_low) ? x_low : 0) + 1;
    if (!(y_low < y_high)) y_high = (y_low = std::isfinite(y_low) ? y_low : 0) + 1;
    const auto x_at = [&](double x) { return left + (x - x_low) / (x_high - x_low) * (plot - left - right); };
    const auto y_at = [&](double y) {
        return height - bottom - (y - y_low) / (y_high - y_low) * (height - top - bottom);
    };

    std::string body = text(12, 20, chart.title, "start", 13, "font-weight=\"600\"");
    body += text((left + plot - right) / 2, height - 10, chart.x_axis, "middle", 11);
    body += text(0, 0, chart.y_axis, "middle", 11,
                 "transform=\"translate(16 " + number((top + height - bottom) / 2) + ") rotate(-90)\"");
    for (int tick = 0; tick <= 4; ++tick) {
        const double x = x_low + (x_high - x_low) * tick / 4;
        const double y = y_low + (y_high - y_low) * tick / 4;
        body += text(x_at(x), height - bottom + 16, fixed(x, 2), "middle", 10);
        body += text(left - 6, y_at(y) + 3, fixed(y, 2), "end", 10);
        body += "<line x1=\"" + number(left) + "\" x2=\"" + number(plot - right) + "\" y1=\"" + number(y_at(y)) +
                "\" y2=\"" + number(y_at(y)) + "\" style=\"stroke:" + ink + ";stroke-opacity:0.15\"/>\n";
    }
    // Colour tells two curves apart, the dash pattern tells more.
    const char* dashes[] = {"", "6 3", "2 3", "8 3 2 3"};
    for (std::size_t c = 0; c < chart.curves.size(); ++c) {
        const auto& curve = chart.curves[c];
        std::string points;
        for (const auto& [x, y] : curve.points)
            if (std::isfinite(x) && std::isfinite(y)) points += number(x_at(x)) + "," + number(y_at(y)) + " ";
        const std::string stroke = std::string("stroke:") + (c % 2 == 0 ? positive : negative) +
                                   ";stroke-dasharray:" + (*dashes[c / 2 % 4] == '\0' ? "none" : dashes[c / 2 % 4]);
        body += "<polyline points=\"" + points + "\" style=\"fill:none;stroke-width:2;" + stroke + "\"><title>" +
                escaped(curve.name) + "</title></polyline>\n";
        if (chart.ends && !curve.points.empty()) {
            const auto circle = [&](const std::pair<double, double>& at, const std::string& style) {
                body += "<circle cx=\"" + number(x_at(at.first)) + "\" cy=\"" + number(y_at(at.second)) +
                        "\" r=\"4\" style=\"" + style + "\"/>\n";
            };
            circle(curve.points.front(), std::string("fill:") + paper + ";stroke:" + ink);
            circle(curve.points.back(), std::string("fill:") + ink);
        }
        if (curve.name.empty()) continue;
        const double x = plot - right + 12;
        const double y = top + 4 + 16 * double(c);
        body += "<line x1=\"" + number(x) + "\" x2=\"" + number(x + 28) + "\" y1=\"" + number(y) + "\" y2=\"" +
                number(y) + "\" style=\"stroke-width:2;" + stroke + "\"/>\n";
        body += text(x + 34, y + 4, curve.name, "start", 11);
    }
    return document(width, height, chart.title, body);
}

void Figures::write() const {
    namespace fs = std::filesystem;
    // What was printed comes first: a run that could not print has failed and leaves no figures.
    std::cout.flush();
    if (folder_.empty() || !std::cout) return;
    std::error_code error;
    fs::create_directories(folder_, error);
    std::vector<fs::path> made;
    const auto fail = [&](const std::string& name) {
        for (const fs::path& path : made) fs::remove(path, error);
        throw std::runtime_error("cannot write the figure " + name + ".svg into the folder " + folder_);
    };
    for (const auto& [name, body] : figures_) {
        const fs::path part = fs::path(folder_) / (name + ".svg.part");
        std::ofstream file(part, std::ios::binary);
        if (file) made.push_back(part);
        file << body;
        file.close();
        if (!file || fs::is_directory(fs::path(folder_) / (name + ".svg"), error)) fail(name);
    }
    for (const auto& [name, body] : figures_) {
        const fs::path figure = fs::path(folder_) / (name + ".svg");
        fs::rename(fs::path(folder_) / (name + ".svg.part"), figure, error);
        if (error) fail(name);
        made.push_back(figure);
    }
}

}  // namespace chapters
