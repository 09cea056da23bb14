#include "ops/shapes/signal.hpp"

#include <fmt/format.h>

#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/dtype_attribute.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

/// The one number that an input holds, kUnknown if it is not known yet; at least `least`.
std::int64_t number_of(const Inference& inference, std::size_t input, std::int64_t least,
                       std::string_view name) {
  require_one_element(inference, input, name);
  const auto values = inference.has(input) ? inference.ints(input) : std::nullopt;
  if (!values) return kUnknown;
  if (values->front() >= least) return values->front();
  inference.fail(fmt::format("{} is {}; it must be at least {}", name, values->front(), least));
}

/// Frequencies that a real signal of this length has.
std::int64_t half_spectrum(const Inference& inference, std::int64_t length) {
  if (length == 0) inference.fail("a signal without an element has no half spectrum");
  return length == kUnknown ? kUnknown : length / 2 + 1;
}

void check_components(const Inference& inference, std::int64_t components, bool real_only,
                      bool complex_only) {
  const bool fits = (components == 1 && !complex_only) || (components == 2 && !real_only) ||
                    components == kUnknown;
  if (fits) return;
  inference.mismatch(fmt::format("the last extent of input {} must be {}",
                                 describe(inference.shape(0)),
                                 real_only      ? "1: a one-sided transform takes real numbers"
                                 : complex_only ? "2: its inverse takes complex numbers"
                                                : "1 (real) or 2 (complex)"));
}

/// The axis brought into [0, rank), or nothing if it is not known yet.
std::optional<std::size_t> dft_axis(const Inference& inference) {
  std::int64_t axis = -2;
  if (inference.has(2)) {
    require_one_element(inference, 2, "axis");
    const auto given = inference.ints(2);
    if (!given) return std::nullopt;
    axis = given->front();
  }
  axis = inference.normalize_axis(axis, inference.rank(0));
  if (axis == inference.rank(0) - 1) {
    inference.fail("the last dimension holds real and imaginary parts and cannot be the axis");
  }
  return static_cast<std::size_t>(axis);
}

/// How long the transformed signal is, before half of its spectrum is dropped.
std::int64_t dft_length(const Inference& inference, std::int64_t extent, bool inverse_of_half) {
  if (inference.has(1)) return number_of(inference, 1, 1, "dft_length");
  if (!inverse_of_half || extent == kUnknown) return extent;
  if (extent > 0) return multiply_extents(2, extent - 1);
  inference.fail("half a spectrum without a frequency is that of no signal");
}

std::int64_t frame_length_of(const Inference& inference) {
  std::int64_t length = number_of(inference, 3, 1, "frame_length");
  require_rank(inference, 2, {1}, "one number an element of a frame");
  if (!inference.has_rank(2)) return length;
  if (inference.has(3)) {
    length = agreed(inference, length, inference.shape(2)[0], "frame_length and window");
  } else {
    length = inference.shape(2)[0];
  }
  if (length == 0) inference.fail("a window without an element is that of no frame");
  return length;
}

std::int64_t frame_count(const Inference& inference, std::int64_t signal, std::int64_t frame) {
  const std::int64_t step = number_of(inference, 1, 1, "frame_step");
  if (signal == kUnknown || frame == kUnknown || step == kUnknown) return kUnknown;
  if (frame > signal) {
    inference.mismatch(
        fmt::format("a frame of {} does not fit into a signal of {}", frame, signal));
  }
  return (signal - frame) / step + 1;
}

}  // namespace

void output_datatype_type(Inference& inference) {
  inference.set_dtype(0, dtype_attribute(inference, "output_datatype").value_or(DType::float32));
}

void window_function_shape(Inference& inference) {
  inference.set_shape(0, {number_of(inference, 0, 0, "size")});
}

void mel_weight_matrix_shape(Inference& inference) {
  require_one_element(inference, 2, "sample_rate");
  require_one_element(inference, 3, "lower_edge_hertz");
  require_one_element(inference, 4, "upper_edge_hertz");
  const std::int64_t bands = number_of(inference, 0, 1, "num_mel_bins");
  const std::int64_t length = number_of(inference, 1, 1, "dft_length");
  inference.set_shape(0, {half_spectrum(inference, length), bands});
}

void dft_shape(Inference& inference) {
  require_rank_of_at_least(inference, 0, 2);
  if (!inference.has_rank(0)) return;
  const bool inverse = inference.attributes().get_int("inverse", 0) != 0;
  const bool onesided = inference.attributes().get_int("onesided", 0) != 0;
  Dims shape = inference.shape(0);
  check_components(inference, shape.back(), onesided && !inverse, onesided && inverse);
  shape[shape.size() - 1] = onesided && inverse ? 1 : 2;
  if (const auto axis = dft_axis(inference)) {
    const std::int64_t length = dft_length(inference, shape[*axis], onesided && inverse);
    shape[*axis] = onesided && !inverse ? half_spectrum(inference, length) : length;
  } else if (onesided || inference.has(1)) {
    for (std::size_t i = 0; i + 1 < shape.size(); ++i) shape[i] = kUnknown;
  }
  inference.set_shape(0, std::move(shape));
}

void stft_shape(Inference& inference) {
  if (!inference.has(2) && !inference.has(3)) {
    inference.fail("needs a window or a frame_length to know how long a frame is");
  }
  require_rank(inference, 0, {2, 3}, "[batch, length, 1 or 2]");
  const bool onesided = inference.attributes().get_int("onesided", 1) != 0;
  if (inference.has_rank(0) && inference.rank(0) == 3) {
    check_components(inference, inference.shape(0)[2], onesided, false);
  }
  const std::int64_t batch = inference.has_rank(0) ? inference.shape(0)[0] : kUnknown;
  const std::int64_t signal = inference.has_rank(0) ? inference.shape(0)[1] : kUnknown;
  const std::int64_t frame = frame_length_of(inference);
  inference.set_shape(0, {batch, frame_count(inference, signal, frame),
                          onesided ? half_spectrum(inference, frame) : frame, 2});
}

}  // namespace switchyard
