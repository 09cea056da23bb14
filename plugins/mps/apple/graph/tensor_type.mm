#include "apple/graph/tensor_type.hpp"

#include "apple/text.hpp"

namespace mps::apple {
namespace {

// MPSGraph takes 16, but ends the process in some products and reductions of more than four.
constexpr size_t most_axes = 4;
constexpr uint64_t most_elements = (uint64_t{1} << 31) - 1;
constexpr uint64_t most_bytes = uint64_t{1} << 32;

// MPSDataTypeBFloat16 is this pair of bits; SDKs before macOS 14 lack the name.
constexpr auto bfloat16 =
    static_cast<MPSDataType>(MPSDataTypeAlternateEncodingBit | MPSDataTypeFloat16);

struct Element {
  MPSDataType metal;
  size_t bytes;
  const char* name;
};

Element facts(seam::ElementType element) {
  switch (element) {
    case seam::ElementType::float32: return {MPSDataTypeFloat32, 4, "float32"};
    case seam::ElementType::float16: return {MPSDataTypeFloat16, 2, "float16"};
    case seam::ElementType::bfloat16: return {bfloat16, 2, "bfloat16"};
    case seam::ElementType::int8: return {MPSDataTypeInt8, 1, "int8"};
    case seam::ElementType::uint8: return {MPSDataTypeUInt8, 1, "uint8"};
    case seam::ElementType::int16: return {MPSDataTypeInt16, 2, "int16"};
    case seam::ElementType::int32: return {MPSDataTypeInt32, 4, "int32"};
    case seam::ElementType::int64: return {MPSDataTypeInt64, 8, "int64"};
    case seam::ElementType::boolean: return {MPSDataTypeBool, 1, "boolean"};
  }
  refuse("a tensor of no element type");
}

}  // namespace

MPSDataType data_type(seam::ElementType element) { return facts(element).metal; }

size_t element_bytes(seam::ElementType element) { return facts(element).bytes; }

bool is_floating(seam::ElementType element) {
  return element == seam::ElementType::float32 || element == seam::ElementType::float16 ||
         element == seam::ElementType::bfloat16;
}

MPSShape* metal_shape(const std::vector<int64_t>& shape) {
  return shape.empty() ? @[ @1 ] : numbers(shape);
}

NSArray<NSNumber*>* numbers(const std::vector<int64_t>& values) {
  NSMutableArray<NSNumber*>* result = [NSMutableArray arrayWithCapacity:values.size()];
  for (const int64_t value : values) [result addObject:[NSNumber numberWithLongLong:value]];
  return result;
}

size_t count_elements(const std::vector<int64_t>& shape) {
  size_t count = 1;
  for (const int64_t extent : shape) count *= static_cast<size_t>(extent);
  return count;
}

std::string describe(const seam::TensorType& type) {
  std::string text = facts(type.element).name;
  text += '[';
  for (size_t axis = 0; axis < type.shape.size(); ++axis) {
    text += (axis ? ", " : "") + std::to_string(type.shape[axis]);
  }
  return text + ']';
}

void require_supported(const seam::TensorType& type, bool has_bfloat16) {
  const auto unsupported = [&](const char* why) {
    refuse(seam::Fault::unsupported, describe(type) + ": " + why);
  };
  if (type.element == seam::ElementType::bfloat16 && !has_bfloat16) {
    unsupported("bfloat16 needs macOS 14 and a device of family Apple 6 or later");
  }
  if (type.shape.size() > most_axes) unsupported("MPSGraph is given no more than 4 axes");
  uint64_t elements = 1;
  for (const int64_t extent : type.shape) {
    if (extent <= 0) unsupported("MPSGraph takes no tensor without elements");
    if (static_cast<uint64_t>(extent) > most_elements / elements) {
      unsupported("MPSGraph takes fewer than 2^31 elements");
    }
    elements *= static_cast<uint64_t>(extent);
  }
  if (elements * element_bytes(type.element) > most_bytes) {
    unsupported("MPSGraph takes no more than 2^32 bytes");
  }
}

}  // namespace mps::apple
