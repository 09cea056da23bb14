// One run as kernels see it, made on the stack from the caller's args: no heap for nodes of up to
// `inline_tensors` inputs and outputs.
#pragma once

#include <switchyard/plugin.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "run/kernel.hpp"
#include "switchyard/plugin/node_positions.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu {

// Where the element whose indices are all 0 lies; null if a tensor without elements has no place.
inline void* address_of(const sy_tensor& tensor) {
  if (tensor.storage != 0) [[likely]] {
    return reinterpret_cast<char*>(static_cast<uintptr_t>(tensor.storage)) + tensor.offset_bytes;
  }
  // Immediates carry their bytes with them; all else that is scalar has storage.
  if (sy::element_count({tensor.shape, tensor.rank}) != 1) return nullptr;
  return const_cast<uint8_t*>(tensor.immediate);
}

class RunCall final : public Call {
 public:
  // `flags`: the row's. Throws sy::unsupported for strides that they do not allow.
  RunCall(const sy_run_args& args, const sy::NodePositions& places, uint32_t flags);
  RunCall(const RunCall&) = delete;
  RunCall& operator=(const RunCall&) = delete;

  bool has_input(uint32_t i) const override {
    return i < places_.inputs.size() && places_.inputs[i] != SY_ABSENT;
  }
  bool has_output(uint32_t i) const override {
    return i < places_.outputs.size() && places_.outputs[i] != SY_ABSENT;
  }
  const Tensor& input(uint32_t i) const override { return tensors_[i]; }
  const Tensor& output(uint32_t i) const override { return tensors_[places_.inputs.size() + i]; }
  Tensor allocate_output(uint32_t i, sy::Extents shape) override;
  void* workspace() const override;

 private:
  static constexpr size_t inline_tensors = 18;
  static constexpr size_t inline_extents = 128;

  void fill(Tensor& tensor, const sy_tensor& given, bool may_be_strided, const char* side,
            size_t i);
  const int64_t* contiguous_strides(sy::Extents shape);
  int64_t* take(size_t count);

  const sy_run_args& args_;
  const sy::NodePositions& places_;
  Tensor* tensors_;  // the node's inputs, then its outputs; those left out are not filled in
  size_t extents_used_ = 0;
  std::unique_ptr<Tensor[]> more_tensors_;
  std::vector<std::unique_ptr<int64_t[]>> more_extents_;
  alignas(Tensor) std::byte tensor_memory_[inline_tensors * sizeof(Tensor)];  // filled as needed
  int64_t extents_[inline_extents];
};

}  // namespace cpu
