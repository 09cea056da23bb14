// The floating types that suites run for.
#pragma once

#include <gtest/gtest.h>

#include "case.hpp"

namespace mps::op_tests {

using Floating = testing::Types<float, half, bfloat>;
using FloatAndHalf = testing::Types<float, half>;

}  // namespace mps::op_tests
