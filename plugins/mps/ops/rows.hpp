// Which row of the families' tables a node gets.
#pragma once

#include "ops/kernel.hpp"

namespace mps {

// One claim a row, in the tables' order, for a device that computes with bfloat16 or not. Valid for
// ever.
const sy::ClaimTable& all_claims(bool has_bfloat16);

// Throws sy::unsupported with the reason of the row that came nearest.
const Row& select_row(const sy::Node& node, bool has_bfloat16 = true);

// The first row that takes the node and can be part of a graph; null if none does.
const Row* select_graph_row(const sy::Node& node);

}  // namespace mps
