#pragma once
/// \file
/// Formulas as numbers: a hand that computes with letters prints what it computes.
///
/// A `Symbol` is a polynomial in letters with whole coefficients. Letters stand for numbers, so they commute: a product
/// is the set of its letters, with repetitions, and x y and y x are one term. What is no polynomial is a letter of its
/// own, whose name says what it stands for: E(s) in place of the exponential, and every quotient. So two symbols that
/// are equal are equal whatever the letters stand for, and whatever function E is. The converse may fail, as nothing is
/// cancelled: x y / y is a letter, and not x.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace multihead {

/// A polynomial in letters with whole coefficients.
class Symbol {
  public:
    /// Letters that are multiplied, each as often as it occurs.
    using Product = std::multiset<std::string>;

    /// Zero.
    Symbol() = default;

    /// A whole number.
    template <std::integral I>
    explicit Symbol(I n) {
        add({}, static_cast<std::int64_t>(n));
    }

    /// The letter of this name.
    explicit Symbol(std::string name) { add({std::move(name)}, 1); }

    /// The products that are added, each with its coefficient, which is not 0.
    const std::map<Product, std::int64_t>& terms() const { return terms_; }

    Symbol& operator+=(const Symbol& y) {
        for (const auto& [product, coefficient] : Symbol(y).terms_) add(product, coefficient);
        return *this;
    }
    Symbol& operator-=(const Symbol& y) { return *this += -y; }
    Symbol& operator*=(const Symbol& y) { return *this = *this * y; }
    Symbol& operator/=(const Symbol& y) { return *this = *this / y; }

    friend Symbol operator+(Symbol x, const Symbol& y) { return x += y; }
    friend Symbol operator-(Symbol x, const Symbol& y) { return x -= y; }
    friend Symbol operator-(const Symbol& x) { return Symbol(-1) * x; }
    friend Symbol operator*(const Symbol& x, const Symbol& y) {
        Symbol xy;
        for (const auto& [left, a] : x.terms_)
            for (const auto& [right, b] : y.terms_) {
                Product both = left;
                both.insert(right.begin(), right.end());
                xy.add(both, a * b);
            }
        return xy;
    }
    friend Symbol operator/(const Symbol& x, const Symbol& y);
    friend bool operator==(const Symbol&, const Symbol&) = default;

  private:
    std::map<Product, std::int64_t> terms_;

    void add(const Product& product, std::int64_t coefficient) {
        if ((terms_[product] += coefficient) == 0) terms_.erase(product);
    }
};

/// Other names for letters. In a product these come after the letters that keep theirs, in the order of this list.
using Names = std::vector<std::pair<std::string, std::string>>;

/// One product with its coefficient, as text: `-2 p q`.
inline std::string text(Symbol::Product product, std::int64_t coefficient, const Names& names = {}) {
    std::vector<std::string> renamed;
    for (const auto& [letter, name] : names) renamed.insert(renamed.end(), product.count(letter), name);
    for (const auto& [letter, name] : names) product.erase(letter);
    std::vector<std::string> factors(product.begin(), product.end());
    factors.insert(factors.end(), renamed.begin(), renamed.end());
    if (factors.empty() || (coefficient != 1 && coefficient != -1))
        factors.insert(factors.begin(), std::to_string(coefficient));
    else if (coefficient == -1)
        factors.front().insert(0, "-");
    std::string written;
    for (const std::string& factor : factors) written += (written.empty() ? "" : " ") + factor;
    return written;
}

/// The terms of x as text, in alphabetical order.
inline std::vector<std::string> terms(const Symbol& x, const Names& names = {}) {
    std::vector<std::string> written;
    for (const auto& [product, coefficient] : x.terms()) written.push_back(text(product, coefficient, names));
    std::sort(written.begin(), written.end());
    return written;
}

/// x as text: its terms with + between them; `0` if there is none.
inline std::string text(const Symbol& x, const Names& names = {}) {
    std::string sum;
    for (const std::string& term : terms(x, names)) sum += (sum.empty() ? "" : " + ") + term;
    return sum.empty() ? "0" : sum;
}

/// A letter: the quotient, written out; a division by 1 is none. A sum or a product stands in brackets, and so does a
/// quotient below the line.
inline Symbol operator/(const Symbol& x, const Symbol& y) {
    const auto bracketed = [](const std::string& part, const char* unless) {
        return part.find_first_of(unless) == std::string::npos ? part : "(" + part + ")";
    };
    return y == Symbol(1) ? x : Symbol(bracketed(text(x), " ") + "/" + bracketed(text(y), " /"));
}

/// E(s), a letter: any function in place of the exponential.
inline Symbol exponential(const Symbol& s) { return Symbol("E(" + text(s) + ")"); }

/// No pivot: nothing is known of E that relates E(s − c) to E(s).
inline Symbol pivot(const Symbol&, const Symbol&) { return Symbol(); }

/// A letter: the root, written out.
inline Symbol sqrt(const Symbol& x) { return Symbol("sqrt(" + text(x) + ")"); }

/// A letter: the hyperbolic tangent, written out.
inline Symbol tanh(const Symbol& x) { return Symbol("tanh(" + text(x) + ")"); }

}  // namespace multihead
