#include "ops/shapes/elementwise/pointwise.hpp"

#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"

namespace switchyard {

void broadcast_to_first_shape(Inference& inference) {
  if (!inference.has_rank(0)) return;
  const Dims& target = inference.shape(0);
  require_broadcast_to(inference, 1, "slope", target);
  inference.set_shape(0, target);
}

void clip_shape(Inference& inference) {
  require_one_element(inference, 1, "min");
  require_one_element(inference, 2, "max");
  shape_of_first_input(inference);
}

}  // namespace switchyard
