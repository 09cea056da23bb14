#pragma once

#include "onnx/schema.hpp"
#include "ops/literal.hpp"

namespace switchyard {

/// Writes dtype, shape and contents into an empty TensorProto (raw_data, or string_data for text).
void fill_tensor(onnx::TensorProto& tensor, const Literal& literal);

}  // namespace switchyard
