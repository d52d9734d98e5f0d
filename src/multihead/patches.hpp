#pragma once
/// \file
/// A picture as tokens, and back.

#include <multihead/matrix.hpp>

#include <string>

namespace multihead {

/// A picture cut into rows × columns patches of one size; patch p, counted in reading order, becomes column p, its
/// pixels in reading order. Shapes: picture a×b, result (a/rows · b/columns) × (rows · columns).
/// Pixel (r, c) of patch (R, C) stands in row r · (b/columns) + c of column R · columns + C.
/// Throws shape_error unless rows and columns divide the picture.
// [patches]
template <class T>
Matrix<T> patches(const Matrix<T>& picture, std::size_t rows, std::size_t columns) {
    if (rows == 0 || columns == 0 || picture.size1() == 0 || picture.size2() == 0 || picture.size1() % rows != 0 ||
        picture.size2() % columns != 0)
        throw shape_error("patches: picture is " + std::to_string(picture.size1()) + "x" +
                          std::to_string(picture.size2()) + ", which does not divide into " + std::to_string(rows) +
                          "x" + std::to_string(columns) + " patches");
    const std::size_t height = picture.size1() / rows;
    const std::size_t width = picture.size2() / columns;
    Matrix<T> tokens(height * width, rows * columns);
    for (std::size_t i = 0; i < picture.size1(); ++i)
        for (std::size_t j = 0; j < picture.size2(); ++j)
            tokens((i % height) * width + j % width, (i / height) * columns + j / width) = picture(i, j);
    return tokens;
}
// [patches]

/// The inverse of patches: rows × columns patches of the given height put together again.
/// Shapes: tokens (height · width) × (rows · columns), result (rows · height) × (columns · width).
/// Throws shape_error unless there are rows · columns tokens whose pixels divide into lines of one patch.
// [picture]
template <class T>
Matrix<T> picture(const Matrix<T>& tokens, std::size_t rows, std::size_t columns, std::size_t height) {
    // rows * columns may overflow, so it is not computed.
    if (rows == 0 || height == 0 || tokens.size1() == 0 || tokens.size2() == 0 || tokens.size2() % rows != 0 ||
        tokens.size2() / rows != columns || tokens.size1() % height != 0)
        throw shape_error("picture: tokens is " + std::to_string(tokens.size1()) + "x" +
                          std::to_string(tokens.size2()) + ", which is not " + std::to_string(rows) + "x" +
                          std::to_string(columns) + " patches of height " + std::to_string(height));
    const std::size_t width = tokens.size1() / height;
    Matrix<T> picture(rows * height, columns * width);
    for (std::size_t i = 0; i < picture.size1(); ++i)
        for (std::size_t j = 0; j < picture.size2(); ++j)
            picture(i, j) = tokens((i % height) * width + j % width, (i / height) * columns + j / width);
    return picture;
}
// [picture]

}  // namespace multihead
