#include "laws.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace judge {

const std::vector<Law>& all_laws() {
    static const std::vector<Law> laws = [] {
        std::vector<Law> all;
        for (const auto& chapter :
             {softmax_laws(), attention_laws(), heads_laws(), multi_head_laws(), residual_laws(), row_laws(),
              time_series_laws(), image_patches_laws(), weights_from_input_laws(), gradients_laws(), hands_laws()})
            all.insert(all.end(), chapter.begin(), chapter.end());
        return all;
    }();
    return laws;
}

const Law& law(const std::string& number) {
    const auto& laws = all_laws();
    const auto found = std::find_if(laws.begin(), laws.end(), [&](const Law& l) { return l.number == number; });
    REQUIRE_MESSAGE(found != laws.end(), "there is no law ", number);
    return *found;
}

std::vector<const AnyHand*> hands_of(const Law& law) {
    // Law 0.1 compares a hand with the loops, and the loops with themselves would prove nothing.
    if (law.number == "0.1") return {&algebra()};
    return {&loops(), &algebra()};
}

void prove(const std::string& number) { prove(law(number), hands_of(law(number))); }

}  // namespace judge
