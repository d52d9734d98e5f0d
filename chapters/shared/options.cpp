#include "options.hpp"

#include <algorithm>
#include <charconv>
#include <exception>
#include <iostream>
#include <new>
#include <set>
#include <sstream>
#include <stdexcept>

namespace chapters {

Options::Options(std::string program, std::string purpose, std::vector<Option> own, bool draws)
    : program_(std::move(program)), purpose_(std::move(purpose)), options_(std::move(own)) {
    options_.push_back({"seed", {"N"}, "draw the random matrices from this seed", {"1"}});
    if (draws) options_.push_back({"figures", {"DIR"}, "write the figures (SVG) into this folder"});
}

namespace {

[[noreturn]] void refuse_missing(const std::string& option, const std::string& argument) {
    throw std::invalid_argument(option + " needs " + argument + ", see --help");
}

}  // namespace

bool Options::parse(int argc, const char* const* argv) {
    std::set<std::string> seen;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--help") {
            print_help();
            return false;
        }
        if (!seen.insert(word).second) throw std::invalid_argument(word + " is given twice");
        const auto found = std::find_if(options_.begin(), options_.end(),
                                        [&](const Option& option) { return word == "--" + option.name; });
        if (found == options_.end()) throw std::invalid_argument("unknown option " + word + ", see --help");
        found->values.clear();
        for (const std::string& argument : found->arguments) {
            const std::string value = ++i < argc ? argv[i] : "";
            if (value.empty() || value.starts_with("--")) refuse_missing(word, argument);
            found->values.push_back(value);
        }
    }
    number("seed");  // a bad one is refused before anything is printed
    return true;
}

bool Options::given(const std::string& name) const { return !find(name).values.empty(); }

const std::string& Options::text(const std::string& name, std::size_t argument) const {
    return find(name).values.at(argument);
}

std::uint64_t Options::number(const std::string& name, std::size_t argument) const {
    const std::string& value = text(name, argument);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size())
        throw std::invalid_argument("--" + name + " needs a whole number, not '" + value + "'");
    return number;
}

std::size_t Options::count(const std::string& name, std::size_t most, std::size_t argument) const {
    const std::uint64_t n = number(name, argument);
    if (n == 0 || n > most) throw std::invalid_argument("--" + name + " must be 1 to " + std::to_string(most));
    return n;
}

const Option& Options::find(const std::string& name) const {
    const auto found =
        std::find_if(options_.begin(), options_.end(), [&](const Option& option) { return option.name == name; });
    if (found == options_.end()) throw std::logic_error("the program has no option --" + name);
    return *found;
}

void Options::print_help() const {
    constexpr std::size_t indent = 24;
    constexpr std::size_t width = 100;
    std::cout << program_ << ": " << purpose_ << "\n\n";
    const auto line = [&](std::string left, const std::string& meaning) {
        left.resize(std::max(left.size() + 2, indent), ' ');
        std::cout << left;
        std::size_t column = left.size();
        std::istringstream words(meaning);
        for (std::string word; words >> word; column += word.size() + 1) {
            if (column + word.size() > width) {
                std::cout << '\n' << std::string(indent, ' ');
                column = indent;
            } else if (column > left.size()) {
                std::cout << ' ';
            }
            std::cout << word;
        }
        std::cout << '\n';
    };
    for (const Option& option : options_) {
        std::string left = "  --" + option.name;
        for (const std::string& argument : option.arguments) left += " " + argument;
        std::string meaning = option.meaning;
        if (!option.values.empty()) {
            meaning += " (default:";
            for (const std::string& value : option.values) meaning += " " + value;
            meaning += ")";
        }
        line(left, meaning);
    }
    line("  --help", "say this");
}

namespace {

// What a message may quote, in one line that a terminal can show.
std::string one_line(std::string message) {
    for (char& c : message)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
    return message;
}

}  // namespace

int run(int argc, const char* const* argv, Options options, const std::function<void(const Options&)>& body) {
    const auto fail = [&](const std::string& message) {
        std::cout.flush();
        const std::string path = argc > 0 ? argv[0] : "program";
        std::cerr << one_line(path.substr(path.find_last_of('/') + 1) + ": " + message) << std::endl;
        return 2;
    };
    try {
        if (options.parse(argc, argv)) body(options);
        std::cout.flush();
        if (!std::cout) throw std::runtime_error("cannot write to standard output");
        return 0;
    } catch (const std::bad_alloc&) {
        return fail("not enough memory");
    } catch (const std::exception& error) {
        return fail(error.what());
    } catch (...) {
        return fail("an unknown error");
    }
}

}  // namespace chapters
