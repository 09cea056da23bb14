// What a kernel of this plugin is, and the row that offers it. A family of kernels is one file that
// ends in a table of rows; kernels.cpp lists the tables. The first row that fits wins.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "switchyard/plugin/program.hpp"

namespace cpu {

// A tensor in this process's memory, as a run gives it. Strides count elements and are never null.
struct Tensor {
  sy_dtype dtype = 0;
  void* data = nullptr;  // the element whose indices are all 0; null only for zero-size tensors
  sy::Extents shape;
  sy::Extents strides;

  template <typename T>
  T* as() const {
    return static_cast<T*>(data);
  }
  size_t rank() const { return shape.size(); }
  int64_t size() const { return sy::element_count(shape); }
};

// One run: inputs and outputs by the node's own numbering. A view of the caller's args.
class Call {
 public:
  virtual bool has_input(uint32_t i) const = 0;
  virtual bool has_output(uint32_t i) const = 0;
  virtual const Tensor& input(uint32_t i) const = 0;  // host inputs and immediates too
  const Tensor* input_or_null(uint32_t i) const { return has_input(i) ? &input(i) : nullptr; }
  virtual const Tensor& output(uint32_t i) const = 0;  // deferred ones after allocate_output
  virtual Tensor allocate_output(uint32_t i, sy::Extents shape) = 0;  // deferred outputs, once each
  virtual void* workspace() const = 0;  // 64-byte aligned; null if none was asked for

 protected:
  ~Call() = default;
};

using Run = std::function<void(Call&)>;

class ElementwiseKernel;

// Weights in a form that pleases the kernel, shared by all kernels that want the same constant so.
struct Packed {
  uint32_t input;                    // the node's input that it stands for
  std::shared_ptr<const void> data;  // made once for (constant id, tag); see packed.hpp
  uint64_t size_bytes;
  bool original_unneeded = false;
};

struct OutputPlan {
  sy_output_mode mode = SY_OUTPUT_EXACT;
  uint64_t may_alias_inputs = 0;      // mask over the node's inputs
  std::vector<int64_t> strides = {};  // a proposal (channels-last), or empty
  bool follows_layout = false;        // proposes the order of axes that an input lies in
};

// What making a kernel gives.
struct Prepared {
  Run run;
  std::shared_ptr<const ElementwiseKernel> elementwise = {};  // in place of `run`
  uint64_t workspace_bytes = 0;
  uint8_t specialised_on = 0;  // SY_ON_*, for every input; host inputs' data is read in the run
  std::vector<OutputPlan> outputs = {};  // by the node's outputs; missing ones are plain
  std::vector<Packed> packed = {};
};

using Make = Prepared (*)(const sy::Node&);

// Throws sy::unsupported(reason, sentence...) for a node that the row's types and ranks let through
// but the kernel cannot do. `make` may assume that it has passed, with the shapes known by then.
using Check = void (*)(const sy::Node&);

// Sets of dtypes that rows name.
inline constexpr uint64_t float_types = sy::float_dtypes;
inline constexpr uint64_t numeric_types = sy::float_dtypes | sy::integer_dtypes;
inline constexpr uint64_t boolean_type = SY_DTYPE_BIT(SY_BOOL);
inline constexpr uint64_t byte_types = SY_DTYPE_BIT(SY_INT8) | SY_DTYPE_BIT(SY_UINT8);
inline constexpr uint64_t up_to_float32 =
    SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT16) | SY_DTYPE_BIT(SY_BFLOAT16);
// Those of oneDNN's kernels.
inline constexpr uint64_t onednn_types = SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_BFLOAT16);

struct KernelRow {
  const char* op;
  uint64_t input_dtypes;  // every input but host inputs
  uint64_t output_dtypes;
  Make make;
  Check check = nullptr;
  uint32_t flags = 0;  // SY_CLAIM_STRIDED_INPUTS, SY_CLAIM_STRIDED_OUTPUTS
  const char* domain = "";
  uint32_t min_version = 1;
  uint32_t max_version = UINT32_MAX;
  uint32_t min_rank = 0;
  uint32_t max_rank = SY_MAX_RANK;
};

using KernelTable = std::span<const KernelRow>;

}  // namespace cpu
