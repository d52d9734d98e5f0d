#include "results.hpp"

#include "laws.hpp"
#include "refutations.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <sstream>
#include <stdexcept>

namespace judge {

namespace {

std::string quoted(const std::string& text) {
    std::string safe = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') safe += '\\';
        safe += c;
    }
    return safe + '"';
}

std::string scientific(double x) {
    std::ostringstream text;
    text << std::setprecision(1) << std::scientific << x;
    return text.str();
}

// A JSON list of things that are written by `item`.
template <class Things, class Item>
std::string list(const Things& things, Item item) {
    std::string text = "[";
    for (const auto& thing : things) {
        const std::string one = item(thing);
        if (!one.empty()) text += (text == "[" ? "" : ", ") + one;
    }
    return text + "]";
}

std::string of_law(const Law& law) {
    std::map<std::string, std::size_t> instances;
    bool holds = true;
    double width = 0;
    const auto hands = hands_of(law);
    each_instance(law, hands, [&](const Instance& at) {
        ++instances[at.world];
        holds = holds && at.verdict.holds;
        if (at.world == "double") width = std::max(width, at.verdict.width);
    });
    return "{\"number\": " + quoted(law.number) + ", \"name\": " + quoted(law.name) +
           ", \"hands\": " + list(hands, [](const AnyHand* hand) { return quoted(hand->name); }) +
           ", \"instances\": {" +
           [&] {
               std::string text;
               for (const auto& [world, count] : instances)
                   text += (text.empty() ? "" : ", ") + quoted(world) + ": " + std::to_string(count);
               return text;
           }() +
           "}, \"holds\": " + (holds ? "true" : "false") + ", \"widest\": " + scientific(width) +
           ", \"refutations\": " +
           list(all_refutations(),
                [&](const Refutation& wrong) {
                    const std::string by = margin(law, wrong);
                    return by.empty() || by == "shape"
                               ? std::string()
                               : "{\"name\": " + quoted(wrong.hand.name) + ", \"margin\": " + quoted(by) + "}";
                }) +
           "}";
}

}  // namespace

void write_results(const std::string& path) {
    const std::string unfinished = path + ".unfinished"; // who reads the results meanwhile finds the old ones, whole
    std::ofstream file(unfinished, std::ios::binary);
    file << "{\"laws\": [\n";
    bool first = true;
    for (const Law& law : all_laws()) {
        file << (first ? "" : ",\n") << of_law(law);
        first = false;
    }
    file << "\n],\n\"refutations\": " << list(all_refutations(), [](const Refutation& wrong) {
        return "{\"name\": " + quoted(wrong.hand.name) +
               ", \"rejected\": " + list(wrong.rejected, [](const std::string& number) { return quoted(number); }) +
               "}";
    }) << "}\n";
    file.close();
    if (!file) throw std::runtime_error("cannot write the results to " + unfinished);
    std::filesystem::rename(unfinished, path);
}

}  // namespace judge
