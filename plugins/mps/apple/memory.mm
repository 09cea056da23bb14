#include "apple/memory.hpp"

#include <algorithm>

#include "apple/entry.hpp"
#include "apple/text.hpp"

namespace mps::apple {
namespace {

// Hazards are tracked, so that Metal itself orders the passes that share a buffer or a heap.
MTLResourceOptions options_of(seam::StorageMode mode) {
  return MTLResourceHazardTrackingModeTracked |
         (mode == seam::StorageMode::shared ? MTLResourceStorageModeShared
                                            : MTLResourceStorageModePrivate);
}

size_t round_up(size_t value, size_t step) { return (value + step - 1) / step * step; }

// Metal ends the process for a buffer beyond these limits.
void require_size(id<MTLDevice> device, size_t bytes) {
  if (bytes == 0) refuse("a buffer needs at least one byte");
  if (bytes > device.maxBufferLength) {
    refuse(seam::Fault::out_of_memory, "a buffer of " + std::to_string(bytes) +
                                           " bytes: " + utf8(device.name) + " takes no more than " +
                                           std::to_string(device.maxBufferLength) + " in one");
  }
}

}  // namespace

std::byte* Buffer::host() const {
  if (buffer_.storageMode == MTLStorageModePrivate) return nullptr;
  return static_cast<std::byte*>(buffer_.contents);
}

seam::Ref<seam::Buffer> Heap::place(size_t bytes, size_t offset) {
  return entry([&]() -> seam::Ref<seam::Buffer> {
    require_size(heap_.device, bytes);
    if (offset % alignment_ != 0 || offset > heap_.size || bytes > heap_.size - offset) {
      refuse("a heap of " + std::to_string(heap_.size) + " bytes, aligned to " +
             std::to_string(alignment_) + ", has no place for " + std::to_string(bytes) +
             " bytes at " + std::to_string(offset));
    }
    id<MTLBuffer> buffer = [heap_ newBufferWithLength:bytes options:options_ offset:offset];
    if (!buffer) {
      refuse(seam::Fault::out_of_memory, "Metal places no buffer of " + std::to_string(bytes) +
                                             " bytes at " + std::to_string(offset) +
                                             " of its heap");
    }
    return std::make_shared<Buffer>(buffer);
  });
}

seam::Ref<seam::Buffer> make_buffer(id<MTLDevice> device, size_t bytes, seam::StorageMode mode) {
  require_size(device, bytes);
  id<MTLBuffer> buffer = [device newBufferWithLength:bytes options:options_of(mode)];
  if (!buffer) {
    refuse(seam::Fault::out_of_memory,
           utf8(device.name) + " has no buffer of " + std::to_string(bytes) + " bytes");
  }
  return std::make_shared<Buffer>(buffer);
}

seam::Ref<seam::Heap> make_heap(id<MTLDevice> device, size_t bytes, seam::StorageMode mode) {
  if (bytes == 0) refuse("a heap needs at least one byte");
  const size_t alignment = placement_alignment(device);
  MTLHeapDescriptor* descriptor = [MTLHeapDescriptor new];
  descriptor.size = round_up(bytes, alignment);
  descriptor.type = MTLHeapTypePlacement;
  descriptor.hazardTrackingMode = MTLHazardTrackingModeTracked;
  descriptor.storageMode =
      mode == seam::StorageMode::shared ? MTLStorageModeShared : MTLStorageModePrivate;
  id<MTLHeap> heap = [device newHeapWithDescriptor:descriptor];
  if (!heap) {
    refuse(seam::Fault::out_of_memory,
           utf8(device.name) + " has no heap of " + std::to_string(bytes) + " bytes");
  }
  return std::make_shared<Heap>(heap, alignment, options_of(mode));
}

size_t placement_alignment(id<MTLDevice> device) {
  size_t alignment = 1;
  for (const seam::StorageMode mode : {seam::StorageMode::shared, seam::StorageMode::exclusive}) {
    for (const NSUInteger bytes : {NSUInteger{4}, NSUInteger{1} << 16, NSUInteger{1} << 24}) {
      const MTLSizeAndAlign need = [device heapBufferSizeAndAlignWithLength:bytes
                                                                    options:options_of(mode)];
      alignment = std::max<size_t>(alignment, need.align);
    }
  }
  return alignment;
}

id<MTLBuffer> metal(const seam::Ref<seam::Buffer>& buffer) {
  if (!buffer) refuse("a command needs a buffer and was given none");
  return static_cast<const Buffer&>(*buffer).metal();
}

void require_range(id<MTLBuffer> buffer, size_t offset, size_t bytes, const char* what) {
  const size_t size = buffer.length;
  if (offset > size || bytes > size - offset) {
    refuse(std::string(what) + ": bytes " + std::to_string(offset) + " to " +
           std::to_string(offset) + " + " + std::to_string(bytes) + " of a buffer of " +
           std::to_string(size));
  }
}

}  // namespace mps::apple
