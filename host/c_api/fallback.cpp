#include <memory>

#include "c_api/arguments.hpp"
#include "c_api/callback_context.hpp"
#include "c_api/guarded.hpp"
#include "c_api/objects.hpp"

using namespace switchyard::c_api;

swy_status* swy_runtime_set_fallback_callback(swy_runtime* runtime, swy_fallback_callback callback,
                                              void* context, swy_deleter deleter) {
  return guarded([&] {
    const std::shared_ptr<void> kept = keep_context(context, deleter);
    const switchyard::Runtime& user = required(runtime, "runtime").value;
    if (callback == nullptr) return user.set_fallback_hook({});
    user.set_fallback_hook([callback, kept](const switchyard::FallbackInfo& info) {
      const swy_fallback fallback = {.struct_size = sizeof(swy_fallback),
                                     .reserved = 0,
                                     .op = info.op.c_str(),
                                     .from = info.from.c_str(),
                                     .to = info.to.c_str(),
                                     .code = info.code.c_str(),
                                     .reason = info.reason.c_str(),
                                     .bytes_copied = info.bytes_copied,
                                     .milliseconds = info.time_ms};
      callback(kept.get(), &fallback);
    });
  });
}
