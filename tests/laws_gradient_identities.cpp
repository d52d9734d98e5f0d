#include "laws.hpp"

#include <multihead/laws/gradient_identities.hpp>

std::vector<judge::Law> judge::gradient_identities_laws() { return erased_all(multihead::laws::gradient_identities); }
