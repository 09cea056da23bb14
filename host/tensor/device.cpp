#include <switchyard/device.hpp>

#include "device/open_device.hpp"

namespace switchyard {

Device::Device(const std::shared_ptr<OpenDevice>& open)
    : open_(open ? open->with_engine() : nullptr) {}

const std::string& Device::name() const { return open_->name(); }
std::string Device::description() const { return open_->info().name; }
void Device::synchronize() const { open_->synchronize(); }
std::size_t Device::empty_cache() const { return open_->allocator().trim(); }

DeviceMemory Device::memory() const {
  const MemoryStatistics from = open_->allocator().statistics();
  return {from.used_bytes, from.peak_bytes, from.cached_bytes, from.allocations, from.reuses};
}

}  // namespace switchyard
