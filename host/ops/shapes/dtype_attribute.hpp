#pragma once

#include <optional>

#include "ops/inference.hpp"

namespace switchyard {

/// The element type that an attribute of kind int names by ONNX's number, or nothing if the
/// attribute is absent or 0. A number without a type is an Error(model).
std::optional<DType> dtype_attribute(const Inference& inference, std::string_view name);

}  // namespace switchyard
