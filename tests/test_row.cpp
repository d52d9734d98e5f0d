#include "laws.hpp"

#include <multihead/laws/row.hpp>

#include <doctest/doctest.h>

using judge::prove;

std::vector<judge::Law> judge::row_laws() { return erased_all(multihead::laws::row); }
