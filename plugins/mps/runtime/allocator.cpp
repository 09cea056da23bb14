#include "runtime/allocator.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace mps {

struct AllocatorHeap {
  seam::Ref<seam::Heap> heap;
  HeapSpace space;
  size_t largest_block;  // it serves blocks up to this size
};

namespace {

constexpr size_t kibi = 1024;
constexpr size_t mebi = 1024 * kibi;

// Small blocks share heaps with small ones only, so that a large block's heap can go back whole.
struct HeapSize {
  size_t largest_block;
  size_t heap;
};
constexpr HeapSize heap_sizes[] = {
    {1 * mebi, 8 * mebi}, {10 * mebi, 32 * mebi}, {64 * mebi, 256 * mebi}};

// At most an eighth of a block is lost, and blocks of nearly equal sizes serve each other.
size_t block_size(size_t bytes, size_t alignment) {
  const size_t rounded = std::max(bytes, alignment);
  const size_t power = std::bit_floor(rounded);
  const size_t step = std::max(power / 8, alignment);
  return (rounded + step - 1) / step * step;
}

HeapSize heap_size_for(size_t bytes) {
  for (const HeapSize& size : heap_sizes) {
    if (bytes <= size.largest_block) return size;
  }
  const size_t whole = (bytes + 2 * mebi - 1) / (2 * mebi) * (2 * mebi);
  return {whole, whole};
}

}  // namespace

Allocator::Allocator(seam::Device& device, seam::StorageMode mode, Watermarks watermarks,
                     std::function<void()> wait_for_all)
    : device_(device),
      mode_(mode),
      watermarks_(watermarks),
      wait_for_all_(std::move(wait_for_all)) {}

Allocator::~Allocator() {
  return_blocks([](const Block&) { return true; });
}

Block* Allocator::allocate(size_t bytes, const ProgressRef& stream, FirstWriter first_writer) {
  if (bytes > device_.info().max_buffer_bytes) {
    throw seam::Failure(seam::Fault::unsupported,
                        "a buffer of " + std::to_string(bytes) + " bytes: this device takes " +
                            std::to_string(device_.info().max_buffer_bytes) + " at most");
  }
  const size_t size = block_size(bytes, device_.placement_alignment());
  if (Block* block = try_allocate(size, stream, first_writer)) return block;
  trim();
  if (Block* block = try_allocate(size, stream, first_writer)) return block;
  wait_for_all_();
  trim();
  if (Block* block = try_allocate(size, stream, first_writer)) return block;
  fail(size);
}

Block* Allocator::try_allocate(size_t bytes, const ProgressRef& stream,
                               FirstWriter first_writer) {
  const std::lock_guard lock(mutex_);
  Block* block = take_cached(bytes, stream, first_writer);
  if (block == nullptr) block = place(bytes);
  if (block == nullptr) return nullptr;
  block->stream = stream;
  ++statistics_.allocations;
  statistics_.used_bytes += bytes;
  statistics_.peak_used_bytes = std::max(statistics_.peak_used_bytes, statistics_.used_bytes);
  return block;
}

Block* Allocator::take_cached(size_t bytes, const ProgressRef& stream, FirstWriter first_writer) {
  const auto bin = free_.find(bytes);
  if (bin == free_.end()) return nullptr;
  std::vector<Block*>& blocks = bin->second;
  // The youngest first: it is likeliest to be in a cache.
  for (size_t i = blocks.size(); i-- > 0;) {
    Block* block = blocks[i];
    const bool in_order = first_writer == FirstWriter::device && block->stream == stream;
    if (!in_order && !block->is_idle()) continue;
    blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(i));
    ++statistics_.reuses;
    return block;
  }
  return nullptr;
}

Block* Allocator::place(size_t bytes) {
  const HeapSize size = heap_size_for(bytes);
  AllocatorHeap* chosen = nullptr;
  std::optional<size_t> offset;
  for (const auto& heap : heaps_) {
    if (heap->largest_block != size.largest_block) continue;
    offset = heap->space.take(bytes);
    if (offset) {
      chosen = heap.get();
      break;
    }
  }
  if (chosen == nullptr) {
    chosen = add_heap(bytes);
    if (chosen == nullptr) return nullptr;
    offset = chosen->space.take(bytes);
  }
  auto block = std::make_unique<Block>();
  block->heap = chosen;
  block->offset = *offset;
  block->bytes = bytes;
  try {
    block->buffer = chosen->heap->place(bytes, *offset);
  } catch (...) {
    chosen->space.give(*offset, bytes);
    throw;
  }
  return block.release();
}

AllocatorHeap* Allocator::add_heap(size_t bytes) {
  HeapSize size = heap_size_for(bytes);
  if (!fits_below(watermarks_.low, size.heap)) collect_old();
  if (!fits_below(watermarks_.low, size.heap)) size.heap = std::max(bytes, 2 * mebi);
  if (watermarks_.high > 0 && !fits_below(watermarks_.high, size.heap)) return nullptr;
  try {
    auto made = std::make_unique<AllocatorHeap>(
        AllocatorHeap{device_.heap(size.heap, mode_), HeapSpace(size.heap), size.largest_block});
    heaps_.push_back(std::move(made));
  } catch (const seam::Failure& failure) {
    if (failure.fault() == seam::Fault::out_of_memory) return nullptr;
    throw;
  }
  statistics_.heap_bytes += size.heap;
  statistics_.heaps = heaps_.size();
  return heaps_.back().get();
}

// What the device counts holds memory that graphs take for themselves, too.
bool Allocator::fits_below(double watermark, size_t bytes) const {
  const auto limit =
      watermark * static_cast<double>(device_.info().working_set_bytes);
  return static_cast<double>(device_.allocated_bytes() + bytes) <= limit;
}

// Blocks that were released longer ago than the average one.
void Allocator::collect_old() {
  uint64_t sum = 0, count = 0;
  for (const auto& [size, blocks] : free_) {
    for (const Block* block : blocks) {
      sum += block->released_turn;
      ++count;
    }
  }
  if (count == 0) return;
  const uint64_t average = sum / count;
  return_blocks([&](const Block& block) {
    return block.is_idle() && block.released_turn <= average;
  });
  return_heaps();
}

void Allocator::release(Block* block) {
  const std::lock_guard lock(mutex_);
  if (block->stream) block->released_at = block->stream->enqueued.load(std::memory_order_acquire);
  block->released_turn = ++turn_;
  statistics_.used_bytes -= block->bytes;
  free_[block->bytes].push_back(block);
}

size_t Allocator::trim() {
  const std::lock_guard lock(mutex_);
  return_blocks([](const Block& block) { return block.is_idle(); });
  return return_heaps();
}

size_t Allocator::return_blocks(const std::function<bool(const Block&)>& which) {
  size_t bytes = 0;
  for (auto bin = free_.begin(); bin != free_.end();) {
    std::erase_if(bin->second, [&](Block* block) {
      if (!which(*block)) return false;
      block->heap->space.give(block->offset, block->bytes);
      bytes += block->bytes;
      delete block;
      return true;
    });
    bin = bin->second.empty() ? free_.erase(bin) : std::next(bin);
  }
  return bytes;
}

size_t Allocator::return_heaps() {
  size_t bytes = 0;
  std::erase_if(heaps_, [&](const std::unique_ptr<AllocatorHeap>& heap) {
    if (!heap->space.is_free()) return false;
    bytes += heap->heap->size();
    return true;
  });
  statistics_.heap_bytes -= bytes;
  statistics_.heaps = heaps_.size();
  return bytes;
}

AllocatorStatistics Allocator::statistics() const {
  const std::lock_guard lock(mutex_);
  AllocatorStatistics statistics = statistics_;
  statistics.cached_bytes = statistics.heap_bytes - statistics.used_bytes;
  return statistics;
}

void Allocator::fail(size_t bytes) const {
  const std::lock_guard lock(mutex_);
  size_t run = 0;
  for (const auto& heap : heaps_) run = std::max(run, heap->space.largest_range());
  const auto limit = static_cast<uint64_t>(
      watermarks_.high * static_cast<double>(device_.info().working_set_bytes));
  throw seam::Failure(
      seam::Fault::out_of_memory,
      "no room for " + std::to_string(bytes) + " bytes: " + std::to_string(statistics_.used_bytes) +
          " are in use, the largest free run is " + std::to_string(run) + ", and the limit is " +
          std::to_string(limit) +
          " (options.high_watermark times the working set that the system recommends); use smaller "
          "inputs or raise it");
}

}  // namespace mps
