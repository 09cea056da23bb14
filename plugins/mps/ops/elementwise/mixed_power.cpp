// Pow whose exponent is of another type than its base, by kernels/mixed_power.metal. binary.cpp has
// the row for equal types, and comes first.
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "ops/building/elementwise.hpp"
#include "ops/dtypes.hpp"
#include "ops/elementwise/cast.hpp"
#include "ops/kernel.hpp"

namespace mps {
namespace {

// What the kernels take an exponent as.
sy_dtype exponent_type(sy_dtype dtype) {
  return (float_types & SY_DTYPE_BIT(dtype)) != 0 ? SY_FLOAT32 : SY_INT64;
}

class MixedPowerKernel final : public Kernel {
 public:
  // Without `cast` the exponent has its type already.
  MixedPowerKernel(std::optional<ElementKernel> cast, ElementKernel power, sy_dtype exponent)
      : cast_(cast), power_(power), exponent_(exponent) {}

  void encode(const Run& run) const override {
    Tensor exponent = run.inputs[1];
    if (cast_) {
      exponent.dtype = exponent_;
      exponent.strides = sy::contiguous_strides(exponent.shape);
      exponent.offset_bytes = 0;
      exponent.block = &run.stream.temporary(exponent.size_bytes());
      const std::array<const Tensor*, 2> tensors = {&run.inputs[1], &exponent};
      cast_->encode(run.stream, tensors);
    }
    const std::array<const Tensor*, 3> tensors = {&run.inputs[0], &exponent, &run.outputs[0]};
    power_.encode(run.stream, tensors);
  }

 private:
  const std::optional<ElementKernel> cast_;
  const ElementKernel power_;
  const sy_dtype exponent_;
};

Prepared make_mixed_power(Device& device, const sy::Node& node) {
  const sy_dtype base = node.required_input(0).dtype, given = node.required_input(1).dtype;
  const sy_dtype exponent = exponent_type(given);
  const ElementKernel power(
      device, std::string("mixed_powers_") + metal_type(base) + "_" + metal_type(exponent),
      std::max(sy::dtype_bytes(base), sy::dtype_bytes(exponent)));
  std::optional<ElementKernel> cast;
  if (given != exponent) cast.emplace(casting_kernel(device, given, exponent));
  return {std::make_unique<MixedPowerKernel>(cast, power, exponent)};
}

}  // namespace

std::span<const KernelRow> mixed_power_rows() {
  static const KernelRow rows[] = {{{.op = "Pow", .dtypes = number_types}, make_mixed_power}};
  return rows;
}

}  // namespace mps
