#include "onnx/tensor_writer.hpp"

#include <onnx/onnx_pb.h>

namespace switchyard {

void fill_tensor(onnx::TensorProto& tensor, const Literal& literal) {
  tensor.set_data_type(static_cast<std::int32_t>(literal.dtype()));
  for (const std::int64_t extent : literal.shape()) tensor.add_dims(extent);
  if (literal.dtype() == DType::string) {
    for (const std::string& text : literal.strings()) tensor.add_string_data(text);
  } else if (literal.size_bytes() > 0) {
    tensor.set_raw_data(literal.bytes(), literal.size_bytes());
  }
}

}  // namespace switchyard
