// A live figure on this machine: reads its numbers from standard input, one figure a line, and prints what it computes.
#include "figure.hpp"

#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

int main() {
    std::vector<double> out(live::capacity);
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream text(line);
        std::vector<double> in;
        for (std::string number; text >> number;) in.push_back(std::strtod(number.c_str(), nullptr));
        const std::size_t count = live::compute(in, out);
        if (count == 0) std::printf("refused");
        for (std::size_t k = 0; k < count; ++k) std::printf("%s%.17g", k == 0 ? "" : " ", out[k]);
        std::printf("\n");
    }
}
