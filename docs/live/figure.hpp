#pragma once
/// \file
/// What a live figure asks of C++: numbers in, numbers out.
///
/// A figure is one file that defines `live::compute` with functions of the library. It is compiled twice: for the page,
/// to WebAssembly, and for the machine, with native.cpp, so that a test can compare the numbers.

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <span>

namespace live {

/// How many numbers a figure may take, and give.
inline constexpr std::size_t capacity = 8192;

/// Computes what the figure shows: reads `in`, writes `out`, which is long enough, and returns how many numbers it
/// wrote. Returns 0 if it refuses the input. It must not throw: in a page nothing could catch.
std::size_t compute(std::span<const double> in, std::span<double> out);

/// Whether every number is one.
inline bool finite(std::span<const double> numbers) {
    for (const double x : numbers)
        if (!std::isfinite(x)) return false;
    return true;
}

/// Whether x is a whole number from 1 to most, so that it can be a size.
inline bool size_up_to(double x, double most) { return x >= 1 && x <= most && x == std::floor(x); }

}  // namespace live

#ifdef __wasm__
// What the page sees of a figure: two places in memory and a function.
namespace live {
inline double numbers_in[capacity];
inline double numbers_out[capacity];
}  // namespace live

extern "C" {
[[clang::export_name("in")]] inline double* live_in() { return live::numbers_in; }
[[clang::export_name("out")]] inline double* live_out() { return live::numbers_out; }
[[clang::export_name("run")]] inline std::size_t live_run(std::size_t count) {
    if (count > live::capacity) return 0;
    return live::compute({live::numbers_in, count}, live::numbers_out);
}

// The library throws where shapes do not fit. The C++ runtime for pages has no exceptions: a throw ends the figure.
void* __cxa_allocate_exception(std::size_t) { std::abort(); }
void __cxa_throw(void*, void*, void (*)(void*)) { std::abort(); }
}
#endif
