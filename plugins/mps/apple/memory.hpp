// Buffers, alone or placed in heaps.
#pragma once

#include "apple/frameworks.hpp"
#include "seam/seam.hpp"

namespace mps::apple {

class Buffer final : public seam::Buffer {
 public:
  explicit Buffer(id<MTLBuffer> buffer) : buffer_(buffer) {}
  size_t size() const override { return buffer_.length; }
  std::byte* host() const override;
  id<MTLBuffer> metal() const { return buffer_; }

 private:
  id<MTLBuffer> buffer_;
};

class Heap final : public seam::Heap {
 public:
  Heap(id<MTLHeap> heap, size_t alignment, MTLResourceOptions options)
      : heap_(heap), alignment_(alignment), options_(options) {}
  size_t size() const override { return heap_.size; }
  seam::Ref<seam::Buffer> place(size_t bytes, size_t offset) override;

 private:
  id<MTLHeap> heap_;
  size_t alignment_;
  MTLResourceOptions options_;
};

// Throw Failure: invalid for no bytes or too many, out_of_memory where Metal gives none.
seam::Ref<seam::Buffer> make_buffer(id<MTLDevice> device, size_t bytes, seam::StorageMode mode);
seam::Ref<seam::Heap> make_heap(id<MTLDevice> device, size_t bytes, seam::StorageMode mode);

// One that suits buffers of every size and mode.
size_t placement_alignment(id<MTLDevice> device);

// The Metal buffer of one that this backend made. Throws Failure(invalid) for null.
id<MTLBuffer> metal(const seam::Ref<seam::Buffer>& buffer);

// Throws Failure(invalid) if [offset, offset + bytes) is not all within `buffer`.
void require_range(id<MTLBuffer> buffer, size_t offset, size_t bytes, const char* what);

}  // namespace mps::apple
