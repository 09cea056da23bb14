#include "apple/device_info.hpp"

#include "apple/text.hpp"

namespace mps::apple {
namespace {

// Metal numbers its families so; a number that the system does not know is not supported, and newer
// ones are missing from older SDKs.
MTLGPUFamily apple_family(int number) { return static_cast<MTLGPUFamily>(1000 + number); }

constexpr int oldest_apple = 5;
constexpr int newest_apple = 12;

uint32_t newest_language() {
  if (@available(macOS 15.0, *)) return 302;
  if (@available(macOS 14.0, *)) return 301;
  if (@available(macOS 13.0, *)) return 300;
  return 204;
}

bool has_bfloat16(id<MTLDevice> device) {
  if (@available(macOS 14.0, *)) return [device supportsFamily:apple_family(6)];
  return false;
}

// Above these extents PyTorch does not leave products and convolutions to MPSGraph either.
int64_t widest_product() {
  if (@available(macOS 14.4, *)) return seam::unlimited;
  return 32768;
}

int64_t widest_convolution() {
  if (@available(macOS 15.1, *)) return seam::unlimited;
  return 65535;
}

seam::Placement placement_of(id<MTLDevice> device) {
  if (device.isRemovable) return seam::Placement::external;
  return device.isLowPower || device.hasUnifiedMemory ? seam::Placement::integrated
                                                      : seam::Placement::discrete;
}

}  // namespace

std::string family_of(id<MTLDevice> device) {
  for (int number = newest_apple; number >= oldest_apple; --number) {
    if ([device supportsFamily:apple_family(number)]) return "Apple " + std::to_string(number);
  }
  return [device supportsFamily:MTLGPUFamilyMac2] ? "Mac 2" : "";
}

seam::DeviceInfo info_of(id<MTLDevice> device) {
  seam::DeviceInfo info;
  info.name = utf8(device.name);
  info.family = family_of(device);
  info.placement = placement_of(device);
  info.unified_memory = device.hasUnifiedMemory;
  info.working_set_bytes = device.recommendedMaxWorkingSetSize;
  info.max_buffer_bytes = device.maxBufferLength;
  info.max_threads_per_group = static_cast<uint32_t>(device.maxThreadsPerThreadgroup.width);
  info.group_memory_bytes = static_cast<uint32_t>(device.maxThreadgroupMemoryLength);
  info.simd_width = [device supportsFamily:apple_family(oldest_apple)] ? 32 : 0;
  info.language = newest_language();
  info.bfloat16 = has_bfloat16(device);
  info.widest_product = widest_product();
  info.widest_convolution = widest_convolution();
  info.simdgroup_matrices = [device supportsFamily:apple_family(7)];
  return info;
}

}  // namespace mps::apple
