#include "tensor/recent_routes.hpp"

namespace switchyard {

RecentRoutes& RecentRoutes::of_this_thread() {
  static thread_local RecentRoutes routes;
  return routes;
}

}  // namespace switchyard
