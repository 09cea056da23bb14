#include "onnx/tensors/tensor_writer.hpp"

#include "onnx/proto/messages.hpp"

namespace switchyard {

void fill_tensor(onnx::TensorProto& tensor, const Literal& literal) {
  tensor.data_type = static_cast<std::int32_t>(literal.dtype());
  tensor.dims.assign(literal.shape().begin(), literal.shape().end());
  if (literal.dtype() == DType::string) {
    tensor.string_data.assign(literal.strings().begin(), literal.strings().end());
  } else {
    tensor.raw_data = {literal.owner(), {literal.bytes(), literal.size_bytes()}};
  }
}

}  // namespace switchyard
