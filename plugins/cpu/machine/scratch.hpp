// Memory for the length of a call, kept by each thread for the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace cpu {

// 64-byte aligned, uninitialised. Several may live at once on a thread; each is freed by the thread
// that made it, in the reverse order.
class ScratchBytes {
 public:
  explicit ScratchBytes(size_t bytes);
  ~ScratchBytes();
  ScratchBytes(const ScratchBytes&) = delete;
  ScratchBytes& operator=(const ScratchBytes&) = delete;

  void* data() const { return data_; }

 private:
  void* data_;
  size_t taken_ = 0;  // of the thread's own block; 0: memory of its own
};

template <typename T>
class Scratch {
 public:
  explicit Scratch(int64_t count) : bytes_(static_cast<size_t>(count) * sizeof(T)) {}
  T* data() const { return static_cast<T*>(bytes_.data()); }
  T& operator[](int64_t i) const { return data()[i]; }

 private:
  ScratchBytes bytes_;
};

}  // namespace cpu
