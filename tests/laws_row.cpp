#include "laws.hpp"

#include <multihead/laws/row.hpp>

std::vector<judge::Law> judge::row_laws() { return erased_all(multihead::laws::row); }
