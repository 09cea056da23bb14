// A device's memory and a stream's progress, both under the test's control.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <switchyard/error.hpp>

#include "memory/allocator.hpp"

namespace switchyard {

// A stream whose work completes when the test says so, or when somebody waits for it.
class ManualProgress final : public StreamProgress {
 public:
  std::uint64_t completed() noexcept override { return completed_; }
  void wait(std::uint64_t sequence) override {
    ++waits;
    if (fails) throw Error(ErrorKind::device_lost, "the work failed");
    complete(sequence);
  }

  bool follow(StreamProgress&, std::uint64_t sequence) override {
    if (can_follow) followed = sequence;
    return can_follow;
  }

  std::uint64_t last_begun() override { return given; }

  void complete(std::uint64_t sequence) {
    if (sequence > completed_) completed_ = sequence;
  }

  std::atomic<int> waits{0};
  std::uint64_t given = 0;  // the last number of its work
  bool fails = false;
  bool can_follow = false;
  std::uint64_t followed = 0;  // the last number of another stream's

 private:
  std::atomic<std::uint64_t> completed_{0};
};

// Hands out numbers for memory, and knows which are out. Has `capacity` bytes.
class CountingSource final : public MemorySource {
 public:
  explicit CountingSource(std::size_t capacity = SIZE_MAX) : capacity_(capacity) {}

  Block allocate_block(std::size_t bytes) override {
    const std::scoped_lock guard(guard_);
    ++attempts;
    if (bytes > capacity_ - held_bytes_) throw Error(ErrorKind::out_of_memory, "the source is dry");
    held_bytes_ += bytes;
    most_held_bytes_ = std::max(most_held_bytes_, held_bytes_);
    blocks_.emplace(++last_handle_, bytes);
    return {last_handle_, home};
  }
  void release_block(std::uint64_t handle) noexcept override {
    const std::scoped_lock guard(guard_);
    held_bytes_ -= blocks_.at(handle);
    blocks_.erase(handle);
  }
  std::size_t trim_blocks() noexcept override {
    ++trims;
    return own_cache;
  }

  std::size_t held_bytes() const { return held_bytes_; }
  std::size_t most_held_bytes() const { return most_held_bytes_; }
  std::size_t held_blocks() const { return blocks_.size(); }

  ManualProgress* home =
      nullptr;  // the stream that blocks are allocated on, of a source that caches
  int attempts = 0;
  std::atomic<int> trims{0};
  std::size_t own_cache = 0;  // what a trim gives back

 private:
  std::mutex guard_;
  const std::size_t capacity_;
  std::size_t held_bytes_ = 0;
  std::size_t most_held_bytes_ = 0;
  std::uint64_t last_handle_ = 0;
  std::map<std::uint64_t, std::size_t> blocks_;
};

}  // namespace switchyard
