#pragma once

#include <map>
#include <memory>

#include "device/open_device.hpp"
#include "graph/plan.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {

/// The plans of one graph whose nodes ask for a device, one for each device that a run has named.
/// Any thread may ask.
class PlacedPlans {
 public:
  /// `general` must outlive this.
  const GraphPlan& find(const GraphPlan& general, const std::shared_ptr<OpenDevice>& device);

 private:
  struct Entry {
    std::shared_ptr<OpenDevice> device;
    std::unique_ptr<GraphPlan> plan;
  };
  trace::QuietMutex guard_;
  std::map<const OpenDevice*, Entry> entries_;
};

}  // namespace switchyard
