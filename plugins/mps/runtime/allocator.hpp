// Storages of a device: buffers placed on heaps, kept for reuse when they are released.
//
// A released block serves its own stream at once, since that runs in order, and everybody once the
// work that was enqueued when it was released has completed. Memory that is not in use goes back to
// the device when the working set grows beyond the low watermark. An allocation that would pass the
// high watermark, or that the device refuses, first returns every free block, then waits for all
// work and returns the rest; only then it fails, and says how large the largest free run is.
//
// Any thread may call any member.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/heap_space.hpp"
#include "runtime/progress.hpp"
#include "seam/seam.hpp"

namespace mps {

struct AllocatorHeap;

// A storage. Its buffer may be larger than what was asked for.
struct Block {
  seam::Ref<seam::Buffer> buffer;
  AllocatorHeap* heap = nullptr;
  size_t offset = 0;
  size_t bytes = 0;
  ProgressRef stream;           // who used it first; null: anybody
  uint64_t released_at = 0;     // what was enqueued on `stream` when it was last released
  uint64_t released_turn = 0;   // counts releases, to tell old from young
  uint64_t allocated_turn = 0;  // `turns` of `stream`, when it was last allocated

  // True if nothing that was enqueued before the last release can still touch it: so the host may,
  // whoever holds it.
  bool is_idle() const { return !stream || stream->has_completed(released_at); }

  // True if besides nothing that is ordered before the next operation of `progress` uses it since.
  // Another stream's work would have to be waited for, which is a turn too.
  bool is_untouched_for(const ProgressRef& progress) const {
    return stream == progress && progress->turns == allocated_turn && is_idle();
  }
};

// Who writes a new block first. The device's writes are in order behind the stream's earlier work
// on the block; the host's are not, and need a block that nothing uses any more.
enum class FirstWriter { device, host };

struct Watermarks {
  double low = 1.4;   // times the recommended working set: above it, old free memory goes back
  double high = 1.7;  // nothing is allocated beyond it; 0: no limit but the device's
};

struct AllocatorStatistics {
  size_t used_bytes = 0;
  size_t cached_bytes = 0;  // free blocks and the free ranges of heaps
  size_t peak_used_bytes = 0;
  size_t heap_bytes = 0;
  uint64_t allocations = 0;
  uint64_t reuses = 0;
  uint64_t heaps = 0;
};

class Allocator {
 public:
  // `wait_for_all` commits and waits for all work of the device, and lets go of what else can be
  // spared; it is called without a lock.
  Allocator(seam::Device& device, seam::StorageMode mode, Watermarks watermarks,
            std::function<void()> wait_for_all);
  ~Allocator();
  Allocator(const Allocator&) = delete;
  Allocator& operator=(const Allocator&) = delete;

  // Throws Failure(out_of_memory), or Failure(unsupported) beyond the largest buffer.
  Block* allocate(size_t bytes, const ProgressRef& stream,
                  FirstWriter first_writer = FirstWriter::device);
  void release(Block* block);

  // A buffer over a part of a block that is in use, `offset` bytes after the block's beginning,
  // where the device places buffers. Parts that overlap must not be in use at the same time.
  static seam::Ref<seam::Buffer> part(const Block& block, size_t offset, size_t bytes);

  // Gives back all that is free; returns how many bytes.
  size_t trim();
  AllocatorStatistics statistics() const;

 private:
  using Free = std::map<size_t, std::vector<Block*>>;  // by size

  Block* try_allocate(size_t bytes, const ProgressRef& stream, FirstWriter first_writer);
  Block* take_cached(size_t bytes, const ProgressRef& stream, FirstWriter first_writer);
  Block* place(size_t bytes);
  Block* place_on_heaps(size_t bytes);
  Block* make_block(AllocatorHeap& heap, size_t offset, size_t bytes);
  bool add_heap(size_t bytes);
  bool try_add_heap(size_t size, size_t bytes);
  bool fits_below(double watermark, size_t bytes) const;
  void collect_old();
  size_t return_blocks(const std::function<bool(const Block&)>& which);
  size_t return_heaps();
  [[noreturn]] void fail(size_t bytes) const;

  seam::Device& device_;
  const seam::StorageMode mode_;
  const Watermarks watermarks_;
  const std::function<void()> wait_for_all_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<AllocatorHeap>> heaps_;
  Free free_;
  uint64_t turn_ = 0;
  AllocatorStatistics statistics_;
};

}  // namespace mps
