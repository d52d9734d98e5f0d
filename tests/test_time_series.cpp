#include "laws.hpp"

#include <multihead/laws/time_series.hpp>

#include <doctest/doctest.h>

using judge::prove;

std::vector<judge::Law> judge::time_series_laws() { return erased_all(multihead::laws::time_series); }

TEST_CASE("7.1 six-steps") { prove("7.1"); }
TEST_CASE("7.2 batch") { prove("7.2"); }
