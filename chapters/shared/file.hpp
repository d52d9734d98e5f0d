#pragma once
/// \file
/// The bytes of a file.

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace chapters {

/// All bytes of a file, or of anything else that can be read to its end. Throws std::runtime_error if it cannot be read
/// or is larger than `most` bytes: an endless device is refused too.
inline std::string read_file(const std::string& path, std::size_t most) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) throw std::runtime_error(path + ": is a folder, not a file");
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error(path + ": cannot be opened");
    std::string bytes;
    std::string part(1U << 16U, '\0');
    while (file.read(part.data(), std::streamsize(part.size())) || file.gcount() > 0) {
        bytes.append(part, 0, std::size_t(file.gcount()));
        if (bytes.size() > most)
            throw std::runtime_error(path + ": is larger than " + std::to_string(most >> 20U) + " MB");
    }
    if (file.bad()) throw std::runtime_error(path + ": cannot be read");
    return bytes;
}

}  // namespace chapters
