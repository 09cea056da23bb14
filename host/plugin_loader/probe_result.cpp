#include "plugin_loader/probe_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "plugin_loader/failure.hpp"
#include "plugin_loader/plugin_call.hpp"
#include "plugin_loader/sized_struct.hpp"

namespace switchyard {
namespace {

[[noreturn]] void fail_probe(std::string reason) {
  throw LoadError(LoadProblem::probe_failed, std::move(reason), "Tell the plugin's author.");
}

/// `what` has flags that its reader must know, of which this host knows `known`.
void require_known_flags(const std::string& what, std::uint32_t flags, std::uint32_t known) {
  const std::uint32_t unknown = flags & SY_FLAGS_TO_KNOW & ~known;
  if (unknown == 0) return;
  fail_probe(fmt::format("{} has flags {:#x}, which ABI {}.{} does not have", what, unknown,
                         SY_ABI_VERSION_MAJOR, SY_ABI_VERSION_MINOR));
}

void check_claim(const sy_claim& claim, std::uint32_t index, std::uint32_t device) {
  const std::string what = fmt::format("claim {} of device {}", index, device);
  if (claim.op == nullptr || claim.domain == nullptr) {
    fail_probe(fmt::format("{} names no op or no domain", what));
  }
  require_known_flags(what, claim.flags, 0);
  const std::uint64_t unknown = (claim.input_dtypes | claim.output_dtypes) & ~SY_DTYPES_ALL;
  if (unknown == 0) return;
  fail_probe(fmt::format("{}, of {}, names dtypes {:#x}, which ABI {}.{} does not have", what,
                         claim.op, unknown, SY_ABI_VERSION_MAJOR, SY_ABI_VERSION_MINOR));
}

std::vector<sy_claim> copy_claims(const sy_device_info& info, std::uint32_t device) {
  std::vector<sy_claim> claims;
  if (info.claim_count == 0) return claims;
  if (info.claims == nullptr) {
    fail_probe(fmt::format("device {} counts {} claims but gives none", device, info.claim_count));
  }
  if (!is_struct_size(info.claims->struct_size, offsetof(sy_claim, min_version))) {
    fail_probe(
        fmt::format("claims of device {} have a struct_size of {} bytes, which no header has",
                    device, info.claims->struct_size));
  }
  claims.reserve(info.claim_count);
  for (std::uint32_t i = 0; i < info.claim_count; ++i) {
    claims.push_back(copy_sized(*SY_AT(sy_claim, info.claims, i), info.claims->struct_size));
    check_claim(claims.back(), i, device);
  }
  return claims;
}

void check_device(const sy_device_info& info, std::uint32_t device, bool has_map) {
  const std::uint32_t alignment = info.alignment;
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
    fail_probe(
        fmt::format("device {} gives its alignment as {}, not a power of two", device, alignment));
  }
  require_known_flags(fmt::format("device {}", device), info.flags, SY_DEVICE_SYNCHRONOUS);
  if (info.memory_kind == SY_MEMORY_UNSET) {
    fail_probe(fmt::format("device {} does not say what kind of memory it has", device));
  }
  if (info.memory_kind < SY_MEMORY_ADDRESS || info.memory_kind > SY_MEMORY_OPAQUE) {
    fail_probe(fmt::format("device {} has memory of kind {}, which does not exist", device,
                           info.memory_kind));
  }
  if (info.memory_kind == SY_MEMORY_MAPPABLE && !has_map) {
    throw LoadError(LoadProblem::incomplete,
                    fmt::format("device {} has mappable memory, for which its table lacks the "
                                "required map, unmap",
                                device),
                    "Tell the plugin's author; switchyard/plugin.h says which slots are required.");
  }
}

void check_peers(const sy_device_info& info, std::uint32_t device, std::uint32_t devices) {
  if (info.peers == nullptr) return;
  for (std::uint32_t i = 0; i < info.peer_count; ++i) {
    if (info.peers[i] < devices) continue;
    fail_probe(fmt::format("device {} names device {} as a peer, of {} devices", device,
                           info.peers[i], devices));
  }
}

ProbedDevice copy_device(const sy_device_info& given, std::uint32_t struct_size,
                         std::uint32_t device, bool has_map) {
  ProbedDevice copied;
  copied.info = copy_sized(given, struct_size);
  sy_device_info& info = copied.info;
  check_device(info, device, has_map);
  copied.claims = copy_claims(info, device);
  info.claims = copied.claims.data();
  if (info.name == nullptr) info.name = "";
  if (info.message == nullptr) info.message = "";
  if (info.available == 0 && info.message[0] == '\0') info.message = "the plugin gives no reason";
  return copied;
}

std::vector<ProbedDevice> copy_devices(const sy_probe_args& args, bool has_map) {
  if (args.devices == nullptr) {
    fail_probe(fmt::format("its probe counts {} devices but gives none", args.device_count));
  }
  if (!is_struct_size(args.devices->struct_size, offsetof(sy_device_info, offset_alignment))) {
    fail_probe(fmt::format("its devices have a struct_size of {} bytes, which no header has",
                           args.devices->struct_size));
  }
  std::vector<ProbedDevice> devices;
  for (std::uint32_t i = 0; i < args.device_count; ++i) {
    devices.push_back(copy_device(*SY_AT(sy_device_info, args.devices, i),
                                  args.devices->struct_size, i, has_map));
    check_peers(devices.back().info, i, args.device_count);
  }
  return devices;
}

}  // namespace

ProbeResult probe_plugin(const PluginTable& table) {
  sy_probe_args args = {};
  args.struct_size = sizeof(args);
  args.host = table.host;
  const PluginCallOutcome outcome = call_plugin(table.slots.probe, args);
  if (outcome.status == SY_OUT_OF_MEMORY) {
    throw LoadError(LoadProblem::probe_failed, fmt::format("its probe {}", outcome.words),
                    "Free memory, and start again.", true);
  }
  if (outcome.status != SY_OK) fail_probe(fmt::format("its probe {}", outcome.words));
  ProbeResult result;
  result.built = args.built != 0;
  result.available = args.available != 0;
  result.reason = args.reason;
  if (args.message != nullptr) result.message = args.message;
  if (!result.available && result.message.empty()) result.message = "the plugin gives no reason";
  if (args.device_count > 0) result.devices = copy_devices(args, table.has_map);
  const bool has_available =
      std::any_of(result.devices.begin(), result.devices.end(),
                  [](const ProbedDevice& device) { return device.info.available != 0; });
  if (result.available && !has_available) {
    fail_probe(
        fmt::format("its probe says that a device is available, but of its {} devices none is",
                    result.devices.size()));
  }
  return result;
}

}  // namespace switchyard
