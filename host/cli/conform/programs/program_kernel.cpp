#include "cli/conform/programs/program_kernel.hpp"

#include "cli/conform/kernels/tried_op.hpp"
#include "cli/conform/plugin/late_failures.hpp"
#include "cli/conform/plugin/text_check.hpp"

namespace switchyard::cli::conform {

/// What a run is given: in the order of the program's inputs and outputs.
struct ProgramKernel::Tensors {
  std::vector<std::unique_ptr<TestTensor>> in, out;  // null: a constant that is packed
  std::vector<sy_tensor> inputs, outputs;
};

ProgramKernel::ProgramKernel(TestDevice& device, TestProgram& program)
    : device_(device), what_(program.what()) {
  const sy_program& offered = program.get();
  ask(offered);
  prepare(offered);
}

void ProgramKernel::ask(const sy_program& program) const {
  std::vector<sy_verdict> verdicts(program.node_count, sized<sy_verdict>());
  auto args = sized<sy_supports_args>();
  args.device = device_.handle();
  args.program = &program;
  args.verdicts = verdicts.data();
  call_ok("supports", device_.slots().supports, args);
  for (std::size_t node = 0; node < verdicts.size(); ++node) {
    const sy_verdict& verdict = verdicts[node];
    if (verdict.kind == SY_UNANSWERED) {
      fail("{}: supports returned SY_OK and wrote no verdict of node {} of {}", what_, node,
           verdicts.size());
    }
    if (verdict.kind < SY_SUPPORTED || verdict.kind > SY_DEPENDS) {
      fail("{}: supports wrote the verdict {} of node {}, which is none", what_, verdict.kind,
           node);
    }
    if (verdict.kind == SY_SUPPORTED) continue;
    require_text(verdict.message, sizeof(verdict.message), "the message of a verdict");
    if (verdict.kind == SY_REFUSED) skip("node {} is refused: {}", node, verdict.message);
  }
}

void ProgramKernel::prepare(const sy_program& program) {
  sy_prepare_args args = answers_.ask_for(device_.handle(), program);
  const Answer answer = call("prepare", device_.slots().prepare, args);
  if (answer.status == SY_UNSUPPORTED) skip("prepare refuses the program: {}", answer.message);
  if (!answer.ok()) fail("{}: prepare returned {}", what_, answer.text());
  if (args.kernel == nullptr) fail("{}: prepare returned SY_OK without a kernel", what_);
  handle_ = args.kernel;
  workspace_bytes_ = args.workspace_bytes;
  check_plans();
}

void ProgramKernel::check_plans() const {
  for (std::size_t i = 0; i < answers_.plans.size(); ++i) {
    const sy_output_mode mode = answers_.plans[i].mode;
    if (mode < SY_OUTPUT_EXACT || mode > SY_OUTPUT_DEFERRED) {
      fail("{}: prepare gives output {} the mode {}, which is none", what_, i, mode);
    }
    if (mode != SY_OUTPUT_EXACT) skip("output {} is not exact, though its shape is known", i);
  }
}

ProgramKernel::~ProgramKernel() {
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

ProgramKernel::Tensors ProgramKernel::place(TestStream& stream, const TestProgram& program) const {
  Tensors tensors;
  for (std::size_t i = 0; i < program.inputs().size(); ++i) {
    const Literal& value = program.value(program.inputs()[i]);
    if (answers_.constants[i].original_unneeded != 0) {
      auto packed = sized<sy_tensor>();
      packed.dtype = static_cast<sy_dtype>(value.dtype());
      packed.shape = value.shape().data();
      packed.rank = static_cast<std::uint32_t>(value.shape().size());
      tensors.in.push_back(nullptr);
      tensors.inputs.push_back(packed);
      continue;
    }
    const auto placement =
        *conform::place(Layout::contiguous, value.dtype(), value.shape(), device_.info());
    tensors.in.push_back(std::make_unique<TestTensor>(stream, value, placement));
    tensors.inputs.push_back(tensors.in.back()->abi());
  }
  for (const TestProgram::Value output : program.outputs()) {
    const Literal& value = program.value(output);
    const auto placement =
        *conform::place(Layout::contiguous, value.dtype(), value.shape(), device_.info());
    tensors.out.push_back(
        std::make_unique<TestTensor>(stream, value.dtype(), value.shape(), placement));
    tensors.outputs.push_back(tensors.out.back()->abi());
  }
  return tensors;
}

std::uint64_t ProgramKernel::workspace_of(const sy_run_args& args) const {
  if (workspace_bytes_ != SY_WORKSPACE_PER_RUN) return workspace_bytes_;
  auto asked = sized<sy_workspace_args>();
  asked.run = &args;
  call_ok("workspace", device_.slots().workspace, asked);
  return asked.size_bytes;
}

void ProgramKernel::run(TestStream& stream, const TestProgram& program,
                        std::string_view why) const {
  const Tensors tensors = place(stream, program);
  const std::vector<std::int64_t*> extents(tensors.outputs.size(), nullptr);
  auto args = sized<sy_run_args>();
  args.stream = stream.handle();
  args.kernel = handle_;
  args.inputs = tensors.inputs.data();
  args.input_count = static_cast<std::uint32_t>(tensors.inputs.size());
  args.outputs = tensors.outputs.data();
  args.output_count = static_cast<std::uint32_t>(tensors.outputs.size());
  args.extents = extents.data();
  std::unique_ptr<TestStorage> workspace;
  if (const std::uint64_t bytes = workspace_of(args); bytes != 0) {
    workspace = std::make_unique<TestStorage>(device_, bytes, &stream);
    args.workspace = workspace->handle();
  }
  const Answer answer = call("run", device_.slots().run, args);
  if (!answer.ok()) fail("{}{}: run returned {}", what_, why, answer.text());
  stream.enqueued("run", args.sequence);
  stream.finish();
  for (std::size_t i = 0; i < tensors.in.size(); ++i) {
    if (!tensors.in[i]) continue;
    tensors.in[i]->require_unchanged(stream, fmt::format("{}{}: input {}", what_, why, i));
  }
  std::vector<Literal> found, expected;
  for (std::size_t i = 0; i < tensors.out.size(); ++i) {
    const std::string output = fmt::format("{}{}: output {}", what_, why, i);
    found.push_back(tensors.out[i]->read(stream, output));
    expected.push_back(program.value(program.outputs()[i]));
    if (!tensors.out[i]->is_untouched(found[i])) continue;
    fail("{}: run returned SY_OK and wrote nothing to it", output);
  }
  const std::string difference = difference_of(found, expected);
  if (!difference.empty()) fail("{}{}: {}", what_, why, difference);
  ++device_.run().kernel_runs;
}

}  // namespace switchyard::cli::conform
