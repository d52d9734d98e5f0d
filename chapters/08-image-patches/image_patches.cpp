// Chapter 8. Image patches: what the patches of a picture take from each other.

#include "../shared/data.hpp"
#include "../shared/figures.hpp"
#include "../shared/options.hpp"
#include "../shared/pgm.hpp"
#include "../shared/print.hpp"
#include "../shared/progress.hpp"
#include "../shared/small.hpp"
#include "../shared/weights.hpp"
#include "cut.hpp"
#include "exercises.hpp"
#include "scene.hpp"

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace multihead;
using namespace chapters;

void show_patches(const Cut& cut) {
    const Matrix<double> raw = patches(cut.picture, cut.rows, cut.columns);
    const std::size_t width = cut.picture.size2() / cut.columns;
    heading("A picture as tokens");
    say("A picture of " + size(cut.picture) + " grey pixels from 0, black, to 1, white, is cut into " +
        std::to_string(cut.rows) + "x" + std::to_string(cut.columns) + " patches of " + std::to_string(cut.height) +
        "x" + std::to_string(width) +
        ". Patches are counted in reading order, and so are the pixels of a patch: each "
        "patch becomes one column.");
    print("Patches", raw, 4);
    const std::size_t r = cut.height - 1;
    say("Counted from 0, pixel (" + std::to_string(r) + ", 0) of the last patch stands in row " + std::to_string(r) +
        " * " + std::to_string(width) + " = " + std::to_string(r * width) + " of column " +
        std::to_string(raw.size2() - 1) + " (law 8.1): the picture has " +
        fixed(cut.picture((cut.rows - 1) * cut.height + r, (cut.columns - 1) * width)) + " there, the matrix " +
        fixed(raw(r * width, raw.size2() - 1)) +
        ". Put together again, the patches are the picture (law 8.2): largest "
        "difference " +
        fixed(largest_difference(picture(raw, cut.rows, cut.columns, cut.height), cut.picture)) + ".");
    say("Then each patch loses its mean. What is left is its pattern, whether it is bright or dark.");
    print("X", cut.X, 4);
}

void show_own_weights(const Cut& cut, std::uint64_t seed, const Progress& progress, Figures& figures) {
    heading("The patches as queries, keys and values");
    say("Q = K = V = X, and no scale. The score of two patches is their scalar product.");
    progress.at("scores of all patches", double(cut.X.size1()) * double(cut.X.size2()) * double(cut.X.size2()));
    print_both("S = X^T X", loops::dot_product(cut.X, cut.X), algebra::dot_product(cut.X, cut.X), 4);
    const Matrix<double> A = ColumnLoops::weights(cut.X, cut.X);
    print_both("A = Softmax(S)", A, ColumnAlgebra::weights(cut.X, cut.X), 4);
    progress.at("outputs");
    const Matrix<double> O = ColumnLoops::attention(cut.X, cut.X, cut.X);
    print_both("X A", O, ColumnAlgebra::attention(cut.X, cut.X, cut.X), 4);
    std::size_t on_diagonal = 0;
    double least = 1;
    for (std::size_t j = 0; j < A.size2(); ++j) {
        const auto column = boost::numeric::ublas::column(A, j);
        on_diagonal += std::size_t(
            std::count_if(column.begin(), column.end(), [&](double a) { return a > A(j, j) * (1 + 1e-9); }) == 0);
        least = std::min(least, A(j, j));
    }
    say("Column j of A holds the weights of patch j over all patches. The largest of a column is on the diagonal in " +
        std::to_string(on_diagonal) + " of " + std::to_string(A.size2()) + " columns, and no patch takes less than " +
        fixed(least) + " from itself.");
    figures.add("image-patches-own", figure(cut, A, O));

    progress.at("shuffled patches");
    const auto order = Draw<double>(seed).permutation(cut.X.size2());
    const Matrix<double> shuffled = permuted_columns(cut.X, order);
    const Matrix<double> after = ColumnLoops::attention(shuffled, shuffled, shuffled);
    say("Where a patch stands plays no part. Shuffle the patches, and the outputs are shuffled in the same way (law "
        "5.3 "
        "at work): largest difference " +
        fixed(largest_difference(after, permuted_columns(O, order))) +
        ". Left in their places they would differ by up to " + fixed(largest_difference(after, O)) + ".");
}

void show_heads(const Cut& cut, const Weights& weights, Figures& figures) {
    heading("Two heads with random weights");
    say("The same patches through a layer with H = 2, d_k = d_v = 8, as in chapter 7, written in columns. Its weights "
        "are random numbers that another program has used too, so that its results can be compared with these.");
    std::vector<HeatMap> maps;
    for (std::size_t h = 0; h < weights.size(); ++h) {
        const std::string of = " of head " + std::to_string(h + 1);
        const Matrix<double> Q = ColumnLoops::product(weights[h].W_Q, cut.X);
        const Matrix<double> K = ColumnLoops::product(weights[h].W_K, cut.X);
        const Matrix<double> Q_algebra = ColumnAlgebra::product(weights[h].W_Q, cut.X);
        const Matrix<double> K_algebra = ColumnAlgebra::product(weights[h].W_K, cut.X);
        const Matrix<double> A = ColumnLoops::weights(Q, K);
        print_both("A" + of, A, ColumnAlgebra::weights(Q_algebra, K_algebra));
        maps.push_back({.title = "weights" + of,
                        .values = A,
                        .row_axis = "key",
                        .column_axis = "query",
                        .row_names = cut.names(),
                        .column_names = cut.names(),
                        .full = 1});
    }
    const Matrix<double> linear = ColumnLoops::multi_head(weights, cut.X);
    const Matrix<double> linear_algebra = ColumnAlgebra::multi_head(weights, cut.X);
    const Matrix<double> output = cut.X + linear;
    const Matrix<double> output_algebra = cut.X + linear_algebra;
    print_both("X + MultiHead(X, X, X)", output, output_algebra, 4);
    say("With random projections no patch knows itself: these weights are close to 1/4, and the largest of a column is "
        "often not on the diagonal.");
    maps.push_back(
        {.title = "X + MultiHead", .values = with_gaps(output, cut.rows, cut.columns, cut.height), .grey = true});
    figures.add("image-patches-heads", svg(maps));
}

// One scene: weights, outputs, and what the outputs look like.
void show_scene(const Cut& cut) {
    const Matrix<double> S = loops::dot_product(cut.X, cut.X);
    const Matrix<double> A = ColumnLoops::weights(cut.X, cut.X);
    const Matrix<double> O = ColumnLoops::attention(cut.X, cut.X, cut.X);
    print_both("S = X^T X", S, algebra::dot_product(cut.X, cut.X));
    print_both("A = Softmax(S)", A, ColumnAlgebra::weights(cut.X, cut.X));
    print_both("X A", O, ColumnAlgebra::attention(cut.X, cut.X, cut.X), 4);
    Matrix<double> dog(1, 4);
    for (std::size_t j = 0; j < 4; ++j) dog(0, j) = likeness(O, j, cut.X, 1);
    print("How much each output looks like the dog, from -1 to 1", dog);
}

void show_scenes(const Matrix<double>& dog, std::uint64_t level, std::uint64_t seed, Figures& figures) {
    heading("A scene with two dogs");
    say("Now a picture in which we know what is what. Patches 1 and 4 are background: noise of up to " +
        std::to_string(level) +
        " grey levels of 255 around the middle. Patches 2 and 3 are the same dog, the upper right quarter of the "
        "photograph. Again Q = K = V = X.");
    const Cut loud{scene(dog, double(level) / 255, seed), 2, 2};
    show_scene(loud);
    if (lead(loops::dot_product(loud.X, loud.X), 0) > std::log(3.0))
        say("Read A by columns. A patch of background takes itself and next to nothing of the other background, though "
            "both are noise: two draws of noise have almost nothing in common. The two dogs share their weight: a_32, "
            "row 3 of column 2, and a_23 are as large as the dogs' own weights, because equal keys have equal "
            "weights. "
            "So outputs 2 and 3 are the dog. Outputs 1 and 4 are no dog; they are as loud as before, but only noise.");
    else
        say("This noise is too weak to stand for itself, as the next scene explains.");
    figures.add("image-patches-scene",
                figure(loud, ColumnLoops::weights(loud.X, loud.X), ColumnLoops::attention(loud.X, loud.X, loud.X)));

    heading("A dark background");
    say("The same scene with noise of 5 grey levels: to the eye a plain area. Whether it is black or grey has gone "
        "with its mean; only its contrast counts.");
    const Cut dark{scene(dog, 5 / 255.0, seed), 2, 2};
    show_scene(dark);
    say("Scores near 0 give weights near 1/4: now the background takes about half of its output from the dogs, and all "
        "four outputs show the dog. How strong must the noise be? Let a patch lead by delta: its score with itself is "
        "at least delta above its other scores. With m patches its own weight is at least 1/(1 + (m - 1) e^-delta), so "
        "more than 1/2 if delta > log(m - 1); and at most 1/(1 + e^-delta), so more than 1/2 only if delta > 0.");
    figures.add("image-patches-dark",
                figure(dark, ColumnLoops::weights(dark.X, dark.X), ColumnLoops::attention(dark.X, dark.X, dark.X)));
}

void show_threshold(const Matrix<double>& dog, std::uint64_t seed, Figures& figures) {
    LineChart chart{.title = "Patch 1, background",
                    .x_axis = "noise in grey levels",
                    .y_axis = "",
                    .curves = {{"own weight", {}},
                               {"its output: likeness to the dog", {}},
                               {"own weight at least", {}},
                               {"own weight at most", {}}}};
    Matrix<double> rows(8, 5);
    for (std::size_t level = 0; level <= 35; ++level) {
        const Matrix<double> X = patch_tokens(scene(dog, double(level) / 255, seed), 2, 2);
        const double delta = lead(loops::dot_product(X, X), 0);
        const Matrix<double> O = ColumnLoops::attention(X, X, X);
        const std::vector<double> row{double(level), delta, least_own_weight(delta, 4),
                                      ColumnLoops::weights(X, X)(0, 0), most_own_weight(delta)};
        for (std::size_t j = 0; j < 5 && level % 5 == 0; ++j) rows(level / 5, j) = row[j];
        for (const auto& [curve, y] : {std::pair(0, row[3]), {1, likeness(O, 0, X, 1)}, {2, row[2]}, {3, row[4]}})
            chart.curves[std::size_t(curve)].points.emplace_back(row[0], y);
    }
    print("Patch 1: grey levels of noise, delta, weight at least, own weight, at most", rows);
    say("With d pixels of noise between -a and a the score of background with itself is about d a^2 / 3, and its other "
        "scores are about 0. So a must be larger than about sqrt(3 log(m - 1) / d), here " +
        fixed(255 * std::sqrt(3 * std::log(3.0) / double(dog.size1() * dog.size2()))) + " grey levels.");
    figures.add("image-patches-threshold", svg(chart));
}

void show_camera(const Matrix<double>& dog, std::uint64_t seed) {
    heading("Exercise 8.5: two photographs of one dog");
    const std::vector<double> levels{0, 2, 5, 10, 20, 40};
    Matrix<double> rows(levels.size(), 3);
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const Matrix<double> X = patch_tokens(photographed(scene(dog, 80 / 255.0, seed), levels[i] / 255, seed), 2, 2);
        const Matrix<double> A = ColumnLoops::weights(X, X);
        rows(i, 0) = levels[i];
        rows(i, 1) = A(1, 1);
        rows(i, 2) = A(2, 1);
    }
    print("grey levels of camera noise, a_22, a_32", rows);
    say("Noise of its own makes every patch fit itself better than its twin.");
}

void show_longer_key(const Matrix<double>& dog, Figures& figures) {
    heading("A longer key wins");
    say("Must the largest weight stand on the diagonal? No. Two patches in one dimension, x_1 = 1 and x_2 = 2:");
    const Matrix<double> x = matrix({{1, 2}});
    print_both("Softmax(x^T x)", ColumnLoops::weights(x, x), ColumnAlgebra::weights(x, x));
    say("Query 1 scores 1 with itself and 2 with the longer key. In pictures, length is contrast: here patches 2 and 3 "
        "are the dog again, but patch 2 has half of its contrast.");
    Matrix<double> half = dog;
    const double mean = std::accumulate(dog.data().begin(), dog.data().end(), 0.0) / double(dog.data().size());
    for (double& pixel : half.data()) pixel = mean + (pixel - mean) / 2;
    Matrix<double> picture = scene(dog, 80 / 255.0, 1);
    boost::numeric::ublas::subrange(picture, 0, dog.size1(), dog.size2(), 2 * dog.size2()) = half;
    const Cut cut{picture, 2, 2};
    const Matrix<double> A = ColumnLoops::weights(cut.X, cut.X);
    print_both("A = Softmax(X^T X)", A, ColumnAlgebra::weights(cut.X, cut.X));
    say("The pale dog takes nearly all of its output from the strong one, and comes out strong. If no key is longer "
        "than a query, though, its own weight is the largest: x_i . x_j <= |x_i| |x_j| <= |x_i|^2.");
    figures.add("image-patches-longer-key", figure(cut, A, ColumnLoops::attention(cut.X, cut.X, cut.X)));
}

void body(const Options& options) {
    Figures figures(options);
    const Progress progress;
    const std::uint64_t seed = options.number("seed");
    const std::uint64_t level = options.number("noise");
    if (level > 127) throw std::invalid_argument("--noise must be 0 to 127");
    const bool own = options.given("image");
    const std::size_t rows = options.count("patches", 4096, 0);
    const std::size_t columns = options.count("patches", 4096, 1);
    constexpr std::size_t most_patches = 4096;  // their weights are patches x patches
    if (rows * columns > most_patches)
        throw std::invalid_argument("--patches asks for " + std::to_string(rows * columns) + " patches, at most " +
                                    std::to_string(most_patches) + " are possible");
    const std::string file = own ? options.text("image") : data("08-image-patches/dogs_32x32.pgm");
    const Cut cut{read_pgm(file), rows, columns};

    show_patches(cut);
    show_own_weights(cut, seed, progress, figures);
    if (!own) {
        if (cut.X.size1() == 256) show_heads(cut, read_weights(data("08-image-patches/golden"), 256), figures);
        const Matrix<double> dog = one_dog(read_pgm(data("08-image-patches/dogs_64x64.pgm")));
        show_scenes(dog, level, seed, figures);
        show_threshold(dog, seed, figures);
        show_longer_key(dog, figures);
        show_camera(dog, seed);
    }
    figures.write();
}

std::vector<Option> own_options() {
    return {{"image", {"FILE"}, "a picture of your own as PGM, at most 4096 pixels on a side (default: the dogs)"},
            {"patches", {"R", "C"}, "cut the picture into R rows and C columns of patches, at most 4096", {"2", "2"}},
            {"noise", {"LEVEL"}, "background of the scene: noise of up to this many grey levels, 0 to 127", {"80"}}};
}

}  // namespace

int main(int argc, char** argv) {
    return run(argc, argv,
               Options("image_patches", "chapter 8, what the patches of a picture take from each other", own_options()),
               body);
}
