// Operations on each plane of an image [n, c, h, w] by itself.
#pragma once

#include "software/interpreter/value.hpp"

namespace mps::software::interpreter {

// NaN wins. A window that is nothing but padding gives minus infinity.
Value max_pool(const Value& x, const seam::Window& window, const seam::TensorType& type);

// A window that is nothing but padding gives NaN, where padding is not counted.
Value average_pool(const Value& x, const seam::Window& window, const seam::TensorType& type);

Value resize(const Value& x, const seam::Resizing& resizing, const seam::TensorType& type);

}  // namespace mps::software::interpreter
