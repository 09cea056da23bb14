#include "device/memory_limits.hpp"

#include <algorithm>

#include "memory/machine_memory.hpp"

namespace switchyard {
namespace {

std::size_t at_most_all(std::uint64_t bytes) {
  return static_cast<std::size_t>(std::min<std::uint64_t>(bytes, Allocator::kMostBytes));
}

}  // namespace

Allocator::Limits memory_limits(const Config& config, const sy_device_info& device,
                                std::uint64_t memory) {
  const bool has_own = device.memory_kind == SY_MEMORY_OPAQUE && device.memory_bytes != 0;
  const std::uint64_t together = has_own ? 0 : share_of_tensors(memory);
  const std::uint64_t given = config.host.memory_limit, given_alone = config.limits.value_bytes;
  const std::uint64_t given_cached = config.host.cache_limit;
  const std::uint64_t alone = has_own && given_alone == 0
                                  ? Allocator::kMostBytes
                                  : limit_of_one_tensor(given_alone, memory);
  return {.bytes = at_most_all(given != 0 ? given : together),
          .cached_bytes = given_cached != 0 ? at_most_all(given_cached) : Allocator::kMostBytes,
          .value_bytes = at_most_all(alone)};
}

}  // namespace switchyard
