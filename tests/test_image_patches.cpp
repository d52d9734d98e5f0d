#include "laws.hpp"

#include <multihead/laws/image_patches.hpp>

#include <doctest/doctest.h>

using judge::prove;

std::vector<judge::Law> judge::image_patches_laws() { return erased_all(multihead::laws::image_patches); }
