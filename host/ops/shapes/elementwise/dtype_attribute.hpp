#pragma once

#include <optional>

#include "ops/inference.hpp"

namespace switchyard {

/// The element type that an attribute of kind int names by ONNX's number, or nothing if the
/// attribute is absent or 0. A number without a type is an Error(model).
std::optional<DType> dtype_attribute(const Inference& inference, std::string_view name);

/// As above, of what an op computes in: a type that is not floating-point, of at least 16 bits, is
/// an Error(model), too.
std::optional<DType> computing_type_attribute(const Inference& inference, std::string_view name);

}  // namespace switchyard
