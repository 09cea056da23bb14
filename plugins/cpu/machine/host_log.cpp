#include "machine/host_log.hpp"

#include <atomic>

namespace cpu {
namespace {

std::atomic<const sy_host*> services{nullptr};

}  // namespace

void keep_log(const sy_host& host) { services.store(&host); }

void warn(const char* message) {
  const sy_host* const host = services.load();
  if (host != nullptr && host->log != nullptr) host->log(host->context, SY_LOG_WARN, message);
}

}  // namespace cpu
