#pragma once
/// \file
/// Chapter 7: what its program runs on, from the command line.

#include "../shared/csv.hpp"
#include "../shared/data.hpp"
#include "../shared/draw_weights.hpp"
#include "../shared/options.hpp"
#include "../shared/weights.hpp"
#include "layer.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace chapters {

/// The months of the carried data are written as their first days; 2008-01 says enough. Other labels stay as they are.
inline std::vector<std::string> labels(const Table& table) {
    std::vector<std::string> names = table.row_names;
    for (const std::string& name : names)
        if (name.size() != 10 || name.substr(7) != "-01") return names;
    for (std::string& name : names) name.resize(7);
    return names;
}

/// The longest sample: its weights are rows x rows.
inline constexpr std::size_t most_rows = 4096;

/// What the layer runs on, and what is to be said of it.
struct Input {
    Table table;                        ///< as it was read
    std::vector<Matrix<double>> batch;  ///< every attribute standardised
    std::vector<std::string> names;     ///< of the points in time of the first sample
    RowWeights weights;                 ///< of all heads
    std::string about_weights;          ///< where they come from
};

/// The weights from a folder, or the carried ones where they fit, or drawn.
inline void choose_weights(Input& input, const Options& options) {
    const std::size_t d_model = input.table.values.size2();
    const std::size_t latent = options.given("latent") ? options.count("latent", 4096) : 8;
    const std::size_t H = options.given("heads") ? options.count("heads", 256) : 2;
    const bool carried = d_model == 16 && latent == 8 && H == 2;
    if (!options.given("weights") && !carried) {
        input.weights = multihead::row::transposed(draw_weights(options.number("seed"), d_model, latent, H));
        input.about_weights = "The weights are drawn from the seed: " + std::to_string(H) + " heads for " +
                              std::to_string(d_model) + " attributes, d_k = d_v = " + std::to_string(latent) + ".";
        return;
    }
    const std::string folder = options.given("weights") ? options.text("weights") : data("07-time-series/golden");
    const multihead::MultiHeadWeights<double> weights = read_weights(folder, d_model);
    if (options.given("latent") && (weights[0].W_Q.size1() != latent || weights[0].W_V.size1() != latent))
        throw std::invalid_argument("--latent is not the size of the heads in " + folder);
    if (options.given("heads") && weights.size() != H)
        throw std::invalid_argument("--heads is not the number of heads in " + folder);
    input.weights = multihead::row::transposed(weights);
    input.about_weights =
        options.given("weights")
            ? "The weights are those in " + folder + "."
            : "The weights are random numbers that another program has used too, so that its results can be compared "
              "with these. Nothing has been learned yet.";
}

/// Reads the table and the weights. Throws std::runtime_error or std::invalid_argument if something does not fit.
inline Input read_input(const Options& options) {
    Input input;
    const std::string file =
        options.given("csv") ? options.text("csv") : data("07-time-series/us_employment_32x16.csv");
    input.table = read_csv(file);
    const std::size_t n = input.table.values.size1();
    const std::size_t rows = options.given("window") ? options.count("window") : n;
    if (rows > n)
        throw std::invalid_argument("--window is " + std::to_string(rows) + ", but the table has " + std::to_string(n) +
                                    " rows");
    if (rows > most_rows)
        throw std::invalid_argument(file + ": a sample of " + std::to_string(rows) + " rows is too long; cut it with " +
                                    "--window, at most " + std::to_string(most_rows));
    try {
        input.batch = windows(standardised(input.table), rows);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(file + ": " + error.what());
    }
    input.names = labels(input.table);
    if (!input.names.empty()) input.names.resize(rows);
    choose_weights(input, options);
    return input;
}

}  // namespace chapters
