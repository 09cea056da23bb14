// Operations on each element by itself, on operands that broadcast.
#pragma once

#include "software/interpreter/value.hpp"

namespace mps::software::interpreter {

Value unary(seam::Operation operation, const Value& x, const seam::TensorType& type);

// Arithmetic: the result's element type is the operands'.
Value binary(seam::Operation operation, const Value& x, const Value& y,
             const seam::TensorType& type);

// Comparisons and logic: the result is boolean.
Value relation(seam::Operation operation, const Value& x, const Value& y,
               const seam::TensorType& type);

Value select(const Value& condition, const Value& y, const Value& z, const seam::TensorType& type);
Value clamp(const Value& x, const Value& least, const Value& most, const seam::TensorType& type);
Value cast(const Value& x, const seam::TensorType& type);
Value normalize(const Value& x, const Value& mean, const Value& variance, const Value& scale,
                const Value& bias, const seam::Normalization& normalization,
                const seam::TensorType& type);

}  // namespace mps::software::interpreter
