#include "refutations.hpp"
#include "rewired.hpp"

std::vector<judge::Refutation> judge::wrong_row() { return {}; }
