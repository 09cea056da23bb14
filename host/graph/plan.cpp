#include "graph/plan.hpp"

#include <algorithm>
#include <switchyard/error.hpp>

#include "tensor/recent_routes.hpp"

namespace switchyard {
namespace {

std::uint64_t present_outputs(const Node& node) {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] != kAbsent) mask |= mask_bit(i);
  }
  return mask;
}

/// The body inputs that count as derived: a loop's counter, and captures of derived values.
std::vector<ValueId> derived_body_inputs(const Node& node, const Graph& body,
                                         const HostDerived& outer) {
  std::vector<ValueId> derived;
  if (node.op->name() == "Loop" && !body.inputs.empty()) derived.push_back(body.inputs[0]);
  for (const Capture& capture : body.captures) {
    if (outer[capture.outer]) derived.push_back(capture.inner);
  }
  return derived;
}

/// The values each node uses, those that its bodies capture included.
void for_each_use(const Node& node, const auto& visit) {
  for (ValueId input : node.inputs) {
    if (input != kAbsent) visit(input);
  }
  for (const auto& [name, body] : node.bodies) {
    for (const Capture& capture : body->captures) visit(capture.outer);
  }
}

void find_lifetimes(const Graph& graph, GraphPlan& plan) {
  constexpr std::size_t kNever = SIZE_MAX;
  std::vector<std::size_t> last_use(graph.values.size(), kNever);
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    for (ValueId output : graph.nodes[n].outputs) {
      if (output != kAbsent) last_use[output] = n;
    }
    for_each_use(graph.nodes[n], [&](ValueId value) { last_use[value] = n; });
  }
  for (ValueId output : graph.outputs) {
    if (output != kAbsent) last_use[output] = kNever;
  }
  for (std::size_t v = 0; v < graph.values.size(); ++v) {
    if (last_use[v] == kNever || graph.values[v].constant) continue;
    plan.nodes[last_use[v]].dead_after.push_back(static_cast<ValueId>(v));
  }
}

std::unique_ptr<GraphPlan> plan_body(const Graph& graph, Router& router,
                                     const std::vector<ValueId>& derived_inputs,
                                     const std::vector<ValueId>& needed_outputs) {
  auto plan = std::make_unique<GraphPlan>(graph, router);
  const HostDerived derived = find_host_derived(graph, derived_inputs);
  const std::vector<bool> host_work = find_host_work(graph, derived, needed_outputs);
  plan->nodes.reserve(graph.nodes.size());
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    NodePlan& planned = plan->nodes.emplace_back();
    planned.node = &node;
    planned.wanted = present_outputs(node);
    planned.site =
        make_site(*node.op, node.attributes, host_work[n] ? Purpose::host_work : Purpose::ordinary,
                  nullptr, router.policy().math_flags(node.op->name()), node.name);
    if (!node.op->row->body.empty()) planned.expansions = std::make_unique<Expansions>();
    for (const auto& [name, body] : node.bodies) {
      std::vector<ValueId> needed;
      if (node.op->name() == "Loop" && !body->outputs.empty()) needed.push_back(body->outputs[0]);
      planned.bodies.push_back(
          plan_body(*body, router, derived_body_inputs(node, *body, derived), needed));
    }
  }
  for (std::size_t v = 0; v < graph.values.size(); ++v) {
    if (!graph.values[v].constant) continue;
    plan->constants.emplace_back(static_cast<ValueId>(v),
                                 make_host_tensor(*graph.values[v].constant, next_constant_id()));
  }
  find_lifetimes(graph, *plan);
  return plan;
}

}  // namespace

GraphPlan::~GraphPlan() {
  std::vector<std::uint64_t> ids;
  for (const auto& [value, tensor] : constants) ids.push_back(tensor->constant_id);
  if (ids.empty()) return;
  router.forget(ids);
  RecentRoutes::drop_stale_of_this_thread();
}

const GraphPlan& GraphPlan::body(const NodePlan& node, std::string_view name) const {
  for (std::size_t i = 0; i < node.bodies.size(); ++i) {
    if (node.node->bodies[i].first == name) return *node.bodies[i];
  }
  throw Error(ErrorKind::internal, "a node lacks its body");
}

std::unique_ptr<GraphPlan> plan_graph(const Graph& graph, Router& router) {
  return plan_body(graph, router, derived_model_inputs(graph), {});
}

}  // namespace switchyard
