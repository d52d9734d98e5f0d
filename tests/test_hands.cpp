#include "laws.hpp"

#include <multihead/laws/hands.hpp>

#include <doctest/doctest.h>

using judge::prove;

std::vector<judge::Law> judge::hands_laws() { return erased_all(multihead::laws::hands); }

TEST_CASE("0.1 hands-agree") { prove(judge::law("0.1"), {&judge::algebra()}); }
