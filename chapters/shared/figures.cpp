#include "figures.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace chapters {

namespace fs = std::filesystem;

Figures::Figures(const Options& options) : folder_(options.given("figures") ? options.text("figures") : "") {
    std::error_code error;
    for (fs::path place = folder_; !place.empty(); place = place.parent_path()) {
        if (!fs::exists(place, error)) continue;
        if (fs::is_directory(place, error)) break;
        throw std::runtime_error("cannot write figures into " + folder_ + ": " + place.string() + " is no folder");
    }
}

void Figures::write() const {
    // What was printed comes first: a run that could not print has failed and leaves no figures.
    std::cout.flush();
    if (folder_.empty() || !std::cout) return;
    std::error_code error;
    fs::create_directories(folder_, error);
    std::vector<fs::path> made;
    const auto fail = [&](const std::string& name) {
        for (const fs::path& path : made) fs::remove(path, error);
        throw std::runtime_error("cannot write the figure " + name + ".svg into the folder " + folder_);
    };
    for (const auto& [name, body] : figures_) {
        const fs::path part = fs::path(folder_) / (name + ".svg.part");
        std::ofstream file(part, std::ios::binary);
        if (file) made.push_back(part);
        file << body;
        file.close();
        if (!file || fs::is_directory(fs::path(folder_) / (name + ".svg"), error)) fail(name);
    }
    for (const auto& [name, body] : figures_) {
        const fs::path figure = fs::path(folder_) / (name + ".svg");
        fs::rename(fs::path(folder_) / (name + ".svg.part"), figure, error);
        if (error) fail(name);
        made.push_back(figure);
    }
}

}  // namespace chapters
