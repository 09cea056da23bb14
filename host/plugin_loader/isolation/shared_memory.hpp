/// Memory that this process shares with the one that serves a plugin, at the same addresses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace switchyard::isolation {

/// A range of addresses backed by memory without a name: pages take memory once they are touched.
/// Both processes have it at the same addresses, so that pointers into it are handles.
class SharedMemory {
 public:
  /// Makes a new one of `bytes`, or of less where the system gives no more. Throws
  /// std::system_error.
  explicit SharedMemory(std::size_t bytes);
  /// Shows one that another process made, at its addresses there. Takes the descriptor. Throws
  /// std::system_error, also where something else of this process lies there.
  SharedMemory(int descriptor, std::uint64_t address, std::size_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::byte* begin() const noexcept { return begin_; }
  std::size_t bytes() const noexcept { return bytes_; }
  int descriptor() const noexcept { return descriptor_; }
  bool holds(const void* pointer, std::size_t bytes) const noexcept;

  /// Gives the memory of whole pages back to the system, where it can; they read as anything then.
  /// Does nothing in a child of fork(): the memory is its parent's, too.
  void discard(std::byte* first, std::size_t bytes) noexcept;

 private:
  int descriptor_ = -1;
  std::byte* begin_ = nullptr;
  std::size_t bytes_ = 0;
  const int process_;  // whose it is
};

/// The unit in which the system gives memory.
std::size_t page_bytes() noexcept;

}  // namespace switchyard::isolation
