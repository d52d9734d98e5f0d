#pragma once
/// \file
/// All gradients that a backward function returns, one after the other, with their names.

#include <multihead/gradients.hpp>
#include <multihead/laws/entries.hpp>
#include <multihead/laws/law.hpp>
#include <multihead/matrix.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace multihead {

/// A gradient and what it is called: `dW_Q of head 2`.
template <class T>
struct Named {
    std::string name;
    Matrix<T> gradient;
};

/// The gradients in a result of any backward function: inputs first, then the blocks of every head.
template <template <class> class Gradients, class T>
std::vector<Named<T>> named(const Gradients<T>& d) {
    std::vector<Named<T>> all;
    if constexpr (requires { d.dW; }) all.push_back({"dW", d.dW});
    if constexpr (requires { d.dA; }) all.push_back({"dA", d.dA});
    if constexpr (requires { d.dQ; }) all.push_back({"dQ", d.dQ});
    if constexpr (requires { d.dK; }) all.push_back({"dK", d.dK});
    if constexpr (requires { d.dV; }) all.push_back({"dV", d.dV});
    if constexpr (requires { d.dX; }) all.push_back({"dX", d.dX});
    const auto blocks = [&](const auto& head, const std::string& of) {
        all.push_back({"dW_Q" + of, head.W_Q});
        all.push_back({"dW_K" + of, head.W_K});
        all.push_back({"dW_V" + of, head.W_V});
        if constexpr (requires { head.W_O; }) all.push_back({"dW_O" + of, head.W_O});
    };
    const auto heads = [&](const auto& of_heads) {
        for (std::size_t h = 0; h < of_heads.size(); ++h) blocks(of_heads[h], " of head " + std::to_string(h + 1));
    };
    if constexpr (requires { d.dhead; }) blocks(d.dhead, "");
    if constexpr (requires { d.dweights; }) heads(d.dweights);
    if constexpr (requires { d.dheads; }) heads(d.dheads);
    return all;
}

/// One equation for every gradient, and one for how many there are.
template <class T>
void add_same(Equations<T>& equations, const std::string& name, const std::vector<Named<T>>& left,
              const std::vector<Named<T>>& right) {
    equations.push_back({name + ", how many", number(T(left.size())), number(T(right.size()))});
    for (std::size_t g = 0; g < std::min(left.size(), right.size()); ++g)
        equations.push_back({name + ", " + right[g].name, left[g].gradient, right[g].gradient});
}

}  // namespace multihead
