#include "options.hpp"

#include <algorithm>
#include <charconv>
#include <exception>
#include <iostream>
#include <stdexcept>

namespace chapters {

Options::Options(std::string program, std::string purpose, std::vector<Option> own)
    : program_(std::move(program)), purpose_(std::move(purpose)), options_(std::move(own)) {
    options_.push_back({"seed", {"N"}, "draw the random matrices from this seed", {"1"}});
    options_.push_back({"figures", {"DIR"}, "write the figures (SVG) into this folder"});
}

bool Options::parse(int argc, const char* const* argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--help") {
            print_help();
            return false;
        }
        const auto found = std::find_if(options_.begin(), options_.end(),
                                        [&](const Option& option) { return word == "--" + option.name; });
        if (found == options_.end()) throw std::invalid_argument("unknown option " + word + ", see --help");
        found->values.clear();
        for (const std::string& argument : found->arguments) {
            if (++i == argc) throw std::invalid_argument(word + " needs " + argument + ", see --help");
            found->values.emplace_back(argv[i]);
        }
    }
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

std::size_t Options::count(const std::string& name, std::size_t argument) const {
    const std::uint64_t n = number(name, argument);
    if (n == 0) throw std::invalid_argument("--" + name + " must be at least 1");
    return n;
}

const Option& Options::find(const std::string& name) const {
    const auto found =
        std::find_if(options_.begin(), options_.end(), [&](const Option& option) { return option.name == name; });
    if (found == options_.end()) throw std::logic_error("the program has no option --" + name);
    return *found;
}

void Options::print_help() const {
    std::cout << program_ << ": " << purpose_ << "\n\n";
    for (const Option& option : options_) {
        std::string left = "  --" + option.name;
        for (const std::string& argument : option.arguments) left += " " + argument;
        left.resize(std::max<std::size_t>(left.size() + 2, 24), ' ');
        std::cout << left << option.meaning;
        if (!option.values.empty()) {
            std::cout << " (default:";
            for (const std::string& value : option.values) std::cout << ' ' << value;
            std::cout << ')';
        }
        std::cout << '\n';
    }
    std::cout << "  --help                say this\n";
}

int run(int argc, const char* const* argv, Options options, const std::function<void(const Options&)>& body) {
    try {
        if (options.parse(argc, argv)) body(options);
        std::cout.flush();
        if (!std::cout) throw std::runtime_error("cannot write to standard output");
        return 0;
    } catch (const std::exception& error) {
        std::cout.flush();
        std::cerr << (argc > 0 ? std::string(argv[0]).substr(std::string(argv[0]).find_last_of('/') + 1) : "program")
                  << ": " << error.what() << '\n';
        return 2;
    }
}

}  // namespace chapters
