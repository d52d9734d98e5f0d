#pragma once
/// \file
/// The exact worlds once more, with degrees: how likely is it that a false law passes by accident?
///
/// In the exact worlds the two sides of a law are rational functions of independent random numbers. `Degree` is a
/// number of the free world that also carries bounds for the degrees of its numerator and its denominator;
/// `ExponentDegree` is the same for the scores of the homomorphic world. Run a law in them, and the degree of its
/// difference bounds, by Schwartz and Zippel, the chance that a false law passes. What else could go wrong is noted in
/// `accidents()`.

#include <multihead/scalars/dual.hpp>
#include <multihead/scalars/modular.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <utility>

namespace multihead {

/// What may go wrong by accident: two scores that are different polynomials take the same value, or a number that the
/// code divides by or compares vanishes although its polynomial does not. Noted for the numbers of this thread.
struct Accidents {
    std::size_t scores = 0;        ///< how often the exponential was asked for
    std::size_t derivatives = 0;   ///< how often its derivative was
    double score_numerator = 0;    ///< a bound for the degrees of the numerators of the scores
    double score_denominator = 0;  ///< a bound for the degrees of their denominators
    double degree = 0;             ///< the sum of the degrees of the polynomials that must not vanish

    /// The sum of the degrees of the numerators of the differences of k scores, two at a time.
    double of_pairs(std::size_t k) const {
        return double(k) * (double(k) - 1) / 2 * (score_numerator + score_denominator);
    }
};

/// The accidents since somebody last cleared them.
inline Accidents& accidents() {
    thread_local Accidents noted;
    return noted;
}

/// A number of F_p that is a rational function N/D of random numbers, with bounds for the degrees of N and D.
class Degree {
  public:
    /// Zero.
    Degree() = default;
    /// A whole number: a constant.
    template <std::integral I>
    explicit Degree(I n) : value_(n) {}
    /// N and D have these degrees, and the exponentials of these scores are among the random numbers.
    Degree(const Free& value, double numerator, double denominator, std::set<std::size_t> scores = {})
        : value_(value), numerator_(numerator), denominator_(denominator), scores_(std::move(scores)) {}

    const Free& value() const { return value_; }
    double numerator() const { return numerator_; }      ///< a bound for the degree of N
    double denominator() const { return denominator_; }  ///< a bound for the degree of D
    /// The scores whose exponentials it contains, by the order in which they were asked for.
    const std::set<std::size_t>& scores() const { return scores_; }

    // [degrees]
    Degree& operator+=(const Degree& y) { return over_common(value_ + y.value_, y); }
    Degree& operator-=(const Degree& y) { return over_common(value_ - y.value_, y); }
    Degree& operator*=(const Degree& y) {
        return become(value_ * y.value_, numerator_ + y.numerator_, denominator_ + y.denominator_, y);
    }
    Degree& operator/=(const Degree& y) {
        y.must_not_vanish();
        return become(value_ / y.value_, numerator_ + y.denominator_, denominator_ + y.numerator_, y);
    }
    // [degrees]

    friend Degree operator+(Degree x, const Degree& y) { return x += y; }
    friend Degree operator-(Degree x, const Degree& y) { return x -= y; }
    friend Degree operator*(Degree x, const Degree& y) { return x *= y; }
    friend Degree operator/(Degree x, const Degree& y) { return x /= y; }
    friend Degree operator-(const Degree& x) { return Degree() -= x; }
    friend bool operator==(const Degree& x, const Degree& y) {
        (x - y).must_not_vanish();
        return x.value_ == y.value_;
    }

  private:
    Free value_;
    double numerator_ = 0;
    double denominator_ = 0;
    std::set<std::size_t> scores_;

    // N₁/D₁ ± N₂/D₂ = (N₁ D₂ ± N₂ D₁) / (D₁ D₂).
    Degree& over_common(const Free& value, const Degree& y) {
        return become(value, std::max(numerator_ + y.denominator_, y.numerator_ + denominator_),
                      denominator_ + y.denominator_, y);
    }
    // It vanishes if N does, or if two scores in it are the same by accident.
    void must_not_vanish() const { accidents().degree += numerator_ + accidents().of_pairs(scores_.size()); }
    Degree& become(const Free& value, double numerator, double denominator, const Degree& y) {
        value_ = value;
        numerator_ = numerator;
        denominator_ = denominator;
        scores_.insert(y.scores_.begin(), y.scores_.end());
        return *this;
    }
};

/// The random function of the free world: its value is a random number of its own, of degree 1.
inline Degree exponential(const Degree& x) {
    Accidents& noted = accidents();
    noted.score_numerator = std::max(noted.score_numerator, x.numerator());
    noted.score_denominator = std::max(noted.score_denominator, x.denominator());
    std::set<std::size_t> scores = x.scores();
    scores.insert(noted.scores++);
    return {exponential(x.value()), 1, 0, std::move(scores)};
}

/// Its derivative is itself, E' = E, and that was needed.
inline Dual<Degree> exponential(const Dual<Degree>& x) {
    ++accidents().derivatives;
    const Degree e = exponential(x.value);
    return Dual<Degree>(e, e * x.slope);
}

/// No pivot, as in the free world.
inline Degree pivot(const Degree&, const Degree&) { return Degree(); }

/// The root of a small square that is a constant. Throws std::domain_error for any other number.
inline Degree sqrt(const Degree& x) {
    if (x.numerator() > 0 || x.denominator() > 0) throw std::domain_error("sqrt: the number is not a constant");
    return {sqrt(x.value()), 0, 0};
}

/// There is no hyperbolic tangent in F_p: throws std::domain_error.
inline Degree tanh(const Degree& x) { return {tanh(x.value()), 0, 0}; }

/// A score of the homomorphic world: a sum of drawn scores with whole coefficients, so that its exponential is a
/// product of powers of the independent numbers \f$g^{s}\f$, those with a negative coefficient in the denominator.
class ExponentDegree {
  public:
    /// Zero.
    ExponentDegree() = default;
    /// A whole number: a constant.
    template <std::integral I>
    explicit ExponentDegree(I n) : value_(n) {}
    /// A score with these sums of its positive and of its negative coefficients.
    ExponentDegree(const Exponent& value, double positive, double negative)
        : value_(value), positive_(positive), negative_(negative) {}

    const Exponent& value() const { return value_; }
    double positive() const { return positive_; }  ///< the degree of the numerator of its exponential
    double negative() const { return negative_; }  ///< the degree of the denominator of its exponential

    ExponentDegree& operator+=(const ExponentDegree& y) {
        *this = {value_ + y.value_, positive_ + y.positive_, negative_ + y.negative_};
        return *this;
    }
    friend ExponentDegree operator+(ExponentDegree x, const ExponentDegree& y) { return x += y; }
    friend ExponentDegree operator-(const ExponentDegree& x) { return {-x.value_, x.negative_, x.positive_}; }
    friend ExponentDegree operator-(const ExponentDegree& x, const ExponentDegree& y) { return x + (-y); }

    /// A constant n ≥ 0 times a score. Throws std::domain_error if x is not a constant: the product of two random
    /// scores is no sum of scores.
    friend ExponentDegree operator*(const ExponentDegree& x, const ExponentDegree& y) {
        if (x.positive_ > 0 || x.negative_ > 0)
            throw std::domain_error("the product of two scores is no sum of scores");
        const auto n = static_cast<double>(x.value_.residue());
        return {x.value_ * y.value_, n * y.positive_, n * y.negative_};
    }

  private:
    Exponent value_;
    double positive_ = 0;
    double negative_ = 0;
};

/// \f$g^x\f$: a monomial in the numbers \f$g^s\f$ of the drawn scores s.
inline Degree exponential(const ExponentDegree& x) { return {exponential(x.value()), x.positive(), x.negative()}; }

/// Any element is a pivot: the last score.
inline ExponentDegree pivot(const ExponentDegree&, const ExponentDegree& s) { return s; }

}  // namespace multihead
