// The device: memory that the host cannot read, and a stream that copies and computes in it.
#pragma once

#include <switchyard/plugin.h>

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "switchyard/plugin/address.hpp"
#include "switchyard/plugin/asynchronous_stream.hpp"
#include "switchyard/plugin/copy.hpp"
#include "switchyard/plugin/copy_check.hpp"
#include "switchyard/plugin/options.hpp"
#include "switchyard/plugin/program.hpp"

namespace example {

// What [plugins.NAME.options] may set.
struct Settings {
  int64_t devices = 1;
  int64_t memory_bytes = int64_t{1} << 30;  // of each device
  int64_t batch = 4;               // enqueues that a stream collects before it starts on them
  int64_t delay_microseconds = 0;  // that each piece of work sleeps first, to make races show
};

inline Settings read_settings(const sy::Options& options) {
  options.reject_unknown({"devices", "memory_bytes", "batch", "delay_microseconds"});
  Settings settings;
  settings.devices = options.integer("devices", 1, 1, 16);
  settings.memory_bytes = options.integer("memory_bytes", settings.memory_bytes, 1, INT64_MAX);
  settings.batch = options.integer("batch", settings.batch, 1, 1000);
  settings.delay_microseconds = options.integer("delay_microseconds", 0, 0, 1000000);
  return settings;
}

// Storages are numbers, as on a GPU whose memory has no addresses on the host.
class Device {
 public:
  explicit Device(const Settings& with) : settings(with) {}

  sy_storage allocate(uint64_t size_bytes) {
    const std::lock_guard lock(mutex_);
    const uint64_t left = static_cast<uint64_t>(settings.memory_bytes) - used_bytes_;
    if (size_bytes > left) {
      throw sy::out_of_memory("asked for ", size_bytes, " bytes; ", left, " are left");
    }
    storages_[last_storage_ + 1].resize(size_bytes);
    used_bytes_ += size_bytes;
    return ++last_storage_;
  }

  void release(sy_storage storage) {
    const std::lock_guard lock(mutex_);
    const auto found = storages_.find(storage);
    if (found == storages_.end()) throw sy::invalid("no storage ", storage, " to release");
    used_bytes_ -= found->second.size();
    storages_.erase(found);
  }

  uint64_t used_bytes() const {
    const std::lock_guard lock(mutex_);
    return used_bytes_;
  }

  // The element whose indices are all 0. Every element must lie within the storage; a tensor
  // without elements needs none.
  char* at(sy_storage storage, uint64_t offset_bytes, sy_dtype dtype, sy::Extents shape,
           const int64_t* strides) {
    if (sy::element_count(shape) == 0) return nullptr;
    const std::lock_guard lock(mutex_);
    const auto found = storages_.find(storage);
    if (found == storages_.end()) throw sy::invalid("no storage ", storage);
    const auto offset = static_cast<int64_t>(offset_bytes);
    const sy::ByteRange range = sy::byte_range(dtype, shape, strides);
    if (offset + range.first < 0 ||
        offset + range.end > static_cast<int64_t>(found->second.size())) {
      throw sy::invalid("shape ", shape, " at byte ", offset, " leaves storage ", storage, " of ",
                        found->second.size(), " bytes");
    }
    return found->second.data() + offset;
  }

  const Settings settings;

 private:
  mutable std::mutex mutex_;  // any thread may call
  std::map<sy_storage, std::vector<char>> storages_;
  sy_storage last_storage_ = 0;
  uint64_t used_bytes_ = 0;
};

class Stream : public sy::AsynchronousStream {
 public:
  explicit Stream(Device& on)
      : AsynchronousStream(static_cast<size_t>(on.settings.batch)), device(on) {}

  uint64_t enqueue(Work work) {
    const std::chrono::microseconds delay(device.settings.delay_microseconds);
    return AsynchronousStream::enqueue([delay, work = std::move(work)] {
      if (delay.count() > 0) std::this_thread::sleep_for(delay);
      work();
    });
  }

  // The args end with the call: the work takes along what it needs.
  uint64_t copy(const sy_copy_args& args) {
    sy::require_known(args);
    const sy::Dimensions shape(sy::Extents(args.shape, args.rank));
    const char* source = locate(args, *args.source);
    char* destination = locate(args, *args.destination);
    const sy::Dimensions from = sy::strides_or_contiguous(shape, args.source->strides);
    const sy::Dimensions to = sy::strides_or_contiguous(shape, args.destination->strides);
    return enqueue([=, dtype = args.dtype] {
      sy::copy_elements(dtype, shape, source, from.data.data(), destination, to.data.data());
    });
  }

  Device& device;

 private:
  char* locate(const sy_copy_args& args, const sy_region& region) const {
    if (region.kind == SY_REGION_HOST) return sy::address_of(region);
    const bool is_peer = region.kind == SY_REGION_PEER;
    Device& owner = is_peer ? *reinterpret_cast<Device*>(region.peer) : device;
    return owner.at(region.handle, region.offset_bytes, args.dtype, {args.shape, args.rank},
                    region.strides);
  }
};

}  // namespace example
