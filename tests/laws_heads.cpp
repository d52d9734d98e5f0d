#include "laws.hpp"

#include <multihead/laws/heads.hpp>

std::vector<judge::Law> judge::heads_laws() { return erased_all(multihead::laws::heads); }
