#pragma once

#include <vector>

#include "graph/plan.hpp"
#include "graph/programs/partition.hpp"

namespace switchyard {

/// Asks for each node of a planned graph which device the device order gives it to. Assigned are
/// the nodes of devices that take programs of many nodes, as far as all is known of them before a
/// run: types, shapes, and the values that shapes depend on. A view goes with the node that makes
/// what it views.
std::vector<Assignment> assign_nodes(const GraphPlan& plan);

/// Assigns all nodes to a device that takes nothing but whole models, if the law gives it every one
/// and it takes them all. Empty if there is no such device.
std::vector<Assignment> assign_whole(const GraphPlan& plan);

/// True if a device of the runtime takes programs of many nodes, and is to be given them.
bool takes_programs(const RoutingPolicy& policy);

}  // namespace switchyard
