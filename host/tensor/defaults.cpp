#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>

#include "device/open_device.hpp"
#include "tensor/engine.hpp"

namespace switchyard {
namespace {

/// What the innermost scope of this thread says. A device brings its runtime along, and a runtime
/// says nothing of devices: a device of another runtime never meets it.
struct Here {
  const Runtime* runtime = nullptr;
  const Device* device = nullptr;
};
thread_local Here here;

Runtime runtime_of(const Device& device) {
  std::shared_ptr<Engine> engine = device.open()->shared_engine();
  if (engine) return Runtime(std::move(engine));
  throw Error(ErrorKind::internal, fmt::format("{} belongs to no runtime", device.name()));
}

struct ProcessDefaults {
  std::mutex guard;
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
  if (here.device) return runtime_of(*here.device);
  if (here.runtime) return *here.runtime;
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
  if (here.device) return *here.device;
  if (!here.runtime) {
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

bool is_built(std::string_view device) { return current_runtime().is_built(device); }
bool is_available(std::string_view device) { return current_runtime().is_available(device); }

std::string unavailable_reason(std::string_view device) {
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

int device_count(std::string_view plugin_name) {
  const std::vector<PluginInfo> plugins = current_runtime().plugins();
  const PluginInfo* plugin = find_plugin(plugins, plugin_name);
  return plugin ? static_cast<int>(plugin->devices.size()) : 0;
}

RuntimeScope::RuntimeScope(const Runtime& runtime)
    : runtime_(runtime), runtime_before_(here.runtime), device_before_(here.device) {
  here = {.runtime = &runtime_, .device = nullptr};
}
RuntimeScope::~RuntimeScope() { here = {.runtime = runtime_before_, .device = device_before_}; }

DeviceScope::DeviceScope(const Device& device) : device_(device), device_before_(here.device) {
  device_.open();  // refuses the host
  here.device = &device_;
}
DeviceScope::~DeviceScope() { here.device = device_before_; }

Device::Device(std::string_view name)
    : Device(name == "host" ? host() : current_runtime().device(name)) {}

}  // namespace switchyard
