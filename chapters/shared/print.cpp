#include "print.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>

namespace chapters {

std::string fixed(double x, int decimals) {
    if (std::isnan(x)) return "nan";
    std::ostringstream text;
    text << std::fixed << std::setprecision(decimals) << x;
    std::string digits = text.str();
    if (digits.front() == '-' && digits.find_first_of("123456789in") == std::string::npos) digits.erase(0, 1);
    return digits;
}

namespace {

void print_row(const multihead::Matrix<double>& X, std::size_t i, std::size_t columns) {
    for (std::size_t j = 0; j < columns; ++j) std::cout << std::setw(10) << fixed(X(i, j));
    if (columns < X.size2()) std::cout << "  ...";
}

void print_cut(const multihead::Matrix<double>& X, std::size_t most) {
    if (X.size1() > most || X.size2() > most)
        std::cout << "  (the first " << std::min(most, X.size1()) << " rows and " << std::min(most, X.size2())
                  << " columns)\n";
    std::cout << '\n';
}

std::string shape(const multihead::Matrix<double>& X) {
    return " (" + std::to_string(X.size1()) + "x" + std::to_string(X.size2()) + ")";
}

}  // namespace

void print(const std::string& name, const multihead::Matrix<double>& X, std::size_t most) {
    std::cout << name << shape(X) << '\n';
    for (std::size_t i = 0; i < std::min(most, X.size1()); ++i) {
        print_row(X, i, std::min(most, X.size2()));
        std::cout << '\n';
    }
    print_cut(X, most);
}

void print_both(const std::string& name, const multihead::Matrix<double>& by_loops,
                const multihead::Matrix<double>& by_algebra, std::size_t most) {
    const std::string difference = "largest difference " + fixed(largest_difference(by_loops, by_algebra));
    const std::size_t columns = std::min(most, by_loops.size2());
    if (columns > 4) {
        print(name + ", loops", by_loops, most);
        print(name + ", uBLAS, " + difference, by_algebra, most);
        return;
    }
    std::cout << name << shape(by_loops) << ", loops | uBLAS, " << difference << '\n';
    for (std::size_t i = 0; i < std::min(most, by_loops.size1()); ++i) {
        print_row(by_loops, i, columns);
        std::cout << "  |";
        print_row(by_algebra, i, columns);
        std::cout << '\n';
    }
    print_cut(by_loops, most);
}

void print_beside(const std::string& left_name, const multihead::Matrix<double>& left, const std::string& right_name,
                  const multihead::Matrix<double>& right) {
    const std::string title = left_name + shape(left);
    const std::size_t width = std::max(10 * left.size2(), title.size());
    std::cout << title << std::string(width - title.size(), ' ') << "  |  " << right_name << shape(right) << '\n';
    for (std::size_t i = 0; i < std::max(left.size1(), right.size1()); ++i) {
        if (i < left.size1()) print_row(left, i, left.size2());
        std::cout << std::string(i < left.size1() ? width - 10 * left.size2() : width, ' ') << "  |";
        if (i < right.size1()) print_row(right, i, right.size2());
        std::cout << '\n';
    }
    std::cout << '\n';
}

void heading(const std::string& text) { std::cout << text << '\n' << std::string(text.size(), '-') << "\n\n"; }

void say(const std::string& text) {
    std::istringstream words(text);
    std::string word;
    std::size_t column = 0;
    while (words >> word) {
        if (column > 0 && column + 1 + word.size() > 80) {
            std::cout << '\n';
            column = 0;
        }
        if (column > 0) {
            std::cout << ' ';
            ++column;
        }
        std::cout << word;
        column += word.size();
    }
    std::cout << "\n\n";
}

double largest_difference(const multihead::Matrix<double>& A, const multihead::Matrix<double>& B) {
    if (A.size1() != B.size1() || A.size2() != B.size2())
        throw std::logic_error("largest_difference: the shapes differ");
    double largest = 0;
    for (std::size_t i = 0; i < A.size1(); ++i)
        for (std::size_t j = 0; j < A.size2(); ++j) {
            const double difference = std::abs(A(i, j) - B(i, j));
            if (std::isnan(difference)) return difference;
            largest = std::max(largest, difference);
        }
    return largest;
}

}  // namespace chapters
