#include <algorithm>
#include <charconv>
#include <switchyard/device.hpp>
#include <switchyard/error.hpp>

#include "device/open_device.hpp"

namespace switchyard {

Device::Device(const std::shared_ptr<OpenDevice>& open)
    : open_(open ? open->with_engine() : nullptr) {}

const std::string& Device::name() const {
  static const auto& host = *new std::string("host");
  return is_host() ? host : open_->name();
}
std::string_view Device::plugin() const {
  return std::string_view(name()).substr(0, name().find(':'));
}
int Device::index() const {
  const std::string_view number =
      std::string_view(name()).substr(std::min(name().size(), plugin().size() + 1));
  int index = 0;
  std::from_chars(number.data(), number.data() + number.size(), index);
  return index;
}

std::string Device::description() const { return is_host() ? "the host" : open_->info().name; }
void Device::synchronize() const { open()->synchronize(); }
std::vector<std::string> Device::calls_under_way() const {
  return open()->calls().calls_under_way();
}
std::size_t Device::empty_cache() const { return open()->allocator().trim(); }

void Device::refuse_host() {
  throw Error(ErrorKind::invalid_argument,
              "the host is not a device of a plugin: nothing runs there, and it has no memory of "
              "its own; name a device, or use current_device()");
}

DeviceMemory Device::memory() const {
  const MemoryStatistics from = open()->allocator().statistics();
  return {from.used_bytes, from.peak_bytes, from.cached_bytes, from.allocations, from.reuses};
}

}  // namespace switchyard
