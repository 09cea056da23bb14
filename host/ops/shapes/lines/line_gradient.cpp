#include "ops/shapes/lines/line_gradient.hpp"

#include <fmt/format.h>

#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

/// What is known of the one shape of inputs 0 and 1; nothing if their rank is not.
std::optional<Dims> shape_of_both(const Inference& inference, std::string_view what) {
  if (!inference.has_rank(0) && !inference.has_rank(1)) return std::nullopt;
  if (!inference.has_rank(1)) return inference.shape(0);
  if (!inference.has_rank(0)) return inference.shape(1);
  return merged(inference, inference.shape(0), inference.shape(1), what);
}

/// Computing in float64 is for float64, and for nothing else.
void check_stash_type(const Inference& inference) {
  const bool is_wide = inference.dtype(1) == DType::float64;
  const std::int64_t wanted = static_cast<std::int64_t>(is_wide ? DType::float64 : DType::float32);
  const std::int64_t given = inference.attributes().get_int("stash_type", 1);
  if (given == wanted) return;
  inference.fail(fmt::format("stash_type is {}; for {} it must be {}", given,
                             name_of(inference.dtype(1)), wanted));
}

}  // namespace

void softmax_gradient_shape(Inference& inference) {
  std::optional<Dims> shape = shape_of_both(inference, "dY and Y must be of one shape");
  if (!shape) return;
  const auto rank = static_cast<std::int64_t>(shape->size());
  if (rank > 0) inference.normalize_axis(inference.attributes().get_int("axis", -1), rank);
  inference.set_shape(0, std::move(*shape));
}

void layer_normalization_gradient_shape(Inference& inference) {
  check_stash_type(inference);
  std::optional<Dims> shape = shape_of_both(inference, "dY and X must be of one shape");
  if (!shape) return;
  const std::int64_t axis = inference.normalize_axis(inference.attributes().get_int("axis", -1),
                                                     static_cast<std::int64_t>(shape->size()));
  Dims line(shape->span().subspan(static_cast<std::size_t>(axis)));
  if (inference.has_rank(2)) {
    line = merged(inference, line, inference.shape(2), "the scale must be of a line's shape");
  }
  inference.set_shape(0, std::move(*shape));
  inference.set_shape(1, line);
  inference.set_shape(2, line);
}

void batch_normalization_gradient_shape(Inference& inference) {
  check_stash_type(inference);
  std::optional<Dims> shape = shape_of_both(inference, "dY and X must be of one shape");
  if (!shape) return;
  if (shape->size() < 2) inference.mismatch("X must have a dimension of channels");
  Dims channels{(*shape)[1]};
  if (inference.has_rank(2)) {
    channels = merged(inference, channels, inference.shape(2),
                      "the scale must have one number for each channel");
  }
  inference.set_shape(0, std::move(*shape));
  inference.set_shape(1, channels);
  inference.set_shape(2, channels);
}

void group_normalization_gradient_shape(Inference& inference) {
  const std::int64_t groups = attribute_within(inference, "num_groups", 0, 1, kTooLarge);
  batch_normalization_gradient_shape(inference);
  const std::optional<Dims> shape = shape_of_both(inference, "dY and X must be of one shape");
  if (!shape || (*shape)[1] == kUnknown || (*shape)[1] % groups == 0) return;
  inference.mismatch(fmt::format("{} channels do not divide into {} groups", (*shape)[1], groups));
}

}  // namespace switchyard
