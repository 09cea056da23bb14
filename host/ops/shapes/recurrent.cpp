#include "ops/shapes/recurrent.hpp"

#include <fmt/format.h>

namespace switchyard {

namespace {

std::int64_t hidden_size(const Inference& node) {
  const std::int64_t given = node.attributes().get_int("hidden_size", 0);
  if (given > 0) return given;
  return node.has_rank(2) && node.rank(2) == 3 ? node.shape(2)[2] : kUnknown;
}

}  // namespace

void recurrent_shape(Inference& node) {
  if (!node.has_rank(0)) return;
  if (node.rank(0) != 3) {
    node.fail(fmt::format("X has rank {}; it must be [steps, batch, inputs]", node.rank(0)));
  }
  const bool batch_first = node.attributes().get_int("layout", 0) != 0;
  const std::int64_t steps = node.shape(0)[batch_first ? 1 : 0];
  const std::int64_t batch = node.shape(0)[batch_first ? 0 : 1];
  const std::int64_t directions =
      node.attributes().get_text("direction", "forward") == "bidirectional" ? 2 : 1;
  const std::int64_t hidden = hidden_size(node);
  if (batch_first) {
    node.set_shape(0, {batch, steps, directions, hidden});
    for (std::size_t last : {1, 2}) node.set_shape(last, {batch, directions, hidden});
  } else {
    node.set_shape(0, {steps, directions, batch, hidden});
    for (std::size_t last : {1, 2}) node.set_shape(last, {directions, batch, hidden});
  }
}

}  // namespace switchyard
