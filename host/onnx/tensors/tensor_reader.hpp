#pragma once

#include <cstdint>
#include <string>

#include "onnx/files/external_data.hpp"
#include "onnx/schema.hpp"
#include "onnx/tensors/dense_budget.hpp"
#include "ops/literal.hpp"

namespace switchyard {

/// The contents of a TensorProto, whichever of its fields hold them. Raw data that have an owner
/// and external data are not copied where their address suits their type, and stay alive.
/// Throws Error(model) beginning with `where`.
Literal read_tensor(const onnx::TensorProto& tensor, ExternalData& external,
                    const std::string& where);

/// The same tensor with its zeros written out, within the budget.
Literal read_sparse_tensor(const onnx::SparseTensorProto& tensor, ExternalData& external,
                           DenseBudget& budget, const std::string& where);

/// An ONNX element type's number as ours. Throws Error(model) beginning with `where` if there is
/// none.
DType dtype_from_onnx(std::int32_t number, const std::string& where);

}  // namespace switchyard
