#pragma once

#include <cstdint>
#include <string>

#include "onnx/external_data.hpp"
#include "onnx/schema.hpp"
#include "ops/literal.hpp"

namespace switchyard {

/// The contents of a TensorProto, whichever of its fields hold them. Takes `raw_data` out of the
/// message, so that large tensors are not copied; external data stay mapped.
/// Throws Error(model) beginning with `where`.
Literal take_tensor(onnx::TensorProto& tensor, ExternalData& external, const std::string& where);

/// The same tensor with its zeros written out.
Literal take_sparse_tensor(onnx::SparseTensorProto& tensor, ExternalData& external,
                           const std::string& where);

/// An ONNX element type's number as ours. Throws Error(model) beginning with `where` if there is
/// none.
DType dtype_from_onnx(std::int32_t number, const std::string& where);

}  // namespace switchyard
