#include "laws.hpp"

#include <multihead/laws/heads.hpp>

#include <doctest/doctest.h>

using judge::prove;

std::vector<judge::Law> judge::heads_laws() { return erased_all(multihead::laws::heads); }
