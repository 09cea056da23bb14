#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/config.hpp"
#include "device/open_device.hpp"
#include "plugin_loader/load.hpp"
#include "trace/quiet_mutex.hpp"
#include "trace/timeline.hpp"

namespace switchyard {

/// The plugins that a configuration names, and their devices, opened when first asked for. A plugin
/// that the order, a pin, the host's work and `required` all do without is loaded when it is first
/// asked for. Any thread may use it.
class DeviceRegistry {
 public:
  /// Has a last look at a plugin that is loaded; LoadError if it must not be used.
  using Accept = void (*)(const std::shared_ptr<const Plugin>& plugin);

  /// Loads the plugins that are needed; one that does not load, or that `accept` refuses, is kept
  /// with its reason. What the devices do is written to `timeline`, if there is one.
  DeviceRegistry(const Config& config, const LoadContext& context,
                 std::shared_ptr<trace::Timeline> timeline = nullptr, Accept accept = nullptr);
  /// Waits for all work on the devices' memory.
  ~DeviceRegistry();

  struct Entry {
    PluginConfig config;
    LoadResult result;
  };
  /// All of them, loaded.
  const std::vector<Entry>& entries();
  /// The plugin of that name, loaded; null if there is none.
  const Entry* entry(std::string_view plugin);

  /// Throws Error(plugin) naming the first plugin that is required but not loaded or not available.
  void check_required() const;

  /// A device, or why there is none.
  struct Lookup {
    std::shared_ptr<OpenDevice> device;
    sy_reason reason = SY_REASON_NONE;
    std::string message;
    bool failed = false;          // it is there, but did not open
    bool may_open_later = false;  // for now: asking again may give it
    bool short_of_memory = false;
  };
  Lookup find(const DeviceName& name);

  /// Who the devices opened from now on belong to.
  void set_engine(std::weak_ptr<Engine> engine);
  /// The devices belong to nobody any more.
  void forget_engine();

 private:
  struct Opened {
    Lookup lookup;
    std::chrono::milliseconds retry_after{100};
    std::chrono::steady_clock::time_point retry_at;
  };

  // With guard_:
  Entry* loaded(std::string_view plugin);
  void load(std::size_t index);
  Lookup open(const DeviceName& name);

  const Config config_;
  const LoadContext context_;
  const Accept accept_;
  const std::uint64_t machine_memory_;
  std::shared_ptr<trace::Timeline> timeline_;
  trace::QuietMutex guard_;
  std::vector<Entry> entries_;  // those that are not loaded have neither plugin nor failure
  std::weak_ptr<Engine> engine_;
  std::map<std::pair<std::string, int>, Opened> opened_;
};

}  // namespace switchyard
