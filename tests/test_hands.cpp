#include "laws.hpp"

#include <multihead/laws/hands.hpp>

#include <doctest/doctest.h>

using judge::prove;

std::vector<judge::Law> judge::hands_laws() { return erased_all(multihead::laws::hands); }
