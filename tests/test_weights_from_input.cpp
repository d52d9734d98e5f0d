#include "laws.hpp"

#include <multihead/laws/weights_from_input.hpp>

#include <doctest/doctest.h>

using judge::prove;

std::vector<judge::Law> judge::weights_from_input_laws() { return erased_all(multihead::laws::weights_from_input); }
