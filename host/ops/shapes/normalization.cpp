#include "ops/shapes/normalization.hpp"

#include <fmt/format.h>

#include "ops/describe.hpp"
#include "ops/shapes/dtype_attribute.hpp"
#include "ops/shapes/elementwise.hpp"
#include "ops/shapes/extents.hpp"

namespace switchyard {

namespace {

/// The extent of dimension 1; a tensor of rank 1 counts as one channel.
std::int64_t channels_of(const Inference& inference) {
  if (!inference.has_rank(0)) return kUnknown;
  return inference.rank(0) > 1 ? inference.shape(0)[1] : 1;
}

/// Inputs `first`.. hold one number for each channel.
std::int64_t check_channels(const Inference& inference, std::size_t first) {
  std::int64_t channels = channels_of(inference);
  for (std::size_t i = first; i < inference.input_count(); ++i) {
    if (!inference.has_rank(i)) continue;
    const Dims& shape = inference.shape(i);
    if (shape.size() != 1 || !may_equal(shape[0], channels)) {
      inference.fail(
          fmt::format("input {} has shape {}; it must hold one number for each of the {} "
                      "channels",
                      i, describe(shape), channels == kUnknown ? "" : fmt::to_string(channels)));
    }
    if (channels == kUnknown) channels = shape[0];
  }
  return channels;
}

}  // namespace

void batch_normalization_shape(Inference& inference) {
  const bool training = inference.attributes().get_int("training_mode", 0) != 0;
  if (!training && inference.output_count() > 1) {
    inference.fail("has further outputs only with training_mode=1");
  }
  if (inference.has_rank(0) && inference.rank(0) == 0)
    inference.fail("the input may not be a scalar");
  const std::int64_t channels = check_channels(inference, 1);
  shape_of_first_input(inference);
  inference.set_shape(1, {channels});
  inference.set_shape(2, {channels});
}

void channel_normalization_shape(Inference& inference) {
  require_rank_of_at_least(inference, 0, 2);
  check_channels(inference, 1);
  shape_of_first_input(inference);
}

void group_normalization_shape(Inference& inference) {
  const std::int64_t groups = inference.attributes().get_int("num_groups", 0);
  if (groups < 1) inference.fail(fmt::format("num_groups is {}; it must be at least 1", groups));
  channel_normalization_shape(inference);
  const std::int64_t channels = channels_of(inference);
  if (channels != kUnknown && channels % groups != 0) {
    inference.fail(fmt::format("{} channels do not divide into {} groups", channels, groups));
  }
}

void layer_normalization_type(Inference& inference) {
  const DType stash = dtype_attribute(inference, "stash_type").value_or(DType::float32);
  inference.set_dtype(1, stash);
  inference.set_dtype(2, stash);
}

void layer_normalization_shape(Inference& inference) {
  if (!inference.has_rank(0)) return;
  const Dims& shape = inference.shape(0);
  const std::int64_t axis =
      inference.normalized_axis(inference.attributes().get_int("axis", -1), inference.rank(0));
  const Dims normalized(shape.span().subspan(static_cast<std::size_t>(axis)));
  for (std::size_t i = 1; i < inference.input_count(); ++i) {
    if (!inference.has_rank(i)) continue;
    const Dims both = broadcast(inference, shape, inference.shape(i));
    if (both.size() == shape.size()) continue;
    inference.fail(
        fmt::format("input {} of shape {} does not broadcast to the normalized dimensions {}", i,
                    describe(inference.shape(i)), describe(normalized)));
  }
  Dims stashed = shape;
  for (auto i = static_cast<std::size_t>(axis); i < stashed.size(); ++i) stashed[i] = 1;
  shape_of_first_input(inference);
  inference.set_shape(1, stashed);
  inference.set_shape(2, stashed);
}

}  // namespace switchyard
