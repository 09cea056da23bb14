// One run of a prepared kernel, with bytes around everything that it is given.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "cli/conform/kernels/test_kernel.hpp"
#include "cli/conform/plugin/test_tensor.hpp"

namespace switchyard::cli::conform {

/// What `prepare` gave.
struct PreparedProgram {
  const NodeProgram& program;
  sy_kernel kernel;
  std::uint64_t workspace_bytes;  // or SY_WORKSPACE_PER_RUN
  const std::vector<sy_output_plan>& plans;
  const std::vector<std::vector<std::int64_t>>& bounds;
  const std::vector<sy_packed_constant>& constants;
};

class KernelCall {
 public:
  KernelCall(TestStream& stream, const OpCall& call, const RunForm& form,
             const PreparedProgram& prepared);
  KernelCall(const KernelCall&) = delete;
  KernelCall& operator=(const KernelCall&) = delete;

  /// Output `output` is the identical view of input `input` of the node.
  void lay_on(std::size_t output, std::size_t input) { alias_ = {output, input}; }

  /// Deferred outputs get no storage: SY_OUT_OF_MEMORY.
  void refuse_storage() { refuses_storage_ = true; }

  /// Its runs have this binding.
  void bind_as(std::uint64_t binding) { binding_ = binding; }

  /// Enqueues, waits, and reads the outputs, after it has checked all that was not to change.
  std::vector<Literal> run();
  /// The same once more, on the same tensors, which hold the inputs of another call then. For calls
  /// whose inputs are all a device's, and kernels whose outputs are exact.
  std::vector<Literal> run_again(const OpCall& other);
  /// The first of these steps alone, which may fail; and its number.
  Answer enqueue();
  /// The same on the tensors of the last time, as they are.
  Answer enqueue_again() { return submit(); }
  std::uint64_t number() const { return number_; }
  /// The last one, of work that has completed.
  std::vector<Literal> read();

 private:
  /// Storage that a deferred output took.
  struct Late {
    std::unique_ptr<TestStorage> storage;
    Dims shape;
  };

  std::string what(std::string_view tensor, std::size_t index) const;
  void bind_inputs();
  void bind_output(std::size_t output);
  Answer submit();
  std::vector<Literal> finish(const Answer& enqueued);
  sy_run_args args();
  void bind_workspace(sy_run_args& args);
  Literal read_output(std::size_t output);
  Literal read_late(std::size_t output);
  Literal read_bounded(std::size_t output);
  void check_untouched();
  static sy_status allocate(void* context, std::uint32_t output, std::uint32_t rank,
                            const std::int64_t* shape, sy_storage* storage,
                            std::uint64_t* offset_bytes);

  TestStream& stream_;
  TestDevice& device_;
  const OpCall& call_;
  const RunForm& form_;
  const PreparedProgram prepared_;
  std::optional<TestKernel::Alias> alias_;
  bool refuses_storage_ = false;
  std::uint64_t binding_ = 0;
  std::vector<std::unique_ptr<TestTensor>> in_;   // by program input; null: not a device's
  std::vector<std::unique_ptr<TestTensor>> out_;  // by program output; null: late or on an input
  std::vector<Late> late_;
  std::vector<std::vector<std::int64_t>> told_;
  std::vector<std::int64_t*> extents_;
  std::vector<sy_tensor> inputs_, outputs_;
  sy_output_allocator allocator_{};
  std::uint64_t number_ = 0;
  std::unique_ptr<TestTensor> workspace_;
};

/// Fails the case unless the strides are a permutation of contiguous ones of that shape.
void require_dense(const Dims& shape, const std::vector<std::int64_t>& strides,
                   std::string_view what);

}  // namespace switchyard::cli::conform
