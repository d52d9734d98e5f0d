#include "csv.hpp"

#include "file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace chapters {

namespace {

constexpr std::size_t most_bytes = std::size_t{256} << 20U;
constexpr std::size_t most_columns = 100'000;

std::string trimmed(const std::string& text) {
    const auto begin = text.find_first_not_of(" \t\r");
    if (begin == std::string::npos) return "";
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::optional<double> number(const std::string& text) {
    const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
    const char* last = text.data() + text.size();
    double x = 0;
    const auto [end, error] = std::from_chars(text.data() + (plus ? 1 : 0), last, x);
    if (error != std::errc() || end != last || text.empty()) return std::nullopt;
    return x;
}

// A field as a message quotes it: not too long, and without what is no text.
std::string quoted(std::string field) {
    if (field.size() > 40) field = field.substr(0, 40) + "...";
    std::replace_if(
        field.begin(), field.end(), [](unsigned char c) { return c < ' '; }, '?');
    return "'" + field + "'";
}

bool is_header(const std::vector<std::string>& parts) {
    return std::none_of(parts.begin(), parts.end(), [](const std::string& part) { return number(part).has_value(); });
}

// The table while its lines are read.
class Lines {
  public:
    explicit Lines(std::string path) : path_(std::move(path)) {}

    void add(const std::string& line, std::size_t at) {
        const std::vector<std::string> parts = fields(line, at);
        if (width_ == 0) {
            width_ = parts.size();
            if (is_header(parts)) {
                table_.column_names = parts;
                return;
            }
        }
        if (parts.size() != width_)
            fail(at,
                 "has " + std::to_string(parts.size()) + " columns, but the first line has " + std::to_string(width_));
        if (rows_ == 0) labelled_ = width_ > 1 && !number(parts[0]) && !parts[0].empty();
        if (labelled_) table_.row_names.push_back(parts[0]);
        for (std::size_t column = labelled_ ? 1 : 0; column < width_; ++column) {
            const std::optional<double> x = number(parts[column]);
            if (!x || !std::isfinite(*x))
                fail(at,
                     "column " + std::to_string(column + 1) + ": " + quoted(parts[column]) + " is not a finite number");
            numbers_.push_back(*x);
        }
        ++rows_;
    }

    Table table() {
        if (width_ == 0) throw std::runtime_error(path_ + ": is empty");
        if (rows_ == 0) throw std::runtime_error(path_ + ": holds no numbers");
        if (labelled_ && !table_.column_names.empty()) table_.column_names.erase(table_.column_names.begin());
        table_.values.resize(rows_, numbers_.size() / rows_, false);
        std::copy(numbers_.begin(), numbers_.end(), table_.values.data().begin());
        return table_;
    }

  private:
    std::string path_;
    Table table_;
    std::vector<double> numbers_;  // row by row
    std::size_t rows_ = 0;
    std::size_t width_ = 0;  // of the first line
    bool labelled_ = false;

    // The fields of a line. A quote that opens a field encloses all of it; a quote inside is written twice.
    std::vector<std::string> fields(const std::string& line, std::size_t at) const {
        std::vector<std::string> parts(1);
        enum { plain, inside, closed } field = plain;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const char c = line[i];
            if (field == inside) {
                if (c != '"')
                    parts.back() += c;
                else if (i + 1 < line.size() && line[i + 1] == '"')
                    parts.back() += line[++i];
                else
                    field = closed;
            } else if (c == ',') {
                if (parts.size() == most_columns)
                    fail(at, "has more than " + std::to_string(most_columns) + " columns");
                parts.emplace_back();
                field = plain;
            } else if (field == closed) {
                if (!trimmed({c}).empty())
                    fail(at, "column " + std::to_string(parts.size()) + ": text after the closing quote");
            } else if (c == '"' && trimmed(parts.back()).empty()) {
                parts.back().clear();
                field = inside;
            } else {
                parts.back() += c;
            }
        }
        if (field == inside) fail(at, "column " + std::to_string(parts.size()) + ": a quote is not closed");
        for (std::string& part : parts) part = trimmed(part);
        return parts;
    }

    [[noreturn]] void fail(std::size_t line, const std::string& what) const {
        throw std::runtime_error(path_ + ", line " + std::to_string(line) + ", " + what);
    }
};

}  // namespace

Table read_csv(const std::string& path) {
    std::istringstream file(read_file(path, most_bytes));
    Lines lines(path);
    std::string line;
    for (std::size_t at = 1; std::getline(file, line); ++at) {
        if (at == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
        if (!trimmed(line).empty()) lines.add(line, at);
    }
    return lines.table();
}

}  // namespace chapters
