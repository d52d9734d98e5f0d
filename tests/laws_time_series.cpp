#include "laws.hpp"

#include <multihead/laws/time_series.hpp>

std::vector<judge::Law> judge::time_series_laws() { return erased_all(multihead::laws::time_series); }
