#include "ops/shapes/lines/loss.hpp"

#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"

namespace switchyard {

namespace {

/// The labels' shape, as far as the scores' and their own tell.
std::optional<Dims> labels_shape(const Inference& inference) {
  std::optional<Dims> labels;
  if (inference.has_rank(1)) labels = inference.shape(1);
  if (!inference.has_rank(0)) return labels;
  Dims from_scores = inference.shape(0);
  from_scores.erase(1);
  if (!labels) return from_scores;
  return merged(inference, from_scores, *labels, "scores without their classes and labels differ");
}

void check_weights(const Inference& inference) {
  const std::int64_t classes = inference.has_rank(0) ? inference.shape(0)[1] : kUnknown;
  require_one_for_each(inference, 2, "weights", classes, "classes");
}

}  // namespace

void loss_shape(Inference& inference) {
  const std::string_view reduction = inference.attributes().get_text("reduction", "mean");
  require_rank_of_at_least(inference, 0, 2);
  check_weights(inference);
  const std::optional<Dims> labels = labels_shape(inference);
  if (reduction != "none") {
    inference.set_shape(0, Dims{});
  } else if (labels) {
    inference.set_shape(0, *labels);
  }
  if (inference.has_rank(0)) inference.set_shape(1, inference.shape(0));
}

}  // namespace switchyard
