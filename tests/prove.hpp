#pragma once
/// \file
/// A law as a test case.

#include <string>

namespace judge {

/// Fails the running test case, with a witness, unless the law of this number holds for every hand, in all its worlds,
/// shapes and seeds. The test case must be named by the law's id.
void prove(const std::string& number);

}  // namespace judge
