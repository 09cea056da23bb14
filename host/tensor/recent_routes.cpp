#include "tensor/recent_routes.hpp"

namespace switchyard {

void RecentRoutes::drop_stale_of_this_thread() {
  RecentRoutes* routes = PerThread<RecentRoutes>::find();
  if (routes && !routes->in_use_) routes->drop_stale();
}

void RecentRoutes::drop_stale() {
  const std::uint64_t now = route_epoch.load(std::memory_order_acquire);
  for (Entry& entry : entries_) {
    if (entry.epoch != now) entry.route.reset();
  }
}

}  // namespace switchyard
