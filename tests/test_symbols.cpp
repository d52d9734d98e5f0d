// Laws 4.1 to 4.3 as formulas, equal term by term.

#include "../chapters/04-multi-head/formulas.hpp"

#include <multihead/algebra/hand.hpp>
#include <multihead/loops/hand.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

using namespace chapters::formulas;
using multihead::Algebra;
using multihead::Loops;

namespace {

const Loops<Symbol> by_loops;
const Algebra<Symbol> by_algebra;
const std::array<const Hand*, 2> hands = {&by_loops, &by_algebra};

// Every entry of the two is the same formula.
void check_same(const Matrix<Symbol>& left, const Matrix<Symbol>& right) {
    REQUIRE(left.size1() == right.size1());
    REQUIRE(left.size2() == right.size2());
    for (std::size_t i = 0; i < left.size1(); ++i)
        for (std::size_t j = 0; j < left.size2(); ++j) {
            INFO("entry (" << i << ", " << j << ")\n  " << text(left(i, j)) << "\n  " << text(right(i, j)));
            CHECK(left(i, j) == right(i, j));
        }
}

// Entry (i, j) of multi-head attention as definition 4.0 writes it: 2 heads, 2 features, 2 values a feature, 2 keys.
Symbol written_out(std::size_t i, std::size_t j) {
    Symbol sum;
    for (std::size_t h = 0; h < 2; ++h) {
        const Matrix<Symbol> a = letters("a" + std::to_string(h + 1));
        for (std::size_t l = 0; l < 2; ++l)
            for (std::size_t r = 0; r < 2; ++r)
                for (std::size_t k = 0; k < 2; ++k) sum += heads[h].W_O(i, l) * heads[h].W_V(l, r) * V(r, k) * a(k, j);
    }
    return sum;
}

}  // namespace

TEST_CASE("symbols add and multiply as polynomials do") {
    const Symbol x("x");
    const Symbol y("y");
    CHECK(x * y == y * x);
    CHECK(x * (y + x) == y * x + x * x);
    CHECK((x + y) * (x - y) == x * x - y * y);
    CHECK(x - x == Symbol(0));
    CHECK(Symbol(2) * x == x + x);
    CHECK(-(-x) == x);
    CHECK(x != y);
    Symbol z = x;
    z += z;
    CHECK(z == Symbol(2) * x);
}

TEST_CASE("symbols are written with their coefficients") {
    const Symbol x("x");
    const Symbol y("y");
    CHECK(text(Symbol()) == "0");
    CHECK(text(Symbol(-1)) == "-1");
    CHECK(text(-x) == "-x");
    CHECK(text(y * x + Symbol(3) * y * y + Symbol(7)) == "3 y y + 7 + x y");
    CHECK(text(x * y * Symbol("z"), {{"y", "b"}, {"x", "a"}}) == "z b a");
}

TEST_CASE("what is no polynomial is a letter") {
    const Symbol x("x");
    const Symbol y("y");
    CHECK(text(x / (x + y)) == "x/(x + y)");
    CHECK(x / (x + y) == x / (y + x));
    CHECK(x / Symbol(1) == x);
    CHECK(text(x / (y / x)) == "x/(y/x)");
    CHECK(text((x / y) / x) == "x/y/x");
    CHECK(x * y / y != x);  // nothing is cancelled
    CHECK(text(exponential(y * x)) == "E(x y)");
    CHECK(text(sqrt(x)) == "sqrt(x)");
    CHECK(text(tanh(x)) == "tanh(x)");
}

TEST_CASE("law 4.1 as formulas") {
    for (const Hand* hand : hands) {
        const std::vector<Matrix<Symbol>> sides = blocks_times_stack(*hand);
        check_same(sides[0], sides[1]);
        CHECK(text(sides[0](0, 0)) == "A1_11 O1_11 + A1_21 O1_12 + A2_11 O2_11 + A2_21 O2_12");
    }
}

TEST_CASE("laws 4.2 and 4.3 as formulas") {
    for (const Hand* hand : hands) {
        const std::vector<Matrix<Symbol>> forms = three_forms(*hand);
        for (const Matrix<Symbol>& form : forms) {
            check_same(form, forms[0]);
            check_same(form, three_forms(by_loops)[0]);
        }
        const multihead::Names names = names_of_weights(*hand);
        CHECK(names.size() == 8);
        for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t j = 0; j < 2; ++j) {
                const Symbol expected = written_out(i, j);
                CHECK(expected.terms().size() == 16);
                multihead::Names in_order;
                for (const auto& [letter, name] : names) in_order.emplace_back(name, name);
                CHECK(terms(forms[0](i, j), names) == terms(expected, in_order));
            }
    }
}

TEST_CASE("the block of another head is another formula") {
    for (const Hand* hand : hands) {
        const std::vector<Matrix<Symbol>> right = three_forms(*hand);
        const std::vector<Matrix<Symbol>> wrong = three_forms(*hand, blocks_exchanged());
        for (std::size_t form = 0; form < right.size(); ++form)
            for (std::size_t i = 0; i < 2; ++i)
                for (std::size_t j = 0; j < 2; ++j) {
                    const Symbol difference = right[form](i, j) - wrong[form](i, j);
                    CHECK(difference.terms().size() == 32);  // no term in common
                }
    }
}

TEST_CASE("softmax of letters is a quotient of E") {
    for (const Hand* hand : hands) {
        const Matrix<Symbol> A = hand->softmax(letters("s"));
        CHECK(text(A(0, 0)) == "E(s_11)/(E(s_11) + E(s_21))");
        CHECK(text(A(1, 0)) == "E(s_21)/(E(s_11) + E(s_21))");
        CHECK(text(A(0, 1)) == "E(s_12)/(E(s_12) + E(s_22))");
    }
}
