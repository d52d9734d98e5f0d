#include "judge.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

namespace judge {

namespace {

std::string place(const std::string& equation, std::size_t i, std::size_t j) {
    return "[" + equation + "] entry (" + std::to_string(i) + ", " + std::to_string(j) + "): ";
}

template <class T>
std::string shape_of(const multihead::Matrix<T>& X) {
    return std::to_string(X.size1()) + "x" + std::to_string(X.size2());
}

template <class U>
std::string shown(U x, const Interval<U>& enclosure) {
    std::ostringstream text;
    text << std::setprecision(std::numeric_limits<U>::max_digits10) << x << " in [" << enclosure.lower() << ", "
         << enclosure.upper() << "]";
    return text.str();
}

// The gap between two enclosures; 0 where they meet. For at_most, how far the left certainly exceeds the right.
template <class U>
double gap(const Interval<U>& left, const Interval<U>& right, multihead::Relation relation) {
    const double above = double(left.lower()) - double(right.upper());
    const double below = double(right.lower()) - double(left.upper());
    return std::max(0.0, relation == multihead::Relation::at_most ? above : std::max(above, below));
}

template <class U>
double width_of(const Interval<U>& enclosure) {
    return double(enclosure.upper()) - double(enclosure.lower());
}

template <class U>
bool contains(const Interval<U>& enclosure, U x) {
    return enclosure.lower() <= x && x <= enclosure.upper();
}

// Notes a failure if it is the worst so far.
void fail(Verdict& verdict, double margin, const std::string& witness) {
    if (!verdict.holds && margin <= verdict.margin) return;
    verdict.holds = false;
    verdict.margin = margin;
    verdict.witness = witness;
}

constexpr double infinite = std::numeric_limits<double>::infinity();

template <class U>
Verdict judge_real(const Claim<U>& claim, const Claim<Interval<U>>& enclosing, const AnyHand& hand, std::uint64_t seed,
                   const Shape& shape) {
    const Equations<U> runs = claim(hand, seed, shape);
    const Equations<Interval<U>> enclosures = enclosing(hand, seed, shape);
    Verdict verdict;
    for (std::size_t e = 0; e < runs.size(); ++e) {
        const auto& run = runs[e];
        const auto& enclosure = enclosures.at(e);
        if (shape_of(run.left) != shape_of(run.right)) {
            fail(verdict, infinite,
                 "[" + run.name + "] left is " + shape_of(run.left) + ", right is " + shape_of(run.right));
            continue;
        }
        double widest = 0;
        for (std::size_t i = 0; i < run.left.size1(); ++i)
            for (std::size_t j = 0; j < run.left.size2(); ++j) {
                const U left = run.left(i, j);
                const U right = run.right(i, j);
                const auto& left_in = enclosure.left(i, j);
                const auto& right_in = enclosure.right(i, j);
                const std::string witness =
                    place(run.name, i, j) + "left " + shown(left, left_in) + ", right " + shown(right, right_in);
                if (!std::isfinite(left) || !std::isfinite(right)) {
                    fail(verdict, infinite, witness + ": not finite");
                    continue;
                }
                if (!contains(left_in, left) || !contains(right_in, right)) {
                    fail(verdict, infinite, witness + ": outside its enclosure");
                    continue;
                }
                verdict.width = std::max({verdict.width, width_of(left_in), width_of(right_in)});
                const double margin = gap(left_in, right_in, run.relation);
                widest = std::max(widest, margin);
                if (run.relation != multihead::Relation::differ && margin > 0) fail(verdict, margin, witness);
            }
        if (run.relation == multihead::Relation::differ && widest == 0)
            fail(verdict, 0, "[" + run.name + "] the two sides nowhere differ for certain");
    }
    if (runs.empty()) fail(verdict, infinite, "the law claims nothing");
    return verdict;
}

template <class T>
Verdict judge_exact(const Claim<T>& claim, const AnyHand& hand, std::uint64_t seed, const Shape& shape) {
    const Equations<Value<T>> runs = claim(hand, seed, shape);
    Verdict verdict;
    for (const auto& run : runs) {
        if (shape_of(run.left) != shape_of(run.right)) {
            fail(verdict, infinite,
                 "[" + run.name + "] left is " + shape_of(run.left) + ", right is " + shape_of(run.right));
            continue;
        }
        bool differs = false;
        for (std::size_t i = 0; i < run.left.size1(); ++i)
            for (std::size_t j = 0; j < run.left.size2(); ++j) {
                if (run.left(i, j) == run.right(i, j)) continue;
                differs = true;
                if (run.relation == multihead::Relation::equal)
                    fail(verdict, infinite,
                         place(run.name, i, j) + "left " + std::to_string(run.left(i, j).residue()) + ", right " +
                             std::to_string(run.right(i, j).residue()) + " modulo p");
            }
        if (run.relation == multihead::Relation::differ && !differs)
            fail(verdict, infinite, "[" + run.name + "] the two sides nowhere differ");
        if (run.relation == multihead::Relation::at_most)
            fail(verdict, infinite, "[" + run.name + "] there is no order in an exact world");
    }
    if (runs.empty()) fail(verdict, infinite, "the law claims nothing");
    return verdict;
}

}  // namespace

Verdict judge_double(const Law& law, const AnyHand& hand, std::uint64_t seed, const Shape& shape) {
    return judge_real<double>(law.in_double, law.in_double_intervals, hand, seed, shape);
}

Verdict judge_float(const Law& law, const AnyHand& hand, std::uint64_t seed, const Shape& shape) {
    return judge_real<float>(law.in_float, law.in_float_intervals, hand, seed, shape);
}

Verdict judge_free(const Law& law, const AnyHand& hand, std::uint64_t seed, const Shape& shape) {
    return judge_exact<Free>(law.in_free, hand, seed, shape);
}

Verdict judge_exponent(const Law& law, const AnyHand& hand, std::uint64_t seed, const Shape& shape) {
    return judge_exact<Exponent>(law.in_exponent, hand, seed, shape);
}

const std::vector<Shape>& general_shapes() {
    static const std::vector<Shape> shapes = {
        {.n = 3, .m = 5, .d_model = 7, .d_k = 4, .d_v = 6, .H = 2},
        {.n = 6, .m = 4, .d_model = 5, .d_k = 2, .d_v = 7, .H = 3},
    };
    return shapes;
}

const std::vector<Shape>& edge_shapes() {
    static const std::vector<Shape> shapes = {
        {.n = 1, .m = 3, .d_model = 5, .d_k = 4, .d_v = 6, .H = 2},
        {.n = 4, .m = 1, .d_model = 5, .d_k = 6, .d_v = 3, .H = 2},
        {.n = 2, .m = 5, .d_model = 4, .d_k = 3, .d_v = 6, .H = 1},
    };
    return shapes;
}

const std::vector<World>& worlds() {
    static const std::vector<World> all = {
        {"double", [](const Law& law) { return law.worlds.real; }, judge_double},
        {"float", [](const Law& law) { return law.worlds.real; }, judge_float},
        {"free", [](const Law& law) { return law.worlds.free; }, judge_free},
        {"homomorphic", [](const Law& law) { return law.worlds.homomorphic; }, judge_exponent},
    };
    return all;
}

void each_instance(const Law& law, const std::vector<const AnyHand*>& hands, std::uint64_t first_seed,
                   const std::string& only_world, const std::function<void(const Instance&)>& visit) {
    std::vector<Shape> shapes = general_shapes();
    shapes.insert(shapes.end(), edge_shapes().begin(), edge_shapes().end());
    for (const AnyHand* hand : hands)
        for (const Shape& shape : shapes) {
            if (!law.admits(shape)) continue;
            for (std::uint64_t seed = first_seed; seed < first_seed + 3; ++seed)
                for (const World& world : worlds())
                    if (world.claimed(law) && (only_world.empty() || only_world == world.name))
                        visit({*hand, shape, seed, world.name, world.judged(law, *hand, seed, shape)});
        }
}

}  // namespace judge
