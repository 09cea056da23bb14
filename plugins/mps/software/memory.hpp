// Buffers and heaps of the software device. What is fresh holds 0xFF in every byte, which floats
// read as NaN; a sanitizer sees the bounds of each buffer, also of those placed on a heap.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>

#include "seam/seam.hpp"
#include "software/ledger.hpp"

namespace mps::software {

constexpr size_t placement_alignment = 256;
constexpr std::byte fresh_byte{0xff};

// Memory of its own, counted.
class Block {
 public:
  Block(std::shared_ptr<Ledger> ledger, size_t bytes);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  std::byte* begin() const { return begin_; }
  size_t size() const { return bytes_; }

 private:
  std::shared_ptr<Ledger> ledger_;
  size_t bytes_;
  std::byte* begin_;
};

class Buffer : public seam::Buffer {
 public:
  size_t size() const override { return bytes_; }
  std::byte* host() const override;
  // For the device.
  virtual std::byte* contents() const = 0;

 protected:
  Buffer(size_t bytes, seam::StorageMode mode) : bytes_(bytes), mode_(mode) {}

 private:
  const size_t bytes_;
  const seam::StorageMode mode_;
};

// The buffer behind a reference; throws Failure(invalid) for null and for another side's.
Buffer& software_buffer(const seam::Ref<seam::Buffer>& buffer);

class OwnBuffer final : public Buffer {
 public:
  OwnBuffer(std::shared_ptr<Ledger> ledger, size_t bytes, seam::StorageMode mode);
  std::byte* contents() const override { return block_.begin(); }

 private:
  Block block_;
};

class Heap final : public seam::Heap, public std::enable_shared_from_this<Heap> {
 public:
  Heap(std::shared_ptr<Ledger> ledger, size_t bytes, seam::StorageMode mode);
  size_t size() const override { return block_.size(); }
  seam::Ref<seam::Buffer> place(size_t bytes, size_t offset) override;

 private:
  class PlacedBuffer;
  struct Range {
    size_t begin;
    size_t end;
  };

  std::list<Range>::iterator open(Range range);
  void close(std::list<Range>::iterator range);

  Block block_;
  const seam::StorageMode mode_;
  std::mutex guard_;
  std::list<Range> placed_;  // may overlap: an old buffer may go after a new one came
};

}  // namespace mps::software
