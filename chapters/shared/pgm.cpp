#include "pgm.hpp"

#include "file.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <stdexcept>

namespace chapters {

namespace {

constexpr std::size_t largest_side = 4096;
constexpr std::size_t beyond = 1'000'000;  // larger numbers are read as this one
constexpr std::size_t most_bytes = std::size_t{128} << 20U;

// The bytes of a file, read from the front.
class Reader {
  public:
    explicit Reader(const std::string& path) : path_(path), bytes_(read_file(path, most_bytes)) {
        if (bytes_.empty()) fail("is empty");
    }

    [[noreturn]] void fail(const std::string& what) const { throw std::runtime_error(path_ + ": " + what); }

    std::string magic() {
        std::string two = bytes_.substr(0, 2);
        at_ = two.size();
        return two;
    }

    // A whole number after white space and comments, if there is one.
    std::optional<std::size_t> number() {
        const std::size_t before = at_;
        while (at_ < bytes_.size() && (is_space() || bytes_[at_] == '#'))
            if (bytes_[at_] == '#')
                while (at_ < bytes_.size() && bytes_[at_] != '\n') ++at_;
            else
                ++at_;
        std::size_t n = 0;
        const std::size_t begin = at_;
        for (; at_ < bytes_.size() && std::isdigit(static_cast<unsigned char>(bytes_[at_])) != 0; ++at_)
            n = std::min(10 * n + std::size_t(bytes_[at_] - '0'), beyond);
        if (at_ == begin || begin == before) return std::nullopt;
        return n;
    }

    std::size_t header_number(const std::string& what) {
        const std::optional<std::size_t> n = number();
        if (!n) fail("no PGM picture: " + what + " is missing or no number");
        return *n;
    }

    // The one white space that ends a binary header.
    void end_of_header() {
        if (at_ == bytes_.size() || !is_space()) fail("no PGM picture: the header does not end");
        ++at_;
    }

    std::size_t rest() const { return bytes_.size() - at_; }
    bool only_space_left() {
        while (at_ < bytes_.size() && is_space()) ++at_;
        return at_ == bytes_.size();
    }
    unsigned byte() { return static_cast<unsigned char>(bytes_[at_++]); }

  private:
    std::string path_;
    std::string bytes_;
    std::size_t at_ = 0;

    bool is_space() const { return std::isspace(static_cast<unsigned char>(bytes_[at_])) != 0; }
};

}  // namespace

multihead::Matrix<double> read_pgm(const std::string& path) {
    Reader file(path);
    const std::string magic = file.magic();
    if (magic != "P5" && magic != "P2") file.fail("no PGM picture: it does not begin with P5 or P2");
    const std::size_t width = file.header_number("the width");
    const std::size_t height = file.header_number("the height");
    const std::size_t white = file.header_number("the largest grey value");
    if (width == 0 || height == 0 || width > largest_side || height > largest_side)
        file.fail("the picture is " + std::to_string(height) + "x" + std::to_string(width) +
                  ", but a side must have 1 to " + std::to_string(largest_side) + " pixels");
    if (white == 0 || white > 65535)
        file.fail("the largest grey value is " + std::to_string(white) + ", not 1 to 65535");

    const bool binary = magic == "P5";
    const std::size_t bytes_each = white > 255 ? 2 : 1;
    if (binary) {
        file.end_of_header();
        if (file.rest() != width * height * bytes_each)
            file.fail("has " + std::to_string(file.rest()) + " bytes of pixels, but a " + std::to_string(height) + "x" +
                      std::to_string(width) + " picture needs " + std::to_string(width * height * bytes_each));
    }
    multihead::Matrix<double> picture(height, width);
    for (std::size_t r = 0; r < height; ++r)
        for (std::size_t c = 0; c < width; ++c) {
            std::size_t grey = 0;
            if (binary) {
                for (std::size_t b = 0; b < bytes_each; ++b) grey = 256 * grey + file.byte();
            } else {
                const std::optional<std::size_t> n = file.number();
                if (!n)
                    file.fail("pixel (" + std::to_string(r) + ", " + std::to_string(c) + ") is missing or no number");
                grey = *n;
            }
            if (grey > white) file.fail("a pixel is " + std::to_string(grey) + ", above the largest grey value");
            picture(r, c) = double(grey) / double(white);
        }
    if (!binary && !file.only_space_left()) file.fail("holds more than the pixels that its header announces");
    return picture;
}

}  // namespace chapters
