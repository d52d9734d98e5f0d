#include "figures.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace chapters {

void Figures::write() const {
    namespace fs = std::filesystem;
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
