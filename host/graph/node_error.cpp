#include "graph/node_error.hpp"

#include <fmt/format.h>

namespace switchyard {

void rethrow_at(const Node& node, const Error& error) {
  const std::string what = error.what();
  if (what.find(fmt::format("'{}'", node.name)) != std::string::npos) throw error;
  Error placed = error;
  if (placed.op().empty()) placed.set_op(node.op->name());
  throw placed.set_line(fmt::format("node '{}' ({}): {}", node.name, node.op->name(), what));
}

}  // namespace switchyard
