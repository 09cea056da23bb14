// Pow whose exponent is of another type than its base, by kernels/mixed_power.metal. binary.cpp has
// the row for equal types, and comes first.
#include <array>
#include <string>

#include "ops/dtypes.hpp"
#include "ops/elementwise.hpp"
#include "ops/kernel.hpp"

namespace mps {
namespace {

// The type that kernels/copy.metal casts an exponent to: float32 or int64, by its number there.
struct ExponentType {
  sy_dtype dtype;
  uint32_t number;
};

ExponentType exponent_type(sy_dtype dtype) {
  const bool is_float = (float_types & SY_DTYPE_BIT(dtype)) != 0;
  return is_float ? ExponentType{SY_FLOAT32, 0} : ExponentType{SY_INT64, 2};
}

class MixedPowerKernel final : public Kernel {
 public:
  MixedPowerKernel(const seam::Pipeline& cast, const seam::Pipeline& power, ExponentType type)
      : cast_(cast), power_(power), type_(type) {}

  void encode(const Run& run) const override {
    Tensor exponent = run.inputs[1];
    if (exponent.dtype != type_.dtype) {
      exponent.dtype = type_.dtype;
      exponent.strides = sy::contiguous_strides(exponent.shape);
      exponent.offset_bytes = 0;
      exponent.block = &run.stream.temporary(exponent.size_bytes());
      const std::array<const Tensor*, 2> tensors = {&run.inputs[1], &exponent};
      encode_elements(run.stream, cast_, tensors, type_.number);
    }
    const std::array<const Tensor*, 3> tensors = {&run.inputs[0], &exponent, &run.outputs[0]};
    encode_elements(run.stream, power_, tensors);
  }

 private:
  const seam::Pipeline& cast_;
  const seam::Pipeline& power_;
  const ExponentType type_;
};

Prepared make_mixed_power(Device& device, const sy::Node& node) {
  const sy_dtype given = node.needed_input(1).dtype;
  const ExponentType type = exponent_type(given);
  const std::string function = std::string("mixed_powers_") +
                               metal_type(node.needed_input(0).dtype) + "_" +
                               metal_type(type.dtype);
  const auto& cast = device.pipeline(std::string("cast_") + metal_type(given));
  return {std::make_unique<MixedPowerKernel>(cast, device.pipeline(function), type)};
}

}  // namespace

std::span<const Row> mixed_power_rows() {
  static const Row rows[] = {{{.op = "Pow", .dtypes = number_types}, make_mixed_power}};
  return rows;
}

}  // namespace mps
