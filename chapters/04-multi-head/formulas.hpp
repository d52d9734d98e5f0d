#pragma once
/// \file
/// Laws 4.1 to 4.3 in letters: two heads and their inputs, every matrix 2×2, every entry a letter of its own.

#include "../shared/print.hpp"

#include <multihead/hand.hpp>
#include <multihead/laws/entries.hpp>
#include <multihead/scalars/symbol.hpp>
#include <multihead/weights.hpp>

#include <cstddef>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace chapters::formulas {

using multihead::Matrix;
using multihead::Symbol;
using Hand = multihead::Hand<Symbol>;
using Weights = multihead::MultiHeadWeights<Symbol>;

/// The 2×2 matrix of the letters name_11, name_12, name_21, name_22.
inline Matrix<Symbol> letters(const std::string& name) {
    return multihead::matrix_of(2, 2, [&](std::size_t i, std::size_t j) {
        return Symbol(name + "_" + std::to_string(i + 1) + std::to_string(j + 1));
    });
}

/// Head h: in head 1, O1_ij is entry (i, j) of W_1^O, V1_ij of W_1^V, and so on.
inline multihead::Head<Symbol> head(const std::string& h) {
    return {letters("Q" + h), letters("K" + h), letters("V" + h), letters("O" + h)};
}

inline const Weights heads = {head("1"), head("2")};  ///< two heads
inline const Matrix<Symbol> Q = letters("q");         ///< queries
inline const Matrix<Symbol> K = letters("k");         ///< keys
inline const Matrix<Symbol> V = letters("v");         ///< values

/// The heads, each with the block of the other.
inline Weights blocks_exchanged() {
    Weights wrong = heads;
    std::swap(wrong[0].W_O, wrong[1].W_O);
    return wrong;
}

/// The scores of head h, counted from 0.
inline Matrix<Symbol> scores(const Hand& hand, std::size_t h) {
    return hand.dot_product(multihead::product(heads[h].W_Q, Q), multihead::product(heads[h].W_K, K));
}

/// Short names for the weights, which are quotients: a1_ij is the weight of key i for query j in head 1.
inline multihead::Names names_of_weights(const Hand& hand) {
    multihead::Names names;
    for (std::size_t h = 0; h < heads.size(); ++h) {
        const Matrix<Symbol> A = hand.softmax(scores(hand, h));
        const Matrix<Symbol> a = letters("a" + std::to_string(h + 1));
        for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t j = 0; j < 2; ++j) names.emplace_back(text(A(i, j)), text(a(i, j)));
    }
    return names;
}

/// The three forms of multi-head attention: concat, sum, expanded.
inline std::vector<Matrix<Symbol>> three_forms(const Hand& hand, const Weights& weights = heads) {
    return {hand.multi_head(weights, Q, K, V, hand.dot()), hand.multi_head_sum(weights, Q, K, V, hand.dot()),
            hand.multi_head_expanded(weights, Q, K, V, hand.dot())};
}

/// The two sides of law 4.1, [O1 O2] [A1; A2] and O1 A1 + O2 A2, for A1 and A2 of letters.
inline std::vector<Matrix<Symbol>> blocks_times_stack(const Hand& hand) {
    const Matrix<Symbol> A = letters("A1");
    const Matrix<Symbol> B = letters("A2");
    return {hand.mix(W_O(heads), multihead::above(A, B)),
            multihead::sum(hand.mix(heads[0].W_O, A), hand.mix(heads[1].W_O, B))};
}

/// How many entries of the two are the same formula.
inline std::size_t equal_entries(const Matrix<Symbol>& left, const Matrix<Symbol>& right) {
    std::size_t equal = 0;
    for (std::size_t i = 0; i < left.size1(); ++i)
        for (std::size_t j = 0; j < left.size2(); ++j) equal += left(i, j) == right(i, j) ? 1U : 0U;
    return equal;
}

/// Prints entry (1, 1) of the sides of an equation beside each other, a term a line: = stands between equal terms,
/// /= between others.
inline void print_terms(const std::string& title, const std::vector<Matrix<Symbol>>& sides,
                        const multihead::Names& names) {
    std::cout << title << '\n';
    std::vector<std::vector<std::string>> sums;
    for (const Matrix<Symbol>& side : sides) sums.push_back(terms(side(0, 0), names));
    for (std::size_t t = 0; t < sums[0].size(); ++t) {
        std::cout << "  " << sums[0][t];
        for (std::size_t side = 1; side < sums.size(); ++side)
            std::cout << (sums[side].at(t) == sums[0][t] ? "  =  " : "  /=  ") << sums[side][t];
        std::cout << '\n';
    }
    std::cout << '\n';
}

/// The section of the program: what the hands compute with letters.
inline void print_all(const Hand& by_loops, const Hand& by_algebra) {
    heading("The laws as formulas");
    say("Both hands compute with numbers of any kind, so also with letters. Let there be two heads, and let every "
        "matrix be 2x2. O1_12 is entry (1, 2) of W_1^O, and V1, K1, Q1 are W_1^V, W_1^K, W_1^Q in the same way; v, k "
        "and q are the inputs. E is any function in place of the exponential, and a quotient is a letter of its own.");
    const Matrix<Symbol> s = letters("s");
    std::cout << "the weight of key 1 for query 1, given the scores s\n  a_11 = " << text(by_loops.softmax(s)(0, 0))
              << "\n\n";
    std::cout << "score of key 1 and query 1 in head 1\n";
    for (const std::string& term : terms(scores(by_loops, 0)(0, 0))) std::cout << "  + " << term << '\n';
    std::cout << '\n';

    print_terms("law 4.1, entry (1, 1): [O1 O2] [A1; A2] = O1 A1 + O2 A2", blocks_times_stack(by_loops),
                {{"A1_11", "A1_11"}, {"A1_21", "A1_21"}, {"A2_11", "A2_11"}, {"A2_21", "A2_21"}});
    const multihead::Names names = names_of_weights(by_loops);
    const std::vector<Matrix<Symbol>> forms = three_forms(by_loops);
    print_terms("laws 4.2 and 4.3, entry (1, 1): concat form = sum form = expanded form", forms, names);

    std::size_t equal = 0;
    std::size_t all = 0;
    for (const Hand* hand : {&by_loops, &by_algebra})
        for (const auto& sides : {blocks_times_stack(*hand), three_forms(*hand)})
            for (std::size_t side = 1; side < sides.size(); ++side, all += 4)
                equal += equal_entries(sides[0], sides[side]);
    for (std::size_t form = 0; form < forms.size(); ++form, all += 4)
        equal += equal_entries(forms[form], three_forms(by_algebra)[form]);
    say("All four entries, by loops, by uBLAS, and the one beside the other: " + std::to_string(equal) + " of " +
        std::to_string(all) + " pairs of formulas agree term by term.");

    print_terms("WRONG: concat form, entry (1, 1), and with the block of the other head",
                {forms[0], three_forms(by_loops, blocks_exchanged())[0]}, names);
}

}  // namespace chapters::formulas
