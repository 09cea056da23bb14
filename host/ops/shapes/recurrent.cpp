#include "ops/shapes/recurrent.hpp"

#include <fmt/format.h>

#include "ops/shapes/elementwise.hpp"
#include "ops/shapes/extents.hpp"

namespace switchyard {

namespace {

std::int64_t direction_count(const Inference& node) {
  const std::string_view direction = node.attributes().get_text("direction", "forward");
  if (direction == "bidirectional") return 2;
  if (direction == "forward" || direction == "reverse") return 1;
  node.fail(
      fmt::format("direction is \"{}\"; it must be forward, reverse or bidirectional", direction));
}

std::int64_t hidden_size(const Inference& node) {
  const std::int64_t named = node.attributes().get_int("hidden_size", kUnknown);
  const std::int64_t found = node.has_rank(2) ? node.shape(2)[2] : kUnknown;
  return agreed(node, named, found, "hidden_size and the last extent of R");
}

void check_weights(const Inference& node, std::int64_t directions) {
  require_rank(node, 0, {3}, "[steps, batch, inputs], or batch first with layout 1");
  require_rank(node, 1, {3}, "[directions, gates * hidden, inputs]");
  require_rank(node, 2, {3}, "[directions, gates * hidden, hidden]");
  if (node.has_rank(0) && node.has_rank(1)) {
    agreed(node, node.shape(0)[2], node.shape(1)[2], "the last extents of X and W");
  }
  for (std::size_t input : {1u, 2u}) {
    if (!node.has_rank(input)) continue;
    agreed(node, node.shape(input)[0], directions,
           "the weights' directions and those of `direction`");
  }
}

}  // namespace

void recurrent_shape(Inference& node) {
  const std::int64_t directions = direction_count(node);
  check_weights(node, directions);
  const std::int64_t hidden = hidden_size(node);
  const bool batch_first = node.attributes().get_int("layout", 0) != 0;
  const Dims x = node.has_rank(0) ? node.shape(0) : Dims{kUnknown, kUnknown, kUnknown};
  const std::int64_t steps = x[batch_first ? 1 : 0];
  const std::int64_t batch = x[batch_first ? 0 : 1];
  const Dims state =
      batch_first ? Dims{batch, directions, hidden} : Dims{directions, batch, hidden};
  node.set_shape(0, batch_first ? Dims{batch, steps, directions, hidden}
                                : Dims{steps, directions, batch, hidden});
  node.set_shape(1, state);
  node.set_shape(2, state);
}

}  // namespace switchyard
