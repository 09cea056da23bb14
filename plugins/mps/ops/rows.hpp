// Which row of the families' tables a node gets.
#pragma once

#include "ops/kernel.hpp"

namespace mps {

// One claim a row, in the tables' order. Valid for ever.
const sy::ClaimTable& all_claims();

// Throws sy::unsupported with the reason of the row that came nearest.
const Row& select_row(const sy::Node& node);

// The first row that takes the node and can be part of a graph; null if none does.
const Row* select_graph_row(const sy::Node& node);

}  // namespace mps
