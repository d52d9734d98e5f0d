#include "refutations.hpp"

#include <algorithm>
#include <iomanip>
#include <limits>
#include <sstream>
#include <string>

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

std::vector<Verdict> judge::verdicts(const Law& law, const Refutation& wrong, std::uint64_t seed, const Shape& shape) {
    std::vector<Verdict> found;
    if (law.worlds.real) found.push_back(judge_double(law, wrong.hand, seed, shape));
    if (law.worlds.free && wrong.hand.in_free) found.push_back(judge_free(law, wrong.hand, seed, shape));
    return found;
}

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
