// Operations along axes.
#pragma once

#include "software/interpreter/value.hpp"

namespace mps::software::interpreter {

// NaN stays NaN. Of nothing, a sum is 0, a product 1, a mean NaN, and an extremum the type's
// opposite limit.
Value reduce(seam::Operation operation, const Value& x, const seam::TensorType& type);

Value softmax(const Value& x, const seam::Axes& axes, const seam::TensorType& type);

}  // namespace mps::software::interpreter
