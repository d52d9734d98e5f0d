#pragma once
/// \file
/// The one table of laws, in the order of the book.

#include "judge.hpp"

namespace judge {

/// Every law of the book with its type erased.
const std::vector<Law>& all_laws();

/// The laws of one chapter: each is defined in a file of its own, where its types are known.
std::vector<Law> softmax_laws();
std::vector<Law> attention_laws();
std::vector<Law> heads_laws();
std::vector<Law> multi_head_laws();
std::vector<Law> residual_laws();
std::vector<Law> row_laws();
std::vector<Law> time_series_laws();
std::vector<Law> image_patches_laws();
std::vector<Law> weights_from_input_laws();
std::vector<Law> gradients_laws();
std::vector<Law> gradient_identities_laws();
std::vector<Law> hands_laws();

/// The law of this number. Throws std::invalid_argument with a list of all numbers if there is none.
const Law& law(const std::string& number);

/// The hands that are judged: those of the library.
const std::vector<const AnyHand*>& all_hands();

/// Those that a law is asked of.
std::vector<const AnyHand*> hands_of(const Law& law);

}  // namespace judge
