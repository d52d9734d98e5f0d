#pragma once
/// \file
/// What the judge found, as a file that pages are made from.

#include <string>

namespace judge {

/// Judges every law and writes JSON: for each law its number, name, hands, instances by world, whether it holds, the
/// widest enclosure in double, and the refutations that it rejects with their margins; then all refutations.
/// Throws std::runtime_error if the file cannot be written.
void write_results(const std::string& path);

}  // namespace judge
