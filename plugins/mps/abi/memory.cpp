#include "abi/memory.hpp"

#include <memory>
#include <utility>

#include "abi/guard.hpp"
#include "abi/handles.hpp"
#include "ops/building/elementwise.hpp"
#include "switchyard/plugin/address.hpp"
#include "switchyard/plugin/copy.hpp"
#include "switchyard/plugin/copy_check.hpp"

namespace mps {
namespace {

// Types packed below a byte are contiguous; they are copied as bytes.
struct Elements {
  sy_dtype dtype;
  sy::Dimensions shape;

  Elements(const sy_copy_args& args) : dtype(args.dtype), shape({args.shape, args.rank}) {
    if (sy::dtype_bits(dtype) == 0) {
      throw sy::unsupported(SY_REASON_DTYPE, "no element type ", dtype);
    }
    if (!sy::is_sub_byte(dtype)) return;
    const int64_t bytes[] = {static_cast<int64_t>(
        sy::contiguous_bytes(dtype, static_cast<uint64_t>(sy::element_count(shape))))};
    dtype = SY_UINT8;
    shape = sy::Dimensions(bytes);
  }
  size_t bytes() const {
    return sy::contiguous_bytes(dtype, static_cast<uint64_t>(sy::element_count(shape)));
  }
};

const int64_t* strides_of(const sy_region& region, const Elements& elements,
                          const sy_copy_args& args) {
  return elements.dtype == args.dtype ? region.strides : nullptr;
}

Tensor tensor_of(const sy_region& region, const Elements& elements, const sy_copy_args& args) {
  Tensor tensor;
  tensor.dtype = elements.dtype;
  tensor.shape = elements.shape;
  tensor.strides = sy::strides_or_contiguous(elements.shape, strides_of(region, elements, args));
  tensor.block = &block_of(region.handle);
  tensor.offset_bytes = region.offset_bytes;
  return tensor;
}

Tensor contiguous_in(const Block& block, const Elements& elements) {
  Tensor tensor;
  tensor.dtype = elements.dtype;
  tensor.shape = elements.shape;
  tensor.strides = sy::contiguous_strides(elements.shape);
  tensor.block = &block;
  return tensor;
}

// The bytes from the first to the last element of a host's region that has elements.
HostRange host_range(const sy_region& region, const Elements& elements, const sy_copy_args& args) {
  const auto strides =
      sy::strides_or_contiguous(elements.shape, strides_of(region, elements, args));
  const auto element = static_cast<int64_t>(sy::dtype_bytes(elements.dtype));
  char* const origin = sy::address_of(region);
  HostRange range{origin, origin + element};
  for (size_t i = 0; i < elements.shape.rank; ++i) {
    const int64_t reach = (elements.shape[i] - 1) * strides[i] * element;
    (reach < 0 ? range.begin : range.end) += reach;
  }
  return range;
}

// True if no work can use the storage yet, so that the host may write to it at once. What is not
// aligned is for the other way to take or to refuse.
bool is_reachable_now(const Stream& stream, const Tensor& tensor) {
  return tensor.block->buffer->host() != nullptr &&
         tensor.offset_bytes % sy::dtype_bytes(tensor.dtype) == 0 &&
         tensor.block->is_untouched_for(stream.progress());
}

// The host's elements are read now, so that it may change them as soon as the call returns.
void encode_upload(Device& device, Stream& stream, const sy_copy_args& args,
                   const Elements& elements) {
  const sy_region& source = *args.source;
  const Tensor destination = tensor_of(*args.destination, elements, args);
  const int64_t* strides = strides_of(source, elements, args);
  if (is_reachable_now(stream, destination)) {
    sy::copy_elements(elements.dtype, elements.shape, sy::address_of(source), strides,
                      destination.block->buffer->host() + destination.offset_bytes,
                      destination.strides.data.data());
    return;
  }
  stream.begin_section("upload");
  const Block& staged = stream.upload_buffer(elements.bytes());
  sy::copy_elements(elements.dtype, elements.shape, sy::address_of(source), strides,
                    staged.buffer->host(), nullptr);
  encode_copy(device, stream, contiguous_in(staged, elements), destination);
}

void encode_download(Device& device, Stream& stream, const sy_copy_args& args,
                     const Elements& elements) {
  stream.begin_section("download");
  const sy_region& destination = *args.destination;
  std::shared_ptr<Block> staged = stream.download_buffer(elements.bytes());
  encode_copy(device, stream, tensor_of(*args.source, elements, args),
              contiguous_in(*staged, elements));
  const int64_t* given = strides_of(destination, elements, args);
  stream.afterwards([staged = std::move(staged), elements, address = sy::address_of(destination),
                     strides = sy::strides_or_contiguous(elements.shape, given),
                     pending = device.downloads().add(host_range(destination, elements, args))] {
    sy::copy_elements(elements.dtype, elements.shape, staged->buffer->host(), nullptr, address,
                      strides.data.data());
  });
}

// Before the stream is locked, since others may have to be waited for.
void wait_for_downloads(Device& device, const HostRange& range) {
  while (device.downloads().overlap(range)) device.wait_for_all();
}

void encode(Device& device, Stream& stream, const sy_copy_args& args, const Elements& elements) {
  const bool from_host = args.source->kind == SY_REGION_HOST;
  const bool to_host = args.destination->kind == SY_REGION_HOST;
  if (from_host && to_host) throw sy::invalid("a copy from the host to the host");
  if (args.source->kind == SY_REGION_PEER || args.destination->kind == SY_REGION_PEER) {
    throw sy::unsupported(SY_REASON_NONE, "no copies between two devices");
  }
  if (from_host) return encode_upload(device, stream, args, elements);
  if (to_host) return encode_download(device, stream, args, elements);
  stream.begin_section("copy");
  encode_copy(device, stream, tensor_of(*args.source, elements, args),
              tensor_of(*args.destination, elements, args));
}

}  // namespace

sy_status allocate(sy_allocate_args* args, sy_error* error) {
  return guard(error, [&] {
    ProgressRef progress = args->stream == nullptr ? nullptr : stream_of(args->stream).progress();
    Allocator& memory = device_of(args->device).memory();
    // Whoever comes first may be the host, which nothing orders behind earlier work.
    Block* block = memory.allocate(args->size_bytes, progress,
                                   progress ? FirstWriter::device : FirstWriter::host);
    args->storage = reinterpret_cast<uintptr_t>(block);
  });
}

sy_status release(sy_storage_args* args, sy_error* error) {
  return guard_release(error,
                       [&] { device_of(args->device).memory().release(&block_of(args->storage)); });
}

sy_status map(sy_map_args* args, sy_error* error) {
  return guard(error, [&] {
    const Block& block = block_of(args->storage);
    std::byte* bytes = block.buffer->host();
    if (bytes == nullptr) {
      throw sy::unsupported(SY_REASON_MEMORY, "this device's memory is its own: copy instead");
    }
    // The host comes at once, whatever earlier work still does with memory that was used again.
    while (!block.is_idle()) device_of(args->device).wait_for_all();
    args->pointer = bytes + args->offset_bytes;
  });
}

sy_status unmap(sy_storage_args*, sy_error*) { return SY_OK; }

sy_status trim(sy_trim_args* args, sy_error* error) {
  return guard(error, [&] {
    Device& device = device_of(args->device);
    device.executables().clear();
    args->freed_bytes = device.trim();
  });
}

sy_status memory_statistics(sy_memory_statistics_args* args, sy_error* error) {
  return guard(error, [&] {
    Device& device = device_of(args->device);
    const AllocatorStatistics statistics = device.memory().statistics();
    args->used_bytes = statistics.used_bytes;
    args->cached_bytes = statistics.cached_bytes;
    const uint64_t allocated = device.metal().allocated_bytes();
    const uint64_t working_set = device.info().working_set_bytes;
    args->free_bytes = working_set > allocated ? working_set - allocated : 0;
  });
}

sy_status copy(sy_copy_args* args, sy_error* error) {
  return guard(error, [&] {
    sy::require_known(*args);
    const Elements elements(*args);
    Stream& stream = stream_of(args->stream);
    if (args->source->kind == SY_REGION_HOST && elements.bytes() > 0) {
      wait_for_downloads(device_of(args->device), host_range(*args->source, elements, *args));
    }
    args->sequence = stream.record(elements.bytes(), [&] {
      if (elements.bytes() > 0) encode(device_of(args->device), stream, *args, elements);
    });
  });
}

}  // namespace mps
