/// @file
/// Messages through the host's log: log.warn("cache holds ", count, " graphs").
#pragma once

#include <switchyard/plugin.h>

#include <atomic>
#include <new>

#include "switchyard/plugin/text.hpp"

namespace sy {

/// May be used from any thread. A Log without a host is silent. Nothing is thrown: a message that
/// there is no memory for is lost.
class Log {
 public:
  Log() = default;
  /// The host must stay, as one that the entry was given does.
  explicit Log(const sy_host& host) : host_(&host) {}

  /// Writes a line of that level, joined from pieces as by sy::text.
  template <typename... Pieces>
  void debug(const Pieces&... pieces) const noexcept {
    write(SY_LOG_DEBUG, pieces...);
  }
  /// The same.
  template <typename... Pieces>
  void info(const Pieces&... pieces) const noexcept {
    write(SY_LOG_INFO, pieces...);
  }
  /// The same.
  template <typename... Pieces>
  void warn(const Pieces&... pieces) const noexcept {
    write(SY_LOG_WARN, pieces...);
  }
  /// The same.
  template <typename... Pieces>
  void error(const Pieces&... pieces) const noexcept {
    write(SY_LOG_ERROR, pieces...);
  }

 private:
  template <typename... Pieces>
  void write(sy_log_level level, const Pieces&... pieces) const noexcept {
    if (host_ == nullptr) return;
    try {
      host_->log(host_->context, level, text(pieces...).c_str());
    } catch (const std::bad_alloc&) {
    }
  }

  const sy_host* host_ = nullptr;
};

/// The log for what has no args at hand, such as a thread of the plugin's own: it is a global of
/// the plugin, which the entry gives each host that enters. May be used from any thread, at any
/// time.
class KeptLog {
 public:
  /// From now on messages go to this host.
  void keep(const sy_host& host) noexcept { host_.store(&host, std::memory_order_release); }

  /// Of the last host that was kept; silent before.
  Log get() const noexcept {
    const sy_host* host = host_.load(std::memory_order_acquire);
    return host == nullptr ? Log() : Log(*host);
  }

 private:
  std::atomic<const sy_host*> host_{nullptr};
};

}  // namespace sy
