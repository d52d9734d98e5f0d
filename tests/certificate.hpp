#pragma once
/// \file
/// The certificate: how strongly every law is proved.

#include "judge.hpp"

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace judge {

/// A wrong hand that a law rejects, and by how much: see margin().
struct Rejection {
    std::string name;
    std::string margin;
};

/// What is known of one law.
struct Finding {
    std::string number;
    std::string name;
    std::string need;                              ///< what it needs of the exponential
    std::vector<std::string> hands;                ///< the hands that were asked
    std::map<std::string, std::size_t> instances;  ///< by world
    bool holds = true;                             ///< in every instance
    std::string witness;                           ///< of the first instance in which it does not
    double widest = 0;                             ///< the width of the widest enclosure in double
    std::map<std::string, double> ulps;            ///< "loops double" and so on: the largest error of an entry
    double degree = 0;                             ///< in an exact world: see Doubt
    double chance = 0;                             ///< in an exact world: see Doubt; 0 if the law lives in none
    std::vector<Rejection> refutations;
    std::size_t mutants = 0;  ///< see mutants_killed()
    bool weak = false;        ///< its enclosures are too wide to reject any of its wrong hands

    std::string id() const { return number + " " + name; }
};

/// What a certificate is asked for. Empty means all.
struct Choice {
    std::string law;
    std::string hand;
    std::string world;
    std::uint64_t seed = 1;  ///< the first of the three
};

/// How many mutants of a hand, or of all if it is empty, are killed by the law of this number: in mutants.tsv, which
/// `meson compile mutants` writes.
std::size_t mutants_killed(const std::string& number, const std::string& hand);

/// Judges a law as chosen.
Finding examine(const Law& law, const Choice& choice);

/// One law in lines for a reader.
void print(std::ostream& out, const Finding& finding);

/// The last lines: how many laws hold, how many are weak, and the largest chance of an accident.
void print_summary(std::ostream& out, std::size_t laws, std::size_t failed, std::size_t weak, double chance);

/// Everything as JSON.
void write_json(std::ostream& out, const std::vector<Finding>& findings);

/// What is proved of what, without measurements: for each law its hands, its worlds and the wrong hands that it
/// rejects.
void write_coverage(std::ostream& out, const std::vector<Finding>& findings);

}  // namespace judge
