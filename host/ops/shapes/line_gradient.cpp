#include "ops/shapes/line_gradient.hpp"

#include "ops/shapes/elementwise.hpp"

namespace switchyard {

namespace {

/// What is known of the one shape of inputs 0 and 1; nothing if their rank is not.
std::optional<Dims> shape_of_both(const Inference& inference, std::string_view what) {
  if (!inference.has_rank(0) && !inference.has_rank(1)) return std::nullopt;
  if (!inference.has_rank(1)) return inference.shape(0);
  if (!inference.has_rank(0)) return inference.shape(1);
  return merged(inference, inference.shape(0), inference.shape(1), what);
}

}  // namespace

void softmax_gradient_shape(Inference& inference) {
  std::optional<Dims> shape = shape_of_both(inference, "dY and Y must be of one shape");
  if (!shape) return;
  const auto rank = static_cast<std::int64_t>(shape->size());
  if (rank > 0) inference.normalized_axis(inference.attributes().get_int("axis", -1), rank);
  inference.set_shape(0, std::move(*shape));
}

}  // namespace switchyard
