/// Memory for what a message's structs point to, given back all at once.
#pragma once

#include <switchyard/plugin/division.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace switchyard::isolation {

class Scratch {
 public:
  /// `count` elements, all zero.
  template <typename Element>
  Element* array(std::size_t count) {
    if (count > SIZE_MAX / sizeof(Element) / 2) throw std::bad_alloc();
    return static_cast<Element*>(zeroed(count * sizeof(Element)));
  }

  /// Gives all of it back. What one message usually takes is kept for the next.
  void clear() noexcept {
    if (blocks_.size() > 1) blocks_.resize(1);
    used_ = 0;
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{16} << 10;

  struct Block {
    std::unique_ptr<std::byte[]> data;
    std::size_t bytes;
  };

  void* zeroed(std::size_t bytes) {
    bytes = sy::ceil_div(bytes, alignof(std::max_align_t)) * alignof(std::max_align_t);
    if (blocks_.empty() || bytes > blocks_.back().bytes - used_) {
      const std::size_t size = std::max(bytes, kBlock);
      blocks_.push_back({std::unique_ptr<std::byte[]>(new std::byte[size]), size});
      used_ = 0;
    }
    std::byte* const start = blocks_.back().data.get() + used_;
    used_ += bytes;
    std::fill_n(start, bytes, std::byte{0});
    return start;
  }

  std::vector<Block> blocks_;
  std::size_t used_ = 0;  // of the last block
};

}  // namespace switchyard::isolation
