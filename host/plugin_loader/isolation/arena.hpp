/// Blocks of shared memory. What is free is known to this process alone: the other one can neither
/// read nor change it.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>

#include "plugin_loader/isolation/shared_memory.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard::isolation {

/// Hands out whole pages of one range of shared memory. Any thread may call it.
class Arena {
 public:
  /// Of so many bytes, or of less where the system gives no more. Throws std::system_error.
  explicit Arena(std::size_t bytes) : memory_(bytes) { free_[memory_.begin()] = memory_.bytes(); }

  const SharedMemory& memory() const noexcept { return memory_; }

  /// At least `bytes`, aligned to a power of two; null if there is no room.
  std::byte* allocate(std::size_t bytes, std::size_t alignment = 1);
  /// Ends a block. Its memory goes back to the system at once, or is kept for the next of its size
  /// while not much else is.
  void release(std::byte* block, bool at_once = false) noexcept;
  /// Gives back what is kept. Returns how many bytes that is.
  std::size_t trim() noexcept;

 private:
  using Blocks = std::map<std::byte*, std::size_t>;  // bytes by first
  using Block = Blocks::node_type;  // goes from one to another without taking memory
  static constexpr std::size_t kMostKept = std::size_t{64} << 20;

  std::byte* take_kept(std::size_t bytes, std::size_t alignment);  // the caller holds the lock
  std::byte* take_free(std::size_t bytes, std::size_t alignment);  // the same
  void give_back(Block block) noexcept;                            // the same
  std::size_t give_back_kept(std::size_t most) noexcept;           // the same

  SharedMemory memory_;
  trace::QuietMutex guard_;
  Blocks free_;  // no two touch; they take no memory
  Blocks used_;
  std::deque<Block> kept_;  // neither, the latest at the end
  std::size_t kept_bytes_ = 0;
};

/// A block as long as this lives.
class ArenaBlock {
 public:
  ArenaBlock() = default;
  /// Throws std::bad_alloc where there is no room.
  ArenaBlock(Arena& arena, std::size_t bytes);
  ~ArenaBlock() {
    if (data_ != nullptr) arena_->release(data_);
  }
  ArenaBlock(ArenaBlock&& other) noexcept;
  ArenaBlock& operator=(ArenaBlock&& other) noexcept;

  std::byte* data() const noexcept { return data_; }
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  Arena* arena_ = nullptr;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace switchyard::isolation
