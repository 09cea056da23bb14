#include "plugin_loader/plugin_api.hpp"

#include <cstdio>
#include <exception>

namespace switchyard::detail {

sy_status report_thrown(sy_error* error) noexcept {
  if (error == nullptr) return SY_BUG;
  error->status = SY_BUG;
  error->reason = SY_REASON_NONE;
  try {
    throw;
  } catch (const std::exception& exception) {
    std::snprintf(error->message, sizeof(error->message),
                  "threw an exception, which no plugin may: %s", exception.what());
  } catch (...) {
    std::snprintf(error->message, sizeof(error->message),
                  "threw something that is not a std::exception, which no plugin may");
  }
  return SY_BUG;
}

sy_status report_missing(sy_error* error) noexcept {
  if (error == nullptr) return SY_BUG;
  error->status = SY_BUG;
  error->reason = SY_REASON_NONE;
  std::snprintf(error->message, sizeof(error->message),
                "says that it worked, but gave null for what it makes; the plugin is broken");
  return SY_BUG;
}

}  // namespace switchyard::detail
