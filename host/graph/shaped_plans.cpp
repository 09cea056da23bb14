#include "graph/shaped_plans.hpp"

#include <algorithm>
#include <mutex>
#include <switchyard/error.hpp>

#include "device/open_device.hpp"
#include "graph/programs/assignment.hpp"
#include "graph/programs/program_plan.hpp"
#include "graph/specialise.hpp"
#include "trace/log.hpp"

namespace switchyard {
namespace {

constexpr std::size_t kEntries = 16;

bool any_takes_whole_models(const RoutingPolicy& policy) {
  return std::any_of(policy.order.begin(), policy.order.end(), [](const Candidate& candidate) {
    return candidate.device && candidate.device->has(SY_DEVICE_WHOLE_PROGRAMS_ONLY);
  });
}

bool has_programs(const GraphPlan& plan) {
  return std::any_of(plan.nodes.begin(), plan.nodes.end(),
                     [](const NodePlan& node) { return node.program != nullptr; });
}

bool is_current(const GraphPlan& plan) {
  return std::all_of(plan.nodes.begin(), plan.nodes.end(), [](const NodePlan& node) {
    return !node.program || node.program->is_current();
  });
}

}  // namespace

ShapedPlans::ShapedPlans(const GraphPlan& general, Dispatcher& dispatcher,
                         std::size_t fold_limit_bytes)
    : general_(general), dispatcher_(dispatcher), fold_limit_bytes_(fold_limit_bytes) {}

// The number first: a policy that follows meanwhile is gone by at the next call.
void ShapedPlans::go_by_current_policy() {
  const Router& router = dispatcher_.router();
  const std::uint64_t number = router.policy_number();
  if (number == policy_number_) return;
  const std::shared_ptr<const RoutingPolicy> policy = router.policy();
  takes_programs_ = takes_programs(*policy);
  takes_whole_models_ = any_takes_whole_models(*policy);
  entries_.clear();
  policy_number_ = number;
}

std::shared_ptr<const ShapedPlan> ShapedPlans::find(std::span<const Cell> inputs) {
  for (const Cell& cell : inputs) {
    if (!cell.tensor) return nullptr;  // lists, and what is left out, have no shape
  }
  const std::scoped_lock lock(guard_);
  go_by_current_policy();
  if (!takes_programs_) return nullptr;
  const bool is_first = entries_.empty();
  bool is_new = false;
  Entry& entry = entry_for(types_of(inputs), is_new);
  if (entry.plan && !is_current(*entry.plan->plan)) entry.is_made = false;
  if (entry.is_made) return entry.plan;
  entry.plan.reset();
  // What a device would do that has failed is found out when it is back.
  if (!is_healthy()) return nullptr;
  if (is_new && !is_first && !takes_whole_models_) return nullptr;
  entry.plan = make(entry.inputs);
  entry.is_made = true;
  return entry.plan;
}

std::vector<ShapedPlans::InputType> ShapedPlans::types_of(std::span<const Cell> inputs) {
  std::vector<InputType> types;
  types.reserve(inputs.size());
  for (const Cell& cell : inputs) types.push_back({cell.tensor->dtype, cell.tensor->shape});
  return types;
}

ShapedPlans::Entry& ShapedPlans::entry_for(std::vector<InputType> inputs, bool& is_new) {
  const auto known = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.inputs == inputs; });
  is_new = known == entries_.end();
  if (!is_new) {
    entries_.splice(entries_.begin(), entries_, known);
  } else {
    entries_.push_front({std::move(inputs), false, nullptr});
    if (entries_.size() > kEntries) entries_.pop_back();
  }
  return entries_.front();
}

/// Inputs that break the rules of an op have no plan: the general one tells of the node.
std::shared_ptr<const ShapedPlan> ShapedPlans::make(const std::vector<InputType>& inputs) const {
  auto shaped = std::make_shared<ShapedPlan>();
  shaped->graph = copy_of(*general_.graph);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Value& value = shaped->graph.values[shaped->graph.inputs[i]];
    value.dtype = inputs[i].dtype;
    value.shape = inputs[i].shape;
  }
  try {
    specialise(shaped->graph, dispatcher_, fold_limit_bytes_);
    shaped->plan = plan_programs(shaped->graph, general_);
  } catch (const Error& error) {
    trace::debug("no programs for these inputs: {}", error.what());
    return nullptr;
  }
  return has_programs(*shaped->plan) ? shaped : nullptr;
}

bool ShapedPlans::is_healthy() const {
  const std::shared_ptr<const RoutingPolicy> policy = dispatcher_.router().policy();
  return std::ranges::none_of(policy->order, [](const Candidate& candidate) {
    return candidate.device && candidate.device->quarantined();
  });
}

}  // namespace switchyard
