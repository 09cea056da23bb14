#include "ops/shapes/elementwise/quantization.hpp"

#include <array>

#include <fmt/format.h>

#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/dtype_attribute.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/windows/convolution.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

/// The scale's shape for an input quantized in blocks along `axis`.
Dims blocked(const Dims& shape, std::size_t axis, std::int64_t block) {
  Dims result = shape;
  if (shape[axis] != kUnknown) result[axis] = ceil_div(shape[axis], block);
  return result;
}

void check_scale(const Inference& inference) {
  if (!inference.has_rank(0) || !inference.has_rank(1)) return;
  const Dims& shape = inference.shape(0);
  const Dims& scale = inference.shape(1);
  const std::int64_t block = attribute_within(inference, "block_size", 0, 0, kTooLarge);
  if (block == 0 && may_be_one_element(inference, 1)) return;
  const auto axis = static_cast<std::size_t>(
      inference.normalize_axis(inference.attributes().get_int("axis", 1), inference.rank(0)));
  const Dims expected = block > 0 ? blocked(shape, axis, block) : Dims{shape[axis]};
  bool fits = scale.size() == expected.size();
  for (std::size_t i = 0; fits && i < scale.size(); ++i) fits = may_equal(scale[i], expected[i]);
  if (fits) return;
  inference.mismatch(
      fmt::format("the scale has shape {}; for an input of shape {}, axis {} and block size {} "
                  "it must be {}{}",
                  describe(scale), describe(shape), axis, block, block == 0 ? "a scalar or " : "",
                  describe(expected)));
}

void check_zero_point(const Inference& inference) {
  if (!inference.has_rank(1) || !inference.has_rank(2)) return;
  // [] and [1] mean the same.
  if (may_be_one_element(inference, 1) && may_be_one_element(inference, 2)) return;
  merged(inference, inference.shape(1), inference.shape(2),
         "scale and zero point must have one shape");
}

/// The division's type. No device computes in a wider one than float32.
void check_precision(const Inference& inference) {
  if (computing_type_attribute(inference, "precision") != DType::float64) return;
  inference.fail("\"precision\" is float64; it must be float16, bfloat16 or float32");
}

constexpr std::string_view kChannels = "output channels";

/// The convolution of input 0 with input `weights`; the number of its output channels.
std::int64_t conv_of(Inference& inference, std::size_t weights) {
  const std::array<ValueInfo, 2> inputs = {inference.input(0), inference.input(weights)};
  ValueInfo output;
  Inference conv(inference.op(), inference.attributes(), inputs, {&output, 1});
  conv_shape(conv);
  if (output.shape) inference.set_shape(0, std::move(*output.shape));
  return inference.has_rank(weights) ? inference.shape(weights)[0] : kUnknown;
}

}  // namespace

void linear_quantization_shape(Inference& inference) {
  check_scale(inference);
  check_zero_point(inference);
  shape_of_first_input(inference);
}

void quantize_type(Inference& inference) {
  check_precision(inference);
  const std::optional<DType> asked = dtype_attribute(inference, "output_dtype");
  if (!inference.has(2)) return inference.set_dtype(0, asked.value_or(DType::uint8));
  if (!asked || *asked == inference.dtype(2)) return;
  inference.fail(fmt::format("\"output_dtype\" is {}, but the zero point is {}", name_of(*asked),
                             name_of(inference.dtype(2))));
}

void dequantize_type(Inference& inference) {
  const DType dtype = dtype_attribute(inference, "output_dtype").value_or(inference.dtype(1));
  if (dtype == DType::float8e8m0) {
    inference.fail("a scale of float8e8m0 needs \"output_dtype\" to name the output's type");
  }
  inference.set_dtype(0, dtype);
}

void dynamic_quantize_shape(Inference& inference) {
  shape_of_first_input(inference);
  inference.set_shape(1, Dims{});
  inference.set_shape(2, Dims{});
}

void conv_integer_shape(Inference& inference) {
  const std::int64_t channels = conv_of(inference, 1);
  require_one_element(inference, 2, "x_zero_point");
  require_one_or_one_for_each(inference, 3, "w_zero_point", channels, kChannels);
}

void qlinear_conv_shape(Inference& inference) {
  const std::int64_t channels = conv_of(inference, 3);
  require_one_element(inference, 1, "x_scale");
  require_one_element(inference, 2, "x_zero_point");
  require_one_or_one_for_each(inference, 4, "w_scale", channels, kChannels);
  require_one_or_one_for_each(inference, 5, "w_zero_point", channels, kChannels);
  require_one_element(inference, 6, "y_scale");
  require_one_element(inference, 7, "y_zero_point");
  require_one_for_each(inference, 8, "B", channels, kChannels);
}

}  // namespace switchyard
