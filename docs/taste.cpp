// The first taste on the front page.
#include <multihead/algebra/attention.hpp>

#include <cstdio>

// [taste]
using multihead::Matrix;
namespace algebra = multihead::algebra;

int main() {
    // Tokens are columns: one query, three keys and their values.
    Matrix<double> Q(2, 1);
    Matrix<double> K(2, 3);
    Matrix<double> V(1, 3);
    Q(0, 0) = 2, Q(1, 0) = 0;
    K(0, 0) = 1, K(0, 1) = 0, K(0, 2) = -1;
    K(1, 0) = 0, K(1, 1) = 1, K(1, 2) = 0;
    V(0, 0) = 10, V(0, 1) = 20, V(0, 2) = 30;

    const Matrix<double> A = algebra::attention_weights(Q, K, algebra::dot_product);
    const Matrix<double> O = algebra::attention(Q, K, V, algebra::dot_product);
    std::printf("weights %.4f %.4f %.4f, ", A(0, 0), A(1, 0), A(2, 0));
    std::printf("output %.4f\n", O(0, 0));
}
// [taste]
