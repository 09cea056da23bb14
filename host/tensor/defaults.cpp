#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>

#include "device/open_device.hpp"
#include "device/thread_context.hpp"
#include "tensor/engine.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {
namespace {

Runtime runtime_of(const Device& device) {
  std::shared_ptr<Engine> engine = device.open()->shared_engine();
  if (engine) return Runtime(std::move(engine));
  throw Error(ErrorKind::internal, fmt::format("{} belongs to no runtime", device.name()));
}

struct ProcessDefaults {
  trace::QuietMutex guard;
  std::optional<Runtime> runtime;
  std::optional<Device> device;
};

// Never destroyed: tensors in static objects may still call functions.
ProcessDefaults& process() {
  static auto* defaults = new ProcessDefaults;
  return *defaults;
}

const PluginInfo* find_plugin(const std::vector<PluginInfo>& plugins, std::string_view name) {
  for (const PluginInfo& plugin : plugins) {
    if (plugin.name == name) return &plugin;
  }
  return nullptr;
}

}  // namespace

Runtime current_runtime() {
  if (thread_context.device) return runtime_of(*thread_context.device);
  if (thread_context.runtime) return *thread_context.runtime;
  ProcessDefaults& defaults = process();
  std::scoped_lock guard(defaults.guard);
  if (!defaults.runtime) defaults.runtime.emplace();
  return *defaults.runtime;
}

void set_default_runtime(const Runtime& runtime) {
  ProcessDefaults& defaults = process();
  std::scoped_lock guard(defaults.guard);
  defaults.runtime = runtime;
  defaults.device.reset();
}

Device current_device() {
  if (thread_context.device) return *thread_context.device;
  if (!thread_context.runtime) {
    ProcessDefaults& defaults = process();
    std::scoped_lock guard(defaults.guard);
    if (defaults.device) return *defaults.device;
  }
  return current_runtime().default_device();
}

void set_default_device(const Device& device) {
  const Runtime runtime = runtime_of(device);
  ProcessDefaults& defaults = process();
  std::scoped_lock guard(defaults.guard);
  defaults.runtime = runtime;
  defaults.device = device;
}

bool is_built(Text device) { return current_runtime().is_built(device); }
bool is_available(Text device) { return current_runtime().is_available(device); }

std::string unavailable_reason(Text device) {
  const Runtime runtime = current_runtime();
  if (runtime.is_available(device)) return "";
  const std::string_view plugin_name = device.substr(0, device.find(':'));
  const std::vector<PluginInfo> plugins = runtime.plugins();
  const PluginInfo* plugin = find_plugin(plugins, plugin_name);
  if (!plugin) return fmt::format("the configuration has no [plugins.{}]", plugin_name);
  if (!plugin->reason.empty()) return plugin->reason;
  for (const DeviceInfo& info : plugin->devices) {
    if (info.id == device || plugin_name == device) return info.reason;
  }
  return fmt::format("plugin '{}' has {} devices, so no {}", plugin_name, plugin->devices.size(),
                     device);
}

int device_count(Text plugin_name) {
  const std::vector<PluginInfo> plugins = current_runtime().plugins();
  const PluginInfo* plugin = find_plugin(plugins, plugin_name);
  return plugin ? static_cast<int>(plugin->devices.size()) : 0;
}

RuntimeScope::RuntimeScope(const Runtime& runtime)
    : runtime_(runtime),
      runtime_before_(thread_context.runtime),
      device_before_(thread_context.device) {
  thread_context.runtime = &runtime_;
  thread_context.device = nullptr;
}
RuntimeScope::~RuntimeScope() {
  thread_context.runtime = runtime_before_;
  thread_context.device = device_before_;
}

DeviceScope::DeviceScope(const Device& device)
    : device_(device), device_before_(thread_context.device) {
  device_.open();  // refuses the host
  thread_context.device = &device_;
}
DeviceScope::~DeviceScope() { thread_context.device = device_before_; }

Device::Device(Text name) : Device(name == "host" ? host() : current_runtime().device(name)) {}

}  // namespace switchyard
