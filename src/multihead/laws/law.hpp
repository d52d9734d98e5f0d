#pragma once
/// \file
/// What a law is: an id, the worlds it holds in, and equations between the two sides of a statement.
///
/// A law is an object that can be called with a hand, a source of random instances and a shape. It draws an instance
/// and returns the equations that must hold for it. One side of an equation is written out in the law itself, as sums
/// over entries, or it comes from another function than the other side or from the same one at another argument. A law
/// that leaves claims out of the exact worlds names in `with` the law that they follow from.

#include <multihead/matrix.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace multihead {

/// How the two sides of an equation relate, entry by entry.
enum class Relation {
    equal,    ///< every entry of the left equals that of the right
    at_most,  ///< every entry of the left is at most that of the right
    differ,   ///< some entry of the left is not that of the right
};

/// `left relation right`: what a law claims of one instance.
template <class T>
struct Equation {
    std::string name;  ///< which of the law's equations it is
    Matrix<T> left;
    Matrix<T> right;
    Relation relation = Relation::equal;
};

/// All that a law claims of one instance.
template <class T>
using Equations = std::vector<Equation<T>>;

/// The sizes of an instance.
struct Shape {
    std::size_t n;        ///< queries
    std::size_t m;        ///< keys and values
    std::size_t d_model;  ///< features of a token
    std::size_t d_k;      ///< features of a projected query or key
    std::size_t d_v;      ///< features of a projected value
    std::size_t H;        ///< heads
};

/// The worlds in which a law holds.
struct Worlds {
    bool real = false;         ///< R: real numbers; judged with intervals
    bool free = false;         ///< F: any positive function in place of exp; exact in F_p
    bool homomorphic = false;  ///< H: e^{x+y} = e^x e^y; exact, with scores drawn
};

inline constexpr Worlds R{.real = true};                                       ///< real numbers only
inline constexpr Worlds RF{.real = true, .free = true};                        ///< real and free
inline constexpr Worlds RH{.real = true, .homomorphic = true};                 ///< real and homomorphic
inline constexpr Worlds F{.free = true};                                       ///< the free world only
inline constexpr Worlds RFH{.real = true, .free = true, .homomorphic = true};  ///< everywhere

/// A law's name: `4.2 concat-equals-sum`.
struct Id {
    std::string_view number;  ///< chapter and number
    std::string_view name;    ///< words joined by hyphens
};

}  // namespace multihead
