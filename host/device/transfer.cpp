#include "device/transfer.hpp"

#include <memory>
#include <vector>

#include "device/status.hpp"

namespace switchyard {
namespace {

sy_region region_of_storage(const Place& place) {
  sy_region region{};
  region.struct_size = sizeof(region);
  region.kind = SY_REGION_STORAGE;
  region.handle = place.storage->handle();
  region.offset_bytes = place.offset_bytes;
  region.strides = place.strides.data();
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

void note_use(const Enqueued& work, Storage& storage) {
  if (!work.stream->synchronous()) storage.record_use(*work.stream, work.sequence);
}

void copy_within(OpenDevice& device, DType dtype, const Dims& shape, const Place& source,
                 const Place& destination) {
  source.storage->wait_for_others(&device.stream());
  const Enqueued work = device.copy(static_cast<sy_dtype>(dtype), shape.span(),
                                    region_of_storage(source), region_of_storage(destination));
  note_use(work, *source.storage);
  note_use(work, *destination.storage);
}

void copy_from_host(DType dtype, const Dims& shape, const void* pointer, const Dims& strides,
                    const Place& destination) {
  const Enqueued work =
      destination.device->copy(static_cast<sy_dtype>(dtype), shape.span(),
                               region_of_host(pointer, strides), region_of_storage(destination));
  note_use(work, *destination.storage);
  work.wait();
}

void copy_to_host(DType dtype, const Dims& shape, const Place& source, void* pointer,
                  const Dims& strides) {
  OpenDevice& device = *source.device;
  source.storage->wait_for_others(&device.stream());
  const Enqueued work = device.copy(static_cast<sy_dtype>(dtype), shape.span(),
                                    region_of_storage(source), region_of_host(pointer, strides));
  work.wait();
}

void copy_from_peer(DType dtype, const Dims& shape, const Place& source, const Place& destination) {
  source.storage->wait_until_idle();
  sy_region from = region_of_storage(source);
  from.kind = SY_REGION_PEER;
  from.peer = source.device->handle();
  const Enqueued work = destination.device->copy(static_cast<sy_dtype>(dtype), shape.span(), from,
                                                 region_of_storage(destination));
  // Nothing is recorded on the source: its device may outlive the one whose stream this is.
  work.wait();
}

/// A whole storage mapped into host memory as long as this lives.
class Mapping {
 public:
  Mapping(OpenDevice& device, Storage& storage, std::uint32_t access)
      : device_(device), storage_(storage) {
    sy_map_args args{};
    args.struct_size = sizeof(args);
    args.access = access;
    args.device = device.handle();
    args.storage = storage.handle();
    args.size_bytes = storage.bytes();
    PluginError error;
    device.check_call(device.api().map(&args, &error), error, "map");
    pointer_ = static_cast<std::byte*>(args.pointer);
  }
  ~Mapping() {
    sy_storage_args args{sizeof(args), 0, nullptr, device_.handle(), storage_.handle()};
    PluginError error;
    device_.api().unmap(&args, &error);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  std::byte* pointer() const { return pointer_; }

 private:
  OpenDevice& device_;
  Storage& storage_;
  std::byte* pointer_ = nullptr;
};

std::byte* address_of(const Place& place) {
  return reinterpret_cast<std::byte*>(place.storage->handle()) + place.offset_bytes;
}

void copy_through_staging(DType dtype, const Dims& shape, const Place& source,
                          const Place& destination) {
  const auto staging = std::make_unique<std::byte[]>(byte_size(dtype, element_count(shape)));
  const Dims strides = contiguous_strides(shape);
  copy_to_host(dtype, shape, source, staging.get(), strides);
  copy_from_host(dtype, shape, staging.get(), strides, destination);
}

void copy_across(DType dtype, const Dims& shape, const Place& source, const Place& destination) {
  OpenDevice& from = *source.device;
  OpenDevice& to = *destination.device;
  if (&from.plugin() == &to.plugin() && to.has(SY_DEVICE_PEER_COPY)) {
    return copy_from_peer(dtype, shape, source, destination);
  }
  if (from.addressable()) {
    source.storage->wait_until_idle();
    return copy_from_host(dtype, shape, address_of(source), source.strides, destination);
  }
  if (to.addressable()) {
    destination.storage->wait_until_idle();
    return copy_to_host(dtype, shape, source, address_of(destination), destination.strides);
  }
  if (from.info().memory_kind == SY_MEMORY_MAPPABLE) {
    source.storage->wait_until_idle();
    const Mapping mapping(from, *source.storage, SY_MAP_READ);
    return copy_from_host(dtype, shape, mapping.pointer() + source.offset_bytes, source.strides,
                          destination);
  }
  if (to.info().memory_kind == SY_MEMORY_MAPPABLE) {
    destination.storage->wait_until_idle();
    const Mapping mapping(to, *destination.storage, SY_MAP_READ | SY_MAP_WRITE);
    return copy_to_host(dtype, shape, source, mapping.pointer() + destination.offset_bytes,
                        destination.strides);
  }
  copy_through_staging(dtype, shape, source, destination);
}

/// Holds the original as long as another device may read it through the import.
class ImportOwner final : public StorageOwner {
 public:
  ImportOwner(OpenDevice& device, StorageRef original)
      : device_(device.shared_from_this()), original_(std::move(original)) {}
  void recycle(Storage* storage) noexcept override {
    storage->settle();
    device_->release_block(storage->handle());
    delete storage;
    delete this;
  }

 private:
  std::shared_ptr<OpenDevice> device_;
  StorageRef original_;
};

}  // namespace

void transfer(DType dtype, const Dims& shape, const Place& source, const Place& destination) {
  if (element_count(shape) == 0) return;
  if (!source.device) {
    return copy_from_host(dtype, shape, source.pointer, source.strides, destination);
  }
  if (!destination.device) {
    return copy_to_host(dtype, shape, source, destination.pointer, destination.strides);
  }
  if (source.device == destination.device) {
    return copy_within(*source.device, dtype, shape, source, destination);
  }
  copy_across(dtype, shape, source, destination);
}

StorageRef import_storage(OpenDevice& device, OpenDevice& home, const StorageRef& source) {
  if (!home.addressable() || !device.has(SY_DEVICE_IMPORTS_HOST_MEMORY)) return {};
  source->wait_until_idle();
  sy_import_args args{};
  args.struct_size = sizeof(args);
  args.device = device.handle();
  args.pointer = reinterpret_cast<void*>(source->handle());
  args.size_bytes = source->bytes();
  PluginError error;
  if (device.api().import_memory(&args, &error) != SY_OK) return {};
  auto* owner = new ImportOwner(device, source);
  return StorageRef(new Storage(*owner, args.storage, source->bytes()));
}

}  // namespace switchyard
