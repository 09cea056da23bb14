#pragma once

#include <string>

#include "ops/inference.hpp"

namespace switchyard {

/// A shape as messages show it: "[2, ?, 3]"; "[]" for rank 0.
std::string describe(const Dims& shape);

/// A tensor as messages show it: "float32[2, 3]".
std::string describe(DType dtype, const Dims& shape);

}  // namespace switchyard
