#include "laws.hpp"

#include <multihead/laws/residual.hpp>

std::vector<judge::Law> judge::residual_laws() { return erased_all(multihead::laws::residual); }
