#include "refutations.hpp"
#include "rewired.hpp"

#include <multihead/laws/entries.hpp>

#include <algorithm>
#include <functional>

namespace judge {

namespace {

using multihead::matrix_of;

template <class T>
using Batch = std::vector<Matrix<T>>;
template <class T>
using Layer = std::function<Matrix<T>(const Matrix<T>&)>;

// Mistakes with the samples of a batch, given the layer on one sample, which is right.
template <class T>
struct BatchMistake : Rewired<T> {
    using Rewired<T>::row_self_attention;
    Batch<T> row_self_attention(const multihead::row::MultiHeadWeights<T>& w, const Batch<T>& batch,
                                const Score<T>& f) const final {
        return on_batch([&](const Matrix<T>& X) { return this->row_self_attention(w, X, f); }, batch);
    }
    virtual Batch<T> on_batch(const Layer<T>& layer, const Batch<T>& batch) const = 0;
};

// Mistakes that have the right shape only if all samples have one length. Other batches are left as they are.
template <class T>
struct OneLengthMistake : BatchMistake<T> {
    Batch<T> on_batch(const Layer<T>& layer, const Batch<T>& batch) const final {
        for (const Matrix<T>& X : batch)
            if (X.size1() != batch[0].size1()) {
                Batch<T> outputs;
                for (const Matrix<T>& sample : batch) outputs.push_back(layer(sample));
                return outputs;
            }
        return on_one_length(layer, batch);
    }
    virtual Batch<T> on_one_length(const Layer<T>& layer, const Batch<T>& batch) const = 0;
};

// Rows first, …, first + count − 1.
template <class T>
Matrix<T> rows_of(const Matrix<T>& X, std::size_t first, std::size_t count) {
    return matrix_of(count, X.size2(), [&](std::size_t i, std::size_t j) { return X(first + i, j); });
}

template <class T>
struct OneLongSequence : BatchMistake<T> {
    Batch<T> on_batch(const Layer<T>& layer, const Batch<T>& batch) const override {
        if (batch.empty()) return {};
        Matrix<T> whole = batch[0];
        for (std::size_t b = 1; b < batch.size(); ++b) whole = multihead::above(whole, batch[b]);
        const Matrix<T> Y = layer(whole);
        Batch<T> outputs;
        std::size_t first = 0;
        for (const Matrix<T>& X : batch) {
            outputs.push_back(rows_of(Y, first, X.size1()));
            first += X.size1();
        }
        return outputs;
    }
};

// Samples filled up to one length with zeros, which get weights like any token.
template <class T>
struct PaddedWithZeros : BatchMistake<T> {
    Batch<T> on_batch(const Layer<T>& layer, const Batch<T>& batch) const override {
        std::size_t longest = 0;
        for (const Matrix<T>& X : batch) longest = std::max(longest, X.size1());
        Batch<T> outputs;
        for (const Matrix<T>& X : batch) {
            const Matrix<T> zeros(longest - X.size1(), X.size2(), T(0));
            outputs.push_back(rows_of(layer(multihead::above(X, zeros)), 0, X.size1()));
        }
        return outputs;
    }
};

template <class T>
struct FirstSampleForAll : OneLengthMistake<T> {
    Batch<T> on_one_length(const Layer<T>& layer, const Batch<T>& batch) const override {
        Batch<T> outputs;
        for (std::size_t b = 0; b < batch.size(); ++b) outputs.push_back(layer(batch[0]));
        return outputs;
    }
};

template <class T>
struct ResidualOfNextSample : OneLengthMistake<T> {
    Batch<T> on_one_length(const Layer<T>& layer, const Batch<T>& batch) const override {
        Batch<T> outputs;
        for (std::size_t b = 0; b < batch.size(); ++b)
            outputs.push_back(layer(batch[b]) - batch[b] + batch[(b + 1) % batch.size()]);
        return outputs;
    }
};

// The two axes of a batch exchanged: the samples attend to each other at every point in time.
template <class T>
struct AcrossSamples : OneLengthMistake<T> {
    Batch<T> on_one_length(const Layer<T>& layer, const Batch<T>& batch) const override {
        Batch<T> outputs = batch;
        for (std::size_t i = 0; !batch.empty() && i < batch[0].size1(); ++i) {
            const Matrix<T> Y = layer(matrix_of(batch.size(), batch[0].size2(),
                                                [&](std::size_t b, std::size_t j) { return batch[b](i, j); }));
            for (std::size_t b = 0; b < batch.size(); ++b)
                for (std::size_t j = 0; j < Y.size2(); ++j) outputs[b](i, j) = Y(b, j);
        }
        return outputs;
    }
};

// The layer of the time series has no scale.
template <class T>
struct LayerWithScale : Rewired<T> {
    using M = Matrix<T>;
    using Rewired<T>::row_self_attention;
    M row_self_attention(const multihead::row::MultiHeadWeights<T>& w, const M& X, const Score<T>& f) const override {
        return Rewired<T>::row_self_attention(w, X, [&](const M& Q, const M& K) {
            M S = f(Q, K);
            S /= T(Q.size2());
            return S;
        });
    }
};

template <class T>
struct LayerWithoutResidual : Rewired<T> {
    using M = Matrix<T>;
    using Rewired<T>::row_self_attention;
    M row_self_attention(const multihead::row::MultiHeadWeights<T>& w, const M& X, const Score<T>& f) const override {
        return this->row_multi_head(w, X, X, X, f);
    }
};

// A place for every pixel of every patch.
enum class Order { rows, columns };

template <class T, Order pixels, Order patches>
Matrix<T> cut(const Matrix<T>& picture, std::size_t rows, std::size_t columns) {
    const std::size_t height = picture.size1() / rows;
    const std::size_t width = picture.size2() / columns;
    Matrix<T> tokens(height * width, rows * columns);
    for (std::size_t i = 0; i < picture.size1(); ++i)
        for (std::size_t j = 0; j < picture.size2(); ++j) {
            const std::size_t R = i / height, C = j / width, r = i % height, c = j % width;
            tokens(pixels == Order::rows ? r * width + c : c * height + r,
                   patches == Order::rows ? R * columns + C : C * rows + R) = picture(i, j);
        }
    return tokens;
}

template <class T>
struct PixelsInColumnOrder : Rewired<T> {
    Matrix<T> patches(const Matrix<T>& picture, std::size_t rows, std::size_t columns) const override {
        return cut<T, Order::columns, Order::rows>(picture, rows, columns);
    }
};

template <class T>
struct PatchesInColumnOrder : Rewired<T> {
    Matrix<T> patches(const Matrix<T>& picture, std::size_t rows, std::size_t columns) const override {
        return cut<T, Order::rows, Order::columns>(picture, rows, columns);
    }
};

// The tokens (R, C), …, taken as if they stood in column order.
template <class T>
struct PictureInColumnOrder : Rewired<T> {
    Matrix<T> picture(const Matrix<T>& tokens, std::size_t rows, std::size_t columns,
                      std::size_t height) const override {
        const Matrix<T> in_rows = matrix_of(tokens.size1(), tokens.size2(), [&](std::size_t i, std::size_t p) {
            return tokens(i, p % columns * rows + p / columns);
        });
        return multihead::picture(in_rows, rows, columns, height);
    }
};

// Twice the same mistake: each undoes the other, and only the stated places tell.
template <class T>
struct ColumnOrderBothWays : PictureInColumnOrder<T> {
    Matrix<T> patches(const Matrix<T>& picture, std::size_t rows, std::size_t columns) const override {
        return cut<T, Order::rows, Order::columns>(picture, rows, columns);
    }
};

// The picture's memory, cut into equal runs: a patch is a piece of a line.
template <class T>
struct BufferReshaped : Rewired<T> {
    Matrix<T> patches(const Matrix<T>& picture, std::size_t rows, std::size_t columns) const override {
        const std::size_t pixels = picture.size1() / rows * (picture.size2() / columns);
        return matrix_of(pixels, rows * columns, [&](std::size_t k, std::size_t p) {
            const std::size_t place = p * pixels + k;
            return picture(place / picture.size2(), place % picture.size2());
        });
    }
};

}  // namespace

std::vector<Refutation> wrong_data() {
    return {
        refutation<OneLongSequence>("a batch taken as one long sequence", {"7.2", "0.1"}),
        refutation<FirstSampleForAll>("every sample replaced by the first", {"7.2"}),
        refutation<ResidualOfNextSample>("the residual of the next sample", {"7.2"}),
        refutation<AcrossSamples>("attention across samples instead of along time", {"7.2"}),
        refutation<PaddedWithZeros>("shorter samples padded with zeros that are attended to", {"7.2", "0.1"}),
        refutation<LayerWithScale>("a scale in the time series layer", {"7.1", "7.2", "0.1"}),
        refutation<LayerWithoutResidual>("a time series layer without the original", {"7.1", "7.2", "0.1"}),
        refutation<BufferReshaped>("patches by reshaping the buffer", {"8.1", "8.2"}),
        refutation<PatchesInColumnOrder>("patches counted in column order", {"8.1", "8.2"}),
        refutation<PixelsInColumnOrder>("pixels of a patch in column order", {"8.1", "8.2"}),
        refutation<PictureInColumnOrder>("a picture put together in column order", {"8.1", "8.2"}),
        refutation<ColumnOrderBothWays>("column order both in cutting and in putting together", {"8.1"}),
    };
}

}  // namespace judge
