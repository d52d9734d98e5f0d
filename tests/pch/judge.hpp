// What most tests include, read once.
#include <multihead/algebra/hand.hpp>
#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>
#include <multihead/loops/hand.hpp>
#include <multihead/scalars/truth.hpp>
