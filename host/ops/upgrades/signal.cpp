#include "ops/upgrades/signal.hpp"

#include "ops/upgrades/rewrite.hpp"

namespace switchyard {

void dft_axis_to_input(NodeDraft& node) {
  set_input(node, 2, node.add_constant(Literal::int64(take_int(node, "axis", 1))));
}

}  // namespace switchyard
