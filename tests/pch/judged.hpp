// What every source of the library `judged` includes, read once.
#include "../refutations.hpp"
#include "../rewired.hpp"

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>
