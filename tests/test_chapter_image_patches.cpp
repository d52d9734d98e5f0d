// Chapter 8: what its program computes, and what its page claims of the scene.

#include "../chapters/08-image-patches/exercises.hpp"
#include "../chapters/08-image-patches/scene.hpp"
#include "../chapters/shared/csv.hpp"
#include "../chapters/shared/data.hpp"
#include "../chapters/shared/pgm.hpp"
#include "../chapters/shared/print.hpp"
#include "../chapters/shared/small.hpp"
#include "../chapters/shared/weights.hpp"
#include "close.hpp"

#include <multihead/laws/entries.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

using namespace chapters;
using multihead::Draw;
using multihead::permuted_columns;

namespace {

const std::string folder = data("08-image-patches");

// Golden results have their tokens in rows, this chapter in columns.
Matrix<double> golden(const std::string& name) {
    return multihead::transposed(read_matrix(folder + "/golden/" + name + ".csv"));
}

template <class Hand>
void reproduce() {
    constexpr double most = 1e-12;
    const Matrix<double> X = patch_tokens(read_pgm(folder + "/dogs_32x32.pgm"), 2, 2);
    check_close("X", X, golden("X"), most);
    const Weights w = read_weights(folder + "/golden", 256);
    REQUIRE(w.size() == 2);
    Matrix<double> stacked(16, 4);
    for (std::size_t h = 0; h < w.size(); ++h) {
        const std::string of = "." + std::to_string(h + 1);
        const Matrix<double> Q = Hand::product(w[h].W_Q, X);
        const Matrix<double> K = Hand::product(w[h].W_K, X);
        const Matrix<double> V = Hand::product(w[h].W_V, X);
        const Matrix<double> head = Hand::attention(Q, K, V);
        check_close("Q" + of, Q, golden("Q" + of), most);
        check_close("K" + of, K, golden("K" + of), most);
        check_close("V" + of, V, golden("V" + of), most);
        check_close("weights" + of, Hand::weights(Q, K), golden("weights" + of), most);
        check_close("head" + of, head, golden("head" + of), most);
        boost::numeric::ublas::subrange(stacked, 8 * h, 8 * h + 8, 0, 4) = head;
    }
    check_close("concat", stacked, golden("concat"), most);
    check_close("linear", Hand::product(multihead::W_O(w), stacked), golden("linear"), most);
    check_close("linear in one call", Hand::multi_head(w, X), golden("linear"), most);
    check_close("output", X + Hand::multi_head(w, X), golden("output"), most);
}

Matrix<double> dog() { return one_dog(read_pgm(folder + "/dogs_64x64.pgm")); }

// Scores, weights and outputs of a scene with Q = K = V = X.
struct Seen {
    Matrix<double> X, A, O;
};

template <class Hand>
Seen look(double level, std::uint64_t seed) {
    const Matrix<double> X = patch_tokens(scene(dog(), level / 255, seed), 2, 2);
    return {X, Hand::weights(X, X), Hand::attention(X, X, X)};
}

// Patches counted from 0: 0 and 3 are background, 1 and 2 the dog.
template <class Hand>
void scene_holds() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const Seen s = look<Hand>(80, seed);
        for (const std::size_t background : {0U, 3U}) {
            CAPTURE(background);
            CHECK(s.A(background, background) > 0.99);
            CHECK(s.A(3 - background, background) < 0.001);
            CHECK(s.A(1, background) + s.A(2, background) < 0.001);
            CHECK(std::abs(likeness(s.O, background, s.X, 1)) < 0.15);
            CHECK(likeness(s.O, background, s.X, background) > 0.99);
        }
        for (const std::size_t animal : {1U, 2U}) {
            CAPTURE(animal);
            CHECK(s.A(animal, animal) > 0.49);
            CHECK(s.A(3 - animal, animal) > 0.49);
            CHECK(s.A(0, animal) + s.A(3, animal) < 0.001);
            CHECK(likeness(s.O, animal, s.X, 1) > 0.99);
        }
    }
}

template <class Hand>
void dark_scene_fails() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const Seen s = look<Hand>(5, seed);
        for (const std::size_t background : {0U, 3U}) {
            CHECK(s.A(background, background) < 0.3);
            CHECK(s.A(1, background) + s.A(2, background) > 0.4);
            CHECK(likeness(s.O, background, s.X, 1) > 0.99);
        }
    }
}

Matrix<double> scores(const Matrix<double>& X) { return multihead::loops::dot_product(X, X); }

}  // namespace

TEST_CASE("the dogs reproduce every golden result by loops") { reproduce<ColumnLoops>(); }
TEST_CASE("the dogs reproduce every golden result by algebra") { reproduce<ColumnAlgebra>(); }

TEST_CASE("in the scene of 80 grey levels the dogs find each other by loops") { scene_holds<ColumnLoops>(); }
TEST_CASE("in the scene of 80 grey levels the dogs find each other by algebra") { scene_holds<ColumnAlgebra>(); }
TEST_CASE("in the dark scene the background shows the dog by loops") { dark_scene_fails<ColumnLoops>(); }
TEST_CASE("in the dark scene the background shows the dog by algebra") { dark_scene_fails<ColumnAlgebra>(); }

TEST_CASE("a lead bounds the own weight from both sides") {
    const auto check = [](const Matrix<double>& S) {
        const std::size_t m = S.size1();
        const Matrix<double> A = multihead::loops::softmax(S);
        for (std::size_t i = 0; i < m; ++i) {
            const double delta = lead(S, i);
            CAPTURE(m);
            CAPTURE(delta);
            CHECK(A(i, i) >= least_own_weight(delta, m) * (1 - 1e-12));
            CHECK(A(i, i) <= most_own_weight(delta) * (1 + 1e-12));
            if (delta > std::log(double(m - 1)) + 1e-12) CHECK(A(i, i) > 0.5);
            if (delta < -1e-12) CHECK(A(i, i) < 0.5);
        }
    };
    for (std::uint64_t seed = 1; seed <= 50; ++seed) check(8 * Draw<double>(seed).matrix(2 + seed % 6, 2 + seed % 6));
    for (const double level : {0.0, 5.0, 10.0, 15.0, 20.0, 80.0})
        check(scores(patch_tokens(scene(dog(), level / 255, 1), 2, 2)));

    // Both ends are reached: all other scores alike, and all but one far below.
    const auto own = [](double a, double b) {
        return multihead::loops::softmax(matrix({{2, 0, 0}, {a, 0, 0}, {b, 0, 0}}))(0, 0);
    };
    CHECK(std::abs(own(1, 1) - least_own_weight(1, 3)) < 1e-15);
    CHECK(std::abs(own(1, -1000) - most_own_weight(1)) < 1e-15);
    CHECK(std::abs(least_own_weight(std::log(3.0), 4) - 0.5) < 1e-15);
}

TEST_CASE("noise passes one half near the root of 3 log 3 over d") {
    // Patch 1 has d = 1024 pixels of noise: about 14.5 grey levels. A tenth less is too little, a quarter more enough.
    const double level = 255 * std::sqrt(3 * std::log(3.0) / 1024);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        CHECK(look<ColumnLoops>(0.9 * level, seed).A(0, 0) < 0.5);
        CHECK(look<ColumnLoops>(1.25 * level, seed).A(0, 0) > 0.5);
    }
}

TEST_CASE("camera noise of 40 grey levels keeps one dog from finding its twin") {
    const auto twin = [](double level, std::uint64_t seed) {
        const Matrix<double> X = patch_tokens(photographed(scene(dog(), 80.0 / 255, seed), level / 255, seed), 2, 2);
        return ColumnLoops::weights(X, X)(2, 1);
    };
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        CHECK(twin(0, seed) > 0.49);
        CHECK(twin(40, seed) < 0.05);
    }
}

TEST_CASE("a longer key takes more than the own key") {
    const Matrix<double> x = matrix({{1, 2}});
    const double e = std::exp(1.0);
    for (const Matrix<double>& A : {ColumnLoops::weights(x, x), ColumnAlgebra::weights(x, x)}) {
        CHECK(std::abs(A(0, 0) - 1 / (1 + e)) < 1e-15);
        CHECK(std::abs(A(1, 0) - e / (1 + e)) < 1e-15);
    }
    // The dog at half contrast looks at the dog at full contrast.
    Matrix<double> X = patch_tokens(scene(dog(), 80.0 / 255, 1), 2, 2);
    boost::numeric::ublas::column(X, 1) *= 0.5;
    CHECK(ColumnLoops::weights(X, X)(2, 1) > 0.99);
    CHECK(ColumnAlgebra::weights(X, X)(2, 1) > 0.99);
}

TEST_CASE("where no key is longer the own weight is the largest") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Matrix<double> X = Draw<double>(seed).matrix(3, 5);
        for (std::size_t j = 0; j < X.size2(); ++j) {
            auto column = boost::numeric::ublas::column(X, j);
            const double length = boost::numeric::ublas::norm_2(column);
            column *= 2 / length;
        }
        boost::numeric::ublas::column(X, 0) *= 1.5;  // longer than all others: its own weight is the largest too
        const Matrix<double> A = ColumnLoops::weights(X, X);
        for (std::size_t i = 0; i < X.size2(); ++i) {
            CAPTURE(seed);
            CAPTURE(i);
            CHECK(A(0, 0) >= A(i, 0));
            for (std::size_t j = 1; j < X.size2() && i > 0; ++j) CHECK(A(j, j) >= A(i, j) * (1 - 1e-12));
        }
    }
}

TEST_CASE("shuffled patches give shuffled outputs") {
    const Matrix<double> X = patch_tokens(read_pgm(folder + "/dogs_32x32.pgm"), 2, 2);
    const Weights w = read_weights(folder + "/golden", 256);
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const auto order = Draw<double>(seed).permutation(4);
        const Matrix<double> expected = permuted_columns(golden("linear"), order);
        const Matrix<double> shuffled = permuted_columns(X, order);
        check_close("loops", ColumnLoops::multi_head(w, shuffled), expected, 1e-12);
        check_close("algebra", ColumnAlgebra::multi_head(w, shuffled), expected, 1e-12);
        CHECK(largest_difference(expected, golden("linear")) > 0.02);
    }
}

TEST_CASE("the photograph is carried in both sizes and comes back from its patches") {
    struct Carried {
        std::size_t side;
        std::string name;
        std::size_t check;  // the sum of the grey values, each times its place
    };
    for (const auto& [side, name, check] :
         {Carried{32, "/dogs_32x32.pgm", 69936310}, {64, "/dogs_64x64.pgm", 1118007355}}) {
        const Matrix<double> photograph = read_pgm(folder + name);
        std::size_t found = 0;
        for (std::size_t i = 0; i < photograph.data().size(); ++i)
            found += (i + 1) * static_cast<std::size_t>(std::lround(255 * photograph.data()[i]));
        CHECK(found == check);
        REQUIRE(photograph.size1() == side);
        REQUIRE(photograph.size2() == side);
        const Matrix<double> back = multihead::picture(multihead::patches(photograph, 2, 4), 2, 4, side / 2);
        CHECK(largest_difference(back, photograph) == 0);
        CHECK(*std::max_element(photograph.data().begin(), photograph.data().end()) <= 1);
        CHECK(*std::min_element(photograph.data().begin(), photograph.data().end()) >= 0);
    }
}
