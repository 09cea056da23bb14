#include "graph/plan.hpp"

#include <algorithm>
#include <switchyard/error.hpp>

#include "graph/programs/join.hpp"
#include "graph/programs/program_plan.hpp"
#include "graph/uses.hpp"
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

/// Visits the node of a plan, or the nodes of its program.
void for_each_node(const NodePlan& plan, const auto& visit) {
  if (!plan.program) return visit(*plan.node);
  for (const NodePlan& node : plan.program->nodes) visit(*node.node);
}

void find_lifetimes(const Graph& graph, GraphPlan& plan) {
  constexpr std::size_t kNever = SIZE_MAX;
  std::vector<std::size_t> last_use(graph.values.size(), kNever);
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    for_each_node(plan.nodes[n], [&](const Node& node) {
      for (ValueId output : node.outputs) {
        if (output != kAbsent) last_use[output] = n;
      }
      for_each_use(node, [&](ValueId value) { last_use[value] = n; });
    });
  }
  for (ValueId output : graph.outputs) {
    if (output != kAbsent) last_use[output] = kNever;
  }
  for (std::size_t v = 0; v < graph.values.size(); ++v) {
    if (last_use[v] == kNever || graph.values[v].constant) continue;
    plan.nodes[last_use[v]].dead_after.push_back(static_cast<ValueId>(v));
  }
}

/// Tensors of the graph's constants: those of `general`, where it has them.
void make_constants(const Graph& graph, const GraphPlan* general, GraphPlan& plan) {
  for (ValueId v = 0; v < graph.values.size(); ++v) {
    if (!graph.values[v].constant) continue;
    const bool is_shared = general && general->graph->values[v].constant;
    if (is_shared) {
      plan.constants.emplace_back(v, general->constant(v));
      continue;
    }
    const auto& constant =
        plan.own_constants.emplace_back(shared_constant(*graph.values[v].constant));
    constant->add_user(plan.router);
    plan.constants.emplace_back(v, constant->tensor());
  }
}

std::unique_ptr<GraphPlan> plan_body(const Graph& graph, Router& router, OpenDevice* placement,
                                     const std::vector<ValueId>& derived_inputs,
                                     const std::vector<ValueId>& required_outputs,
                                     const GraphPlan* general = nullptr,
                                     bool joins_programs = false) {
  auto plan = std::make_unique<GraphPlan>(graph, router);
  const HostDerived derived = find_host_derived(graph, derived_inputs);
  const std::vector<bool> host_work = find_host_work(graph, derived, required_outputs);
  plan->nodes.reserve(graph.nodes.size());
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    NodePlan& planned = plan->nodes.emplace_back();
    planned.node = &node;
    planned.wanted = present_outputs(node);
    const Purpose purpose = host_work[n] ? Purpose::host_work : Purpose::ordinary;
    planned.site = make_site(*node.op, node.attributes, purpose, host_work[n] ? nullptr : placement,
                             router.policy()->math_flags(node.op->name()), node.name);
    if (!node.op->row->body.empty()) planned.expansions = std::make_unique<Expansions>();
    for (const auto& [name, body] : node.bodies) {
      std::vector<ValueId> needed;
      if (node.op->name() == "Loop" && !body->outputs.empty()) needed.push_back(body->outputs[0]);
      planned.bodies.push_back(
          plan_body(*body, router, placement, derived_body_inputs(node, *body, derived), needed));
    }
  }
  make_constants(graph, general, *plan);
  if (joins_programs) join_programs(*plan);
  find_lifetimes(graph, *plan);
  return plan;
}

}  // namespace

NodePlan::NodePlan() = default;
NodePlan::~NodePlan() = default;
NodePlan::NodePlan(NodePlan&&) noexcept = default;
NodePlan& NodePlan::operator=(NodePlan&&) noexcept = default;

// Routes are looked through once for all constants, or once for each if there is no memory to list
// them.
GraphPlan::~GraphPlan() {
  std::vector<std::uint64_t> unused;
  try {
    unused.reserve(own_constants.size());
  } catch (const std::bad_alloc&) {
    unused.clear();
  }
  bool is_any_unused = false;
  for (const auto& constant : own_constants) {
    if (!constant->drop_user(router)) continue;
    is_any_unused = true;
    const std::uint64_t id = constant->id();
    if (unused.size() < unused.capacity()) {
      unused.push_back(id);
    } else {
      router.forget({&id, 1});
    }
  }
  if (!is_any_unused) return;
  router.forget(unused);
  RecentRoutes::drop_stale_of_this_thread();
}

const TensorRef& GraphPlan::constant(ValueId value) const {
  const auto found = std::lower_bound(constants.begin(), constants.end(), value,
                                      [](const auto& pair, ValueId v) { return pair.first < v; });
  if (found == constants.end() || found->first != value) {
    throw Error(ErrorKind::internal, "a plan lacks a constant of its graph");
  }
  return found->second;
}

void GraphPlan::release_copies() const {
  for (const auto& [value, tensor] : constants) tensor->host->release_copies();
  for (const NodePlan& node : nodes) {
    for (const auto& body : node.bodies) body->release_copies();
    if (node.expansions) node.expansions->release_copies();
  }
}

const GraphPlan& GraphPlan::body(const NodePlan& node, std::string_view name) const {
  for (std::size_t i = 0; i < node.bodies.size(); ++i) {
    if (node.node->bodies[i].first == name) return *node.bodies[i];
  }
  throw Error(ErrorKind::internal, "a node lacks its body");
}

std::unique_ptr<GraphPlan> plan_graph(const Graph& graph, Router& router, OpenDevice* placement) {
  return plan_body(graph, router, placement, derived_model_inputs(graph), {});
}

std::unique_ptr<GraphPlan> plan_placed(const GraphPlan& general, OpenDevice& placement) {
  const Graph& graph = *general.graph;
  return plan_body(graph, general.router, &placement, derived_model_inputs(graph), {}, &general);
}

std::unique_ptr<GraphPlan> plan_programs(const Graph& graph, const GraphPlan& general) {
  return plan_body(graph, general.router, nullptr, derived_model_inputs(graph), {}, &general, true);
}

}  // namespace switchyard
