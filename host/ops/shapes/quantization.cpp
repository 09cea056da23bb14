#include "ops/shapes/quantization.hpp"

#include <array>

#include <fmt/format.h>

#include "ops/describe.hpp"
#include "ops/shapes/convolution.hpp"
#include "ops/shapes/dtype_attribute.hpp"
#include "ops/shapes/elementwise.hpp"

namespace switchyard {

namespace {

/// The scale's shape for an input quantized in blocks along `axis`.
Dims blocked(const Dims& shape, std::size_t axis, std::int64_t block) {
  Dims result = shape;
  if (shape[axis] != kUnknown) result[axis] = (shape[axis] + block - 1) / block;
  return result;
}

void check_scale(const Inference& inference) {
  if (!inference.has_rank(0) || !inference.has_rank(1)) return;
  const Dims& shape = inference.shape(0);
  const Dims& scale = inference.shape(1);
  const std::int64_t block = inference.attributes().get_int("block_size", 0);
  if (block == 0 && (scale.empty() || (scale.size() == 1 && may_equal(scale[0], 1)))) return;
  const auto axis = static_cast<std::size_t>(
      inference.normalized_axis(inference.attributes().get_int("axis", 1), inference.rank(0)));
  const Dims expected = block > 0 ? blocked(shape, axis, block) : Dims{shape[axis]};
  bool fits = block >= 0 && scale.size() == expected.size();
  for (std::size_t i = 0; fits && i < scale.size(); ++i) fits = may_equal(scale[i], expected[i]);
  if (fits) return;
  inference.fail(
      fmt::format("the scale has shape {}; for an input of shape {}, axis {} and block size {} "
                  "it must be {}{}",
                  describe(scale), describe(shape), axis, block, block == 0 ? "a scalar or " : "",
                  describe(expected)));
}

void check_zero_point(const Inference& inference) {
  if (!inference.has_rank(1) || !inference.has_rank(2)) return;
  const Dims& scale = inference.shape(1);
  const Dims& zero_point = inference.shape(2);
  const auto is_single = [](const Dims& shape) {
    return shape.empty() || (shape.size() == 1 && may_equal(shape[0], 1));
  };
  if (is_single(scale) && is_single(zero_point)) return;  // [] and [1] mean the same
  merged(inference, scale, zero_point, "scale and zero point must have one shape");
}

void conv_of(Inference& inference, std::size_t weights) {
  const std::array<ValueInfo, 2> inputs = {inference.input(0), inference.input(weights)};
  ValueInfo output;
  Inference conv(inference.op(), inference.attributes(), inputs, {&output, 1});
  conv_shape(conv);
  if (output.shape) inference.set_shape(0, std::move(*output.shape));
}

}  // namespace

void linear_quantization_shape(Inference& inference) {
  check_scale(inference);
  check_zero_point(inference);
  shape_of_first_input(inference);
}

void quantize_type(Inference& inference) {
  const std::optional<DType> asked = dtype_attribute(inference, "output_dtype");
  if (!inference.has(2)) return inference.set_dtype(0, asked.value_or(DType::uint8));
  if (!asked || *asked == inference.dtype(2)) return;
  inference.fail(fmt::format("\"output_dtype\" is {}, but the zero point is {}", name_of(*asked),
                             name_of(inference.dtype(2))));
}

void dynamic_quantize_shape(Inference& inference) {
  shape_of_first_input(inference);
  inference.set_shape(1, Dims{});
  inference.set_shape(2, Dims{});
}

void conv_integer_shape(Inference& inference) { conv_of(inference, 1); }

void qlinear_conv_shape(Inference& inference) { conv_of(inference, 3); }

}  // namespace switchyard
