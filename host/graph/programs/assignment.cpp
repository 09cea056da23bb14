#include "graph/programs/assignment.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "device/open_device.hpp"
#include "device/status.hpp"
#include "graph/descriptors.hpp"
#include "graph/programs/graph_program.hpp"
#include "routing/program.hpp"
#include "trace/log.hpp"

namespace switchyard {
namespace {

bool is_known(const Value& value) {
  return value.kind == ValueKind::tensor && value.dtype != DType::undefined &&
         value.dtype != DType::string && value.shape &&
         std::none_of(value.shape->begin(), value.shape->end(), [](auto e) { return e < 0; });
}

/// True if nothing about the node waits for the run.
bool is_settled(const Graph& graph, const Node& node) {
  const RunsOn runs_on = node.op->row->runs_on;
  if (runs_on != RunsOn::device && runs_on != RunsOn::view) return false;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] == kAbsent) continue;
    const Value& value = graph.values[node.inputs[i]];
    if (!is_known(value) || (node.op->is_host_input(i) && !value.constant)) return false;
  }
  return std::all_of(node.outputs.begin(), node.outputs.end(), [&](ValueId output) {
    return output == kAbsent || is_known(graph.values[output]);
  });
}

RouteRequest request_for(const NodePlan& plan, std::span<const TensorDescriptor> inputs) {
  return {plan.site, inputs, plan.wanted, plan.node->outputs.size()};
}

bool takes_many_nodes(const OpenDevice& device) {
  return device.info().max_program_nodes != 1 && !device.has(SY_DEVICE_WHOLE_PROGRAMS_ONLY);
}

class Assigner {
 public:
  explicit Assigner(const GraphPlan& plan)
      : plan_(plan), makers_(plan.graph->values.size()), made_(plan.nodes.size()) {}

  std::vector<Assignment> assign() {
    for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
      const NodePlan& node = plan_.nodes[n];
      if (is_settled(*plan_.graph, *node.node)) made_[n] = assignment_of(node);
      for (const ValueId output : node.node->outputs) {
        if (output != kAbsent) makers_[output] = made_[n].device;
      }
    }
    return std::move(made_);
  }

 private:
  Assignment assignment_of(const NodePlan& node) const {
    if (node.node->op->row->runs_on == RunsOn::view) return view(node);
    if (node.site.purpose == Purpose::host_work) return {};
    const std::vector<TensorDescriptor> inputs = descriptors_of(*plan_.graph, *node.node);
    Choice choice = plan_.router.choose(request_for(node, inputs));
    // What only the run can settle is left to the run, which can still go elsewhere.
    if (!choice.device || choice.trail.back().verdict.kind != SY_SUPPORTED) return {};
    if (!takes_many_nodes(*choice.device)) return {};
    return {std::move(choice.device), false, std::move(choice.trail)};
  }

  Assignment view(const NodePlan& node) const {
    const std::shared_ptr<OpenDevice>& device = makers_[node.node->inputs[0]];
    if (!device) return {};
    const std::vector<TensorDescriptor> inputs = descriptors_of(*plan_.graph, *node.node);
    std::vector<ValueInfo> outputs(node.node->outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (node.node->outputs[i] == kAbsent) continue;
      const Value& value = plan_.graph->values[node.node->outputs[i]];
      outputs[i] = {value.dtype, value.shape, nullptr, false};
    }
    NodeProgram program(request_for(node, inputs), outputs);
    if (ask(*device, program).kind != SY_SUPPORTED) return {};
    return {device, true};
  }

  const GraphPlan& plan_;
  // Of each value; null: not a device that takes programs.
  std::vector<std::shared_ptr<OpenDevice>> makers_;
  std::vector<Assignment> made_;
};

/// The devices that may be asked for a node before `device` is, and after it.
bool is_first_taker(const GraphPlan& plan, const NodePlan& node, const OpenDevice& device) {
  if (node.node->op->row->runs_on != RunsOn::device) return true;
  const std::vector<TensorDescriptor> inputs = descriptors_of(*plan.graph, *node.node);
  const RouteRequest request = request_for(node, inputs);
  for (const TrailStep& step : plan.router.explain(request)) {
    if (step.device == device.name()) return true;
    if (!step.verdict.refused()) return false;
  }
  return false;
}

/// Why the device does not take the whole graph, or "".
std::string refusal_of(OpenDevice& device, const GraphPlan& plan) {
  const std::size_t limit = device.info().max_program_nodes;
  if (limit != 0 && plan.nodes.size() > limit) {
    return fmt::format("takes {} nodes at most, not {}", limit, plan.nodes.size());
  }
  for (const NodePlan& node : plan.nodes) {
    if (!is_settled(*plan.graph, *node.node)) {
      return fmt::format("node '{}' ({}) is only settled in the run", node.node->name,
                         node.node->op->name());
    }
    if (!is_first_taker(plan, node, device)) {
      return fmt::format("a device before it in the order takes node '{}' ({})", node.node->name,
                         node.node->op->name());
    }
  }
  std::vector<const NodePlan*> nodes;
  for (const NodePlan& node : plan.nodes) nodes.push_back(&node);
  const GraphProgram program(plan, nodes);
  const std::vector<Verdict> verdicts = ask(device, program.get());
  for (std::size_t n = 0; n < verdicts.size(); ++n) {
    if (!verdicts[n].refused()) continue;
    return fmt::format("node '{}' ({}): {}: {}", plan.nodes[n].node->name,
                       plan.nodes[n].node->op->name(), refusal_code(verdicts[n].reason),
                       verdicts[n].message);
  }
  return "";
}

}  // namespace

std::vector<Assignment> assign_nodes(const GraphPlan& plan) { return Assigner(plan).assign(); }

std::vector<Assignment> assign_whole(const GraphPlan& plan) {
  if (plan.nodes.empty()) return {};
  const std::shared_ptr<const RoutingPolicy> policy = plan.router.policy();
  for (const Candidate& candidate : policy->order) {
    if (!candidate.device || !candidate.device->has(SY_DEVICE_WHOLE_PROGRAMS_ONLY)) continue;
    if (candidate.device->quarantined()) continue;
    const std::string refusal = refusal_of(*candidate.device, plan);
    if (refusal.empty()) {
      std::vector<Assignment> assignments(plan.nodes.size());
      for (std::size_t n = 0; n < assignments.size(); ++n) {
        const RunsOn runs_on = plan.nodes[n].node->op->row->runs_on;
        assignments[n] = {candidate.device, runs_on == RunsOn::view};
      }
      return assignments;
    }
    trace::warn("{} does not take the model: {}", candidate.name, refusal);
  }
  return {};
}

bool takes_programs(const RoutingPolicy& policy) {
  const auto takes = [](const Candidate& candidate) {
    return candidate.device && (candidate.device->info().max_program_nodes != 1 ||
                                candidate.device->has(SY_DEVICE_WHOLE_PROGRAMS_ONLY));
  };
  return policy.whole_programs && (std::any_of(policy.order.begin(), policy.order.end(), takes) ||
                                   std::any_of(policy.pins.begin(), policy.pins.end(),
                                               [&](const auto& pin) { return takes(pin.second); }));
}

}  // namespace switchyard
