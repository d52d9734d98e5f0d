#include "laws.hpp"

#include <multihead/laws/image_patches.hpp>

std::vector<judge::Law> judge::image_patches_laws() { return erased_all(multihead::laws::image_patches); }
