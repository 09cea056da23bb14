#include "ops/building/elementwise.hpp"

#include <array>
#include <bit>
#include <string>

#include "ops/building/element_kernel.hpp"

namespace mps {
namespace {

// How far negative strides lead below the element whose indices are all 0.
uint64_t bytes_below(const Tensor& tensor) {
  int64_t elements = 0;
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    if (tensor.strides[i] < 0) elements -= (tensor.shape[i] - 1) * tensor.strides[i];
  }
  return static_cast<uint64_t>(elements) * sy::dtype_bytes(tensor.dtype);
}

}  // namespace

const char* metal_type(sy_dtype dtype) {
  switch (dtype) {
    case SY_FLOAT32: return "float";
    case SY_FLOAT16: return "half";
    case SY_BFLOAT16: return "bfloat";
    case SY_INT8: return "char";
    case SY_UINT8:
    case SY_BOOL: return "uchar";
    case SY_INT16: return "short";
    case SY_INT32: return "int";
    case SY_INT64: return "long";
    default: throw sy::bug("no Metal type for ", sy::dtype_name(dtype));
  }
}

std::string metal_number(float number) {
  return sy::text("as_type<float>(", std::bit_cast<uint32_t>(number), "u)");
}

Bound bind(const Tensor& tensor, uint32_t index) {
  if (tensor.host != nullptr) {
    return {{index, nullptr, 0, {static_cast<const std::byte*>(tensor.host), tensor.size_bytes()}},
            0};
  }
  const uint64_t element = sy::dtype_bytes(tensor.dtype);
  if (tensor.offset_bytes % element != 0) {
    throw sy::unsupported(SY_REASON_STRIDE, "an offset of ", tensor.offset_bytes,
                          " bytes, which is not a multiple of an element's ", element);
  }
  // Not above the first element that negative strides reach; a multiple of every element's size,
  // and of what Metal wants.
  const uint64_t start = (tensor.offset_bytes - bytes_below(tensor)) / 256 * 256;
  return {{index, tensor.block->buffer, start, {}}, (tensor.offset_bytes - start) / element};
}

void encode_copy(Device& device, Stream& stream, const Tensor& source, const Tensor& destination) {
  const std::string size = std::to_string(sy::dtype_bytes(destination.dtype));
  const std::array<const Tensor*, 2> tensors = {&source, &destination};
  encode_elements(device, stream, "copy_" + size, tensors);
}

void encode_fill(Device& device, Stream& stream, const Tensor& destination,
                 std::span<const std::byte> element) {
  const std::array<const Tensor*, 1> tensors = {&destination};
  encode_elements(device, stream, "fill_" + std::to_string(element.size()), tensors, element);
}

Tensor packed(Device& device, Stream& stream, const Tensor& tensor) {
  if (tensor.is_contiguous() && tensor.offset_bytes == 0) return tensor;
  Tensor copy = tensor;
  copy.strides = sy::contiguous_strides(tensor.shape);
  copy.block = &stream.temporary(tensor.size_bytes());
  copy.offset_bytes = 0;
  encode_copy(device, stream, tensor, copy);
  return copy;
}

}  // namespace mps
