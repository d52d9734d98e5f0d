#include "csv.hpp"

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>

namespace chapters {

namespace {

std::string trimmed(const std::string& text) {
    const auto begin = text.find_first_not_of(" \t\r\"");
    if (begin == std::string::npos) return "";
    return text.substr(begin, text.find_last_not_of(" \t\r\"") - begin + 1);
}

std::vector<std::string> fields(const std::string& line) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    while (true) {
        const std::size_t comma = line.find(',', begin);
        parts.push_back(trimmed(line.substr(begin, comma - begin)));
        if (comma == std::string::npos) return parts;
        begin = comma + 1;
    }
}

std::optional<double> number(const std::string& text) {
    const char* first = text.data() + (text.starts_with('+') ? 1 : 0);
    const char* last = text.data() + text.size();
    double x = 0;
    const auto [end, error] = std::from_chars(first, last, x);
    if (error != std::errc() || end != last || text.empty()) return std::nullopt;
    return x;
}

}  // namespace

Table read_csv(const std::string& path) {
    if (std::filesystem::is_directory(path)) throw std::runtime_error(path + ": is a folder, not a file");
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error(path + ": cannot be opened");
    const auto fail = [&](std::size_t line, const std::string& what) {
        throw std::runtime_error(path + ", line " + std::to_string(line) + what);
    };

    Table table;
    std::vector<std::vector<double>> rows;
    std::size_t width = 0;
    bool labelled = false;
    bool first = true;
    std::string line;
    for (std::size_t at = 1; std::getline(file, line); ++at) {
        if (at == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
        if (trimmed(line).empty()) continue;
        const std::vector<std::string> parts = fields(line);
        if (first) {
            first = false;
            width = parts.size();
            // A header has no number but, at most, names that look like one.
            bool header = true;
            for (const std::string& part : parts) header = header && !number(part);
            if (header) {
                table.column_names = parts;
                continue;
            }
        }
        if (parts.size() != width)
            fail(at,
                 " has " + std::to_string(parts.size()) + " columns, but the first line has " + std::to_string(width));
        if (rows.empty()) labelled = width > 1 && !number(parts[0]) && !parts[0].empty();
        if (labelled) table.row_names.push_back(parts[0]);
        std::vector<double> row;
        for (std::size_t column = labelled ? 1 : 0; column < width; ++column) {
            const std::optional<double> x = number(parts[column]);
            if (!x || !std::isfinite(*x))
                fail(at, ", column " + std::to_string(column + 1) + ": '" + parts[column] + "' is not a finite number");
            row.push_back(*x);
        }
        rows.push_back(row);
    }
    if (rows.empty()) throw std::runtime_error(path + ": holds no numbers");
    if (labelled && !table.column_names.empty()) table.column_names.erase(table.column_names.begin());

    table.values.resize(rows.size(), rows.front().size(), false);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < rows[i].size(); ++j) table.values(i, j) = rows[i][j];
    return table;
}

}  // namespace chapters
