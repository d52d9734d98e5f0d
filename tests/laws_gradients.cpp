#include "laws.hpp"

#include <multihead/laws/gradients.hpp>

std::vector<judge::Law> judge::gradients_laws() { return erased_all(multihead::laws::gradients); }
