#include "device/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <switchyard/error.hpp>

#include "device/memory_limits.hpp"
#include "memory/machine_memory.hpp"
#include "trace/log.hpp"

namespace switchyard {
namespace {

constexpr std::chrono::minutes kLastRetry{1};

LoadResult accepted(LoadResult loaded, DeviceRegistry::Accept accept) try {
  if (loaded.plugin && accept) accept(loaded.plugin);
  return loaded;
} catch (const LoadError& error) {
  LoadFailure failure = error.failure();
  failure.library = loaded.plugin->library();
  return {nullptr, std::move(failure)};
}

bool is_needed_at_start(const PluginConfig& plugin, const RoutingConfig& routing) {
  const auto is_its = [&](const DeviceName& device) { return device.plugin == plugin.name; };
  return plugin.required || std::any_of(routing.order.begin(), routing.order.end(), is_its) ||
         (routing.host_device && is_its(*routing.host_device)) ||
         std::any_of(routing.pins.begin(), routing.pins.end(),
                     [&](const auto& pin) { return is_its(pin.second); });
}

bool loads_alike(PluginConfig a, const PluginConfig& b) {
  a.required = b.required;
  return a == b;
}

}  // namespace

DeviceRegistry::DeviceRegistry(const Config& config, const LoadContext& context,
                               std::shared_ptr<trace::Timeline> timeline, Accept accept)
    : config_(config),
      context_(context),
      accept_(accept),
      machine_memory_(machine_memory()),
      timeline_(std::move(timeline)) {
  for (const PluginConfig& plugin : config.plugins) {
    entries_.push_back(std::make_shared<Entry>(Entry{plugin, {}}));
  }
  load_needed();
}

// A library that is named relative to the file is another one where the file is.
DeviceRegistry::DeviceRegistry(const Config& next, const DeviceRegistry& before)
    : config_(next),
      context_(before.context_),
      accept_(before.accept_),
      machine_memory_(before.machine_memory_),
      timeline_(before.timeline_),
      engine_(before.engine_),
      next_ordinal_(before.next_ordinal_) {
  for (const PluginConfig& plugin : next.plugins) {
    entries_.push_back(std::make_shared<Entry>(Entry{plugin, {}}));
    const auto same = std::ranges::find_if(before.entries_, [&](const auto& entry) {
      return loads_alike(entry->config, plugin) && before.config_.folder == next.folder;
    });
    if (same == before.entries_.end() || !(*same)->result.plugin) continue;
    entries_.back()->result = (*same)->result;
    for (const auto& [name, opened] : before.opened_) {
      if (name.first == plugin.name && opened.lookup.device) opened_.emplace(name, opened);
    }
  }
  load_needed();
}

void DeviceRegistry::change_to(const Config& next,
                               const std::function<void(DeviceRegistry& registry)>& use) {
  std::scoped_lock guard(guard_);
  DeviceRegistry changed(next, *this);
  try {
    use(changed);
    retired_.reserve(retired_.size() + opened_.size());
  } catch (...) {
    changed.leave_devices_to(*this);
    throw;
  }
  for (auto& [name, before] : opened_) {
    const std::shared_ptr<OpenDevice>& device = before.lookup.device;
    if (device && !changed.has(name, *device)) {
      device->retire();
      retired_.push_back(device);
    }
  }
  entries_.swap(changed.entries_);
  opened_.swap(changed.opened_);
  std::swap(config_, changed.config_);
  next_ordinal_ = changed.next_ordinal_;
  changed.opened_.clear();
}

bool DeviceRegistry::has(const DeviceKey& name, const OpenDevice& device) const {
  const auto found = opened_.find(name);
  return found != opened_.end() && found->second.lookup.device.get() == &device;
}

// A registry that ends waits for the work of its devices; these go on.
void DeviceRegistry::leave_devices_to(const DeviceRegistry& running) {
  std::erase_if(opened_, [&](const auto& opened) {
    return opened.second.lookup.device && running.has(opened.first, *opened.second.lookup.device);
  });
}

void DeviceRegistry::trim_retired() {
  std::vector<std::shared_ptr<OpenDevice>> devices;
  {
    std::scoped_lock guard(guard_);
    devices = retired_;
  }
  for (const std::shared_ptr<OpenDevice>& device : devices) device->allocator().trim();
}

void DeviceRegistry::load_needed() {
  for (const std::shared_ptr<Entry>& entry : entries_) {
    if (is_needed_at_start(entry->config, config_.routing)) load(*entry);
  }
}

void DeviceRegistry::load(Entry& entry) {
  if (entry.result.plugin || entry.result.failure) return;
  entry.result = accepted(load_plugin(config_, entry.config, context_), accept_);
  if (!entry.result.failure) return;
  trace::write(entry.config.required ? trace::Level::debug : trace::Level::warn, "{}",
               to_text(*entry.result.failure, entry.config.name));
}

std::vector<std::shared_ptr<const DeviceRegistry::Entry>> DeviceRegistry::entries() {
  std::scoped_lock guard(guard_);
  for (const std::shared_ptr<Entry>& entry : entries_) load(*entry);
  return {entries_.begin(), entries_.end()};
}

std::shared_ptr<const DeviceRegistry::Entry> DeviceRegistry::loaded(std::string_view plugin) {
  for (const std::shared_ptr<Entry>& entry : entries_) {
    if (entry->config.name != plugin) continue;
    load(*entry);
    return entry;
  }
  return nullptr;
}

std::shared_ptr<const DeviceRegistry::Entry> DeviceRegistry::entry(std::string_view plugin) {
  std::scoped_lock guard(guard_);
  return loaded(plugin);
}

// One device's memory may be used by another's streams, so none closes before all are idle.
DeviceRegistry::~DeviceRegistry() {
  for_each_device([](OpenDevice& device) { device.allocator().reclaim(); });
}

void DeviceRegistry::check_required() const {
  for (const std::shared_ptr<Entry>& entry : entries_) {
    if (!entry->config.required) continue;
    if (entry->result.failure) {
      const LoadFailure& failure = *entry->result.failure;
      throw Error(failure.short_of_memory ? ErrorKind::out_of_memory : ErrorKind::plugin,
                  to_text(failure, entry->config.name));
    }
    const Plugin& plugin = *entry->result.plugin;
    if (!plugin.available()) {
      throw Error(ErrorKind::plugin, fmt::format("plugin '{}' is required but not available: {}",
                                                 entry->config.name, plugin.message()));
    }
  }
}

DeviceRegistry::Lookup DeviceRegistry::find(const DeviceName& name) {
  std::scoped_lock guard(guard_);
  const auto now = std::chrono::steady_clock::now();
  const std::pair key(name.plugin, name.index);
  const auto known = opened_.find(key);
  const bool asks_again = known != opened_.end() && known->second.lookup.may_open_later &&
                          now >= known->second.retry_at;
  if (known != opened_.end() && !asks_again) return known->second.lookup;
  Lookup made = open(name);
  if (made.device) made.device->set_engine(engine_.lock());
  Opened& opened = opened_[key];
  opened.lookup = std::move(made);
  opened.retry_at = now + opened.retry_after;
  opened.retry_after = std::min<std::chrono::milliseconds>(2 * opened.retry_after, kLastRetry);
  return opened.lookup;
}

void DeviceRegistry::set_engine(std::weak_ptr<Engine> engine) {
  std::scoped_lock guard(guard_);
  engine_ = std::move(engine);
}

void DeviceRegistry::forget_engine() {
  std::scoped_lock guard(guard_);
  for_each_device([](OpenDevice& device) { device.set_engine(nullptr); });
}

DeviceRegistry::Lookup DeviceRegistry::open(const DeviceName& name) {
  const std::shared_ptr<const Entry> entry = loaded(name.plugin);
  if (entry == nullptr) {
    return {nullptr, SY_REASON_CONFIG,
            fmt::format("the configuration has no [plugins.{}]", name.plugin)};
  }
  if (entry->result.failure) {
    const LoadFailure& failure = *entry->result.failure;
    Lookup lookup{nullptr, SY_REASON_FAULTED, "not loaded: " + failure.reason};
    lookup.short_of_memory = failure.short_of_memory;
    return lookup;
  }
  const Plugin& plugin = *entry->result.plugin;
  const auto index = static_cast<std::size_t>(name.index);
  if (index >= plugin.devices().size()) {
    if (!plugin.available()) return {nullptr, plugin.reason(), plugin.message()};
    return {nullptr, SY_REASON_CONFIG,
            fmt::format("plugin '{}' has {} devices, so no {}", name.plugin,
                        plugin.devices().size(), to_text(name))};
  }
  const sy_device_info& info = plugin.devices()[index].info;
  if (!info.available) return {nullptr, info.reason, info.message};
  try {
    auto device = std::make_shared<OpenDevice>(
        entry->result.plugin, static_cast<std::uint32_t>(index), next_ordinal_,
        memory_limits(config_, info, machine_memory_), timeline_);
    ++next_ordinal_;
    return {std::move(device), SY_REASON_NONE, ""};
  } catch (const Error& error) {
    trace::warn("{}", error.what());
    const bool short_of_memory = error.kind() == ErrorKind::out_of_memory;
    const bool may_pass =
        error.is_retryable() || error.kind() == ErrorKind::device_lost || short_of_memory;
    return {nullptr, SY_REASON_FAULTED, error.what(), true, may_pass, short_of_memory};
  }
}

}  // namespace switchyard
