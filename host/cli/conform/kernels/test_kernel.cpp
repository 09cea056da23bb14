#include "cli/conform/kernels/test_kernel.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <switchyard/plugin/claim_check.hpp>
#include <switchyard/plugin/claims.hpp>

#include "cli/conform/kernels/kernel_call.hpp"
#include "cli/conform/plugin/late_failures.hpp"
#include "cli/conform/plugin/text_check.hpp"
#include "plugin_loader/plugin_call.hpp"

namespace switchyard::cli::conform {
namespace {

bool is_scalar_input(const OpCall& call, std::size_t i) {
  return call.has(i) && !call.is_host_input(i) && call.inputs[i].shape().empty() &&
         bit_width(call.inputs[i].dtype()) >= 8;
}

bool is_first(const OpCall& call, std::size_t input) { return input == main_input(*call.op); }

sy_verdict verdict_of(TestDevice& device, const sy_program& program) {
  auto verdict = sized<sy_verdict>();
  auto args = sized<sy_supports_args>();
  args.device = device.handle();
  args.program = &program;
  args.verdicts = &verdict;
  call_ok("supports", device.slots().supports, args);
  return verdict;
}

}  // namespace

std::uint64_t next_constant_id() {
  static std::atomic<std::uint64_t> last{0x5eed0000};
  return ++last;
}

std::string RunForm::text() const {
  std::string all;
  if (inputs != Layout::contiguous) {
    all += fmt::format(", {} {}", first_input_only ? "first input" : "inputs", name_of(inputs));
  }
  if (outputs != Layout::contiguous) all += fmt::format(", outputs {}", name_of(outputs));
  if (immediates) all += ", scalars in the arguments";
  if (constants) all += ", constants";
  return all;
}

TestKernel::TestKernel(TestStream& stream, const OpCall& call, const RunForm& form)
    : device_(stream.device()), call_(call), value_flags_(form.value_flags) {
  site_ = make_site(*call.op, call.attributes, Purpose::ordinary, nullptr, form.math_flags);
  for (std::size_t i = 0; i < call_.inputs.size(); ++i) {
    TensorDescriptor descriptor;
    if (call_.has(i)) {
      descriptor.dtype = call_.inputs[i].dtype();
      descriptor.shape = call_.inputs[i].shape();
      if (call_.is_host_input(i)) descriptor.literal = &call_.inputs[i];
    }
    if (call_.has(i) && !call_.is_host_input(i)) {
      descriptor.strides = input_placement(form, call_, i, device_.info()).strides;
      descriptor.may_be_immediate = form.immediates && is_scalar_input(call_, i);
      if (form.constants && !is_first(call_, i)) {
        descriptor.constant_id = next_constant_id();
        descriptor.literal = &call_.inputs[i];
      }
    }
    descriptors_.push_back(std::move(descriptor));
  }
  const RouteRequest request{site_, descriptors_, mask_of_first(call_.outputs.size()),
                             call_.outputs.size()};
  program_ = std::make_unique<NodeProgram>(request, call_.outputs);
}

std::unique_ptr<TestKernel> TestKernel::prepare(TestStream& stream, const OpCall& call,
                                                const RunForm& form, Refusal& refusal) {
  std::unique_ptr<TestKernel> kernel(new TestKernel(stream, call, form));
  const bool is_taken = kernel->claim(refusal) && kernel->ask(refusal) && kernel->make(refusal);
  return is_taken ? std::move(kernel) : nullptr;
}

bool TestKernel::claim(Refusal& refusal) {
  const sy_device_info& info = device_.info();
  refusal = {SY_REASON_OP, "no claim covers the op"};
  for (std::uint32_t i = 0; i < info.claim_count; ++i) {
    const sy_claim& claim = *SY_AT(sy_claim, info.claims, i);
    program_->fit_to(claim.flags);
    ProgramCopy plain(program_->get(), 0);
    plain.set_math_flags(0);  // claims say nothing of flags: it is the plugin that must know them
    const sy::Node node(plain.get(), 0);
    if (!sy::names_op(claim, node.domain(), node.op())) continue;
    try {
      sy::check_claim(claim, node);
    } catch (const sy::Failure& failure) {
      refusal = {failure.reason(), fmt::format("no claim covers it: {}", failure.what())};
      continue;
    }
    if (call_form().grows || value_flags_ != 0) {
      copy_ = std::make_unique<ProgramCopy>(program_->get(), call_form().grows ? 40 : 0);
      copy_->add_value_flags(value_flags_);
    }
    claim_flags_ = claim.flags;
    asks_ = (claim.flags & SY_CLAIM_NO_SUPPORTS_CALL) == 0;
    return true;
  }
  return false;
}

const sy_program& TestKernel::offered() const { return copy_ ? copy_->get() : program_->get(); }

bool TestKernel::ask(Refusal& refusal) {
  if (!asks_) return true;
  const sy_verdict verdict = verdict_of(device_, offered());
  if (verdict.kind == SY_UNANSWERED) fail("supports returned SY_OK and wrote no verdict");
  if (verdict.kind < SY_SUPPORTED || verdict.kind > SY_DEPENDS) {
    fail("supports wrote the verdict {}, which is none", verdict.kind);
  }
  if (verdict.kind == SY_SUPPORTED) return true;
  require_text(verdict.message, sizeof(verdict.message), "the message of a verdict");
  refusal = {verdict.reason, verdict.message};
  return verdict.kind == SY_DEPENDS;
}

bool TestKernel::make(Refusal& refusal) {
  const sy_program& program = offered();
  sy_prepare_args args = answers_.ask_for(device_.handle(), program);
  const Answer answer = call("prepare", device_.slots().prepare, args);
  if (answer.status == SY_UNSUPPORTED) {
    refusal = {answer.reason, answer.message};
    return false;
  }
  if (!answer.ok()) {
    fail("{} of {}: prepare returned {}", call_.name(), call_.text(), answer.text());
  }
  if (args.kernel == nullptr) fail("prepare returned SY_OK without a kernel");
  handle_ = args.kernel;
  if ((args.flags & ~SY_KERNEL_BINDINGS) != 0) {
    fail("{} of {}: prepare sets flags that this version does not have: {:#x}", call_.name(),
         call_.text(), args.flags);
  }
  wants_bindings_ = (args.flags & SY_KERNEL_BINDINGS) != 0;
  workspace_bytes_ = args.workspace_bytes;
  check_plans();
  return true;
}

void TestKernel::check_plans() const {
  const std::string what = fmt::format("{} of {}: prepare", call_.name(), call_.text());
  for (const std::uint8_t bits : answers_.specialised_on) {
    if ((bits & ~SY_ON_ALL) != 0) fail("{} sets unknown bits of specialised_on: {}", what, bits);
  }
  for (std::size_t i = 0; i < answers_.plans.size(); ++i) {
    const sy_output_plan& plan = answers_.plans[i];
    if (plan.mode < SY_OUTPUT_EXACT || plan.mode > SY_OUTPUT_DEFERRED) {
      fail("{} gives output {} the mode {}, which is none", what, i, plan.mode);
    }
    const auto inputs = program_->get().input_count;
    if (inputs < 64 && (plan.may_alias_inputs >> inputs) != 0) {
      fail("{} lets output {} lie on inputs that there are not: {:#x}", what, i,
           plan.may_alias_inputs);
    }
    const auto& info = call_.outputs[program_->output_positions()[i]];
    const bool tells_rank = plan.mode == SY_OUTPUT_BOUNDED || plan.proposes_strides != 0;
    if (tells_rank && info.shape && plan.rank != info.shape->size()) {
      fail("{} gives output {} the rank {}; it has {}", what, i, plan.rank, info.shape->size());
    }
    if (plan.mode == SY_OUTPUT_EXACT && info.shape && plan.proposes_strides != 0) {
      require_dense(*info.shape, answers_.strides[i],
                    fmt::format("{} proposes strides of output {}", what, i));
    }
  }
}

TestKernel::~TestKernel() {
  if (handle_ == nullptr) return;
  note_failures_of([this] {
    auto args = sized<sy_kernel_args>();
    args.kernel = handle_;
    call_ok("destroy_kernel", device_.slots().destroy_kernel, args);
    for (const sy_packed_constant& constant : answers_.constants) {
      if (constant.packed == nullptr) continue;
      auto release = sized<sy_constant_args>();
      release.device = device_.handle();
      release.constant = constant.packed;
      call_ok("release_constant", device_.slots().release_constant, release);
    }
  });
}

bool TestKernel::may_differ_in(std::uint8_t what) const {
  const sy_program& program = program_->get();
  for (std::uint32_t p = 0; p < program.input_count; ++p) {
    const bool is_host = call_.is_host_input(program_->input_positions()[p]);
    if (what == SY_ON_DATA ? !is_host : false) continue;
    if ((answers_.specialised_on[p] & what) != 0) return false;
  }
  return true;
}

bool TestKernel::has_deferred_output() const {
  return std::any_of(answers_.plans.begin(), answers_.plans.end(),
                     [](const sy_output_plan& plan) { return plan.mode == SY_OUTPUT_DEFERRED; });
}

std::vector<std::size_t> TestKernel::aliases_of(std::size_t output) const {
  std::vector<std::size_t> inputs;
  for (std::size_t p = 0; p < program_->input_positions().size() && p < 64; ++p) {
    if ((answers_.plans[output].may_alias_inputs >> p & 1) != 0) {
      inputs.push_back(program_->input_positions()[p]);
    }
  }
  return inputs;
}

std::vector<Literal> TestKernel::run(TestStream& stream, const OpCall& call, const RunForm& form,
                                     std::optional<Alias> alias) const {
  KernelCall work(stream, call, form, prepared());
  if (alias) work.lay_on(alias->output, alias->input);
  return work.run();
}

PreparedProgram TestKernel::prepared() const {
  return {*program_,      handle_,         workspace_bytes_,
          answers_.plans, answers_.bounds, answers_.constants};
}

Placement input_placement(const RunForm& form, const OpCall& call, std::size_t input,
                          const sy_device_info& info) {
  const Literal& value = call.inputs[input];
  std::optional<Placement> placement;
  if (!form.first_input_only || is_first(call, input)) {
    placement = place(form.inputs, value.dtype(), value.shape(), info);
  }
  return placement ? *placement : *place(Layout::contiguous, value.dtype(), value.shape(), info);
}

bool applies(const RunForm& form, const OpCall& call, const sy_device_info& info) {
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.has(i) || call.is_host_input(i)) continue;
    if (form.first_input_only && !is_first(call, i)) continue;
    if (place(form.inputs, call.inputs[i].dtype(), call.inputs[i].shape(), info)) return true;
  }
  return false;
}

OpCall fitted(const RunForm& form, const OpCall& call, const sy_device_info& info) {
  if (form.inputs != Layout::repeated) return call;
  OpCall result = call;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.has(i) || call.is_host_input(i)) continue;
    if (form.first_input_only && !is_first(call, i)) continue;
    const Literal& value = call.inputs[i];
    if (!place(form.inputs, value.dtype(), value.shape(), info)) continue;
    result.inputs[i] = repeated(value, *repeated_axis(value.shape()));
  }
  return result;
}

}  // namespace switchyard::cli::conform
