#include "laws.hpp"

#include <multihead/laws/multi_head.hpp>

std::vector<judge::Law> judge::multi_head_laws() { return erased_all(multihead::laws::multi_head); }
