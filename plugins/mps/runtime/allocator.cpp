#include "runtime/allocator.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "switchyard/plugin/division.hpp"

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

size_t round_up(size_t bytes, size_t step) { return sy::ceil_div(bytes, step) * step; }

// At most an eighth of a block is lost, and blocks of nearly equal sizes serve each other.
size_t block_size(size_t bytes, const seam::Device& device) {
  const size_t alignment = device.placement_alignment();
  const size_t power = std::bit_floor(std::max(bytes, alignment));
  const size_t size = round_up(std::max(bytes, alignment), std::max(power / 8, alignment));
  return size <= device.info().max_buffer_bytes ? size : round_up(bytes, alignment);
}

HeapSize heap_size_for(size_t bytes) {
  for (const HeapSize& size : heap_sizes) {
    if (bytes <= size.largest_block) return size;
  }
  const size_t whole = round_up(bytes, 2 * mebi);
  return {whole, whole};
}

}  // namespace

Allocator::Allocator(seam::Device& device, seam::StorageMode mode, Watermarks watermarks,
                     std::function<void()> wait_for_all)
    : device_(device),
      mode_(mode),
      watermarks_(watermarks),
      wait_for_all_(std::move(wait_for_all)) {}

// The heaps go with their blocks, so that nothing is given back to them: that may want memory.
Allocator::~Allocator() {
  for (const auto& [bytes, blocks] : free_) {
    for (const Block* block : blocks) delete block;
  }
}

Block* Allocator::allocate(size_t bytes, const ProgressRef& stream, FirstWriter first_writer) {
  if (bytes > device_.info().max_buffer_bytes) {
    throw seam::Failure(seam::Fault::unsupported,
                        "a buffer of " + std::to_string(bytes) + " bytes: this device takes " +
                            std::to_string(device_.info().max_buffer_bytes) + " at most");
  }
  const size_t size = block_size(bytes, device_);
  if (Block* block = try_allocate(size, stream, first_writer)) return block;
  trim();
  if (Block* block = try_allocate(size, stream, first_writer)) return block;
  wait_for_all_();
  trim();
  if (Block* block = try_allocate(size, stream, first_writer)) return block;
  fail(bytes);
}

Block* Allocator::try_allocate(size_t bytes, const ProgressRef& stream, FirstWriter first_writer) {
  const std::lock_guard lock(mutex_);
  Block* block = take_cached(bytes, stream, first_writer);
  if (block == nullptr) block = place(bytes);
  if (block == nullptr) return nullptr;
  block->stream = stream;
  block->allocated_turn = stream ? stream->turns.load() : 0;
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
    const bool is_idle = block->is_idle();
    if (!in_order && !is_idle) continue;
    if (is_idle) block->released_at = 0;  // the number is of a stream that may be another
    blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(i));
    ++statistics_.reuses;
    return block;
  }
  return nullptr;
}

Block* Allocator::place(size_t bytes) {
  if (Block* block = place_on_heaps(bytes)) return block;
  const bool is_above_low = !fits_below(watermarks_.low, heap_size_for(bytes).heap);
  if (is_above_low) {
    collect_old();
    if (Block* block = place_on_heaps(bytes)) return block;
  }
  return add_heap(bytes) ? place_on_heaps(bytes) : nullptr;
}

Block* Allocator::place_on_heaps(size_t bytes) {
  const size_t largest_block = heap_size_for(bytes).largest_block;
  for (const auto& heap : heaps_) {
    if (heap->largest_block != largest_block) continue;
    if (const auto offset = heap->space.take(bytes)) return make_block(*heap, *offset, bytes);
  }
  return nullptr;
}

Block* Allocator::make_block(AllocatorHeap& heap, size_t offset, size_t bytes) {
  auto block = std::make_unique<Block>();
  block->heap = &heap;
  block->offset = offset;
  block->bytes = bytes;
  try {
    block->buffer = heap.heap->place(bytes, offset);
  } catch (...) {
    heap.space.give(offset, bytes);
    throw;
  }
  return block.release();
}

// A heap of the size that serves many blocks, or of what there is room for.
bool Allocator::add_heap(size_t bytes) {
  const HeapSize preferred = heap_size_for(bytes);
  if (fits_below(watermarks_.low, preferred.heap) && try_add_heap(preferred.heap, bytes)) {
    return true;
  }
  for (const size_t size : {round_up(bytes, 2 * mebi), bytes}) {
    if (try_add_heap(size, bytes)) return true;
  }
  return false;
}

bool Allocator::try_add_heap(size_t size, size_t bytes) {
  if (watermarks_.high > 0 && !fits_below(watermarks_.high, size)) return false;
  try {
    heaps_.push_back(std::make_unique<AllocatorHeap>(AllocatorHeap{
        device_.heap(size, mode_), HeapSpace(size), heap_size_for(bytes).largest_block}));
  } catch (const seam::Failure& failure) {
    if (failure.fault() == seam::Fault::out_of_memory) return false;
    throw;
  }
  statistics_.heap_bytes += size;
  statistics_.heaps = heaps_.size();
  return true;
}

// What the device counts holds memory that graphs take for themselves, too.
bool Allocator::fits_below(double watermark, size_t bytes) const {
  const auto limit = watermark * static_cast<double>(device_.info().working_set_bytes);
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
  return_blocks(
      [&](const Block& block) { return block.is_idle() && block.released_turn <= average; });
  return_heaps();
}

void Allocator::release(Block* block) {
  const std::lock_guard lock(mutex_);
  if (block->stream) block->released_at = block->stream->enqueued.load(std::memory_order_acquire);
  block->released_turn = ++turn_;
  statistics_.used_bytes -= block->bytes;
  free_[block->bytes].push_back(block);
}

seam::Ref<seam::Buffer> Allocator::part(const Block& block, size_t offset, size_t bytes) {
  return block.heap->heap->place(bytes, block.offset + offset);
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
  std::string limit = "the device gives no more";
  if (watermarks_.high > 0) {
    const double most = watermarks_.high * static_cast<double>(device_.info().working_set_bytes);
    limit = "the limit is " + std::to_string(static_cast<uint64_t>(most)) +
            " (options.high_watermark times the working set that the system recommends)";
  }
  throw seam::Failure(
      seam::Fault::out_of_memory,
      "no room for " + std::to_string(bytes) + " bytes: " + std::to_string(statistics_.used_bytes) +
          " are in use of the device's " + std::to_string(device_.allocated_bytes()) +
          " that are taken, the largest free run is " + std::to_string(run) + ", and " + limit +
          "; use smaller inputs" + (watermarks_.high > 0 ? " or raise it" : ""));
}

}  // namespace mps
