#include "laws.hpp"

#include <multihead/laws/image_patches.hpp>

#include <doctest/doctest.h>

using judge::prove;

std::vector<judge::Law> judge::image_patches_laws() { return erased_all(multihead::laws::image_patches); }

TEST_CASE("8.1 pixel-place") { prove("8.1"); }
TEST_CASE("8.2 picture-restored") { prove("8.2"); }
