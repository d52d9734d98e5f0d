#pragma once
/// \file
/// Law 10.18: gradients in rows.

#include <multihead/laws/draw.hpp>
#include <multihead/laws/entries.hpp>
#include <multihead/laws/named_gradients.hpp>
#include <multihead/laws/row.hpp>

#include <string>
#include <vector>

namespace multihead::laws {

/// 10.18, chapter 6 differentiated: the gradients in rows are the transposes of those in columns, for softmax, all
/// scores, attention, heads and multi-head attention.
struct RowGradients {
    static constexpr Id id{"10.18", "row-gradients"};
    static constexpr Worlds worlds = RF;

    template <class T>
    Equations<T> operator()(const Hand<T>& hand, Draw<T>& draw, const Shape& shape) const {
        const RowInstance<T> x(draw, shape);
        Equations<T> equations;
        const auto same = [&](const std::string& name, const auto& in_rows, const auto& in_columns) {
            std::vector<Named<T>> columns = named(in_columns);
            for (Named<T>& d : columns) d.gradient = transposed(d.gradient);
            add_same(equations, name, named(in_rows), columns);
        };

        const Matrix<T> A = draw.matrix(shape.n, shape.m);
        const Matrix<T> dA = draw.matrix(shape.n, shape.m);
        const Matrix<T> A_T = transposed(A);
        const Matrix<T> dA_T = transposed(dA);
        equations.push_back(
            {"softmax", hand.row_softmax_backward(A, dA), transposed(hand.softmax_backward(A_T, dA_T))});

        const Matrix<T> q = draw.matrix(shape.n, 4);
        const Matrix<T> k = draw.matrix(shape.m, 4);
        const Matrix<T> W = draw.matrix(4, shape.d_model);
        const Matrix<T> q_T = transposed(q);
        const Matrix<T> k_T = transposed(k);
        same("dot_product", hand.row_dot_product_backward(q, k, dA), hand.dot_product_backward(q_T, k_T, dA_T));
        for (const std::size_t root : {1U, 2U, 3U}) {  // 1, 4 and 9 have roots in F_p
            const Matrix<T> queries = draw.matrix(shape.n, root * root);
            const Matrix<T> keys = draw.matrix(shape.m, root * root);
            same("scaled by the root of " + std::to_string(root * root),
                 hand.row_scaled_dot_product_backward(queries, keys, dA),
                 hand.scaled_dot_product_backward(transposed(queries), transposed(keys), dA_T));
        }
        same("bilinear", hand.row_bilinear_backward(W, q, x.K, dA),
             hand.bilinear_backward(transposed(W), q_T, x.K_T, dA_T));

        const Matrix<T> B = draw.matrix(shape.d_model, shape.d_model);
        const Matrix<T> V = draw.matrix(shape.m, shape.d_v);
        const Matrix<T> dhead = draw.matrix(shape.n, shape.d_v);
        const Matrix<T> B_T = transposed(B);
        const Matrix<T> V_T = transposed(V);
        const Matrix<T> dhead_T = transposed(dhead);
        same("attention", hand.row_attention_backward(x.Q, x.K, V, hand.row_form(B), hand.row_form_backward(B), dhead),
             hand.attention_backward(x.Q_T, x.K_T, V_T, hand.form(B_T), hand.form_backward(B_T), dhead_T));

        const Score<T> f = hand.row_form(x.B);
        const Score<T> f_T = hand.form(x.B_T);
        const ScoreBackward<T> f_backward = hand.row_form_backward(x.B);
        const ScoreBackward<T> f_T_backward = hand.form_backward(x.B_T);
        const Matrix<T> dO = draw.matrix(shape.n, shape.d_model);
        same("head", hand.row_head_backward(x.rows[0], x.Q, x.K, x.V, f, f_backward, dhead),
             hand.head_backward(x.columns[0], x.Q_T, x.K_T, x.V_T, f_T, f_T_backward, dhead_T));
        same("multi_head", hand.row_multi_head_backward(x.rows, x.Q, x.K, x.V, f, f_backward, dO),
             hand.multi_head_backward(x.columns, x.Q_T, x.K_T, x.V_T, f_T, f_T_backward, transposed(dO)));
        return equations;
    }
};

}  // namespace multihead::laws
