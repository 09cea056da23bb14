/// The process that serves a plugin: one thread for each lane, which makes the calls that the host
/// asks for.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugin_loader/isolation/calls.hpp"
#include "plugin_loader/isolation/lane.hpp"
#include "plugin_loader/isolation/message.hpp"
#include "plugin_loader/isolation/server_wire.hpp"
#include "plugin_loader/isolation/shared_memory.hpp"
#include "plugin_loader/plugin_services.hpp"
#include "plugin_loader/plugin_table.hpp"
#include "plugin_loader/probe_result.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard::isolation {

/// The plugin that this process serves.
class ServedPlugin {
 public:
  /// `socket` is where messages for the log go that no call can carry.
  explicit ServedPlugin(int socket) : socket_(socket) {}

  void load(LoadArgs& args);
  void enter(EnterArgs& args);
  /// As the plugin's own `probe`, but that nonsense is an error.
  sy_status probe(sy_probe_args& args, sy_error& error);
  sy_status infer_shapes(InferArgs& args, sy_error& error);
  sy_status compile(sy_compile_args& args, sy_error& error);

  const PluginApi& api() const noexcept { return *api_; }
  const sy_host* host() const noexcept { return &host_; }
  const sy_device_listener* listener() const noexcept { return &listener_; }

 private:
  static void log(void* context, sy_log_level level, const char* message);
  [[noreturn]] static void end_as_lost(void* context, const char* message);
  void list_ops(EnterArgs& args);

  const int socket_;
  std::unique_ptr<PluginServices> services_;
  sy_host host_ = {};
  const sy_device_listener listener_{sizeof(listener_), 0, this, end_as_lost};
  sy_plugin_entry entry_ = nullptr;
  std::optional<PluginTable> table_;
  std::optional<PluginApi> api_;
  const sy_kernel_compiler* compiler_ = nullptr;
  std::vector<OwnOp> ops_;
  struct ProbeAnswer {
    ProbeResult result;
    std::vector<sy_device_info> devices;
  };
  std::deque<ProbeAnswer> probed_;  // what answers point to
  std::deque<std::string> refusals_;
  trace::QuietMutex guard_;
};

/// Serves a lane until the process ends.
void serve_lane(ServedPlugin& plugin, LaneState& lane);

}  // namespace switchyard::isolation
