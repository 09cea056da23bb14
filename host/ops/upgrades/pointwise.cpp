#include "ops/upgrades/pointwise.hpp"

#include "ops/scalar_literal.hpp"
#include "ops/upgrades/rewrite.hpp"

namespace switchyard {

void slope_of_channels(NodeDraft& node) {
  const ValueInfo slope = node.info(1);
  const bool shared = slope.shape && std::all_of(slope.shape->begin(), slope.shape->end(),
                                                 [](std::int64_t extent) { return extent == 1; });
  if (shared && known_rank(node, 1) <= known_rank(node, 0)) return;
  if (known_rank(node, 1) != 1) refuse(node, "a slope must have one dimension");
  append_ones(node, 1, std::max<std::int64_t>(known_rank(node, 0) - 2, 0));
}

void clip_bounds_to_inputs(NodeDraft& node) {
  const DType dtype = known_dtype(node, 0);
  std::size_t input = 1;
  for (std::string_view bound : {"min", "max"}) {
    if (node.attributes.has(bound)) {
      set_input(node, input,
                node.add_constant(scalar_literal(dtype, node.attributes.get_float(bound, 0))));
      node.attributes.remove(bound);
    }
    ++input;
  }
}

}  // namespace switchyard
