/// The bytes of one message: values one after another, each at a multiple of its alignment.
#pragma once

#include <switchyard/plugin/division.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace switchyard::isolation {

/// A message that ends too early, or holds what nobody writes.
class BadMessage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Where a message is written: memory that grows.
class Room {
 public:
  virtual ~Room() = default;
  std::byte* data() const noexcept { return data_; }
  std::size_t bytes() const noexcept { return bytes_; }
  /// Makes room for `bytes`, keeping the first `written`. Throws std::bad_alloc.
  virtual void grow(std::size_t bytes, std::size_t written) = 0;

 protected:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

constexpr std::size_t kMessageAlignment = 64;

class MessageWriter {
 public:
  explicit MessageWriter(Room& room) : room_(room) {}

  std::size_t size() const noexcept { return size_; }

  template <typename Value>
  void put(const Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    put_bytes(&value, sizeof(Value), alignof(Value));
  }

  void put_bytes(const void* from, std::size_t bytes, std::size_t alignment) {
    const std::size_t start = sy::ceil_div(size_, alignment) * alignment;
    if (start + bytes > room_.bytes()) [[unlikely]]
      room_.grow(start + bytes, size_);
    if (bytes > 0) std::memcpy(room_.data() + start, from, bytes);
    size_ = start + bytes;
  }

 private:
  Room& room_;
  std::size_t size_ = 0;
};

class MessageReader {
 public:
  MessageReader(const std::byte* data, std::size_t size) : data_(data), size_(size) {}

  std::size_t left() const noexcept { return size_ - position_; }

  template <typename Value>
  Value take() {
    static_assert(std::is_trivially_copyable_v<Value>);
    Value value;
    std::memcpy(&value, view(sizeof(Value), alignof(Value)), sizeof(Value));
    return value;
  }

  /// The next bytes as they lie in the message. Throws BadMessage if there are fewer.
  const std::byte* view(std::size_t bytes, std::size_t alignment) {
    const std::size_t start = sy::ceil_div(position_, alignment) * alignment;
    if (start > size_ || bytes > size_ - start) [[unlikely]]
      throw BadMessage("a message ends too early");
    position_ = start + bytes;
    return data_ + start;
  }

  /// The same of `count` elements, whose bytes may be more than there are numbers.
  const std::byte* view_array(std::uint64_t count, std::size_t bytes, std::size_t alignment) {
    if (count > size_) [[unlikely]]
      throw BadMessage("a message ends too early");
    return view(static_cast<std::size_t>(count) * bytes, alignment);
  }

 private:
  const std::byte* data_;
  std::size_t size_;
  std::size_t position_ = 0;
};

}  // namespace switchyard::isolation
