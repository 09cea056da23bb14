#include <memory>
#include <string>
#include <switchyard/log.hpp>

#include "c_api/callback_context.hpp"
#include "c_api/guarded.hpp"

static_assert(static_cast<int>(switchyard::LogLevel::trace) == SWY_LOG_TRACE);
static_assert(static_cast<int>(switchyard::LogLevel::error) == SWY_LOG_ERROR);

swy_status* swy_log_set_callback(swy_log_callback callback, void* context, swy_deleter deleter) {
  return switchyard::c_api::guarded([&] {
    const std::shared_ptr<void> kept = switchyard::c_api::keep_context(context, deleter);
    if (callback == nullptr) return switchyard::set_log_sink({});
    switchyard::set_log_sink(
        [callback, kept](switchyard::LogLevel level, std::string_view message) {
          callback(kept.get(), static_cast<swy_log_level>(level), std::string(message).c_str());
        });
  });
}
