#include "io/runtime_json.hpp"

#include <nlohmann/json.hpp>

namespace switchyard {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const DeviceInfo& device) {
  return {{"id", device.id},
          {"description", device.description},
          {"built", device.built},
          {"available", device.available},
          {"reason", device.reason},
          {"memory_bytes", device.memory_bytes},
          {"architecture", device.architecture},
          {"uuid", device.uuid},
          {"pci_address", device.pci_address}};
}

Json json_of(const PluginInfo& plugin) {
  Json devices = Json::array();
  for (const DeviceInfo& device : plugin.devices) devices.push_back(json_of(device));
  return {{"name", plugin.name},
          {"library", plugin.library},
          {"version", plugin.version},
          {"abi", plugin.abi},
          {"status", plugin.loaded ? "loaded" : "failed"},
          {"required", plugin.required},
          {"built", plugin.built},
          {"available", plugin.available},
          {"reason", plugin.reason},
          {"devices", std::move(devices)}};
}

Json json_of(const FallbackInfo& fallback) {
  return {{"op", fallback.op},
          {"from", fallback.from},
          {"to", fallback.to},
          {"code", fallback.code},
          {"reason", fallback.reason},
          {"count", fallback.count},
          {"bytes_copied", fallback.bytes_copied},
          {"time_ms", fallback.time_ms}};
}

template <typename Item>
Json list_of(std::span<const Item> items) {
  Json list = Json::array();
  for (const Item& item : items) list.push_back(json_of(item));
  return list;
}

}  // namespace

Json json_of(std::span<const PluginInfo> plugins) { return list_of(plugins); }
Json json_of(std::span<const FallbackInfo> fallbacks) { return list_of(fallbacks); }

}  // namespace switchyard
