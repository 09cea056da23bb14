#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "config/config.hpp"
#include "device/registry.hpp"
#include "tensor/call_sites.hpp"
#include "tensor/dispatcher.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {

class FunctionBodies;

/// What stands behind a Runtime: a configuration, its plugins and devices, and the router over
/// them. Runtimes, operations, models, handles of devices and tensors keep it alive: whoever can
/// compute has it. It holds none of these in turn.
struct Engine {
  /// Loads the plugins and opens the devices that the order and the pins name. Throws Error(plugin)
  /// if a required plugin is broken, or if no device of the order is available, and Error(config)
  /// if host.trace names a file that cannot be written.
  static std::shared_ptr<Engine> start(Config config);

  /// The plugins loaded, and no more: without a router nothing computes.
  static std::shared_ptr<Engine> load(Config config,
                                      std::shared_ptr<trace::Timeline> timeline = nullptr);

  Engine(Config config, std::shared_ptr<trace::Timeline> timeline);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Goes over to another configuration, between the calls of ops; one that is wrong changes
  /// nothing. Throws as start() does, and Error(config) for a setting that only a start takes up.
  void reload(const Config& next);
  /// The file of the configuration that is in force, by its absolute path; "" for a text.
  std::string file() const;

  const Config config;  // as at the start; [limits], [precision] and the limits of [host] stay so
  DeviceRegistry registry;
  std::optional<Router> router;
  std::optional<Dispatcher> dispatcher;
  CallSites sites;

  /// What functions keep of bodies that they run; made by the first that does, and known to
  /// `functions` alone. It ends before the router that it has plans of.
  std::once_flag bodies_made;
  std::shared_ptr<FunctionBodies> bodies;

  /// The device, opened. Throws Error(device_unavailable) with the reason if it is not available.
  std::shared_ptr<OpenDevice> device(std::string_view name);

 private:
  mutable trace::QuietMutex reload_guard_;
  Config current_;
};

/// The routing part of a configuration, its names resolved to devices of `registry`. Devices that
/// may open later are asked for there, or at `later` where that is to follow it.
RoutingPolicy resolve_policy(const Config& config, DeviceRegistry& registry,
                             DeviceRegistry* later = nullptr);

/// Throws Error(out_of_memory) where one tensor in the host's memory may not have so many bytes:
/// before copies and work there whose size a caller chose. A device's own memory may have any size.
void require_host_memory(OpenDevice& device, std::size_t bytes);

}  // namespace switchyard
