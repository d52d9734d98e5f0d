#include "certificate.hpp"

#include "laws.hpp"
#include "refutations.hpp"
#include "strength.hpp"

#include <algorithm>

namespace judge {

namespace {

// The errors and the odds at one instance.
void measure(Finding& finding, const Law& law, const Instance& at) {
    const auto error = [&](double ulps) {
        double& worst = finding.ulps[at.hand.name + ' ' + at.world];
        worst = std::max(worst, ulps);
    };
    const auto odds = [&](const Doubt& doubt) {
        finding.degree = std::max(finding.degree, doubt.degree);
        finding.chance = std::max(finding.chance, doubt.chance);
    };
    if (at.world == "double") error(ulps_double(law, at.hand, at.seed, at.shape));
    if (at.world == "float") error(ulps_float(law, at.hand, at.seed, at.shape));
    if (at.world == "free") odds(doubt_free(law, at.hand, at.seed, at.shape));
    if (at.world == "homomorphic") odds(doubt_homomorphic(law, at.hand, at.seed, at.shape));
}

}  // namespace

Finding examine(const Law& law, const Choice& choice) {
    Finding finding;
    finding.number = law.number;
    finding.name = law.name;
    finding.need = need(law);
    std::vector<const AnyHand*> hands = hands_of(law);
    std::erase_if(hands, [&](const AnyHand* hand) { return !choice.hand.empty() && hand->name != choice.hand; });
    for (const AnyHand* hand : hands) finding.hands.push_back(hand->name);

    each_instance(law, hands, choice.seed, choice.world, [&](const Instance& at) {
        ++finding.instances[at.world];
        if (finding.holds && !at.verdict.holds) {
            finding.holds = false;
            finding.witness = "hand " + at.hand.name + ", world " + at.world + ", seed " + std::to_string(at.seed) +
                              ": " + at.verdict.witness;
        }
        if (at.world == "double") finding.widest = std::max(finding.widest, at.verdict.width);
        if (at.verdict.holds) measure(finding, law, at);
    });

    for (const Refutation& wrong : all_refutations()) {
        const std::string by = margin(law, wrong);
        if (!by.empty() && by != "shape") finding.refutations.push_back({wrong.hand.name, by});
    }
    finding.weak = law.worlds.real && finding.refutations.empty();
    return finding;
}

}  // namespace judge
