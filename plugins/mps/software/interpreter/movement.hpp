// Operations that move elements and compute nothing, whatever their type.
#pragma once

#include <vector>

#include "software/interpreter/value.hpp"

namespace mps::software::interpreter {

Value broadcast(const Value& x, const seam::TensorType& type);
Value transpose(const Value& x, const seam::Axes& axes, const seam::TensorType& type);
Value slice(const Value& x, const seam::Slice& slice, const seam::TensorType& type);
Value concatenate(const std::vector<const Value*>& operands, const seam::Axes& axes,
                  const seam::TensorType& type);
Value pad(const Value& x, const seam::Padding& padding, const seam::TensorType& type);

// Throws seam::Failure(invalid) for an index that x does not have.
Value gather(const Value& x, const Value& indices, const seam::Axes& axes,
             const seam::TensorType& type);

}  // namespace mps::software::interpreter
