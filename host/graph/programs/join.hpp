#pragma once

#include <vector>

#include "graph/plan.hpp"
#include "graph/programs/partition.hpp"

namespace switchyard {

/// The nodes of a plan as they would be joined into programs, without preparing anything.
std::vector<Part> find_parts(const GraphPlan& plan);

/// Replaces nodes of a plan by programs, the largest that keep the device order: each node still
/// runs on the device that it would run on by itself. A program that its device refuses after all
/// is left as it was, node by node.
void join_programs(GraphPlan& plan);

}  // namespace switchyard
