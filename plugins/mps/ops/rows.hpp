// Which row of the families' tables a node gets.
#pragma once

#include "ops/kernel.hpp"
#include "ops/traits.hpp"

namespace mps {

// One claim a row, in the tables' order. Valid for ever.
const sy::ClaimTable& all_claims(Traits traits);

// Throws sy::unsupported with the reason of the row that came nearest.
const KernelRow& select_row(const sy::Node& node, Traits traits = {});

// Throws sy::unsupported where the row makes the node by a graph that the device cannot be trusted
// with. Where a shape is not known yet, prepare will tell.
void check_graph(const KernelRow& row, const sy::Node& node, Traits traits);

// The first row that takes the node and can be part of a graph; null if none does.
const KernelRow* select_graph_row(const sy::Node& node);

}  // namespace mps
