// Messages through the host's log: log.warn("cache holds ", count, " graphs").
#pragma once

#include <switchyard/plugin.h>

#include "switchyard/plugin/text.hpp"

namespace sy {

// May be used from any thread. A Log without a host is silent.
class Log {
 public:
  Log() = default;
  explicit Log(const sy_host& host) : host_(&host) {}

  template <typename... Pieces>
  void debug(const Pieces&... pieces) const {
    write(SY_LOG_DEBUG, pieces...);
  }
  template <typename... Pieces>
  void info(const Pieces&... pieces) const {
    write(SY_LOG_INFO, pieces...);
  }
  template <typename... Pieces>
  void warn(const Pieces&... pieces) const {
    write(SY_LOG_WARN, pieces...);
  }
  template <typename... Pieces>
  void error(const Pieces&... pieces) const {
    write(SY_LOG_ERROR, pieces...);
  }

 private:
  template <typename... Pieces>
  void write(sy_log_level level, const Pieces&... pieces) const {
    if (host_ == nullptr) return;
    host_->log(host_->context, level, text(pieces...).c_str());
  }

  const sy_host* host_ = nullptr;
};

}  // namespace sy
