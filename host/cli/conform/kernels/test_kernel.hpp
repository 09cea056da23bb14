// A call of an op offered to the device under test, prepared by it, and run on tensors of any
// layout.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/conform/kernels/op_call.hpp"
#include "cli/conform/kernels/program_copy.hpp"
#include "cli/conform/plugin/placement.hpp"
#include "cli/conform/plugin/prepare_answers.hpp"
#include "cli/conform/plugin/test_device.hpp"
#include "routing/program.hpp"

namespace switchyard::cli::conform {

/// How a program of one call is offered and run.
struct RunForm {
  Layout inputs = Layout::contiguous;
  bool first_input_only = false;  // the others are contiguous
  Layout outputs = Layout::contiguous;
  bool immediates = false;  // scalars come in the arguments
  bool constants = false;   // all inputs of a device but the first are constants
  std::uint32_t math_flags = 0;
  std::uint32_t value_flags = 0;  // of every value, besides its own

  std::string text() const;  // ", transposed inputs"
};

/// The device does not take the call: what it, or its claim table, says.
struct Refusal {
  sy_reason reason = SY_REASON_NONE;
  std::string message;
};

/// For a constant that no kernel has seen.
std::uint64_t next_constant_id();

struct PreparedProgram;

class TestKernel {
 public:
  /// The call as the device takes it; or the refusal.
  static std::unique_ptr<TestKernel> prepare(TestStream& stream, const OpCall& call,
                                             const RunForm& form, Refusal& refusal);
  ~TestKernel();
  TestKernel(const TestKernel&) = delete;
  TestKernel& operator=(const TestKernel&) = delete;

  /// The claim that covers it: its flags.
  std::uint32_t claim_flags() const { return claim_flags_; }
  /// Whether an input of a device, or a host input, may have another shape, strides or value.
  bool may_differ_in(std::uint8_t what) const;
  /// Node inputs that output `output` may be the identical view of.
  std::vector<std::size_t> aliases_of(std::size_t output) const;
  std::size_t output_count() const { return answers_.plans.size(); }
  bool is_exact(std::size_t output) const { return answers_.plans[output].mode == SY_OUTPUT_EXACT; }
  bool has_deferred_output() const;
  bool wants_bindings() const { return wants_bindings_; }
  sy_kernel handle() const { return handle_; }

  /// Runs it on the values of `call`, which may be another one where the kernel serves it, and
  /// returns the outputs. With `alias`, that output lies on that input. Fails the case for whatever
  /// a run may not do.
  struct Alias {
    std::size_t output, input;
  };
  std::vector<Literal> run(TestStream& stream, const OpCall& call, const RunForm& form,
                           std::optional<Alias> alias = std::nullopt) const;
  /// What `prepare` gave: for a KernelCall whose steps are taken one by one.
  PreparedProgram prepared() const;

 private:
  TestKernel(TestStream& stream, const OpCall& call, const RunForm& form);
  bool claim(Refusal& refusal);
  bool ask(Refusal& refusal);
  bool make(Refusal& refusal);
  const sy_program& offered() const;
  void check_plans() const;

  TestDevice& device_;
  const OpCall call_;  // the descriptors look at its values
  CallSite site_;
  std::vector<TensorDescriptor> descriptors_;
  std::unique_ptr<NodeProgram> program_;
  const std::uint32_t value_flags_;
  std::unique_ptr<ProgramCopy> copy_;  // where it is offered otherwise
  std::uint32_t claim_flags_ = 0;
  bool asks_ = true;
  sy_kernel handle_ = nullptr;
  bool wants_bindings_ = false;
  std::uint64_t workspace_bytes_ = 0;
  PrepareAnswers answers_;
};

/// Where the elements of an input lie in this form; what the layout does not allow is contiguous.
Placement input_placement(const RunForm& form, const OpCall& call, std::size_t input,
                          const sy_device_info& info);

/// Whether any input has the form's layout.
bool applies(const RunForm& form, const OpCall& call, const sy_device_info& info);

/// The call with values that the form's layout can hold: of a repeated one, equal ones.
OpCall fitted(const RunForm& form, const OpCall& call, const sy_device_info& info);

}  // namespace switchyard::cli::conform
