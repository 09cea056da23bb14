#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>

#include "ops/inference.hpp"
#include "routing/descriptor.hpp"
#include "routing/kernel.hpp"

namespace switchyard {

/// One output as a run makes it.
struct RoutedOutput {
  bool wanted = false;
  DType dtype = DType::undefined;
  sy_output_mode mode = SY_OUTPUT_EXACT;
  Dims shape;  // exact, or the bound
  std::optional<Dims> inferred =
      {};  // of what is not exact: as far as the op's row knows the shape
  Dims strides;
  std::size_t size_bytes = 0;
  std::uint64_t layout = 0;     // layout_hash of the above
  std::uint64_t may_alias = 0;  // mask over the node's inputs
  bool contiguous = true;
};

/// Whether an output whose shape the run tells may have this one.
bool may_have_shape(const RoutedOutput& output, std::span<const std::int64_t> shape);

/// What a kernel says of an output that cannot be, or "".
std::string_view plan_error(const OutputPlan& plan, const ValueInfo& info);

/// The output as the kernel plans it, of which plan_error finds nothing.
RoutedOutput routed_output(const ValueInfo& info, const OutputPlan& plan);

/// All that running a kernel on tensors needs. Inputs and outputs have the caller's numbering: a
/// node's, or a program's.
struct RunPlan {
  OpenDevice* device = nullptr;
  std::shared_ptr<const Kernel> kernel;
  std::vector<RoutedOutput> outputs;            // by the caller's numbering
  std::vector<std::uint32_t> input_positions;   // the caller's number of each input of the kernel
  std::vector<std::uint32_t> output_positions;  // and of each output
  std::uint64_t make_contiguous = 0;            // mask over inputs: to copy first
  std::uint64_t immediates = 0;                 // and those whose bytes go into the arguments
  bool strided_outputs = false;       // may have any strides, where the kernel proposes none
  std::vector<bool> unneeded_inputs;  // constants that the kernel has packed; may be short
  bool simple = false;                // runs plainly, where it was asked to

  bool is_unneeded(std::size_t input) const {
    return input < unneeded_inputs.size() && unneeded_inputs[input];
  }
  /// Exact outputs, no workspace, every input read as it lies.
  bool runs_plainly() const;
};

}  // namespace switchyard
