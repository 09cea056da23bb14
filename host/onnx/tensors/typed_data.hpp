#pragma once

#include <string>

#include "onnx/schema.hpp"
#include "ops/literal.hpp"

namespace switchyard {

/// The contents of a TensorProto that lie in the field of their type: float_data, int32_data (which
/// carries every type of at most 16 bits too), int64_data, double_data, uint64_data.
/// Throws Error(model) beginning with `where`.
Literal typed_tensor(const onnx::TensorProto& tensor, DType dtype, const Dims& shape,
                     const std::string& where);

}  // namespace switchyard
