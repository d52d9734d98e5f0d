#include "refutations.hpp"

#include "laws.hpp"
#include "rewired.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <typeinfo>

using judge::all_refutations;
using judge::Law;
using judge::Refutation;
using judge::Verdict;
using judge::verdicts;

TEST_CASE("a rewired hand without a mistake satisfies every law") {
    const Refutation right = judge::refutation<judge::Rewired>("no mistake", {});
    for (const Law& law : judge::all_laws())
        for (const auto& shape : right.shapes)
            for (const Verdict& verdict : verdicts(law, right, 7, shape)) {
                INFO(law.id(), ": ", verdict.witness);
                CHECK(verdict.holds);
            }
}

TEST_CASE("equal weights satisfy laws 1.1 to 1.4") {
    const auto& all = all_refutations();
    const auto equal = std::find_if(all.begin(), all.end(), [](const Refutation& wrong) {
        return wrong.hand.name == "the same weight for every key";
    });
    REQUIRE(equal != all.end());
    for (const char* number : {"1.1", "1.2", "1.3", "1.4"})
        for (const auto& shape : equal->shapes)
            for (const Verdict& verdict : verdicts(judge::law(number), *equal, 1, shape)) {
                INFO("law ", number, ": ", verdict.witness);
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
