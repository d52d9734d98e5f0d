#include "laws.hpp"

#include <algorithm>
#include <stdexcept>

namespace judge {

const std::vector<Law>& all_laws() {
    static const std::vector<Law> laws = [] {
        std::vector<Law> all;
        for (const auto& chapter : {softmax_laws(), attention_laws(), heads_laws(), multi_head_laws(), residual_laws(),
                                    row_laws(), time_series_laws(), image_patches_laws(), weights_from_input_laws(),
                                    gradients_laws(), gradient_identities_laws(), hands_laws()})
            all.insert(all.end(), chapter.begin(), chapter.end());
        return all;
    }();
    return laws;
}

const Law& law(const std::string& number) {
    const auto& laws = all_laws();
    const auto found = std::find_if(laws.begin(), laws.end(), [&](const Law& l) { return l.number == number; });
    if (found != laws.end()) return *found;
    std::string there_are;
    for (const Law& l : laws) there_are += " " + l.number;
    throw std::invalid_argument("there is no law " + number + "; there are" + there_are);
}

const std::vector<const AnyHand*>& all_hands() {
    static const std::vector<const AnyHand*> hands = {&loops(), &algebra()};
    return hands;
}

std::vector<const AnyHand*> hands_of(const Law& law) {
    std::vector<const AnyHand*> hands = all_hands();
    // Law 0.1 compares a hand with the loops, and the loops with themselves would prove nothing.
    if (law.number == "0.1") std::erase(hands, &loops());
    return hands;
}

}  // namespace judge
