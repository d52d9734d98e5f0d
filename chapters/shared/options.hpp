#pragma once
/// \file
/// Command lines: what a program takes, what it says with --help, and how it fails.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace chapters {

/// One option: `--patches R C`, its meaning and its default values, as many as it has arguments.
struct Option {
    std::string name;                      ///< without the dashes
    std::vector<std::string> arguments;    ///< their names, for --help
    std::string meaning;                   ///< what it does
    std::vector<std::string> values = {};  ///< the defaults; empty means: not given
};

/// The options of a program. Every program has --help and --seed N, and --figures DIR if it draws; the rest is its own.
class Options {
  public:
    Options(std::string program, std::string purpose, std::vector<Option> own = {}, bool draws = true);

    /// Reads a command line. Returns false after printing the help. Throws std::invalid_argument for anything unknown.
    bool parse(int argc, const char* const* argv);

    /// Whether the option has a value.
    bool given(const std::string& name) const;
    /// An argument as text.
    const std::string& text(const std::string& name, std::size_t argument = 0) const;
    /// An argument as a whole number. Throws std::invalid_argument if it is none.
    std::uint64_t number(const std::string& name, std::size_t argument = 0) const;
    /// An argument as a whole number from 1 to `most`.
    std::size_t count(const std::string& name, std::size_t most = 1'000'000, std::size_t argument = 0) const;

  private:
    std::string program_;
    std::string purpose_;
    std::vector<Option> options_;

    const Option& find(const std::string& name) const;
    void print_help() const;
};

/// Runs a program: parses its options, then calls the body. Any exception becomes one line on standard error and
/// status 2. Characters that are no text become '?', as the line may quote a file.
int run(int argc, const char* const* argv, Options options, const std::function<void(const Options&)>& body);

}  // namespace chapters
