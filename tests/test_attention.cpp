#include "laws.hpp"

#include <multihead/laws/attention.hpp>

#include <doctest/doctest.h>

using judge::prove;

std::vector<judge::Law> judge::attention_laws() { return erased_all(multihead::laws::attention); }
