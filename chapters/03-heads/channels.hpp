#pragma once
/// \file
/// Heads as channels of an image: three heads that look at three features of the same pixels.

#include "../shared/figures.hpp"
#include "../shared/print.hpp"

#include <multihead/algebra/hand.hpp>
#include <multihead/laws/entries.hpp>
#include <multihead/loops/hand.hpp>

#include <array>
#include <cmath>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace chapters::channels {

using namespace multihead;

inline constexpr std::size_t side = 8;
inline constexpr std::array<std::string_view, side> picture = {"........", ".#####..", ".#......", ".####...",
                                                               ".#......", ".#......", ".#......", "........"};
inline constexpr std::array names = {"head 1: row", "head 2: column", "head 3: brightness"};

/// One column a pixel, in reading order: its brightness, +1 or -1, then a 1 at its row, then a 1 at its column.
inline Matrix<double> pixels() {
    Matrix<double> X(1 + 2 * side, side * side, 0);
    for (std::size_t r = 0; r < side; ++r)
        for (std::size_t c = 0; c < side; ++c) {
            X(0, r * side + c) = picture.at(r)[c] == '#' ? 1 : -1;
            X(1 + r, r * side + c) = 1;
            X(1 + side + c, r * side + c) = 1;
        }
    return X;
}

/// A head that compares `count` features from `first` on, and takes the brightness as the value.
inline Head<double> looking_at(std::size_t first, std::size_t count, double sharpness) {
    Head<double> h{Matrix<double>(side, 1 + 2 * side, 0), {}, Matrix<double>(1, 1 + 2 * side, 0), {}};
    for (std::size_t i = 0; i < count; ++i) h.W_Q(i, first + i) = 1;
    h.W_K = h.W_Q;
    h.W_Q *= sharpness;
    h.W_V(0, 0) = 1;
    return h;
}

/// One row a head: the weights of the query x over all pixels.
inline Matrix<double> weights_of(const Matrix<double>& x, const std::vector<Head<double>>& heads,
                                 const Matrix<double>& X, const Hand<double>& hand) {
    Matrix<double> rows(0, X.size2());
    for (const auto& h : heads)
        rows = above(rows, transposed(hand.attention_weights(product(h.W_Q, x), product(h.W_K, X), hand.dot())));
    return rows;
}

/// The heads, one below the other.
inline Matrix<double> stacked(const std::vector<Head<double>>& heads, const Matrix<double>& X,
                              const Hand<double>& hand) {
    Matrix<double> rows(0, X.size2());
    for (const auto& h : heads) rows = above(rows, hand.head(h, X, X, X, hand.dot()));
    return rows;
}

/// Row h as a picture.
inline HeatMap as_picture(const std::string& title, const Matrix<double>& X, std::size_t h, bool grey) {
    return {.title = title,
            .values = matrix_of(side, side, [&](std::size_t r, std::size_t c) { return X(h, r * side + c); }),
            .grey = grey};
}

/// The picture, then every row of `rows` as a picture; pixel (r, c) is marked if there is one.
inline std::string figure(const Matrix<double>& X, const Matrix<double>& rows, bool grey,
                          const std::vector<std::pair<std::size_t, std::size_t>>& marked) {
    std::vector<HeatMap> maps = {as_picture("picture", X, 0, true)};
    for (std::size_t h = 0; h < rows.size1(); ++h) maps.push_back(as_picture(names.at(h), rows, h, grey));
    for (HeatMap& map : maps) map.marked = marked;
    return svg(maps);
}

/// The section of the program.
inline void show(Figures& figures) {
    heading("Heads as channels of an image");
    for (const std::string_view line : picture) std::cout << "    " << line << '\n';
    std::cout << '\n';
    say("A picture of 8 x 8 pixels. A pixel is a token of 17 features: its brightness, 1 or -1; its row, as a 1 in one "
        "of 8 places; its column, likewise. Three heads compare three parts of them: head 1 the row, head 2 the "
        "column, head 3 the brightness. A match makes the exponential of the score 63 times as large.");
    const Matrix<double> X = pixels();
    const double sharpness = std::log(63.0);
    const std::vector<Head<double>> heads = {looking_at(1, side, sharpness), looking_at(1 + side, side, sharpness),
                                             looking_at(0, 1, sharpness / 2)};

    say("Where does the pixel in row 2, column 4 look? Each head has 64 weights for it. In each row of the table, one "
        "head: how much of its weight lies on pixels of the same row, of the same column, of the same brightness.");
    constexpr std::size_t r = 1;
    constexpr std::size_t c = 3;
    constexpr std::size_t p = r * side + c;
    const Matrix<double> x = matrix_of(X.size1(), 1, [&](std::size_t i, std::size_t) { return X(i, p); });
    const Matrix<double> like_x = matrix_of(side * side, 3, [&](std::size_t i, std::size_t what) {
        const std::array same = {i / side == r, i % side == c, X(0, i) == X(0, p)};
        return same.at(what) ? 1.0 : 0.0;
    });
    const Matrix<double> A = weights_of(x, heads, X, Loops<double>{});
    print_both("heads by kind of pixel", product(A, like_x),
               product(weights_of(x, heads, X, Algebra<double>{}), like_x));
    figures.add("heads-weights", figure(X, A, false, {{r, c}}));

    say("Out comes one number per pixel and head: one channel has become three, each a row of the heads stacked. These "
        "are the eight pixels of the picture's second row.");
    const auto second_row = [&](const Hand<double>& hand) {
        const Matrix<double> O = stacked(heads, X, hand);
        return matrix_of(heads.size(), side, [&](std::size_t h, std::size_t j) { return O(h, side + j); });
    };
    print_both("heads stacked, second row of the picture", second_row(Loops<double>{}), second_row(Algebra<double>{}));
    figures.add("heads-channels", figure(X, stacked(heads, X, Loops<double>{}), true, {}));
    say("Head 1 gives nearly the mean brightness of the pixel's row, head 2 that of its column, head 3 that of all "
        "pixels like it. Here the projections were chosen; in a network they are learned, and a head looks for "
        "whatever they make it look for. What to do with the stack is the next chapter.");
}

}  // namespace chapters::channels
