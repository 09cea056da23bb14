#include "ops/shapes/pointwise.hpp"

#include <fmt/format.h>

#include "ops/describe.hpp"
#include "ops/shapes/elementwise.hpp"

namespace switchyard {

namespace {

bool fits_into(const Dims& shape, const Dims& target) {
  if (shape.size() > target.size()) return false;
  const std::size_t offset = target.size() - shape.size();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1 && !may_equal(shape[i], target[offset + i])) return false;
  }
  return true;
}

}  // namespace

void broadcast_to_first_shape(Inference& inference) {
  if (!inference.has_rank(0)) return;
  const Dims& target = inference.shape(0);
  if (inference.has_rank(1) && !fits_into(inference.shape(1), target)) {
    inference.fail(
        fmt::format("input 1 of shape {} does not broadcast to input 0's shape {}: counted "
                    "from the last, each of its extents must be 1 or the same",
                    describe(inference.shape(1)), describe(target)));
  }
  inference.set_shape(0, target);
}

void clip_shape(Inference& inference) {
  for (std::size_t bound = 1; bound < inference.input_count(); ++bound) {
    if (!inference.has_rank(bound) || inference.rank(bound) == 0) continue;
    // Some exporters write bounds of shape [1].
    if (inference.rank(bound) == 1 && may_equal(inference.shape(bound)[0], 1)) continue;
    inference.fail(fmt::format("bound {} has shape {}; it must be a scalar", bound,
                               describe(inference.shape(bound))));
  }
  shape_of_first_input(inference);
}

}  // namespace switchyard
