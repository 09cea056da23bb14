#include <switchyard/plugin/copy.hpp>

#include <algorithm>
#include <memory>
#include <vector>

#include "plugin_loader/isolation/deliveries.hpp"
#include "plugin_loader/isolation/proxy_call.hpp"
#include "plugin_loader/isolation/proxy_table.hpp"

namespace switchyard::isolation::proxy {
namespace {

/// A block of shared memory that the server's device imports. Its handle is its address on either
/// side.
sy_status allocate_shared(ProxyDevice& device, sy_allocate_args& args, sy_error* error) {
  Arena& arena = device.plugin.arena();
  std::byte* const block = arena.allocate(args.size_bytes, device.info.alignment);
  if (block == nullptr) {
    return refuse(error, SY_OUT_OF_MEMORY, SY_REASON_NONE,
                  "no memory is left to share with the process that serves it");
  }
  Child& child = child_of(device);
  sy_import_args importing{};
  importing.struct_size = sizeof(importing);
  importing.kind = SY_EXTERNAL_HOST;
  importing.device = args.device;
  importing.pointer = block;
  importing.size_bytes = args.size_bytes;
  sy_status status = child.call(Call::import_memory, importing, error);
  const auto address = reinterpret_cast<sy_storage>(block);
  if (status == SY_OK && importing.storage != address) {
    status = refuse(error, SY_BUG, SY_REASON_NONE,
                    "imported memory has a handle that is not its address, though the device is of "
                    "kind ADDRESS; it cannot be isolated");
  }
  if (status != SY_OK) {
    arena.release(block);
    return status;
  }
  device.plugin.note_storage(address, child);
  args.storage = address;
  return SY_OK;
}

sy_status release_shared(ProxyDevice& device, sy_storage_args& args, sy_error* error) {
  Child* const child = device.plugin.take_storage(args.storage);
  if (child == nullptr) {
    return refuse(error, SY_INVALID, SY_REASON_NONE, "release of a storage that does not live");
  }
  const sy_status status = call_to_end<Call::release>(Remote{child, 0}, &args, error);
  device.plugin.arena().release(reinterpret_cast<std::byte*>(args.storage), true);
  return status;
}

const void* host_pointer(const sy_region& region) {
  return reinterpret_cast<const std::byte*>(region.handle) + region.offset_bytes;
}

/// One copy with the host's memory on one side.
class HostCopy {
 public:
  HostCopy(sy_copy_args& args, sy_error* error)
      : args_(args),
        error_(error),
        stream_(stream_of(args.stream)),
        extents_(args.shape, args.rank),
        from_host_(args.source->kind == SY_REGION_HOST) {}

  /// Where work is over when a call returns, and this process sees the memory, it copies itself.
  sy_status copy_here() {
    if (from_host_) stream_.child->check_is_own();
    args_.sequence = 0;
    sy::copy_elements(args_.dtype, extents_, host_pointer(*args_.source), args_.source->strides,
                      const_cast<void*>(host_pointer(*args_.destination)),
                      args_.destination->strides);
    return SY_OK;
  }

  /// Else the elements go through a block that the server sees, too.
  sy_status copy_through_block() {
    stream_.child->check_is_own();
    const std::uint64_t bytes =
        sy::contiguous_bytes(args_.dtype, static_cast<std::uint64_t>(sy::element_count(extents_)));
    ArenaBlock block(device_of(args_.device).plugin.arena(), bytes);
    sy_region staged{};
    staged.struct_size = sizeof(staged);
    staged.kind = SY_REGION_HOST;
    staged.handle = reinterpret_cast<std::uint64_t>(block.data());
    sy_copy_args sent = args_;
    if (from_host_) {
      sy::copy_elements(args_.dtype, extents_, host_pointer(*args_.source), args_.source->strides,
                        block.data(), nullptr);
      sent.source = &staged;
    } else {
      sent.destination = &staged;
    }
    const sy_status status =
        stream_.child->call(Call::copy, sent, error_, CallContext{.stream = &stream_});
    if (status != SY_OK) return status;
    args_.sequence = sent.sequence;
    Delivery delivery{std::move(block)};
    if (!from_host_) delivery.deliver = unpacking();
    note_enqueued(stream_, sent.sequence, std::move(delivery));
    return SY_OK;
  }

 private:
  std::function<void(const std::byte*)> unpacking() const {
    const auto kept = [this](const std::int64_t* numbers) {
      return numbers == nullptr ? std::vector<std::int64_t>()
                                : std::vector<std::int64_t>(numbers, numbers + args_.rank);
    };
    return
        [dtype = args_.dtype, shape = kept(args_.shape), strides = kept(args_.destination->strides),
         destination =
             const_cast<void*>(host_pointer(*args_.destination))](const std::byte* block) {
          sy::copy_elements(dtype, sy::Extents(shape.data(), shape.size()), block, nullptr,
                            destination, strides.empty() ? nullptr : strides.data());
        };
  }

  sy_copy_args& args_;
  sy_error* const error_;
  ProxyStream& stream_;
  const sy::Extents extents_;
  const bool from_host_;
};

}  // namespace

sy_status allocate(sy_allocate_args* args, sy_error* error) {
  ProxyDevice& device = device_of(args->device);
  if (device.in_shared_memory) return allocate_shared(device, *args, error);
  Child& child = child_of(device);
  const sy_status status = child.call(Call::allocate, *args, error);
  if (status == SY_OK && args->storage != 0) {
    args->storage = reinterpret_cast<sy_storage>(new ProxyStorage{&child, args->storage});
  }
  return status;
}

sy_status release(sy_storage_args* args, sy_error* error) {
  ProxyDevice& device = device_of(args->device);
  if (device.in_shared_memory) return release_shared(device, *args, error);
  const std::unique_ptr<ProxyStorage> storage(as_proxy<ProxyStorage>(args->storage));
  return call_to_end<Call::release>(*storage, args, error);
}

sy_status import_memory(sy_import_args*, sy_error* error) {
  return refuse(error, SY_UNSUPPORTED, SY_REASON_CONFIG,
                "an isolated device cannot read this process's memory (isolation = \"process\")");
}

sy_status trim(sy_trim_args* args, sy_error* error) {
  const std::uint64_t freed = device_of(args->device).plugin.arena().trim();
  const sy_status status = call_by_device<Call::trim>(args, error);
  if (status == SY_OK) args->freed_bytes += freed;
  return status;
}

sy_status copy(sy_copy_args* args, sy_error* error) try {
  const bool has_host =
      args->source->kind == SY_REGION_HOST || args->destination->kind == SY_REGION_HOST;
  ProxyStream& stream = stream_of(args->stream);
  if (has_host) {
    HostCopy copy(*args, error);
    const bool peers =
        args->source->kind == SY_REGION_PEER || args->destination->kind == SY_REGION_PEER;
    const bool here = stream.device.in_shared_memory && stream.device.synchronous() && !peers;
    return here ? copy.copy_here() : copy.copy_through_block();
  }
  const sy_status status =
      stream.child->call(Call::copy, *args, error, CallContext{.stream = &stream});
  if (status == SY_OK) note_enqueued(stream, args->sequence, {});
  return status;
} catch (const StaleHandle& stale) {
  return refuse(error, SY_DEVICE_LOST, SY_REASON_NONE, stale.what());
} catch (const sy::Failure& failure) {
  return refuse(error, failure.status(), failure.reason(), failure.what());
} catch (const std::bad_alloc&) {
  return refuse(error, SY_OUT_OF_MEMORY, SY_REASON_NONE,
                "no memory is left to share with the process that serves it");
}

}  // namespace switchyard::isolation::proxy
