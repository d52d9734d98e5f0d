#include "certificate.hpp"

#include <cmath>
#include <iomanip>
#include <ostream>
#include <sstream>

namespace judge {

namespace {

// Two digits, and powers of ten where they are needed.
std::string rounded(double x) {
    std::ostringstream text;
    text << std::setprecision(2) << x;
    return text.str();
}

std::string scientific(double x) {
    std::ostringstream text;
    text << std::setprecision(1) << std::scientific << x;
    return text.str();
}

// "2^-46": the next power of two that is not smaller.
std::string power_of_two(double chance) { return "2^" + std::to_string(std::lround(std::ceil(std::log2(chance)))); }

std::string quoted(const std::string& text) {
    std::string safe = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') safe += '\\';
        safe += c;
    }
    return safe + '"';
}

// Things written by `item`, one after the other with ", " between them.
template <class Things, class Item>
std::string joined(const Things& things, Item item) {
    std::string text;
    for (const auto& thing : things) text += (text.empty() ? "" : ", ") + item(thing);
    return text;
}

}  // namespace

void print(std::ostream& out, const Finding& finding) {
    const auto count = [](const auto& world) { return std::to_string(world.second) + " " + world.first; };
    const auto error = [](const auto& run) { return rounded(run.second) + " " + run.first; };
    out << finding.id() << '\n'
        << "  instances    " << joined(finding.instances, count) << '\n'
        << "  verdict      " << (finding.holds ? "holds in all of them" : "DOES NOT HOLD: " + finding.witness) << '\n'
        << "  needs        " << finding.need << '\n';
    if (!finding.ulps.empty())
        out << "  worst ulps   " << joined(finding.ulps, error) << '\n'
            << "  enclosures   up to " << scientific(finding.widest)
            << (finding.weak ? ": WEAK, they reject nothing" : "") << '\n';
    if (finding.chance > 0)
        out << "  degree       " << finding.degree << ", a false law passes with a chance below "
            << power_of_two(finding.chance) << '\n';
    out << "  mutants      " << finding.mutants << " killed\n"
        << "  refutations  " << finding.refutations.size() << " rejected";
    for (const Rejection& wrong : finding.refutations)
        out << "\n    " << std::setw(8) << wrong.margin << "  " << wrong.name;
    out << "\n\n";
}

void print_summary(std::ostream& out, std::size_t laws, std::size_t failed, std::size_t weak, double chance) {
    out << laws << (laws == 1 ? " law, " : " laws, ") << failed << " of them failed, " << weak << " weak";
    if (chance > 0)
        out << "; the largest chance that a false one passes in an exact world is below " << power_of_two(chance);
    out << '\n';
}

void write_json(std::ostream& out, const std::vector<Finding>& findings) {
    const auto text = [](const std::string& s) { return quoted(s); };
    const auto count = [](const auto& world) { return quoted(world.first) + ": " + std::to_string(world.second); };
    const auto error = [](const auto& run) { return quoted(run.first) + ": " + quoted(rounded(run.second)); };
    const auto rejection = [](const Rejection& wrong) {
        return "{\"name\": " + quoted(wrong.name) + ", \"margin\": " + quoted(wrong.margin) + "}";
    };
    const auto law = [&](const Finding& f) {
        return "{\"number\": " + quoted(f.number) + ", \"name\": " + quoted(f.name) + ", \"need\": " + quoted(f.need) +
               ", \"hands\": [" + joined(f.hands, text) + "], \"instances\": {" + joined(f.instances, count) +
               "}, \"holds\": " + (f.holds ? "true" : "false") + ", \"widest\": " + scientific(f.widest) +
               ", \"ulps\": {" + joined(f.ulps, error) + "}, \"degree\": " + std::to_string(std::lround(f.degree)) +
               ", \"chance\": " + (f.chance > 0 ? quoted(power_of_two(f.chance)) : "null") +
               ", \"mutants\": " + std::to_string(f.mutants) + ", \"weak\": " + (f.weak ? "true" : "false") +
               ", \"refutations\": [" + joined(f.refutations, rejection) + "]}";
    };
    out << "{\"laws\": [\n";
    for (std::size_t l = 0; l < findings.size(); ++l) out << (l == 0 ? "" : ",\n") << law(findings[l]);
    out << "\n]}\n";
}

void write_coverage(std::ostream& out, const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) {
        out << finding.id() << "\n  hands: " << joined(finding.hands, [](const std::string& hand) { return hand; })
            << "\n  worlds: " << joined(finding.instances, [](const auto& world) { return world.first; })
            << "\n  needs: " << finding.need << '\n';
        for (const Rejection& wrong : finding.refutations) out << "  rejects: " << wrong.name << '\n';
    }
}

}  // namespace judge
