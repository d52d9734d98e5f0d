#pragma once
/// \file
/// Grey pictures as PGM.

#include <multihead/matrix.hpp>

#include <string>

namespace chapters {

/// Reads a grey picture, binary (P5) or plain (P2): pixel (r, c) in [0, 1], 1 is white, row 0 is the top.
/// At most 4096 pixels on a side. Throws std::runtime_error if the file is missing, no PGM, truncated or oversized.
multihead::Matrix<double> read_pgm(const std::string& path);

}  // namespace chapters
