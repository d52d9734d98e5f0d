#include "laws.hpp"

#include <multihead/laws/residual.hpp>

#include <doctest/doctest.h>

using judge::prove;

std::vector<judge::Law> judge::residual_laws() { return erased_all(multihead::laws::residual); }
