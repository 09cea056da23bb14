#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "graph/cell.hpp"
#include "graph/expansion.hpp"
#include "graph/graph.hpp"
#include "graph/host_work.hpp"
#include "graph/shared_constant.hpp"
#include "routing/call.hpp"
#include "routing/router.hpp"

namespace switchyard {

struct GraphPlan;

struct ProgramPlan;

/// A node made ready to run; or, if `program` is set, several that are run at once.
struct NodePlan {
  NodePlan();
  ~NodePlan();
  NodePlan(NodePlan&&) noexcept;
  NodePlan& operator=(NodePlan&&) noexcept;

  const Node* node = nullptr;
  CallSite site;
  std::uint64_t wanted = 0;                        // outputs that are not left out
  std::vector<ValueId> dead_after;                 // values that nothing uses any more
  std::vector<std::unique_ptr<GraphPlan>> bodies;  // in the node's order
  std::unique_ptr<Expansions> expansions;          // null if the op has no function body
  std::unique_ptr<ProgramPlan> program;            // then nothing but dead_after is set besides
};

/// A graph made ready to run, any number of times and by several threads at once.
struct GraphPlan {
  GraphPlan(const Graph& graph, Router& router) : graph(&graph), router(router) {}
  /// The router forgets what it kept for constants that no other of its plans has.
  ~GraphPlan();
  GraphPlan(const GraphPlan&) = delete;
  GraphPlan& operator=(const GraphPlan&) = delete;

  const Graph* graph;
  Router& router;
  std::vector<NodePlan> nodes;
  std::vector<std::pair<ValueId, TensorRef>> constants;        // by rising value
  std::vector<std::shared_ptr<SharedConstant>> own_constants;  // the others are another plan's

  const TensorRef& constant(ValueId value) const;
  /// Lets go of all that lies on devices, in bodies, too. Tensors on devices keep their engine: one
  /// that keeps a plan does this after each run, else neither would ever end.
  void release_copies() const;
  const GraphPlan& body(const NodePlan& node, std::string_view name) const;
};

/// Plans a graph: sites, host work, lifetimes, constants. All but host work asks for `placement`; a
/// model's nodes ask for none, null. Graph and router must outlive the plan.
std::unique_ptr<GraphPlan> plan_graph(const Graph& graph, Router& router,
                                      OpenDevice* placement = nullptr);

/// Plans another plan's graph for a device, for which all of its nodes but host work ask. Constants
/// of both are the same tensors, but for those of bodies. The other plan must outlive this one.
std::unique_ptr<GraphPlan> plan_placed(const GraphPlan& general, OpenDevice& placement);

/// Plans a copy of another plan's graph of which more is known, joining nodes into programs where
/// devices take them. Constants of both are the same tensors. The other plan must outlive this one.
std::unique_ptr<GraphPlan> plan_programs(const Graph& graph, const GraphPlan& general);

}  // namespace switchyard
