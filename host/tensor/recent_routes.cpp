#include "tensor/recent_routes.hpp"

namespace switchyard {
namespace {

// Static objects, a runtime among them, outlive the main thread's own.
thread_local bool is_gone = false;

}  // namespace

RecentRoutes& RecentRoutes::of_this_thread() {
  static thread_local RecentRoutes routes;
  return routes;
}

RecentRoutes::~RecentRoutes() { is_gone = true; }

void RecentRoutes::drop_stale_of_this_thread() {
  if (!is_gone) of_this_thread().drop_stale();
}

void RecentRoutes::drop_stale() {
  const std::uint64_t now = route_epoch.load(std::memory_order_acquire);
  for (Entry& entry : entries_) {
    if (entry.epoch != now) entry.route.reset();
  }
}

}  // namespace switchyard
