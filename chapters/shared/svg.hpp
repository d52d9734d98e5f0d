#pragma once
/// \file
/// Elements of SVG documents, for the files that draw figures.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace chapters::svg_parts {

inline const std::string ink = "var(--ink, #24292f)";            ///< text and lines
inline const std::string paper = "var(--paper, #ffffff)";        ///< background
inline const std::string positive = "var(--figure-1, #0969da)";  ///< values above 0
inline const std::string negative = "var(--figure-2, #bc4c00)";  ///< values below 0

/// Names and values, in the order they are written.
using Attributes = std::vector<std::pair<std::string_view, std::string>>;

/// A coordinate or a length: two decimals.
std::string number(double x);

/// Text in which &, <, > and " are written as SVG wants them. Bytes that are no UTF-8 or no character that XML allows
/// become U+FFFD: labels come from files.
std::string escaped(const std::string& text);

/// `<name attribute="value" ...>content</name>`; the content is SVG already.
std::string element(std::string_view name, const Attributes& attributes, const std::string& content = "");

/// Words at (x, y); `anchor` is start, middle or end.
std::string text(double x, double y, const std::string& words, const std::string& anchor = "start", double size = 12,
                 const Attributes& more = {});

/// The same for words with formulas in them: `W_1^O` has a subscript and a superscript, and a hyphen that
/// begins a word is a minus sign.
std::string formula(double x, double y, const std::string& words, const std::string& anchor = "start", double size = 12,
                    const Attributes& more = {});

/// Words that run upwards from (x, y).
std::string upwards(double x, double y, const std::string& words, const std::string& anchor, double size);

/// The content moved to (x, y).
std::string moved(double x, double y, const std::string& content);

/// A whole document with its title.
std::string document(double width, double height, const std::string& title, const std::string& content);

/// The lowest and the highest of the finite numbers that were seen.
struct Range {
    bool empty = true;  ///< none was seen yet
    double low = 0;     ///< the lowest
    double high = 0;    ///< the highest

    /// Takes a number into account, unless it is not finite.
    void see(double x);
};

}  // namespace chapters::svg_parts
