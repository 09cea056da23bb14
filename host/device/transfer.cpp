#include "device/transfer.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

#include "device/host_memory.hpp"
#include "device/status.hpp"

namespace switchyard {
namespace {

sy_region region_of_storage(const Location& location) {
  sy_region region{};
  region.struct_size = sizeof(region);
  region.kind = SY_REGION_STORAGE;
  region.handle = location.storage->handle();
  region.offset_bytes = location.offset_bytes;
  region.strides = location.strides.data();
  return region;
}

sy_region region_of_host(const void* pointer, const Dims& strides) {
  sy_region region{};
  region.struct_size = sizeof(region);
  region.kind = SY_REGION_HOST;
  region.handle = reinterpret_cast<std::uint64_t>(pointer);
  region.strides = strides.data();
  return region;
}

using Enqueued = OpenDevice::Enqueued;

void note_read(const Enqueued& work, Storage& storage) {
  if (!work.stream->synchronous()) storage.record_read(*work.stream, work.sequence);
}

void note_write(const Enqueued& work, Storage& storage) {
  if (!work.stream->synchronous()) storage.record_write(*work.stream, work.sequence);
}

void copy_within(DType dtype, const Dims& shape, const Location& source,
                 const Location& destination) {
  OpenDevice& device = *source.device;
  OpenStream& stream = device.stream();
  source.storage->order_before_read(stream);
  destination.storage->order_before_write(stream);
  const Enqueued work = device.copy(stream, static_cast<sy_dtype>(dtype), shape.span(),
                                    region_of_storage(source), region_of_storage(destination));
  note_read(work, *source.storage);
  note_write(work, *destination.storage);
}

void copy_from_host(DType dtype, const Dims& shape, const Location& source,
                    const Location& destination) {
  OpenDevice& device = *destination.device;
  OpenStream& stream = device.stream();
  destination.storage->order_before_write(stream);
  const Enqueued work =
      device.copy(stream, static_cast<sy_dtype>(dtype), shape.span(),
                  region_of_host(source.pointer, source.strides), region_of_storage(destination));
  note_write(work, *destination.storage);
  work.wait();
}

void copy_to_host(DType dtype, const Dims& shape, const Location& source,
                  const Location& destination) {
  OpenDevice& device = *source.device;
  OpenStream& stream = device.stream();
  source.storage->order_before_read(stream);
  const Enqueued work =
      device.copy(stream, static_cast<sy_dtype>(dtype), shape.span(), region_of_storage(source),
                  region_of_host(destination.pointer, destination.strides));
  work.wait();
}

void copy_from_peer(DType dtype, const Dims& shape, const Location& source,
                    const Location& destination) {
  OpenDevice& device = *destination.device;
  OpenStream& stream = device.stream();
  source.storage->wait_for_writes();
  destination.storage->order_before_write(stream);
  sy_region from = region_of_storage(source);
  from.kind = SY_REGION_PEER;
  from.peer = source.device->handle();
  const Enqueued work = device.copy(stream, static_cast<sy_dtype>(dtype), shape.span(), from,
                                    region_of_storage(destination));
  // Nothing is recorded on the source: its device may outlive the one whose stream this is.
  work.wait();
}

/// A whole storage mapped into host memory as long as this lives.
class Mapping {
 public:
  Mapping(OpenDevice& device, const Storage& storage, std::uint32_t access)
      : device_(device), handle_(storage.handle()) {
    sy_map_args args{};
    args.struct_size = sizeof(args);
    args.access = access;
    args.device = device.handle();
    args.storage = handle_;
    args.size_bytes = storage.bytes();
    device.call(device.api().map, args, "map");
    pointer_ = static_cast<std::byte*>(args.pointer);
  }
  ~Mapping() {
    sy_storage_args args{sizeof(args), 0, nullptr, device_.handle(), handle_};
    PluginError error;
    device_.api().unmap(&args, &error);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  std::byte* pointer() const { return pointer_; }

 private:
  OpenDevice& device_;
  const std::uint64_t handle_;
  std::byte* pointer_ = nullptr;
};

/// The same elements as host memory, given where the storage lies in it.
Location in_host_memory(const Location& location, std::byte* storage) {
  return Location::host(storage + location.offset_bytes, location.strides);
}

std::byte* address_of(const Location& location) {
  return reinterpret_cast<std::byte*>(location.storage->handle());
}

void copy_from_address(DType dtype, const Dims& shape, const Location& source,
                       const Location& destination) {
  source.storage->wait_for_writes();
  copy_from_host(dtype, shape, in_host_memory(source, address_of(source)), destination);
}

void copy_to_address(DType dtype, const Dims& shape, const Location& source,
                     const Location& destination) {
  destination.storage->wait_until_idle();
  copy_to_host(dtype, shape, source, in_host_memory(destination, address_of(destination)));
}

void copy_from_mapping(DType dtype, const Dims& shape, const Location& source,
                       const Location& destination) {
  source.storage->wait_for_writes();
  const Mapping mapping(*source.device, *source.storage, SY_MAP_READ);
  copy_from_host(dtype, shape, in_host_memory(source, mapping.pointer()), destination);
}

void copy_to_mapping(DType dtype, const Dims& shape, const Location& source,
                     const Location& destination) {
  destination.storage->wait_until_idle();
  const Mapping mapping(*destination.device, *destination.storage, SY_MAP_READ | SY_MAP_WRITE);
  copy_to_host(dtype, shape, source, in_host_memory(destination, mapping.pointer()));
}

void copy_through_staging(DType dtype, const Dims& shape, const Location& source,
                          const Location& destination) {
  const CopyBuffer memory(*destination.device, byte_size(dtype, element_count(shape)));
  const Location staging = Location::host(memory.data(), contiguous_strides(shape));
  copy_to_host(dtype, shape, source, staging);
  copy_from_host(dtype, shape, staging, destination);
}

/// How elements are copied, and its name in a timeline.
struct CopyPath {
  std::string_view name;
  void (*copy)(DType dtype, const Dims& shape, const Location& source, const Location& destination);
};

CopyPath path_across(OpenDevice& from, OpenDevice& to) {
  if (to.reaches(from)) return {"peer", copy_from_peer};
  if (from.addressable()) return {"address of the source", copy_from_address};
  if (to.addressable()) return {"address of the destination", copy_to_address};
  if (from.info().memory_kind == SY_MEMORY_MAPPABLE)
    return {"map of the source", copy_from_mapping};
  if (to.info().memory_kind == SY_MEMORY_MAPPABLE) {
    return {"map of the destination", copy_to_mapping};
  }
  return {"staging", copy_through_staging};
}

CopyPath path_between(const Location& source, const Location& destination) {
  if (!source.device) return {"from the host", copy_from_host};
  if (!destination.device) return {"to the host", copy_to_host};
  if (source.device == destination.device) return {"within the device", copy_within};
  return path_across(*source.device, *destination.device);
}

trace::Facts facts_of(const OpenDevice* source, const OpenDevice* destination, std::string_view way,
                      std::size_t bytes) {
  constexpr std::string_view host = "host";
  trace::Facts facts;
  facts.add("from", source ? source->name() : host);
  facts.add("to", destination ? destination->name() : host);
  facts.add("way", way).add("bytes", bytes);
  return facts;
}

}  // namespace

void transfer(DType dtype, const Dims& shape, const Location& source, const Location& destination) {
  if (element_count(shape) == 0) return;
  const CopyPath path = path_between(source, destination);
  const OpenDevice& device = source.device ? *source.device : *destination.device;
  std::optional<trace::Span> span;
  if (trace::Timeline* timeline = device.timeline()) {
    const std::size_t bytes = byte_size(dtype, element_count(shape));
    span.emplace(*timeline, "copy", "copy",
                 facts_of(source.device, destination.device, path.name, bytes));
  }
  path.copy(dtype, shape, source, destination);
}

}  // namespace switchyard
