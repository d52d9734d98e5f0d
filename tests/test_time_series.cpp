#include "laws.hpp"

#include <multihead/laws/time_series.hpp>

#include <doctest/doctest.h>

using judge::prove;

std::vector<judge::Law> judge::time_series_laws() { return erased_all(multihead::laws::time_series); }
