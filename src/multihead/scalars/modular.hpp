#pragma once
/// \file
/// The exact worlds: numbers modulo a prime.
///
/// `Free` is F_p with a *random function* for the exponential: a law that holds there holds for any positive function
/// in place of exp. `Exponent` is F_q with \f$x\mapsto g^x\in F_p\f$, where g has order q: there \f$e^{x+y}=e^xe^y\f$
/// holds exactly, and weights are numbers of F_p. Both p = 2q + 1 and q are prime.

#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace multihead {

/// A number modulo the prime P, P < 2^63. Division by zero throws std::domain_error.
template <std::uint64_t P>
class Modular {
  public:
    /// Zero.
    constexpr Modular() = default;

    /// The residue of a whole number.
    template <std::integral I>
    constexpr explicit Modular(I n)
        : residue_(n < I(0) ? (P - std::uint64_t(-(n + 1)) % P - 1) : std::uint64_t(n) % P) {}

    /// The representative in [0, P).
    constexpr std::uint64_t residue() const { return residue_; }

    constexpr Modular& operator+=(const Modular& y) {
        residue_ += y.residue_;
        if (residue_ >= P) residue_ -= P;
        return *this;
    }
    constexpr Modular& operator-=(const Modular& y) {
        residue_ += P - y.residue_;
        if (residue_ >= P) residue_ -= P;
        return *this;
    }
    constexpr Modular& operator*=(const Modular& y) {
        residue_ = static_cast<std::uint64_t>(static_cast<Wide>(residue_) * y.residue_ % P);
        return *this;
    }
    constexpr Modular& operator/=(const Modular& y) { return *this *= inverse(y); }

    friend constexpr Modular operator+(Modular x, const Modular& y) { return x += y; }
    friend constexpr Modular operator-(Modular x, const Modular& y) { return x -= y; }
    friend constexpr Modular operator*(Modular x, const Modular& y) { return x *= y; }
    friend constexpr Modular operator/(Modular x, const Modular& y) { return x /= y; }
    friend constexpr Modular operator-(const Modular& x) { return Modular() -= x; }
    friend constexpr bool operator==(const Modular&, const Modular&) = default;

  private:
    __extension__ using Wide = unsigned __int128;

    std::uint64_t residue_ = 0;

    // Extended Euclid: the coefficient t with t · y = 1 modulo P.
    static constexpr Modular inverse(const Modular& y) {
        if (y.residue_ == 0) throw std::domain_error("Modular: division by zero");
        std::uint64_t r0 = P;
        std::uint64_t r1 = y.residue_;
        Modular t0;
        Modular t1(1);
        while (r1 != 0) {
            const std::uint64_t quotient = r0 / r1;
            const std::uint64_t r2 = r0 - quotient * r1;
            const Modular t2 = t0 - Modular(quotient) * t1;
            r0 = r1;
            r1 = r2;
            t0 = t1;
            t1 = t2;
        }
        return t0;
    }
};

inline constexpr std::uint64_t prime_q = 4611686018427385619;  ///< a prime: the order of g
inline constexpr std::uint64_t prime_p = 9223372036854771239;  ///< a prime: 2q + 1

using Free = Modular<prime_p>;      ///< scores and values of the free world
using Exponent = Modular<prime_q>;  ///< scores of the homomorphic world; its weights are in F_p

/// A function F_p → F_p in place of the exponential that stands for a random one: the finaliser of SplitMix64 (Steele,
/// Lea & Flood 2014). It is fixed; that nothing relates its values at different arguments is an assumption.
constexpr Free exponential(const Free& x) {
    std::uint64_t z = x.residue() + 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return Free(z ^ (z >> 31U));
}

/// \f$g^x\f$ with g = 4, an element of order q modulo p.
constexpr Free exponential(const Exponent& x) {
    Free power(1);
    Free square(4);
    for (std::uint64_t bits = x.residue(); bits != 0; bits >>= 1U) {
        if ((bits & 1U) != 0) power *= square;
        square *= square;
    }
    return power;
}

/// No pivot in the free world: \f$E(x-c)\f$ has nothing to do with \f$E(x)\f$.
constexpr Free pivot(const Free&, const Free&) { return Free(); }

/// Any element is a pivot in the homomorphic world: the last score.
constexpr Exponent pivot(const Exponent&, const Exponent& s) { return s; }

/// The root of a small square: √(d_k) for d_k = 1, 4, 9, … up to 10^6. Throws std::domain_error for any other number,
/// since F_p has no distinguished root.
constexpr Free sqrt(const Free& x) {
    for (std::uint64_t root = 0; root <= 1000; ++root)
        if (root * root == x.residue()) return Free(root);
    throw std::domain_error("sqrt: " + std::to_string(x.residue()) + " is not a small square in F_p");
}

/// There is no hyperbolic tangent in F_p: throws std::domain_error. Additive scores stay in the real world.
inline Free tanh(const Free&) { throw std::domain_error("tanh: there is none in F_p"); }

}  // namespace multihead
