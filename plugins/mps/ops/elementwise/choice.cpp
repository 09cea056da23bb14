// Where and Clip.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "kernels/binary_functions.h"
#include "ops/building/element_kernel.hpp"
#include "ops/building/elementwise.hpp"
#include "ops/elementwise/elementwise_graph.hpp"
#include "ops/kernel.hpp"

namespace mps {
namespace {

class WhereKernel final : public Kernel {
 public:
  explicit WhereKernel(ElementKernel kernel) : kernel_(kernel) {}

  void encode(const Run& run) const override {
    const std::array<const Tensor*, 4> tensors = {&run.inputs[0], &run.inputs[1], &run.inputs[2],
                                                  &run.outputs[0]};
    kernel_.encode(run.stream, tensors);
  }

 private:
  const ElementKernel kernel_;
};

Prepared make_where(Device& device, const sy::Node& node) {
  const size_t size = sy::dtype_bytes(node.required_output(0).dtype);
  return {
      std::make_unique<WhereKernel>(ElementKernel(device, "choose_" + std::to_string(size), size))};
}

// The condition is boolean, and the claim allows every type that it must for the others too.
void check_where(const sy::Node& node) {
  if (node.required_input(0).dtype != SY_BOOL) {
    throw sy::unsupported(SY_REASON_DTYPE, "input 0 is not bool");
  }
}

// How a bound of Clip is applied: its input, and the function.
struct ClipBound {
  uint32_t input;
  uint32_t operation;
};
constexpr std::array<ClipBound, 2> float_bounds = {
    {{1, static_cast<uint32_t>(BinaryFunction::AtLeast)},
     {2, static_cast<uint32_t>(BinaryFunction::AtMost)}}};
constexpr std::array<ClipBound, 2> integer_bounds = {
    {{1, static_cast<uint32_t>(IntegerBinaryFunction::Max)},
     {2, static_cast<uint32_t>(IntegerBinaryFunction::Min)}}};

bool is_real(sy_dtype dtype) { return (sy::float_dtypes & SY_DTYPE_BIT(dtype)) != 0; }
const std::array<ClipBound, 2>& bounds_of(sy_dtype dtype) {
  return is_real(dtype) ? float_bounds : integer_bounds;
}

// The larger of x and the least, then the smaller of that and the most; null is not a bound.
class ClipKernel final : public Kernel {
 public:
  ClipKernel(Device& device, const sy::Node& node) : device_(device) {
    const sy_dtype dtype = node.required_input(0).dtype;
    const std::string family = is_real(dtype) ? "binary_" : "integer_binary_";
    for (const auto& [bound, operation] : bounds_of(dtype)) {
      if (node.input(bound) == nullptr) continue;
      bounds_.push_back({bound, ElementKernel(device, family + metal_type(dtype),
                                              sy::dtype_bytes(dtype), operation)});
    }
  }

  void encode(const Run& run) const override {
    const Tensor* value = &run.inputs[0];
    const Tensor& output = run.outputs[0];
    for (const auto& [bound, kernel] : bounds_) {
      const std::array<const Tensor*, 3> tensors = {value, &run.inputs[bound], &output};
      kernel.encode(run.stream, tensors);
      value = &output;
    }
    if (bounds_.empty()) encode_copy(device_, run.stream, *value, output);
  }

 private:
  Device& device_;
  std::vector<std::pair<uint32_t, ElementKernel>> bounds_;
};

Prepared make_clip(Device& device, const sy::Node& node) {
  return {std::make_unique<ClipKernel>(device, node), 0, {1}};
}

std::string write_where(const sy::Node&, std::span<const std::string> operands) {
  return sy::text("(", operands[0], " != 0 ? ", operands[1], " : ", operands[2], ")");
}

std::string write_clip(const sy::Node& node, std::span<const std::string> operands) {
  const sy_dtype dtype = node.required_input(0).dtype;
  const std::string type = metal_type(dtype);
  std::string result = operands[0];
  for (const auto& [bound, operation] : bounds_of(dtype)) {
    if (bound >= operands.size() || operands[bound].empty()) continue;
    result = is_real(dtype) ? sy::text(type, "(binary_value(", operation, "u, float(", result,
                                       "), float(", operands[bound], ")))")
                            : sy::text("integer_binary_value<", type, ">(", operation, "u, ",
                                       result, ", ", operands[bound], ")");
  }
  return result;
}

std::vector<KernelRow> make_choice_rows() {
  constexpr uint64_t numbers = SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT16) |
                               SY_DTYPE_BIT(SY_INT8) | SY_DTYPE_BIT(SY_UINT8) |
                               SY_DTYPE_BIT(SY_INT16) | SY_DTYPE_BIT(SY_INT32) |
                               SY_DTYPE_BIT(SY_INT64);
  return {{.claim = {.op = "Where", .dtypes = numbers | SY_DTYPE_BIT(SY_BOOL)},
           .make = make_where,
           .check = check_where,
           .lower = lower_where,
           .write = write_where},
          {.claim = {.op = "Clip", .dtypes = numbers},
           .make = make_clip,
           .lower = lower_clip,
           .write = write_clip}};
}

}  // namespace

std::span<const KernelRow> choice_rows() {
  static const auto& rows = *new const std::vector<KernelRow>(make_choice_rows());
  return rows;
}

}  // namespace mps
