// One run as kernels see it: the node's inputs and outputs by the node's own numbering.
//
// A Call is a view of the caller's args, made on the stack for one run and gone with it. It owns no
// element: what it gives out lies in storages of the host, which live until the run has completed,
// or in the args themselves, and ends with the Call: a kernel keeps none of it. It takes no lock,
// and belongs to the thread that runs the kernel: the team's threads may read tensors that it gave
// out before their region began, but only the caller allocates outputs. There is no heap for
// nodes of up to `inline_tensors` inputs and outputs, since a small op costs less than a malloc.
#pragma once

#include <switchyard/plugin.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "run/tensor.hpp"
#include "switchyard/plugin/node_positions.hpp"

namespace cpu {

// What the host hands to a run of a node, and where to find the node's tensors in it. Outlives the
// Call that is made of it.
struct RunArguments {
  const sy_run_args& args;
  const sy::NodePositions& positions;  // of the node's values among those of the args
  uint32_t flags;                      // the row's
};

class Call {
 public:
  // Throws sy::unsupported for strides that the row's flags do not allow.
  explicit Call(const RunArguments& arguments);
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  bool has_input(uint32_t i) const { return is_given(arguments_.positions.inputs, i); }
  bool has_output(uint32_t i) const { return is_given(arguments_.positions.outputs, i); }
  // Host inputs and immediates too.
  const ConstTensor& input(uint32_t i) const { return inputs_[i]; }
  const ConstTensor* input_or_null(uint32_t i) const { return has_input(i) ? &input(i) : nullptr; }
  // A deferred one only after allocate_output.
  const Tensor& output(uint32_t i) const { return outputs_[i]; }
  // For deferred outputs, once each.
  Tensor allocate_output(uint32_t i, sy::Extents shape);
  // 64-byte aligned; null if none was asked for.
  void* workspace() const;

 private:
  static constexpr size_t inline_tensors = 18;
  static constexpr size_t inline_extents = 128;

  static bool is_given(const std::vector<uint32_t>& positions, uint32_t i) {
    return i < positions.size() && positions[i] != SY_ABSENT;
  }

  std::byte* allocate_tensors();
  void read_inputs();
  void read_outputs();
  sy::Extents strides_of(const sy_tensor& given);
  const int64_t* contiguous_strides(sy::Extents shape);
  int64_t* take(size_t count);

  const RunArguments& arguments_;
  ConstTensor* inputs_;  // those left out are not filled in
  Tensor* outputs_;      // likewise
  size_t extents_used_ = 0;
  std::unique_ptr<std::byte[]> more_tensors_;
  std::vector<std::unique_ptr<int64_t[]>> more_extents_;
  static_assert(sizeof(ConstTensor) == sizeof(Tensor));
  alignas(Tensor) std::byte tensor_memory_[inline_tensors * sizeof(Tensor)];  // filled as needed
  int64_t extents_[inline_extents];
};

}  // namespace cpu
