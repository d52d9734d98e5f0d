// A hand of your own before the laws of chapter 2, with the headers of the library alone.
#include <multihead/laws/attention.hpp>
#include <multihead/loops/hand.hpp>

#include <iostream>
#include <string>
#include <tuple>

namespace {

using multihead::Draw;
using multihead::Free;
using multihead::Hand;
using multihead::Matrix;
using multihead::Score;

// [one_pass]
// V Softmax(S) in one pass over the keys: weights are never stored. The sum of the exponentials starts at `start`.
template <class T>
Matrix<T> one_pass(const Matrix<T>& V, const Matrix<T>& S, const T& start) {
    Matrix<T> O(V.size1(), S.size2(), T(0));
    for (std::size_t j = 0; j < S.size2(); ++j) {
        T sum = start;
        for (std::size_t i = 0; i < S.size1(); ++i) {
            const T e = exponential(S(i, j));
            sum += e;
            for (std::size_t r = 0; r < V.size1(); ++r) O(r, j) += V(r, i) * e;
        }
        for (std::size_t r = 0; r < V.size1(); ++r) O(r, j) /= sum;
    }
    return O;
}
// [one_pass]

// [hand]
// Everything but attention is that of the loops.
template <class T>
struct OnePass : multihead::Loops<T> {
    Matrix<T> attention(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V, const Score<T>& f) const override {
        return one_pass(V, f(Q, K), T(0));
    }
};

// A mistake: the sum starts at 1.
template <class T>
struct StartsAtOne : multihead::Loops<T> {
    Matrix<T> attention(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V, const Score<T>& f) const override {
        return one_pass(V, f(Q, K), T(1));
    }
};
// [hand]

// [ask]
// The first place where the sides of the law differ in the free world, or nothing.
template <class Law>
std::string complaint(const Law& law, const Hand<Free>& hand) {
    Draw<Free> draw(1);
    for (const auto& equation : law(hand, draw, {.n = 3, .m = 5, .d_model = 7, .d_k = 4, .d_v = 6, .H = 2}))
        for (std::size_t i = 0; i < equation.left.size1(); ++i)
            for (std::size_t j = 0; j < equation.left.size2(); ++j)
                if (!(equation.left(i, j) == equation.right(i, j)))
                    return equation.name + ", entry (" + std::to_string(i) + ", " + std::to_string(j) + ")";
    return "";
}

template <class Law>
void ask(const Law& law, const Hand<Free>& hand) {
    if constexpr (Law::worlds.free) {
        const std::string found = complaint(law, hand);
        std::cout << "  " << Law::id.number << ' ' << Law::id.name << (found.empty() ? " holds" : " fails: " + found)
                  << '\n';
    }
}

void ask_all(const std::string& name, const Hand<Free>& hand) {
    std::cout << name << '\n';
    std::apply([&](const auto&... law) { (ask(law, hand), ...); }, multihead::laws::attention);
}
// [ask]

}  // namespace

int main() {
    ask_all("in one pass", OnePass<Free>());
    std::cout << '\n';
    ask_all("in one pass, with a sum that starts at 1", StartsAtOne<Free>());
}
