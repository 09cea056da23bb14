#pragma once

#include <switchyard/plugin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <vector>

namespace switchyard::cli::conform {

/// Sized structs, one behind the other, each with so many bytes behind it that no plugin knows.
template <typename T>
class WideArray {
 public:
  WideArray(const T* first, std::size_t count, std::size_t tail)
      : step_((sizeof(T) + tail + 7) / 8 * 8), bytes_(step_ * count, std::byte{0xff}) {
    for (std::size_t i = 0; i < count; ++i) {
      T element = first[i];
      element.struct_size = static_cast<std::uint32_t>(step_);
      std::memcpy(bytes_.data() + i * step_, &element, sizeof(T));
    }
  }

  T* data() { return reinterpret_cast<T*>(bytes_.data()); }
  T& operator[](std::size_t i) { return *reinterpret_cast<T*>(bytes_.data() + i * step_); }

 private:
  std::size_t step_;
  std::vector<std::byte> bytes_;
};

/// A program whose parts may be wider than the ABI has them, and may be changed.
class ProgramCopy {
 public:
  ProgramCopy(const sy_program& original, std::size_t tail)
      : program_(original),
        values_(original.values, original.value_count, tail),
        nodes_(original.nodes, original.node_count, tail) {
    for (std::uint32_t n = 0; n < original.node_count; ++n) {
      if (nodes_[n].attribute_count == 0) continue;
      attributes_.emplace_back(nodes_[n].attributes, nodes_[n].attribute_count, tail);
      nodes_[n].attributes = attributes_.back().data();
    }
    program_.values = values_.data();
    program_.nodes = nodes_.data();
  }

  const sy_program& get() const { return program_; }
  void set_math_flags(std::uint32_t flags) {
    for (std::uint32_t n = 0; n < program_.node_count; ++n) nodes_[n].math_flags = flags;
  }
  void add_value_flags(std::uint32_t flags) {
    for (std::uint32_t i = 0; i < program_.value_count; ++i) values_[i].flags |= flags;
  }

 private:
  sy_program program_;
  WideArray<sy_value> values_;
  WideArray<sy_node> nodes_;
  std::deque<WideArray<sy_attribute>> attributes_;
};

}  // namespace switchyard::cli::conform
