#pragma once
/// \file
/// The files that chapters carry along.

#include <string>

// The build names the folder of the chapters, so that a program finds its data wherever it is started.
#ifndef CHAPTERS_DIR
#define CHAPTERS_DIR "chapters"
#endif

namespace chapters {

/// The path of a file in a chapter's folder: `data("07-time-series/us_employment_32x16.csv")`.
inline std::string data(const std::string& name) { return std::string(CHAPTERS_DIR) + "/" + name; }

}  // namespace chapters
