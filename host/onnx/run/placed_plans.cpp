#include "onnx/run/placed_plans.hpp"

#include <mutex>

namespace switchyard {

const GraphPlan& PlacedPlans::find(const GraphPlan& general,
                                   const std::shared_ptr<OpenDevice>& device) {
  std::scoped_lock guard(guard_);
  Entry& entry = entries_[device.get()];
  if (!entry.plan) entry = {device, plan_placed(general, *device)};
  return *entry.plan;
}

}  // namespace switchyard
