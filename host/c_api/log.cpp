#include <string>
#include <switchyard/log.hpp>

#include "c_api/guarded.hpp"

static_assert(static_cast<int>(switchyard::LogLevel::trace) == SWY_LOG_TRACE);
static_assert(static_cast<int>(switchyard::LogLevel::error) == SWY_LOG_ERROR);

swy_status* swy_log_set_callback(swy_log_callback callback, void* context) {
  return switchyard::c_api::guarded([&] {
    if (callback == nullptr) return switchyard::set_log_sink({});
    switchyard::set_log_sink(
        [callback, context](switchyard::LogLevel level, std::string_view message) {
          callback(context, static_cast<swy_log_level>(level), std::string(message).c_str());
        });
  });
}
