#include "svg.hpp"

#include "print.hpp"

#include <algorithm>
#include <cmath>

namespace chapters::svg_parts {

std::string number(double x) { return fixed(x, 2); }

namespace {

// How many bytes the character that begins at text[i] has in UTF-8; 0 where there is none that XML allows.
std::size_t length_of_character(const std::string& text, std::size_t i) {
    const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
    const unsigned first = byte(i);
    if (first < 0x80) return first >= ' ' || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
    const std::size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    unsigned long code = length == 0 ? 0 : first & (0xFFU >> (length + 1));
    for (std::size_t k = 1; k < length; ++k) {
        if ((byte(i + k) & 0xC0U) != 0x80) return 0;
        code = code << 6U | (byte(i + k) & 0x3FU);
    }
    const bool too_long = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool none = (code >= 0xD800 && code <= 0xDFFF) || code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
    return too_long || none ? 0 : length;
}

}  // namespace

std::string escaped(const std::string& text) {
    std::string safe;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = length_of_character(text, i);
        const std::string character = length == 0 ? "\uFFFD" : text.substr(i, length);
        i += std::max<std::size_t>(length, 1);
        if (character == "&")
            safe += "&amp;";
        else if (character == "<")
            safe += "&lt;";
        else if (character == ">")
            safe += "&gt;";
        else if (character == "\"")
            safe += "&quot;";
        else
            safe += character;
    }
    return safe;
}

namespace {

std::string tag(std::string_view name, const Attributes& attributes, const std::string& content) {
    std::string tag = "<";
    tag += name;
    for (const auto& [attribute, value] : attributes) {
        tag += ' ';
        tag += attribute;
        tag += "=\"";
        tag += escaped(value);
        tag += '"';
    }
    if (content.empty()) return tag + "/>";
    tag += '>';
    tag += content;
    tag += "</";
    tag += name;
    return tag + ">";
}

// A hyphen that begins a word is a minus sign.
std::string with_minus_signs(const std::string& words) {
    std::string written;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] == '-' && (i == 0 || words[i - 1] == ' ' || words[i - 1] == '('))
            written += "\u2212";
        else
            written += words[i];
    return written;
}

// The SVG `content` as text at (x, y).
std::string text_of(double x, double y, const std::string& content, const std::string& anchor, double size,
                    const Attributes& more) {
    if (content.empty()) return "";
    Attributes all = {{"x", number(x)}, {"y", number(y)}, {"text-anchor", anchor}, {"font-size", number(size)}};
    all.insert(all.end(), more.begin(), more.end());
    return element("text", all, content);
}

}  // namespace

std::string element(std::string_view name, const Attributes& attributes, const std::string& content) {
    return tag(name, attributes, content) + "\n";
}

std::string text(double x, double y, const std::string& words, const std::string& anchor, double size,
                 const Attributes& more) {
    return text_of(x, y, escaped(words), anchor, size, more);
}

std::string formula(double x, double y, const std::string& words, const std::string& anchor, double size,
                    const Attributes& more) {
    std::string content;
    double raised = 0;  // how far the letters before stand above the line
    for (std::size_t begin = 0; begin < words.size();) {
        const bool script = words[begin] == '_' || words[begin] == '^';
        const double wanted = !script ? 0 : words[begin] == '^' ? 0.4 * size : -0.25 * size;
        if (script) ++begin;
        const std::size_t end = std::min(words.find_first_of(script ? "_^ )" : "_^", begin), words.size());
        const std::string letters = with_minus_signs(escaped(words.substr(begin, end - begin)));
        begin = end;
        Attributes style;
        if (wanted != raised) style.emplace_back("dy", number(raised - wanted));
        if (script) style.emplace_back("font-size", number(0.75 * size));
        content += style.empty() ? letters : tag("tspan", style, letters);
        raised = wanted;
    }
    return text_of(x, y, content, anchor, size, more);
}

std::string upwards(double x, double y, const std::string& words, const std::string& anchor, double size) {
    return text(0, 0, words, anchor, size,
                {{"transform", "translate(" + number(x) + " " + number(y) + ") rotate(-90)"}});
}

std::string moved(double x, double y, const std::string& content) {
    return element("g", {{"transform", "translate(" + number(x) + " " + number(y) + ")"}}, "\n" + content);
}

std::string document(double width, double height, const std::string& title, const std::string& content) {
    return element("svg",
                   {{"xmlns", "http://www.w3.org/2000/svg"},
                    {"class", "figure"},
                    {"role", "img"},
                    {"viewBox", "0 0 " + number(width) + " " + number(height)},
                    {"width", number(width)},
                    {"height", number(height)},
                    {"font-family", "system-ui, sans-serif"},
                    {"style", "fill:" + ink}},
                   "\n" + element("title", {}, escaped(title)) +
                       element("rect", {{"width", "100%"}, {"height", "100%"}, {"style", "fill:" + paper}}) + content);
}

void Range::see(double x) {
    if (!std::isfinite(x)) return;
    low = empty ? x : std::min(low, x);
    high = empty ? x : std::max(high, x);
    empty = false;
}

}  // namespace chapters::svg_parts
