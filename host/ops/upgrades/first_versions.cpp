#include "ops/upgrades/first_versions.hpp"

#include <fmt/format.h>

#include "ops/upgrades/rewrite.hpp"

namespace switchyard {

void drop_consumed_inputs(NodeDraft& node) { node.attributes.remove("consumed_inputs"); }

void align_second_input(NodeDraft& node) {
  drop_consumed_inputs(node);
  const bool wanted = node.attributes.get_int("broadcast", 0) != 0 && node.attributes.has("axis");
  const std::int64_t axis = node.attributes.get_int("axis", 0);
  node.attributes.remove("broadcast");
  node.attributes.remove("axis");
  if (!wanted) return;
  const std::int64_t first = known_rank(node, 0);
  const std::int64_t second = known_rank(node, 1);
  const std::int64_t start = axis < 0 ? axis + first : axis;
  const std::int64_t trailing = first - start - second;
  if (start < 0 || trailing < 0) {
    refuse(node,
           fmt::format("\"axis\" is {}, but an input of rank {} does not fit there into one of "
                       "rank {}",
                       axis, second, first));
  }
  append_ones(node, 1, trailing);
}

}  // namespace switchyard
