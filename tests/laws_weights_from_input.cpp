#include "laws.hpp"

#include <multihead/laws/weights_from_input.hpp>

std::vector<judge::Law> judge::weights_from_input_laws() { return erased_all(multihead::laws::weights_from_input); }
