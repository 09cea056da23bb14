#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
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

  /// Goes over to another configuration. `use` is called with a registry of it, which has the
  /// plugins whose configuration stays as they are, with their open devices; the others, and those
  /// that did not load, are loaded. What that or `use` throws leaves all as it was. Devices of what
  /// is no longer configured stay open for their users. Who asks for a device waits meanwhile.
  void change_to(const Config& next, const std::function<void(DeviceRegistry& registry)>& use);

  struct Entry {
    PluginConfig config;
    LoadResult result;
  };
  /// All of them, loaded.
  std::vector<std::shared_ptr<const Entry>> entries();
  /// The plugin of that name, loaded; null if there is none.
  std::shared_ptr<const Entry> entry(std::string_view plugin);

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

  /// Devices of earlier configurations give back what they keep for later.
  void trim_retired();

 private:
  using DeviceKey = std::pair<std::string, int>;
  struct Opened {
    Lookup lookup;
    std::chrono::milliseconds retry_after{100};
    std::chrono::steady_clock::time_point retry_at;
  };

  DeviceRegistry(const Config& next, const DeviceRegistry& before);  // with the guard of that

  // With guard_:
  void load_needed();
  bool has(const DeviceKey& name, const OpenDevice& device) const;
  void leave_devices_to(const DeviceRegistry& running);
  template <typename Task>
  void for_each_device(const Task& task) const {
    for (const std::shared_ptr<OpenDevice>& device : retired_) task(*device);
    for (const auto& [name, opened] : opened_) {
      if (opened.lookup.device) task(*opened.lookup.device);
    }
  }
  std::shared_ptr<const Entry> loaded(std::string_view plugin);
  void load(Entry& entry);
  Lookup open(const DeviceName& name);

  Config config_;
  const LoadContext context_;
  const Accept accept_;
  const std::uint64_t machine_memory_;
  std::shared_ptr<trace::Timeline> timeline_;
  trace::QuietMutex guard_;
  // Those that are not loaded have neither plugin nor failure.
  std::vector<std::shared_ptr<Entry>> entries_;
  std::weak_ptr<Engine> engine_;
  std::map<DeviceKey, Opened> opened_;
  // Of configurations before this one. Who uses them holds the engine, and not them.
  std::vector<std::shared_ptr<OpenDevice>> retired_;
  std::uint32_t next_ordinal_ = 0;
};

}  // namespace switchyard
