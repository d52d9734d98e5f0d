#pragma once
/// \file
/// The laws of chapter 8: image patches. They only move numbers, so the free world proves them.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <tuple>

namespace multihead::laws {

/// How a picture is cut in the laws of this chapter: no two of the four sizes are alike in general shapes.
struct Cut {
    std::size_t rows;     ///< patches above each other
    std::size_t columns;  ///< patches beside each other
    std::size_t height;   ///< pixels of a patch above each other
    std::size_t width;    ///< pixels of a patch beside each other

    /// The cut that belongs to a shape.
    static constexpr Cut of(const Shape& shape) { return {shape.H, shape.n, shape.d_k, shape.m}; }
};

/// 8.1: pixel (r, c) of patch (R, C) stands in row r · width + c of column R · columns + C, and goes back there.
struct PixelPlace {
    static constexpr Id id{"8.1", "pixel-place"};
    static constexpr Worlds worlds = F;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Cut cut = Cut::of(shape);
        const Matrix<T> picture = draw.matrix(cut.rows * cut.height, cut.columns * cut.width);
        const Matrix<T> tokens = draw.matrix(cut.height * cut.width, cut.rows * cut.columns);
        Matrix<T> tokens_of_picture(tokens.size1(), tokens.size2());
        Matrix<T> picture_of_tokens(picture.size1(), picture.size2());
        for (std::size_t R = 0; R < cut.rows; ++R)
            for (std::size_t C = 0; C < cut.columns; ++C)
                for (std::size_t r = 0; r < cut.height; ++r)
                    for (std::size_t c = 0; c < cut.width; ++c) {
                        const std::size_t pixel = r * cut.width + c;
                        const std::size_t token = R * cut.columns + C;
                        const std::size_t i = R * cut.height + r;
                        const std::size_t j = C * cut.width + c;
                        tokens_of_picture(pixel, token) = picture(i, j);
                        picture_of_tokens(i, j) = tokens(pixel, token);
                    }
        return {{"patches", hand.patches(picture, cut.rows, cut.columns), tokens_of_picture},
                {"picture", hand.picture(tokens, cut.rows, cut.columns, cut.height), picture_of_tokens}};
    }
};

/// 8.2: a picture cut into patches and put together again is the picture.
struct PictureRestored {
    static constexpr Id id{"8.2", "picture-restored"};
    static constexpr Worlds worlds = F;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const Cut cut = Cut::of(shape);
        const Matrix<T> picture = draw.matrix(cut.rows * cut.height, cut.columns * cut.width);
        const Matrix<T> tokens = hand.patches(picture, cut.rows, cut.columns);
        return {{"there and back", hand.picture(tokens, cut.rows, cut.columns, cut.height), picture}};
    }
};

/// Chapter 8.
inline constexpr std::tuple<PixelPlace, PictureRestored> image_patches{};

}  // namespace multihead::laws
