#pragma once
/// \file
/// What a program is at, for runs that take more than a second.

#include <chrono>
#include <iostream>
#include <string>

namespace chapters {

/// A line on standard error for every step of a long run; nothing in a short one.
class Progress {
  public:
    /// Before a step. `multiplications` is about how many it takes, so that even the first slow step is announced.
    void at(const std::string& step, double multiplications = 0) const {
        const auto passed = std::chrono::steady_clock::now() - start_;
        if (passed > std::chrono::seconds(1) || multiplications > a_second) std::cerr << step << " ..." << std::endl;
    }

  private:
    static constexpr double a_second = 1e8;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace chapters
