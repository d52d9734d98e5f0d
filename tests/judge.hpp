#pragma once
/// \file
/// The judge: it asks a law of a hand, in every world the law claims, and says what it found.
///
/// Exact worlds are compared with ==. In the real world there is no tolerance: the same hand is run in intervals, which
/// enclose the true value and every floating-point run; a law holds when each side lies in its enclosure and the two
/// enclosures allow the relation.

#include <multihead/hand.hpp>
#include <multihead/laws/draw.hpp>
#include <multihead/laws/law.hpp>
#include <multihead/scalars/degree.hpp>
#include <multihead/scalars/interval.hpp>
#include <multihead/scalars/modular.hpp>
#include <multihead/scalars/truth.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace judge {

using multihead::Degree;
using multihead::Equations;
using multihead::Exponent;
using multihead::ExponentDegree;
using multihead::Free;
using multihead::Interval;
using multihead::Shape;
using multihead::Truth;
using multihead::Value;

/// A hand in every scalar it is asked in. A refutation leaves out what it is never asked in.
struct AnyHand {
    std::string name;
    std::shared_ptr<const multihead::Hand<double>> in_double;
    std::shared_ptr<const multihead::Hand<Interval<double>>> in_double_intervals;
    std::shared_ptr<const multihead::Hand<Free>> in_free;
    std::shared_ptr<const multihead::Hand<float>> in_float;
    std::shared_ptr<const multihead::Hand<Interval<float>>> in_float_intervals;
    std::shared_ptr<const multihead::SoftmaxHand<Exponent>> in_exponent;
    std::shared_ptr<const multihead::Hand<Truth>> in_truth;
    std::shared_ptr<const multihead::Hand<Degree>> in_degree;
    std::shared_ptr<const multihead::SoftmaxHand<ExponentDegree>> in_exponent_degree;

    template <class T>
    const auto& in() const {
        if constexpr (std::is_same_v<T, double>) return *in_double;
        if constexpr (std::is_same_v<T, Interval<double>>) return *in_double_intervals;
        if constexpr (std::is_same_v<T, Free>) return *in_free;
        if constexpr (std::is_same_v<T, float>) return *in_float;
        if constexpr (std::is_same_v<T, Interval<float>>) return *in_float_intervals;
        if constexpr (std::is_same_v<T, Exponent>) return *in_exponent;
        if constexpr (std::is_same_v<T, Truth>) return *in_truth;
        if constexpr (std::is_same_v<T, Degree>) return *in_degree;
        if constexpr (std::is_same_v<T, ExponentDegree>) return *in_exponent_degree;
    }
};

/// The hands of the library, from their objects H<T>; S<T> offers softmax alone.
template <template <class> class H, template <class> class S>
AnyHand any_hand(std::string name) {
    return {std::move(name),
            std::make_shared<H<double>>(),
            std::make_shared<H<Interval<double>>>(),
            std::make_shared<H<Free>>(),
            std::make_shared<H<float>>(),
            std::make_shared<H<Interval<float>>>(),
            std::make_shared<S<Exponent>>(),
            std::make_shared<H<Truth>>(),
            std::make_shared<H<Degree>>(),
            std::make_shared<S<ExponentDegree>>()};
}
const AnyHand& loops();
const AnyHand& algebra();

/// What a law claims of a hand at one instance, in the scalar T.
template <class T>
using Claim = std::function<Equations<Value<T>>(const AnyHand&, std::uint64_t seed, const Shape&)>;

/// A law with its type erased.
struct Law {
    std::string number;
    std::string name;
    std::string with;  ///< the law that claims left out of the exact worlds follow from, if there are such
    multihead::Worlds worlds;
    std::function<bool(const Shape&)> admits;
    Claim<double> in_double;
    Claim<Interval<double>> in_double_intervals;
    Claim<float> in_float;
    Claim<Interval<float>> in_float_intervals;
    Claim<Free> in_free;
    Claim<Exponent> in_exponent;
    Claim<Truth> in_truth;           ///< at the instances of double
    Claim<Truth> in_truth_of_float;  ///< at the instances of float
    Claim<Degree> in_degree;
    Claim<ExponentDegree> in_exponent_degree;

    std::string id() const { return number + " " + name; }
};

template <class T, class Object>
Claim<T> claim(const Object& object, int digits = std::numeric_limits<double>::digits) {
    return [object, digits](const AnyHand& hand, std::uint64_t seed, const Shape& shape) {
        multihead::Draw<T> draw(seed, digits);
        return object(hand.in<T>(), draw, shape);
    };
}

template <class Object>
Law erased(const Object& object) {
    Law law;
    law.number = Object::id.number;
    law.name = Object::id.name;
    if constexpr (requires { Object::with; }) law.with = Object::with;
    law.worlds = Object::worlds;
    law.admits = [](const Shape& shape) {
        if constexpr (requires { Object::admits(shape); }) return Object::admits(shape);
        return true;
    };
    if constexpr (Object::worlds.real) {
        law.in_double = claim<double>(object);
        law.in_double_intervals = claim<Interval<double>>(object);
        law.in_float = claim<float>(object);
        law.in_float_intervals = claim<Interval<float>>(object);
        law.in_truth = claim<Truth>(object);
        law.in_truth_of_float = claim<Truth>(object, std::numeric_limits<float>::digits);
    }
    if constexpr (Object::worlds.free) {
        law.in_free = claim<Free>(object);
        law.in_degree = claim<Degree>(object);
    }
    if constexpr (Object::worlds.homomorphic) {
        law.in_exponent = claim<Exponent>(object);
        law.in_exponent_degree = claim<ExponentDegree>(object);
    }
    return law;
}

/// The laws of one chapter with their types erased.
template <class Tuple>
std::vector<Law> erased_all(const Tuple& laws) {
    return std::apply([](const auto&... law) { return std::vector<Law>{erased(law)...}; }, laws);
}

/// What the judge found at one instance.
struct Verdict {
    bool holds = true;
    double margin = 0;    ///< real world: the largest gap between the two enclosures, 0 where they meet
    double width = 0;     ///< real world: the width of the widest enclosure
    std::string witness;  ///< the worst entry, when the law fails
};

/// One instance of a law in one world.
struct Instance {
    const AnyHand& hand;
    const Shape& shape;
    std::uint64_t seed;
    std::string world;
    Verdict verdict;
};

/// One instance in one world. `seed` draws it.
Verdict judge_double(const Law& law, const AnyHand& hand, std::uint64_t seed, const Shape& shape);
Verdict judge_float(const Law& law, const AnyHand& hand, std::uint64_t seed, const Shape& shape);
Verdict judge_free(const Law& law, const AnyHand& hand, std::uint64_t seed, const Shape& shape);
Verdict judge_exponent(const Law& law, const AnyHand& hand, std::uint64_t seed, const Shape& shape);

/// A world: which laws claim it, and how it judges.
struct World {
    std::string name;
    bool (*claimed)(const Law&);
    Verdict (*judged)(const Law&, const AnyHand&, std::uint64_t seed, const Shape&);
};
const std::vector<World>& worlds();

/// Two shapes in which no two sizes are alike.
const std::vector<Shape>& general_shapes();
/// n = 1, m = 1 and H = 1.
const std::vector<Shape>& edge_shapes();

/// Judges the law for every hand, in all its worlds or the one that is named, at all shapes it admits and three seeds.
void each_instance(const Law& law, const std::vector<const AnyHand*>& hands, std::uint64_t first_seed,
                   const std::string& only_world, const std::function<void(const Instance&)>& visit);

}  // namespace judge
