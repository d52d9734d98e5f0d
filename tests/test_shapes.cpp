// Every function of every hand refuses a wrong shape, in every build mode, before it computes anything: it throws
// shape_error, whose message names the function, the symbol, the shape it has and the shape it should have.

#include "refusal.hpp"

#include <multihead/weights.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

using namespace judge;  // every test here speaks of the hands and of what is expected of them

namespace {

using M = Matrix<double>;
using Arguments = std::vector<M>;
using Weights = multihead::MultiHeadWeights<double>;
using RowWeights = multihead::row::MultiHeadWeights<double>;

// A function and the names of its arguments' dimensions, with tokens in columns. Dimensions of one name are equal in a
// right call; n and m may be 0, others not.
struct Argument {
    std::string symbol;
    std::string rows;
    std::string columns;

    bool has(const std::string& dimension) const { return rows == dimension || columns == dimension; }
};

struct Function {
    std::string name;
    std::vector<Argument> arguments;
    std::function<void(const Hand<double>&, const Arguments&)> in_columns;
    std::function<void(const Hand<double>&, const Arguments&)> in_rows;
};

// No two sizes of different names are alike.
std::size_t size_of(const std::string& dimension) {
    static const std::map<std::string, std::size_t> sizes = {{"n", 2},   {"m", 6},       {"d_k", 4},    {"d_v", 3},
                                                             {"d_a", 5}, {"d_model", 9}, {"d_key", 11}, {"d_value", 13},
                                                             {"one", 1}, {"d_q", 8},     {"n'", 15}};
    return sizes.at(dimension);
}

// Two heads for keys and values of their own widths.
std::vector<Argument> two_heads(const std::string& d_key, const std::string& d_value, const std::string& outputs,
                                bool with_W_O) {
    std::vector<Argument> arguments;
    for (const std::string of : {" of head 1", " of head 2"}) {
        arguments.push_back({"W_Q" + of, "d_k", "d_model"});
        arguments.push_back({"W_K" + of, "d_k", d_key});
        arguments.push_back({"W_V" + of, outputs, d_value});
        if (with_W_O) arguments.push_back({"W_O" + of, "d_model", outputs});
    }
    return arguments;
}

std::vector<Argument> followed_by(std::vector<Argument> arguments, const std::vector<Argument>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

template <class W>
W weights(const Arguments& a) {
    return {{a[0], a[1], a[2], a[3]}, {a[4], a[5], a[6], a[7]}};
}
std::vector<multihead::ResidualHead<double>> residual_heads(const Arguments& a) {
    return {{a[0], a[1], a[2]}, {a[3], a[4], a[5]}};
}

using H = const Hand<double>&;
using A = const Arguments&;

const std::vector<Function>& all_functions() {
    const std::vector<Argument> QK = {{"Q", "d_k", "n"}, {"K", "d_k", "m"}};
    const std::vector<Argument> QKV = {{"Q", "d_model", "n"}, {"K", "d_key", "m"}, {"V", "d_value", "m"}};
    const std::vector<Argument> cross = followed_by(two_heads("d_key", "d_value", "d_v", true), QKV);
    const std::vector<Argument> dS = {{"dS", "m", "n"}};
    const std::vector<Argument> self = two_heads("d_model", "d_model", "d_v", true);
    static const std::vector<Function> functions = {
        {"dot_product", QK, [](H h, A a) { h.dot_product(a[0], a[1]); },
         [](H h, A a) { h.row_dot_product(a[0], a[1]); }},
        {"scaled_dot_product", QK, [](H h, A a) { h.scaled_dot_product(a[0], a[1]); },
         [](H h, A a) { h.row_scaled_dot_product(a[0], a[1]); }},
        {"gaussian_kernel", QK, [](H h, A a) { h.gaussian_kernel(1, a[0], a[1]); },
         [](H h, A a) { h.row_gaussian_kernel(1, a[0], a[1]); }},
        {"bilinear",
         {{"W", "d_key", "d_q"}, {"Q", "d_q", "n"}, {"K", "d_key", "m"}},
         [](H h, A a) { h.bilinear(a[0], a[1], a[2]); },
         // In rows W stands between Q and K: (dimension of queries) × (dimension of keys), a transpose as all others.
         [](H h, A a) { h.row_bilinear(a[0], a[1], a[2]); }},
        {"additive",
         {{"W_q", "d_a", "d_q"}, {"W_k", "d_a", "d_key"}, {"w", "d_a", "one"}, {"Q", "d_q", "n"}, {"K", "d_key", "m"}},
         [](H h, A a) { h.additive(a[0], a[1], a[2], a[3], a[4]); },
         [](H h, A a) { h.row_additive(a[0], a[1], a[2], a[3], a[4]); }},
        {"softmax", {{"S", "m", "n"}}, [](H h, A a) { h.softmax(a[0]); }, [](H h, A a) { h.row_softmax(a[0]); }},
        {"mix", {{"V", "d_v", "m"}, {"A", "m", "n"}}, [](H h, A a) { h.mix(a[0], a[1]); }, nullptr},
        {"attention_weights",
         {{"Q", "d_q", "n"}, {"K", "d_key", "m"}},
         [](H h, A a) { h.attention_weights(a[0], a[1], any_score); },
         nullptr},
        {"attention",
         {{"Q", "d_q", "n"}, {"K", "d_key", "m"}, {"V", "d_v", "m"}},
         [](H h, A a) { h.attention(a[0], a[1], a[2], any_score); },
         [](H h, A a) { h.row_attention(a[0], a[1], a[2], any_score_in_rows); }},
        {"head", followed_by({{"W_Q", "d_k", "d_model"}, {"W_K", "d_k", "d_key"}, {"W_V", "d_v", "d_value"}}, QKV),
         [](H h, A a) {
             h.head({a[0], a[1], a[2], {}}, a[3], a[4], a[5], any_score);
         },
         [](H h, A a) {
             h.row_head({a[0], a[1], a[2], {}}, a[3], a[4], a[5], any_score_in_rows);
         }},
        {"multi_head", cross, [](H h, A a) { h.multi_head(weights<Weights>(a), a[8], a[9], a[10], any_score); },
         [](H h, A a) { h.row_multi_head(weights<RowWeights>(a), a[8], a[9], a[10], any_score_in_rows); }},
        {"multi_head_sum", cross, [](H h, A a) { h.multi_head_sum(weights<Weights>(a), a[8], a[9], a[10], any_score); },
         [](H h, A a) { h.row_multi_head_sum(weights<RowWeights>(a), a[8], a[9], a[10], any_score_in_rows); }},
        {"multi_head_expanded", cross,
         [](H h, A a) { h.multi_head_expanded(weights<Weights>(a), a[8], a[9], a[10], any_score); }, nullptr},
        {"packed_W_Q", two_heads("d_key", "d_value", "d_v", true), [](H h, A a) { h.packed_W_Q(weights<Weights>(a)); },
         nullptr},
        {"packed_W_K", two_heads("d_key", "d_value", "d_v", true), [](H h, A a) { h.packed_W_K(weights<Weights>(a)); },
         nullptr},
        {"packed_W_V", two_heads("d_key", "d_value", "d_v", true), [](H h, A a) { h.packed_W_V(weights<Weights>(a)); },
         nullptr},
        {"fold", self, [](H h, A a) { h.fold(weights<Weights>(a)); }, nullptr},
        {"residual_attention", followed_by(two_heads("d_model", "d_model", "d_model", false), {{"X", "d_model", "n"}}),
         [](H h, A a) { h.residual_attention(residual_heads(a), a[6]); }, nullptr},
        {"self_attention", followed_by(self, {{"X", "d_model", "n"}}), nullptr,
         [](H h, A a) { h.row_self_attention(weights<RowWeights>(a), a[8], any_score_in_rows); }},
        {"self_attention", followed_by(self, {{"X of sample 1", "d_model", "n"}, {"X of sample 2", "d_model", "n'"}}),
         nullptr,
         [](H h, A a) {
             h.row_self_attention(weights<RowWeights>(a), Arguments{a[8], a[9]}, any_score_in_rows);
         }},
        {"softmax_backward",
         {{"A", "m", "n"}, {"dA", "m", "n"}},
         [](H h, A a) { h.softmax_backward(a[0], a[1]); },
         [](H h, A a) { h.row_softmax_backward(a[0], a[1]); }},
        {"mix_backward",
         {{"V", "d_v", "m"}, {"A", "m", "n"}, {"dO", "d_v", "n"}},
         [](H h, A a) { h.mix_backward(a[0], a[1], a[2]); },
         nullptr},
        {"dot_product_backward", followed_by(QK, dS), [](H h, A a) { h.dot_product_backward(a[0], a[1], a[2]); },
         [](H h, A a) { h.row_dot_product_backward(a[0], a[1], a[2]); }},
        {"scaled_dot_product_backward", followed_by(QK, dS),
         [](H h, A a) { h.scaled_dot_product_backward(a[0], a[1], a[2]); },
         [](H h, A a) { h.row_scaled_dot_product_backward(a[0], a[1], a[2]); }},
        {"bilinear_backward",
         {{"W", "d_key", "d_q"}, {"Q", "d_q", "n"}, {"K", "d_key", "m"}, {"dS", "m", "n"}},
         [](H h, A a) { h.bilinear_backward(a[0], a[1], a[2], a[3]); },
         [](H h, A a) { h.row_bilinear_backward(a[0], a[1], a[2], a[3]); }},
        {"attention_backward",
         {{"Q", "d_q", "n"}, {"K", "d_key", "m"}, {"V", "d_v", "m"}, {"dO", "d_v", "n"}},
         [](H h, A a) { h.attention_backward(a[0], a[1], a[2], any_score, no_gradient, a[3]); },
         [](H h, A a) { h.row_attention_backward(a[0], a[1], a[2], any_score_in_rows, no_gradient, a[3]); }},
        {"head_backward",
         followed_by(followed_by({{"W_Q", "d_k", "d_model"}, {"W_K", "d_k", "d_key"}, {"W_V", "d_v", "d_value"}}, QKV),
                     {{"dO", "d_v", "n"}}),
         [](H h, A a) {
             h.head_backward({a[0], a[1], a[2], {}}, a[3], a[4], a[5], any_score, no_gradient, a[6]);
         },
         [](H h, A a) {
             h.row_head_backward({a[0], a[1], a[2], {}}, a[3], a[4], a[5], any_score_in_rows, no_gradient, a[6]);
         }},
        {"multi_head_backward", followed_by(cross, {{"dO", "d_model", "n"}}),
         [](H h, A a) { h.multi_head_backward(weights<Weights>(a), a[8], a[9], a[10], any_score, no_gradient, a[11]); },
         [](H h, A a) {
             h.row_multi_head_backward(weights<RowWeights>(a), a[8], a[9], a[10], any_score_in_rows, no_gradient,
                                       a[11]);
         }},
        {"residual_attention_backward",
         followed_by(two_heads("d_model", "d_model", "d_model", false),
                     {{"X", "d_model", "n"}, {"dY", "d_model", "n"}}),
         [](H h, A a) { h.residual_attention_backward(residual_heads(a), a[6], a[7]); }, nullptr},
        {"W_O",
         {{"W_O of head 1", "d_model", "d_v"}, {"W_O of head 2", "d_model", "d_v"}},
         [](H, A a) {
             multihead::W_O(Weights{{{}, {}, {}, a[0]}, {{}, {}, {}, a[1]}});
         },
         nullptr},
    };
    return functions;
}

// The arguments of a right call.
Arguments right_arguments(const Function& function, bool rows) {
    Arguments arguments;
    for (const Argument& a : function.arguments)
        arguments.push_back(rows ? zero(size_of(a.columns), size_of(a.rows))
                                 : zero(size_of(a.rows), size_of(a.columns)));
    return arguments;
}

std::size_t places_of(const Function& function, const std::string& dimension) {
    std::size_t places = 0;
    for (const Argument& a : function.arguments)
        places += (a.rows == dimension ? 1 : 0) + (a.columns == dimension ? 1 : 0);
    return places;
}

// The message blames an argument that has this dimension, with its shape, and says what it should be.
bool names_an_argument(const std::string& message, const std::string& name, const Function& function,
                       const Arguments& arguments, const std::string& dimension) {
    for (std::size_t a = 0; a < arguments.size(); ++a) {
        const std::string beginning = name + ": " + function.arguments[a].symbol + " is " +
                                      std::to_string(arguments[a].size1()) + "x" +
                                      std::to_string(arguments[a].size2()) + ", but ";
        if (function.arguments[a].has(dimension) && message.compare(0, beginning.size(), beginning) == 0) return true;
    }
    return false;
}

// Changes one dimension of one argument and asks whether the call is refused, and how.
void test_dimension(H hand, const Function& function, bool rows, std::size_t argument, bool first) {
    const Argument& changed = function.arguments[argument];
    const std::string dimension = first ? changed.rows : changed.columns;
    const bool tokens = dimension == "n" || dimension == "m" || dimension == "n'";
    const std::string name = rows ? "row::" + function.name : function.name;
    for (const std::size_t size : {std::size_t{0}, size_of(dimension) - 1, size_of(dimension) + 1}) {
        Arguments arguments = right_arguments(function, rows);
        const std::size_t other = size_of(first ? changed.columns : changed.rows);
        arguments[argument] = first == rows ? zero(other, size) : zero(size, other);
        const std::string message = refusal([&] { (rows ? function.in_rows : function.in_columns)(hand, arguments); });
        INFO(name, ", ", changed.symbol, " with ", dimension, " = ", size, ": ", message);
        if (places_of(function, dimension) == 1 && dimension != "one" && (tokens || size > 0))
            CHECK(message == "");
        else
            CHECK(names_an_argument(message, name, function, arguments, dimension));
    }
}

}  // namespace

TEST_CASE("every function refuses every wrong dimension of every argument and accepts right ones") {
    with_both_hands<double>([](H hand) {
        for (const Function& function : all_functions())
            for (const bool rows : {false, true}) {
                if (!(rows ? function.in_rows : function.in_columns)) continue;
                INFO(function.name, rows ? " in rows" : " in columns");
                CHECK(refusal([&] {
                          (rows ? function.in_rows : function.in_columns)(hand, right_arguments(function, rows));
                      }) == "");
                for (std::size_t a = 0; a < function.arguments.size(); ++a)
                    for (const bool first : {true, false}) test_dimension(hand, function, rows, a, first);
            }
    });
}
