#include "refutations.hpp"

#include "laws.hpp"
#include "rewired.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <iomanip>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <typeinfo>

using judge::all_refutations;
using judge::Law;
using judge::Refutation;
using judge::Verdict;

const std::vector<Refutation>& judge::all_refutations() {
    static const std::vector<Refutation> refutations = [] {
        std::vector<Refutation> all;
        for (const auto& file :
             {judge::wrong_softmax(), judge::wrong_scores(), judge::wrong_attention(), judge::wrong_projections(),
              judge::wrong_heads(), judge::wrong_residual(), judge::wrong_row(), judge::wrong_data(),
              judge::wrong_gradients(), judge::wrong_gradients_of_heads(), judge::wrong_hands()})
            all.insert(all.end(), file.begin(), file.end());
        return all;
    }();
    return refutations;
}

namespace {

// The worlds a refutation is judged in: the real one and the free one, where the law and the wrong hand have them.
std::vector<Verdict> verdicts(const Law& law, const Refutation& wrong, std::uint64_t seed, const judge::Shape& shape) {
    std::vector<Verdict> found;
    if (law.worlds.real) found.push_back(judge_double(law, wrong.hand, seed, shape));
    if (law.worlds.free && wrong.hand.in_free) found.push_back(judge_free(law, wrong.hand, seed, shape));
    return found;
}

}  // namespace

std::string judge::margin(const Law& law, const Refutation& wrong) {
    bool judged = false;
    double smallest = std::numeric_limits<double>::infinity();
    try {
        for (const Shape& shape : wrong.shapes) {
            if (!law.admits(shape)) continue;
            for (const Verdict& verdict : verdicts(law, wrong, 1, shape)) {
                if (verdict.holds) return "";
                judged = true;
                if (verdict.margin > 0) smallest = std::min(smallest, verdict.margin);
            }
        }
    } catch (const multihead::shape_error&) {
        return "shape";
    }
    if (!judged) return "";
    if (!law.worlds.real) return "exact";
    std::ostringstream text;
    text << std::setprecision(1) << std::scientific << smallest;
    return text.str();
}

TEST_CASE("a rewired hand without a mistake satisfies every law") {
    const Refutation right = judge::refutation<judge::Rewired>("no mistake", {});
    for (const Law& law : judge::all_laws())
        for (const auto& shape : right.shapes)
            for (const Verdict& verdict : verdicts(law, right, 7, shape)) {
                INFO(law.id(), ": ", verdict.witness);
                CHECK(verdict.holds);
            }
}

TEST_CASE("every wrong hand is a mistake of its own") {
    // By the address of its type: by name, hands without linkage in two files would be alike for some compilers.
    std::map<const std::type_info*, std::string> mistakes;
    for (const Refutation& wrong : all_refutations()) {
        const multihead::Hand<double>& hand = *wrong.hand.in_double;
        const std::string& first = mistakes.emplace(&typeid(hand), wrong.hand.name).first->second;
        CHECK_MESSAGE(first == wrong.hand.name, wrong.hand.name, " is the same as ", first);
    }
}

TEST_CASE("every wrong hand is rejected by the laws it names at every instance") {
    for (const Refutation& wrong : all_refutations()) {
        REQUIRE(!wrong.rejected.empty());
        for (const std::string& number : wrong.rejected) {
            const Law& law = judge::law(number);
            std::size_t instances = 0;
            for (const auto& shape : wrong.shapes) {
                if (!law.admits(shape)) continue;
                for (std::uint64_t seed = 1; seed <= 3; ++seed)
                    for (const Verdict& verdict : verdicts(law, wrong, seed, shape)) {
                        ++instances;
                        INFO(law.id(), " should reject: ", wrong.hand.name, ", seed ", seed);
                        CHECK_FALSE(verdict.holds);
                    }
            }
            CHECK(instances > 0);
        }
    }
}

TEST_CASE("every law rejects at least one wrong hand") {
    std::set<std::string> rejecting;
    std::set<std::string> names;
    for (const Refutation& wrong : all_refutations()) {
        rejecting.insert(wrong.rejected.begin(), wrong.rejected.end());
        INFO(wrong.hand.name);
        CHECK(names.insert(wrong.hand.name).second);
    }
    for (const Law& law : judge::all_laws()) {
        INFO(law.id());
        CHECK(rejecting.count(law.number) == 1);
    }
}

TEST_CASE("the table of laws and wrong hands") {
    std::ostringstream table;
    table << "law x refutation: the margin by which the law rejects the wrong hand. Blank: the law cannot see it.\n";
    std::size_t column = 0;
    for (const Refutation& wrong : all_refutations()) table << "  (" << ++column << ") " << wrong.hand.name << '\n';
    for (const Law& law : judge::all_laws()) {
        table << law.id() << ':';
        column = 0;
        for (const Refutation& wrong : all_refutations()) {
            const std::string entry = judge::margin(law, wrong);
            ++column;
            if (!entry.empty()) table << " (" << column << ") " << entry;
        }
        table << '\n';
    }
    MESSAGE(table.str());
}
