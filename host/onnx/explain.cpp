#include <fmt/format.h>

#include <switchyard/model.hpp>

#include "device/status.hpp"
#include "onnx/model_state.hpp"

namespace switchyard {
namespace {

TrailEntry by_host(std::string verdict, std::string reason) {
  return {"host", std::move(verdict), "", std::move(reason)};
}

TrailEntry entry_of(const TrailStep& step, const RoutingPolicy& policy) {
  TrailEntry entry{step.device, "supported", "", step.verdict.sentence};
  entry.code = code_of(step.verdict.reason);
  if (step.verdict.kind == SY_DEPENDS) entry.verdict = "depends";
  if (step.verdict.refused()) entry.verdict = "refused";
  for (const Candidate& candidate : policy.order) {
    if (candidate.name == step.device && !candidate.device) entry.verdict = "unavailable";
  }
  return entry;
}

std::vector<TensorDescriptor> descriptors_of(const Graph& graph, const Node& node) {
  std::vector<TensorDescriptor> descriptors(node.inputs.size());
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] == kAbsent) continue;
    const Value& value = graph.values[node.inputs[i]];
    TensorDescriptor& descriptor = descriptors[i];
    descriptor.dtype = value.dtype;
    descriptor.rank_known = value.shape.has_value();
    if (value.shape) descriptor.shape = *value.shape;
    if (!value.constant) continue;
    descriptor.literal = &*value.constant;
    descriptor.constant_id = node.op->is_host_input(i) ? 0 : 1;
  }
  return descriptors;
}

bool types_are_known(const std::vector<TensorDescriptor>& descriptors, const Node& node) {
  for (std::size_t i = 0; i < descriptors.size(); ++i) {
    if (node.inputs[i] != kAbsent && !descriptors[i].present()) return false;
  }
  return true;
}

/// Explains the nodes of a plan, those of bodies after the node they belong to.
class Explainer {
 public:
  explicit Explainer(const Router& router) : router_(router) {}

  void explain(const GraphPlan& plan) {
    for (const NodePlan& node : plan.nodes) {
      nodes_.push_back(explain_node(*plan.graph, node));
      for (const auto& body : node.bodies) explain(*body);
    }
  }
  std::vector<NodeExplanation> take() { return std::move(nodes_); }

 private:
  NodeExplanation explain_node(const Graph& graph, const NodePlan& plan) {
    const Node& node = *plan.node;
    NodeExplanation result{node.name, std::string(node.op->name()), "", false, {}};
    switch (node.op->row->runs_on) {
      case RunsOn::view:
        result.device = "view";
        result.trail = {by_host("view", "shares its input's storage; runs on no device")};
        return result;
      case RunsOn::literal:
        result.device = "host";
        result.trail = {by_host("host", "follows from shapes; runs on no device")};
        return result;
      case RunsOn::control:
        result.device = "host";
        result.trail = {by_host("host", "the host decides what runs")};
        return result;
      case RunsOn::device: break;
    }
    result.host_work = plan.site.purpose == Purpose::host_work;
    route(graph, plan, result);
    return result;
  }

  void route(const Graph& graph, const NodePlan& plan, NodeExplanation& result) {
    const std::vector<TensorDescriptor> inputs = descriptors_of(graph, *plan.node);
    if (!types_are_known(inputs, *plan.node)) {
      result.trail = {by_host("depends", "the types of its inputs show only in the run")};
      return;
    }
    const Trail trail =
        router_.explain({plan.site, inputs, plan.wanted, plan.node->outputs.size()});
    for (const TrailStep& step : trail) {
      result.trail.push_back(entry_of(step, router_.policy()));
      if (result.device.empty() && !step.verdict.refused()) result.device = step.device;
    }
    if (!result.device.empty() || !plan.expansions) return;
    result.device = "body";
    result.trail.push_back(by_host("body", "its function body runs in its stead"));
  }

  const Router& router_;
  std::vector<NodeExplanation> nodes_;
};

}  // namespace

std::vector<NodeExplanation> Model::explain() const {
  Explainer explainer(*state_->engine->router);
  explainer.explain(*state_->plan);
  std::vector<NodeExplanation> nodes = explainer.take();
  for (const FoldedNode& folded : state_->folded) {
    nodes.push_back({folded.name,
                     folded.op,
                     "host",
                     true,
                     {by_host("host", "became a constant when the model was loaded")}});
  }
  return nodes;
}

}  // namespace switchyard
