#include "figures.hpp"
#include "print.hpp"
#include "svg.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace chapters {

using namespace svg_parts;

namespace {

// A heat map drawn at (0, 0) with the size it takes.
struct Panel {
    double width;
    double height;
    std::string body;
};

// How much of the full colour a value has.
double share_of(const HeatMap& map, double value, const Range& range) {
    if (!std::isfinite(value)) return 0;
    const double full = map.full > 0 ? map.full : std::max(std::abs(range.low), std::abs(range.high));
    return full > 0 ? std::min(1.0, std::abs(value) / full) : 0;
}

std::string cell_style(const HeatMap& map, double value, const Range& range) {
    if (map.grey) {
        const double share = range.high > range.low ? (value - range.low) / (range.high - range.low) : 0.5;
        const std::string level = std::to_string(std::lround(255 * share));
        return "fill:rgb(" + level + "," + level + "," + level + ")";
    }
    return "fill:" + (value < 0 ? negative : positive) + ";fill-opacity:" + fixed(share_of(map, value, range), 3);
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

// The pixels of a picture, one unit each: one path for each grey level, of runs of equal pixels. A NaN stays blank.
std::string pixels(const HeatMap& map, const Range& range) {
    const auto& X = map.values;
    std::map<std::string, std::string> runs;
    for (std::size_t i = 0; i < X.size1(); ++i)
        for (std::size_t j = 0, end = 0; j < X.size2(); j = end) {
            end = j + 1;
            if (!std::isfinite(X(i, j))) continue;
            const std::string style = cell_style(map, X(i, j), range);
            while (end < X.size2() && std::isfinite(X(i, end)) && cell_style(map, X(i, end), range) == style) ++end;
            const std::string length = std::to_string(end - j);
            std::string& run = runs[style];
            for (const auto& part : {"M" + std::to_string(j), " " + std::to_string(i), "h" + length, "v1h-" + length})
                run += part;
            run += 'z';
        }
    std::string body = "\n";
    for (const auto& [style, path] : runs) body += element("path", {{"style", style}, {"d", path}});
    return body;
}

std::size_t longest(const std::vector<std::string>& names) {
    std::size_t length = 0;
    for (const auto& name : names) length = std::max(length, name.size());
    return length;
}

// Where a panel's cells are.
struct Grid {
    double left;
    double top;
    double side;

    double x(std::size_t j, double within = 0) const { return left + side * (double(j) + within); }
    double y(std::size_t i, double within = 0) const { return top + side * (double(i) + within); }

    // A frame around some cells.
    std::string frame(std::size_t i, std::size_t j, std::size_t rows, std::size_t columns, const std::string& style,
                      const std::string& content = "") const {
        return element("rect",
                       {{"x", number(x(j))},
                        {"y", number(y(i))},
                        {"width", number(side * double(columns))},
                        {"height", number(side * double(rows))},
                        {"style", style}},
                       content);
    }
};

// The cells of a matrix, each with its tooltip and, where there is room, its number.
std::string cells(const HeatMap& map, const Grid& grid, const Range& range) {
    const auto& X = map.values;
    std::string body;
    for (std::size_t i = 0; i < X.size1(); ++i)
        for (std::size_t j = 0; j < X.size2(); ++j) {
            std::string tooltip = map.row_names.empty() ? std::to_string(i + 1) : map.row_names.at(i);
            tooltip += ", ";
            tooltip += map.column_names.empty() ? std::to_string(j + 1) : map.column_names.at(j);
            tooltip += ": ";
            tooltip += fixed(X(i, j));
            body += grid.frame(i, j, 1, 1, cell_style(map, X(i, j), range), element("title", {}, escaped(tooltip)));
            if (grid.side < 32) continue;
            // Dark cells are written on in the colour of the paper.
            const std::string& colour = share_of(map, X(i, j), range) > 0.75 ? paper : ink;
            body += formula(grid.x(j, 0.5), grid.y(i, 0.5) + 4, short_number(X(i, j)), "middle", 11,
                            {{"pointer-events", "none"}, {"style", "fill:" + colour}});
        }
    return body;
}

Panel panel(const HeatMap& map) {
    const auto& X = map.values;
    if (std::max(X.size1(), X.size2()) > most_cells)
        return panel(map.grey ? reduced_picture(map) : reduced_matrix(map));
    const double side = std::clamp(256.0 / double(std::max<std::size_t>({X.size1(), X.size2(), 1})), 4.0, 40.0);
    const double letter = 5.6;
    const double size = std::clamp(side, 7.0, 10.0);
    const double before = map.sign.empty() ? 0 : 14 + 7 * double(map.sign.size());
    const Grid grid{12 + before + letter * double(longest(map.row_names)) + (map.row_axis.empty() ? 0 : 18),
                    30 + letter * double(longest(map.column_names)) + (map.column_axis.empty() ? 0 : 18), side};
    const double right = grid.x(X.size2());
    const double bottom = grid.y(X.size1());
    Range range;
    for (const double x : X.data()) range.see(x);

    std::string body = formula(12 + before, 20, map.title, "start", 13, {{"font-weight", "600"}});
    body += text(4 + before / 2, (grid.top + bottom) / 2 + 7, map.sign, "middle", 20);
    body += text((grid.left + right) / 2, 40, map.column_axis, "middle", 11);
    body += upwards(20 + before, (grid.top + bottom) / 2, map.row_axis, "middle", 11);
    // Where cells are smaller than letters, some names are left out.
    const auto step = std::size_t(std::ceil(size / side));
    for (std::size_t i = 0; i < map.row_names.size(); i += step)
        body += text(grid.left - 5, grid.y(i, 0.5) + size / 3, map.row_names[i], "end", size);
    for (std::size_t j = 0; j < map.column_names.size(); j += step)
        body += upwards(grid.x(j, 0.5) + size / 3, grid.top - 5, map.column_names[j], "start", size);
    const std::string place =
        "translate(" + number(grid.left) + " " + number(grid.top) + ") scale(" + number(side) + ")";
    if (map.grey)
        body += element("g", {{"shape-rendering", "crispEdges"}, {"transform", place}}, pixels(map, range));
    else
        body += cells(map, grid, range);
    for (const auto& [i, j] : map.marked)
        body += grid.frame(i, j, 1, 1, "fill:none;stroke-width:2.5;stroke:" + negative);
    body += grid.frame(0, 0, X.size1(), X.size2(), "fill:none;stroke:" + ink + ";stroke-opacity:0.35");
    return {std::max(right + 12, 24 + before + 8 * double(map.title.size())), bottom + 12, body};
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
            body += moved(x, height, part.body);
            x += part.width;
            row_height = std::max(row_height, part.height);
            if (!title.empty()) title += "; ";
            title += map.title;
        }
        width = std::max(width, x);
        height += row_height;
    }
    return document(width, height, title, body);
}

}  // namespace chapters
