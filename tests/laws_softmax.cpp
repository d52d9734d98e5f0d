#include "laws.hpp"

#include <multihead/laws/softmax.hpp>

std::vector<judge::Law> judge::softmax_laws() { return erased_all(multihead::laws::softmax); }
