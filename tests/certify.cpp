// build/laws: runs every law and prints the certificate.

#include "certificate.hpp"
#include "laws.hpp"

#include "../chapters/shared/options.hpp"
#include "../chapters/shared/progress.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

using judge::Choice;
using judge::Finding;
using judge::Law;

namespace {

// Throws unless `name` is empty or among the names.
void refuse_unknown(const std::string& kind, const std::string& name, const std::vector<std::string>& names) {
    if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return;
    std::string there_are;
    for (const std::string& other : names) there_are += " " + other;
    throw std::invalid_argument("there is no " + kind + " " + name + "; there are" + there_are);
}

std::string value(const chapters::Options& options, const std::string& name) {
    return options.given(name) ? options.text(name) : "";
}

Choice choice_of(const chapters::Options& options) {
    Choice choice{value(options, "law"), value(options, "hand"), value(options, "world"), options.number("seed")};
    if (choice.seed > std::numeric_limits<std::uint64_t>::max() - 3)  // three seeds are used
        throw std::invalid_argument("--seed is too large");
    if (!choice.law.empty()) judge::law(choice.law);  // throws, with a list
    std::vector<std::string> hands;
    for (const judge::AnyHand* hand : judge::all_hands()) hands.push_back(hand->name);
    refuse_unknown("hand", choice.hand, hands);
    std::vector<std::string> worlds;
    for (const judge::World& world : judge::worlds()) worlds.push_back(world.name);
    refuse_unknown("world", choice.world, worlds);
    return choice;
}

// Every choice without a law finds some.
std::string where_asked(const Law& law) {
    std::string text = "law " + law.number + " is asked of";
    for (const judge::AnyHand* hand : judge::hands_of(law)) text += " " + hand->name;
    text += " and in";
    for (const judge::World& world : judge::worlds())
        if (world.claimed(law)) text += " " + world.name;
    return text + " only";
}

std::vector<Finding> findings(const Choice& choice) {
    const chapters::Progress progress;
    std::vector<Finding> found;
    for (const Law& law : judge::all_laws()) {
        if (!choice.law.empty() && law.number != choice.law) continue;
        progress.at(law.id());
        Finding finding = judge::examine(law, choice);
        finding.mutants = judge::mutants_killed(law.number, choice.hand);
        if (!finding.instances.empty()) found.push_back(std::move(finding));
    }
    if (found.empty()) throw std::invalid_argument(where_asked(judge::law(choice.law)));
    return found;
}

// Replaces the file as a whole: who reads it meanwhile finds the old one. A link or a device is written to.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
    const auto type = std::filesystem::symlink_status(path).type();
    const bool replaces = type == std::filesystem::file_type::not_found || type == std::filesystem::file_type::regular;
    const std::string target = replaces ? path + ".unfinished" : path;
    std::ofstream file(target, std::ios::binary);
    write(file);
    file.close();
    if (!file) throw std::runtime_error("cannot write " + target);
    if (replaces) std::filesystem::rename(target, path);
}

// Throws if nothing can be written there; a law takes its time.
void refuse_unwritable(const std::string& path) {
    const bool there = std::filesystem::exists(std::filesystem::symlink_status(path));
    const std::ofstream file(path, std::ios::app);
    if (!file) throw std::runtime_error("cannot write " + path);
    if (!there) std::filesystem::remove(path);
}

void certify(const chapters::Options& options) {
    const Choice choice = choice_of(options);
    for (const std::string name : {"json", "coverage"})
        if (options.given(name)) refuse_unwritable(options.text(name));
    if (options.given("json") && value(options, "json") == value(options, "coverage"))
        throw std::invalid_argument("--json and --coverage name one file");
    const std::vector<Finding> found = findings(choice);
    if (options.given("json"))
        write_file(options.text("json"), [&](std::ostream& out) { judge::write_json(out, found); });
    if (options.given("coverage"))
        write_file(options.text("coverage"), [&](std::ostream& out) { judge::write_coverage(out, found); });

    std::size_t failed = 0;
    std::size_t weak = 0;
    double chance = 0;
    for (const Finding& finding : found) {
        judge::print(std::cout, finding);
        failed += finding.holds ? 0 : 1;
        weak += finding.weak ? 1 : 0;
        chance = std::max(chance, finding.chance);
    }
    judge::print_summary(std::cout, found.size(), failed, weak, chance);
    if (failed > 0) throw std::runtime_error("not every law holds");
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<chapters::Option> own = {
        {"law", {"NUMBER"}, "only this law"},
        {"hand", {"NAME"}, "only this hand: loops or algebra"},
        {"world", {"NAME"}, "only this world: double, float, free or homomorphic"},
        {"json", {"FILE"}, "write everything here too, for the site"},
        {"coverage", {"FILE"}, "write here what is proved of what, without measurements"},
    };
    return chapters::run(argc, argv, {"laws", "runs every law and prints how strongly it is proved", own, false},
                         certify);
}
