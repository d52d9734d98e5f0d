#include "certificate.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace judge {

namespace {

// By hand and number of the law; of both hands together by "" and the number.
using Count = std::map<std::pair<std::string, std::string>, std::size_t>;

// MUTANTS is the path of mutants.tsv.
Count counted() {
    constexpr int column = 8;  // the laws that kill: "rejects 4.0,4.2 throws 5.0"
    std::ifstream file(MUTANTS);
    if (!file) throw std::runtime_error("cannot read " MUTANTS);
    Count killed;
    for (std::string line; std::getline(file, line);) {
        std::istringstream columns(line);
        std::string hand;
        std::string laws;
        std::getline(columns, hand, '\t');
        for (int at = 1; at <= column; ++at) std::getline(columns, laws, '\t');
        std::replace(laws.begin(), laws.end(), ',', ' ');
        std::istringstream words(laws);
        for (std::string word; words >> word;) {
            if (std::isdigit(static_cast<unsigned char>(word.front())) == 0) continue;
            ++killed[{hand, word}];
            ++killed[{"", word}];
        }
    }
    return killed;
}

}  // namespace

std::size_t mutants_killed(const std::string& number, const std::string& hand) {
    static const Count killed = counted();
    const auto found = killed.find({hand, number});
    return found == killed.end() ? 0 : found->second;
}

}  // namespace judge
