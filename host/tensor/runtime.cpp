#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <switchyard/runtime.hpp>
#include <utility>

#include "device/status.hpp"
#include "device/within_memory.hpp"
#include "plugin_loader/own_location.hpp"
#include "tensor/engine.hpp"
#include "tensor/operation.hpp"

namespace switchyard {
namespace {

constexpr std::string_view kStarting = "starting a runtime";
constexpr std::string_view kReloading = "reloading a configuration";

/// What a plugin may leave out.
std::string text_or_empty(const char* text) { return text == nullptr ? "" : text; }

/// As RFC 9562 writes it; "" where all is 0.
std::string uuid_text(std::span<const std::uint8_t, 16> uuid) {
  if (std::all_of(uuid.begin(), uuid.end(), [](std::uint8_t byte) { return byte == 0; })) return "";
  std::string text;
  for (std::size_t i = 0; i < uuid.size(); ++i) {
    text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
  }
  return text;
}

PluginInfo describe(const DeviceRegistry::Entry& entry) {
  PluginInfo info;
  info.name = entry.config.name;
  info.required = entry.config.required;
  if (entry.result.failure) {
    const LoadFailure& failure = *entry.result.failure;
    info.library = failure.library.empty() ? entry.config.library : failure.library.string();
    info.reason = failure.reason + ". " + failure.remedy;
    return info;
  }
  const Plugin& plugin = *entry.result.plugin;
  info.library = plugin.library().string();
  info.version = plugin.version();
  info.abi = fmt::format("{}.{}", plugin.abi_version() >> 16, plugin.abi_version() & 0xffff);
  info.loaded = true;
  info.built = plugin.built();
  info.available = plugin.available();
  info.reason = plugin.message();
  for (std::size_t i = 0; i < plugin.devices().size(); ++i) {
    const sy_device_info& device = plugin.devices()[i].info;
    info.devices.push_back({fmt::format("{}:{}", info.name, i), device.name, device.built != 0,
                            device.available != 0, device.message, device.memory_bytes,
                            text_or_empty(device.architecture), uuid_text(device.uuid),
                            text_or_empty(device.pci_address)});
  }
  return info;
}

/// The device of that name, if its plugin lists one.
std::optional<DeviceInfo> find_device(DeviceRegistry& registry, Text device) {
  const auto name = parse_device_name(device);
  const std::shared_ptr<const DeviceRegistry::Entry> entry =
      name ? registry.entry(name->plugin) : nullptr;
  if (!entry) return std::nullopt;
  for (DeviceInfo& info : describe(*entry).devices) {
    if (info.id == to_text(*name)) return std::move(info);
  }
  return std::nullopt;
}

/// Without a file, that of the environment or the installed one.
Config config_of(std::string file) {
  ConfigRequest request;
  request.file = std::move(file);
  request.installed_file = installed_config_file().string();
  return load_config(request);
}

std::string named(const std::filesystem::path& file) {
  if (!file.empty()) return file.string();
  throw Error(ErrorKind::config, "the name of the configuration file is empty; give a file");
}

Config config_of_text(Text toml) { return parse_config(toml, "configuration text"); }

}  // namespace

Runtime::Runtime()
    : engine_(within_memory(kStarting, [] { return Engine::start(config_of("")); })) {}

Runtime Runtime::from_file(const std::filesystem::path& file) {
  return within_memory(kStarting, [&] { return Runtime(Engine::start(config_of(named(file)))); });
}

Runtime Runtime::from_text(Text toml) {
  return within_memory(kStarting, [&] { return Runtime(Engine::start(config_of_text(toml))); });
}

void Runtime::reload() const {
  const std::string file = engine_->file();
  if (file.empty()) {
    throw Error(ErrorKind::config,
                "[reload] the configuration was a text, which nobody has changed; give the text "
                "that is to follow it to reload_from_text");
  }
  within_memory(kReloading, [&] { engine_->reload(config_of(file)); });
}

void Runtime::reload_from_file(const std::filesystem::path& file) const {
  within_memory(kReloading, [&] { engine_->reload(config_of(named(file))); });
}

void Runtime::reload_from_text(Text toml) const {
  within_memory(kReloading, [&] { engine_->reload(config_of_text(toml)); });
}

std::vector<PluginInfo> Runtime::plugins() const {
  std::vector<PluginInfo> list;
  for (const std::shared_ptr<const DeviceRegistry::Entry>& entry : engine_->registry.entries()) {
    list.push_back(describe(*entry));
  }
  return list;
}

bool Runtime::is_built(Text device) const {
  const std::optional<DeviceInfo> found = find_device(engine_->registry, device);
  return found && found->built;
}

bool Runtime::is_available(Text device) const {
  const std::optional<DeviceInfo> found = find_device(engine_->registry, device);
  return found && found->available;
}

Device Runtime::device(Text name) const {
  return within_memory(
      name, [&] { return name == "host" ? Device::host() : Device(engine_->device(name)); });
}

Device Runtime::default_device() const {
  const std::shared_ptr<OpenDevice> first = engine_->router->policy()->first_device();
  if (first) return Device(first);
  throw Error(ErrorKind::internal, "an engine started without a device");
}

Operation Runtime::operation(Text op, AttributeArguments attributes, Text domain) const {
  return Operation(make_operation(engine_, nullptr, op, std::move(attributes), domain));
}

Operation Runtime::operation_on(const Device& placement, Text op, AttributeArguments attributes,
                                Text domain) const {
  const std::shared_ptr<OpenDevice>& open = placement.open();
  if (open->engine() != engine_.get()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[operation_on] {} is of another runtime; ask this runtime for its "
                            "device",
                            placement.name()));
  }
  return Operation(make_operation(engine_, open, op, std::move(attributes), domain));
}

namespace {

FallbackInfo info_of(const Fallback& fallback) {
  return {fallback.op,      fallback.from,  fallback.to,           fallback.code,
          fallback.message, fallback.count, fallback.bytes_copied, fallback.milliseconds};
}

}  // namespace

std::vector<FallbackInfo> Runtime::fallbacks() const {
  std::vector<FallbackInfo> list;
  for (const Fallback& fallback : engine_->router->ledger().snapshot()) {
    list.push_back(info_of(fallback));
  }
  return list;
}

void Runtime::set_fallback_hook(FallbackHook hook) const {
  std::shared_ptr<const FallbackLedger::Hook> told;
  if (hook) {
    told = std::make_shared<const FallbackLedger::Hook>(
        [hook = std::move(hook)](const Fallback& fallback) { hook(info_of(fallback)); });
  }
  engine_->router->ledger().set_hook(std::move(told));
}

void Runtime::reset_fallbacks() const { engine_->router->ledger().reset(); }

std::string_view version() { return SWITCHYARD_VERSION; }

}  // namespace switchyard
