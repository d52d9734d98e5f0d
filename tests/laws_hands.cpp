#include "laws.hpp"

#include <multihead/laws/hands.hpp>

std::vector<judge::Law> judge::hands_laws() { return erased_all(multihead::laws::hands); }
