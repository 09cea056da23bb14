#include "software/memory.hpp"

#include <cstdlib>
#include <cstring>

#include "software/executor/sanitizers.hpp"

namespace mps::software {
namespace {

constexpr size_t block_alignment = 256;

void make_fresh(std::byte* begin, size_t bytes) {
  std::memset(begin, std::to_integer<int>(fresh_byte), bytes);
}

}  // namespace

Block::Block(std::shared_ptr<Ledger> ledger, size_t bytes)
    : ledger_(std::move(ledger)), bytes_(bytes) {
  if (bytes == 0) throw seam::Failure(seam::Fault::invalid, "a buffer of no bytes");
  ledger_->take(bytes);
  void* memory = nullptr;
  if (posix_memalign(&memory, block_alignment, bytes) != 0) {
    ledger_->give_back(bytes);
    throw seam::Failure(seam::Fault::out_of_memory,
                        "this machine has no " + std::to_string(bytes) + " bytes left");
  }
  begin_ = static_cast<std::byte*>(memory);
}

Block::~Block() {
  allow_access(begin_, bytes_);
  std::free(begin_);
  ledger_->give_back(bytes_);
}

std::byte* Buffer::host() const {
  return mode_ == seam::StorageMode::shared ? contents() : nullptr;
}

Buffer& software_buffer(const seam::Ref<seam::Buffer>& buffer) {
  auto* const found = dynamic_cast<Buffer*>(buffer.get());
  if (!found) throw seam::Failure(seam::Fault::invalid, "not a buffer of the software device");
  return *found;
}

OwnBuffer::OwnBuffer(std::shared_ptr<Ledger> ledger, size_t bytes, seam::StorageMode mode)
    : Buffer(bytes, mode), block_(std::move(ledger), bytes) {
  make_fresh(block_.begin(), bytes);
}

// Made fresh at its first use and not when placed: until then commands of an earlier buffer may
// still use the position.
class Heap::PlacedBuffer final : public Buffer {
 public:
  PlacedBuffer(std::shared_ptr<Heap> heap, Range range)
      : Buffer(range.end - range.begin, heap->mode_),
        begin_(heap->block_.begin() + range.begin),
        range_(heap->open(range)),
        heap_(std::move(heap)) {}
  ~PlacedBuffer() override { heap_->close(range_); }
  PlacedBuffer(const PlacedBuffer&) = delete;
  PlacedBuffer& operator=(const PlacedBuffer&) = delete;

  std::byte* contents() const override {
    std::call_once(used_, [this] { make_fresh(begin_, size()); });
    return begin_;
  }

 private:
  std::byte* const begin_;
  const std::list<Range>::iterator range_;
  const std::shared_ptr<Heap> heap_;
  mutable std::once_flag used_;
};

Heap::Heap(std::shared_ptr<Ledger> ledger, size_t bytes, seam::StorageMode mode)
    : block_(std::move(ledger), bytes), mode_(mode) {
  forbid_access(block_.begin(), bytes);
}

seam::Ref<seam::Buffer> Heap::place(size_t bytes, size_t offset) {
  if (bytes == 0 || offset % placement_alignment != 0 || offset > size() ||
      bytes > size() - offset) {
    throw seam::Failure(seam::Fault::invalid, "cannot place " + std::to_string(bytes) +
                                                  " bytes at " + std::to_string(offset) +
                                                  " of a heap of " + std::to_string(size()));
  }
  return std::make_shared<PlacedBuffer>(shared_from_this(), Range{offset, offset + bytes});
}

std::list<Heap::Range>::iterator Heap::open(Range range) {
  const std::lock_guard lock(guard_);
  allow_access(block_.begin() + range.begin, range.end - range.begin);
  return placed_.insert(placed_.end(), range);
}

void Heap::close(std::list<Range>::iterator range) {
  const std::lock_guard lock(guard_);
  const Range closed = *range;
  placed_.erase(range);
  // The sanitizer marks groups of 8 bytes; placements begin at multiples of 256.
  for (size_t at = closed.begin; at < closed.end; at += placement_alignment) {
    const Range piece{at, std::min(at + placement_alignment, closed.end)};
    size_t used_end = piece.begin;
    for (const Range& other : placed_) {
      if (other.begin <= piece.begin) {
        used_end = std::max(used_end, std::min(other.end, piece.end));
      }
    }
    forbid_access(block_.begin() + used_end, piece.end - used_end);
  }
}

}  // namespace mps::software
