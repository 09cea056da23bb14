#pragma once

#include <cstddef>

namespace mps::runtime_tests {

constexpr size_t kibi = 1024;
constexpr size_t mebi = 1024 * kibi;

}  // namespace mps::runtime_tests
