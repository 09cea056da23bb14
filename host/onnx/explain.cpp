#include <fmt/format.h>

#include <switchyard/model.hpp>

#include "device/status.hpp"
#include "graph/descriptors.hpp"
#include "graph/programs/assignment.hpp"
#include "graph/programs/join.hpp"
#include "onnx/model_state.hpp"
#include "tensor/registered_kernel.hpp"

namespace switchyard {
namespace {

TrailEntry by_host(std::string verdict, std::string reason) {
  return {"host", std::move(verdict), "", std::move(reason)};
}

TrailEntry entry_of(const TrailStep& step, const RoutingPolicy& policy) {
  TrailEntry entry{step.device, "supported", "", step.verdict.message};
  entry.code = code_of(step.verdict.reason);
  if (step.verdict.kind == SY_DEPENDS) entry.verdict = "depends";
  if (step.verdict.refused()) {
    entry.verdict = "refused";
    entry.code = refusal_code(step.verdict.reason);
  }
  for (const Candidate& candidate : policy.order) {
    if (candidate.name == step.device && !candidate.device) entry.verdict = "unavailable";
  }
  return entry;
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
    const std::vector<std::size_t> programs = programs_of(plan);
    for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
      const NodePlan& node = plan.nodes[n];
      nodes_.push_back(explain_node(*plan.graph, node));
      nodes_.back().program = programs[n];
      for (const auto& body : node.bodies) explain(*body);
    }
  }
  std::vector<NodeExplanation> take() { return std::move(nodes_); }

 private:
  /// The number of each node's program. Bodies are run node by node.
  std::vector<std::size_t> programs_of(const GraphPlan& plan) {
    std::vector<std::size_t> programs(plan.nodes.size(), 0);
    const bool is_body = !nodes_.empty();
    if (is_body || !takes_programs(*router_.policy())) return programs;
    std::size_t number = 0;
    for (const Part& part : find_parts(plan)) {
      if (!part.device) continue;
      ++number;
      for (const std::size_t n : part.nodes) programs[n] = number;
    }
    return programs;
  }

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
        for (const auto& [name, body] : node.bodies) {
          if (body->refusal.empty()) continue;
          result.trail.push_back({"host", "refused", "MODEL",
                                  fmt::format("its {} cannot be run: {}", name, body->refusal)});
        }
        return result;
      case RunsOn::device:
      case RunsOn::body: break;
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
    const std::string denial = router_.why_denied(plan.site, trail);
    bool is_taken = false;
    for (const TrailStep& step : trail) {
      result.trail.push_back(entry_of(step, *router_.policy()));
      if (is_taken || step.verdict.refused()) continue;
      is_taken = true;
      if (denial.empty()) {
        result.device = step.device;
      } else {
        result.trail.back() = {step.device, "denied", "", denial};
      }
    }
    if (!denial.empty()) return;
    if (!result.device.empty()) return;
    if (has_registered_kernel(*plan.node->op)) {
      const std::string why = router_.why_host_kernel_denied(plan.site, trail);
      if (!why.empty()) {
        result.trail.push_back({"host", "denied", "", why});
        return;
      }
      result.device = "host";
      result.trail.push_back(by_host("host", "its registered kernel runs on the host"));
      return;
    }
    if (!plan.expansions) return;
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
