#include "abi/devices.hpp"

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "abi/backends.hpp"
#include "abi/forked_child.hpp"
#include "abi/guard.hpp"
#include "abi/handles.hpp"
#include "ops/rows.hpp"
#include "programs/program.hpp"
#include "runtime/options.hpp"
#include "switchyard/plugin/devices.hpp"
#include "switchyard/plugin/writer.hpp"

namespace mps {
namespace {

constexpr int32_t dlpack_metal = 8;

// What a backend of the seam has, in the ABI's words. Lives for ever, as what `probe` shows must.
struct Listing {
  std::vector<seam::DeviceInfo> devices;
  std::string message;  // why there is none
  sy_reason reason = SY_REASON_NONE;
  std::vector<sy_device_info> infos;
};

// Of the first device that there could be where `device` is null.
sy_device_info info_of(const Listing& listing, const seam::DeviceInfo* device) {
  const sy::ClaimTable& claims = all_claims(device == nullptr ? Traits() : traits_of(*device));
  sy_device_info info =
      device != nullptr
          ? sy::available_device(device->name.c_str(), claims)
          : sy::missing_device("Metal device 0", claims, listing.reason, listing.message.c_str());
  info.flags = SY_DEVICE_CACHES_MEMORY;
  const bool reachable = device == nullptr || device->unified_memory;
  info.memory_kind = reachable ? SY_MEMORY_MAPPABLE : SY_MEMORY_OPAQUE;
  info.memory_bytes = device != nullptr ? device->working_set_bytes : 0;
  info.max_storage_bytes = device != nullptr ? device->max_buffer_bytes : 0;
  info.alignment = 256;
  info.offset_alignment = 1;
  info.max_program_nodes = most_program_nodes;
  info.dlpack_device_type = dlpack_metal;
  if (device != nullptr) info.architecture = device->family.c_str();
  return info;
}

Listing make_listing(const seam::Backend& backend) {
  Listing listing;
  listing.devices = backend.devices();
  if (listing.devices.empty()) {
    listing.reason = SY_REASON_OS;
    for (const seam::Check& check : backend.checks()) {
      if (check.passed) continue;
      listing.message = check.message;
      break;
    }
  }
  return listing;
}

// Each backend is asked once; its devices keep their numbers.
const Listing& listing_of(const Options& options) {
  static auto& guard = *new std::mutex;
  static auto& listings = *new std::map<const seam::Backend*, Listing>;
  const seam::Backend& backend = backend_for(options);
  const std::lock_guard lock(guard);
  const auto [position, is_new] = listings.try_emplace(&backend);
  Listing& listing = position->second;
  if (!is_new) return listing;
  listing = make_listing(backend);
  for (const seam::DeviceInfo& device : listing.devices) {
    listing.infos.push_back(info_of(listing, &device));
  }
  if (listing.infos.empty()) listing.infos.push_back(info_of(listing, nullptr));
  return listing;
}

std::string facts_of(const seam::DeviceInfo& info) {
  return sy::text("device: ", info.name, ", family ", info.family, ", ",
                  info.unified_memory ? "unified" : "its own", " memory, Metal language ",
                  info.language / 100, ".", info.language % 100, info.bfloat16 ? ", bfloat16" : "",
                  "\n");
}

std::string state_of(Device& device) {
  const AllocatorStatistics memory = device.memory().statistics();
  const ExecutableCacheStatistics graphs = device.executables().statistics();
  std::string text = facts_of(device.info());
  text += sy::text("memory: ", memory.used_bytes, " bytes in use (at most ", memory.peak_used_bytes,
                   "), ", memory.cached_bytes, " kept, in ", memory.heaps, " heaps; ",
                   memory.allocations, " allocations, ", memory.reuses,
                   " of them of kept memory\ngraphs: ", graphs.entries, " compiled, ", graphs.bytes,
                   " bytes, ", graphs.evictions, " let go; ", graphs.hits, " found, ",
                   graphs.compilations, " made\n");
  text += device.kernels().report();
  return text + (device.profile() != nullptr ? device.profile()->text() : std::string());
}

#if defined(__APPLE__)
constexpr const char* built = "built: with Metal and MPSGraph\n";
#elif defined(SWITCHYARD_MPS_SOFTWARE)
constexpr const char* built =
    "built: without Metal, which only macOS has; options.device = \"software\" imitates it here\n";
#else
constexpr const char* built = "built: without Metal, which only macOS has\n";
#endif

// What each thing that a device needs came to.
std::string checks_of(const seam::Backend& backend) {
  std::string text = built;
  for (const seam::Check& check : backend.checks()) {
    text += sy::text(check.name, check.passed ? ": " : ": not met: ", check.message, "\n");
  }
  return text;
}

}  // namespace

sy_status probe(sy_probe_args* args, sy_error* error) {
  return guard(error, [&] {
    const Options options = read_options(*args->host);
    sy::set_devices(*args, listing_of(options).infos);
  });
}

sy_status open_device(sy_open_device_args* args, sy_error* error) {
  return guard(error, [&] {
    const Options options = read_options(*args->host);
    const Listing& listing = listing_of(options);
    if (args->index >= listing.infos.size()) {
      throw sy::invalid("no device mps:", args->index, "; there are ", listing.infos.size(),
                        ", from mps:0");
    }
    if (listing.devices.empty()) throw sy::unsupported(listing.reason, listing.message);
    watch_forks();
    auto device = std::make_unique<Device>(backend_for(options).open(args->index), options);
    args->device = reinterpret_cast<sy_device>(device.release());
  });
}

sy_status close_device(sy_device_args* args, sy_error* error) {
  return guard_release(error, [&] { delete &device_of(args->device); });
}

// A command buffer that failed says nothing of those of other streams.
sy_status recover(sy_device_args* args, sy_error* error) {
  return guard(error, [&] { device_of(args->device).wait_for_all(); });
}

sy_status report(sy_report_args* args, sy_error* error) {
  return guard(error, [&] {
    sy::write(*args->writer, args->device == nullptr ? checks_of(seam::metal_backend())
                                                     : state_of(device_of(args->device)));
  });
}

}  // namespace mps
