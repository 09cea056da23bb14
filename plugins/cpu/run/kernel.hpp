// What a kernel of this plugin is, and the row that offers it. A family of kernels is one file that
// ends in a table of rows; kernels.def lists the tables. The first row that fits wins.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "run/call.hpp"
#include "run/tensor.hpp"
#include "switchyard/plugin/program.hpp"

namespace cpu {

// What a node was made into. Immutable, and so without locks: several callers may run one at once,
// and it lives until the last of them has returned. All work is done, or has failed, when `run`
// returns.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual void run(const RunArguments& arguments) const = 0;
};

using KernelRef = std::unique_ptr<const Kernel>;

// A kernel that is a function of a Call, as most are.
template <typename Function>
class FunctionKernel final : public Kernel {
 public:
  explicit FunctionKernel(Function function) : function_(std::move(function)) {}

  void run(const RunArguments& arguments) const override {
    Call call(arguments);
    function_(call);
  }

 private:
  Function function_;
};

template <typename Function>
KernelRef function_kernel(Function function) {
  return std::make_unique<const FunctionKernel<Function>>(std::move(function));
}

// A kernel's function where it is chosen among several.
using Run = std::function<void(Call&)>;

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
  KernelRef kernel;
  uint64_t workspace_bytes = 0;
  uint8_t specialised_on = 0;  // SY_ON_*, for every input; host inputs' data is read in the run
  std::vector<OutputPlan> outputs = {};  // by the node's outputs; missing ones are plain
  std::vector<Packed> packed = {};
};

using Make = Prepared (*)(const sy::Node&);

// Throws sy::unsupported(reason, message...) for a node that the row's types and ranks let through
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
