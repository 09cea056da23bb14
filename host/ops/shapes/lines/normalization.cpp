#include "ops/shapes/lines/normalization.hpp"

#include <fmt/format.h>

#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/dtype_attribute.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

/// The extent of dimension 1; a tensor of rank 1 counts as one channel.
std::int64_t channels_of(const Inference& inference) {
  if (!inference.has_rank(0)) return kUnknown;
  return inference.rank(0) > 1 ? inference.shape(0)[1] : 1;
}

/// The inputs after the first hold one number for each channel.
std::int64_t check_channels(const Inference& inference, std::initializer_list<const char*> names) {
  std::int64_t channels = channels_of(inference);
  std::size_t i = 0;
  for (const char* name : names) {
    require_one_for_each(inference, ++i, name, channels, "channels");
    if (channels == kUnknown && inference.has_rank(i)) channels = inference.shape(i)[0];
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
    inference.mismatch("the input may not be a scalar");
  const std::int64_t channels =
      check_channels(inference, {"scale", "B", "input_mean", "input_var"});
  shape_of_first_input(inference);
  inference.set_shape(1, {channels});
  inference.set_shape(2, {channels});
}

void channel_normalization_shape(Inference& inference) {
  require_rank_of_at_least(inference, 0, 2);
  check_channels(inference, {"scale", "B"});
  shape_of_first_input(inference);
}

void group_normalization_shape(Inference& inference) {
  computing_type_attribute(inference, "stash_type");
  const std::int64_t groups = attribute_within(inference, "num_groups", 0, 1, kTooLarge);
  channel_normalization_shape(inference);
  const std::int64_t channels = channels_of(inference);
  if (channels != kUnknown && channels % groups != 0) {
    inference.mismatch(fmt::format("{} channels do not divide into {} groups", channels, groups));
  }
}

void layer_normalization_type(Inference& inference) {
  const DType stash = computing_type_attribute(inference, "stash_type").value_or(DType::float32);
  inference.set_dtype(1, stash);
  inference.set_dtype(2, stash);
}

void layer_normalization_shape(Inference& inference) {
  computing_type_attribute(inference, "stash_type");
  if (!inference.has_rank(0)) return;
  const Dims& shape = inference.shape(0);
  const std::int64_t axis =
      inference.normalize_axis(inference.attributes().get_int("axis", -1), inference.rank(0));
  require_broadcast_to(inference, 1, "Scale", shape);
  require_broadcast_to(inference, 2, "B", shape);
  Dims stashed = shape;
  for (auto i = static_cast<std::size_t>(axis); i < stashed.size(); ++i) stashed[i] = 1;
  shape_of_first_input(inference);
  inference.set_shape(1, stashed);
  inference.set_shape(2, stashed);
}

}  // namespace switchyard
