#include "strength.hpp"

#include "laws.hpp"

#include <algorithm>

namespace judge {

namespace {

// By Schwartz and Zippel with `points` values for every variable: a polynomial of degree d vanishes with chance
// d/points.
template <class T>
Doubt doubt(const Claim<T>& claim, double points, const AnyHand& hand, std::uint64_t seed, const Shape& shape) {
    multihead::Accidents& accidents = multihead::accidents();
    accidents = {};
    Doubt found;
    double degree_with_pairs = 0;
    for (const auto& run : claim(hand, seed, shape))
        for (std::size_t i = 0; i < run.left.size1(); ++i)
            for (std::size_t j = 0; j < run.left.size2(); ++j) {
                const Degree difference = run.left(i, j) - run.right(i, j);
                const double pairs = accidents.of_pairs(difference.scores().size());
                found.degree = std::max(found.degree, difference.numerator());
                degree_with_pairs = std::max(degree_with_pairs, difference.numerator() + pairs);
            }
    found.exponentials = accidents.scores;
    found.derivatives = accidents.derivatives;
    found.chance = (degree_with_pairs + accidents.degree) / points;
    return found;
}

// What is 0 by cancellation is not 0 with 50 digits, but this small where all inputs are about 1.
const Truth vanishing = 1e-40;

template <class U>
double ulps(const Claim<U>& claim, const Claim<Truth>& truth, const AnyHand& hand, std::uint64_t seed,
            const Shape& shape) {
    const Equations<U> runs = claim(hand, seed, shape);
    const Equations<Truth> truths = truth(hand, seed, shape);
    Truth worst(0);
    const auto measure = [&](const multihead::Matrix<U>& run, const multihead::Matrix<Truth>& exact) {
        for (std::size_t i = 0; i < run.size1(); ++i)
            for (std::size_t j = 0; j < run.size2(); ++j)
                if (abs(exact(i, j)) > vanishing) worst = std::max(worst, multihead::ulps(run(i, j), exact(i, j)));
    };
    for (std::size_t e = 0; e < runs.size(); ++e) {
        measure(runs[e].left, truths.at(e).left);
        measure(runs[e].right, truths.at(e).right);
    }
    return worst.convert_to<double>();
}

}  // namespace

Doubt doubt_free(const Law& law, const AnyHand& hand, std::uint64_t seed, const Shape& shape) {
    return doubt<Degree>(law.in_degree, double(multihead::prime_p), hand, seed, shape);
}

Doubt doubt_homomorphic(const Law& law, const AnyHand& hand, std::uint64_t seed, const Shape& shape) {
    return doubt<ExponentDegree>(law.in_exponent_degree, double(multihead::prime_q), hand, seed, shape);
}

double ulps_double(const Law& law, const AnyHand& hand, std::uint64_t seed, const Shape& shape) {
    return ulps<double>(law.in_double, law.in_truth, hand, seed, shape);
}

double ulps_float(const Law& law, const AnyHand& hand, std::uint64_t seed, const Shape& shape) {
    return ulps<float>(law.in_float, law.in_truth_of_float, hand, seed, shape);
}

std::string need(const Law& law) {
    if (!law.with.empty()) return need(judge::law(law.with));
    const Shape& shape = *std::find_if(general_shapes().begin(), general_shapes().end(), law.admits);
    const AnyHand& hand = *hands_of(law).front();
    if (law.worlds.free && judge_free(law, hand, 1, shape).holds) {
        const Doubt doubt = doubt_free(law, hand, 1, shape);
        if (doubt.derivatives > 0) return "a positive function E with E' = E";
        return doubt.exponentials > 0 ? "a positive function" : "any function";
    }
    if (law.worlds.homomorphic && judge_exponent(law, hand, 1, shape).holds) return "e^(x+y) = e^x e^y";
    return "order and size";
}

}  // namespace judge
