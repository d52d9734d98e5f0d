#include "svg.hpp"

#include "print.hpp"

#include <algorithm>
#include <cmath>

namespace chapters::svg_parts {

std::string number(double x) { return fixed(x, 2); }

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

std::string element(std::string_view name, const Attributes& attributes, const std::string& content) {
    std::string tag = "<";
    tag += name;
    for (const auto& [attribute, value] : attributes) {
        tag += ' ';
        tag += attribute;
        tag += "=\"";
        tag += escaped(value);
        tag += '"';
    }
    if (content.empty()) return tag + "/>\n";
    tag += '>';
    tag += content;
    tag += "</";
    tag += name;
    return tag + ">\n";
}

std::string text(double x, double y, const std::string& words, const std::string& anchor, double size,
                 const Attributes& more) {
    if (words.empty()) return "";
    Attributes all = {{"x", number(x)}, {"y", number(y)}, {"text-anchor", anchor}, {"font-size", number(size)}};
    all.insert(all.end(), more.begin(), more.end());
    return element("text", all, escaped(words));
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
