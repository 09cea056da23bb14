// QuantizeLinear and DequantizeLinear, for the whole tensor or along an axis, by
// kernels/quantize.metal.
#include <algorithm>
#include <array>
#include <string>

#include "ops/building/element_kernel.hpp"
#include "ops/building/elementwise.hpp"
#include "ops/building/host_values.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"

namespace mps {
namespace {

// As kernels/quantize.metal reads them.
struct Quantization {
  int32_t least = 0;
  int32_t most = 0;
  uint32_t has_zero = 0;
};

// A vector laid along an axis of another tensor; a single number for all of it.
class BroadcastNumbers {
 public:
  BroadcastNumbers(const Tensor& numbers, size_t rank, size_t axis) : tensor_(numbers) {
    shape_.rank = tensor_.strides.rank = static_cast<uint32_t>(rank);
    for (size_t i = 0; i < rank; ++i) {
      const bool runs = i == axis && numbers.shape.size() == 1;
      shape_[i] = runs ? numbers.shape[0] : 1;
      tensor_.strides[i] = runs ? numbers.strides[0] : 0;
    }
    tensor_.shape = shape_;
  }
  BroadcastNumbers(const BroadcastNumbers&) = delete;
  BroadcastNumbers& operator=(const BroadcastNumbers&) = delete;

  const Tensor& tensor() const { return tensor_; }

 private:
  sy::Dimensions shape_;
  Tensor tensor_;
};

// Either way the operands are x, scale, zero point and y; x or y has the zero point's type.
class QuantizeKernel final : public Kernel {
 public:
  QuantizeKernel(ElementKernel kernel, int64_t axis, Quantization quantization)
      : kernel_(kernel), axis_(axis), quantization_(quantization) {}

  void encode(const Run& run) const override {
    const Tensor& x = run.inputs[0];
    const Tensor& y = run.outputs[0];
    const size_t rank = y.shape.size();
    const bool is_one = run.inputs[1].size() == 1;
    const size_t axis = is_one ? 0 : normalize_axis(axis_, rank);
    const BroadcastNumbers scale(run.inputs[1], rank, axis);
    // What is not read has still to be bound.
    const Tensor& integers = x.dtype == run.inputs[1].dtype ? y : x;
    const BroadcastNumbers zero(run.has_input(2) ? run.inputs[2] : integers, rank, axis);
    const bool has_zero = run.has_input(2);
    const std::array<const Tensor*, 4> tensors = {&x, &scale.tensor(),
                                                  has_zero ? &zero.tensor() : &integers, &y};
    kernel_.encode(run.stream, tensors, quantization_);
  }

 private:
  const ElementKernel kernel_;
  const int64_t axis_;
  const Quantization quantization_;
};

Quantization range_of(sy_dtype dtype, bool has_zero) {
  switch (dtype) {
    case SY_INT8: return {-128, 127, has_zero};
    case SY_UINT8: return {0, 255, has_zero};
    case SY_INT16: return {-32768, 32767, has_zero};
    default: return {0, 0, has_zero};
  }
}

ElementKernel kernel_of(Device& device, const sy::Node& node, const char* family) {
  const sy_dtype from = node.required_input(0).dtype, to = node.required_output(0).dtype;
  const std::string function = std::string(family) + metal_type(from) + "_" + metal_type(to);
  return {device, function, std::max(sy::dtype_bytes(from), sy::dtype_bytes(to))};
}

Prepared make_quantize(Device& device, const sy::Node& node) {
  const Quantization quantization =
      range_of(node.required_output(0).dtype, node.input(2) != nullptr);
  return {std::make_unique<QuantizeKernel>(kernel_of(device, node, "quantize_"),
                                           node.integer("axis", 1), quantization)};
}

Prepared make_dequantize(Device& device, const sy::Node& node) {
  const Quantization quantization{0, 0, node.input(2) != nullptr};
  return {std::make_unique<QuantizeKernel>(kernel_of(device, node, "dequantize_"),
                                           node.integer("axis", 1), quantization)};
}

void check_dtype(const sy_value& value, uint64_t dtypes, const char* what) {
  if ((dtypes & SY_DTYPE_BIT(value.dtype)) != 0) return;
  throw sy::unsupported(SY_REASON_DTYPE, what, " of ", sy::dtype_name(value.dtype));
}

void check_form(const sy::Node& node) {
  if (node.integer("block_size", 0) != 0) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "scales of blocks; the whole tensor or an axis");
  }
  const sy_value& scale = node.required_input(1);
  if (scale.rank > 1) throw sy::unsupported(SY_REASON_RANK, "a scale of rank ", scale.rank);
}

constexpr uint64_t quantized_types =
    SY_DTYPE_BIT(SY_INT8) | SY_DTYPE_BIT(SY_UINT8) | SY_DTYPE_BIT(SY_INT16);

void check_quantize(const sy::Node& node) {
  check_form(node);
  check_dtype(node.required_input(0), float_types, "an input");
  if (node.required_input(1).dtype != node.required_input(0).dtype) {
    throw sy::unsupported(SY_REASON_DTYPE, "a scale of another type than the input's");
  }
  const int64_t precision = node.integer("precision", 0);
  if (precision != 0 && precision != SY_FLOAT32) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "a precision other than float32's");
  }
}

void check_dequantize(const sy::Node& node) {
  check_form(node);
  check_dtype(node.required_input(0), quantized_types | SY_DTYPE_BIT(SY_INT32), "an input");
  check_dtype(node.required_input(1), float_types, "a scale");
  if (node.required_input(1).dtype != node.required_output(0).dtype) {
    throw sy::unsupported(SY_REASON_DTYPE, "a scale of another type than the result's");
  }
}

}  // namespace

std::span<const KernelRow> quantize_rows() {
  static const KernelRow rows[] = {
      {{.op = "QuantizeLinear",
        .dtypes = float_types | quantized_types,
        .output_dtypes = quantized_types,
        .max_rank = 16},
       make_quantize,
       check_quantize},
      {{.op = "DequantizeLinear",
        .dtypes = float_types | quantized_types | SY_DTYPE_BIT(SY_INT32),
        .output_dtypes = float_types,
        .max_rank = 16},
       make_dequantize,
       check_dequantize}};
  return rows;
}

}  // namespace mps
