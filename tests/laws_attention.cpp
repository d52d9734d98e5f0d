#include "laws.hpp"

#include <multihead/laws/attention.hpp>

std::vector<judge::Law> judge::attention_laws() { return erased_all(multihead::laws::attention); }
