#include "cli/conform/kernels/kernel_call.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace switchyard::cli::conform {
namespace {

Placement contiguous(DType dtype, const Dims& shape, const sy_device_info& info) {
  return *place(Layout::contiguous, dtype, shape, info);
}

}  // namespace

KernelCall::KernelCall(TestStream& stream, const OpCall& call, const RunForm& form,
                       const PreparedProgram& prepared)
    : stream_(stream),
      device_(stream.device()),
      call_(call),
      form_(form),
      prepared_(prepared),
      in_(prepared.program.input_positions().size()),
      out_(prepared.plans.size()),
      late_(prepared.plans.size()),
      told_(prepared.plans.size()),
      extents_(prepared.plans.size(), nullptr) {}

std::string KernelCall::what(std::string_view tensor, std::size_t index) const {
  return fmt::format("{} of {}{}: {} {}", call_.name(), call_.text(), form_.text(), tensor, index);
}

void KernelCall::bind_inputs() {
  const auto& positions = prepared_.program.input_positions();
  for (std::size_t p = 0; p < positions.size(); ++p) {
    const std::size_t i = positions[p];
    const Literal& value = call_.inputs[i];
    auto tensor = sized<sy_tensor>();
    tensor.dtype = static_cast<sy_dtype>(value.dtype());
    tensor.shape = value.shape().data();
    tensor.rank = static_cast<std::uint32_t>(value.shape().size());
    if (call_.is_host_input(i)) {
      tensor.storage = reinterpret_cast<std::uint64_t>(value.bytes());
    } else if ((prepared_.program.immediates() & mask_bit(i)) != 0) {
      std::memcpy(tensor.immediate, value.bytes(), value.size_bytes());
    } else if (prepared_.constants[p].original_unneeded == 0) {
      in_[p] = std::make_unique<TestTensor>(stream_, value,
                                            input_placement(form_, call_, i, device_.info()));
      tensor = in_[p]->abi();
    }
    inputs_.push_back(tensor);
  }
}

void KernelCall::bind_output(std::size_t output) {
  const std::size_t position = prepared_.program.output_positions()[output];
  const ValueInfo& info = call_.outputs[position];
  const sy_output_plan& plan = prepared_.plans[output];
  if (plan.mode == SY_OUTPUT_DEFERRED) {
    auto tensor = sized<sy_tensor>();
    tensor.dtype = static_cast<sy_dtype>(info.dtype);
    outputs_.push_back(tensor);
    return;
  }
  if (alias_ && alias_->output == output) {
    const auto& positions = prepared_.program.input_positions();
    const auto found = std::find(positions.begin(), positions.end(), alias_->input);
    sy_tensor tensor = inputs_[static_cast<std::size_t>(found - positions.begin())];
    tensor.dtype = static_cast<sy_dtype>(info.dtype);
    outputs_.push_back(tensor);
    return;
  }
  Dims shape = info.shape.value_or(Dims());
  if (plan.mode == SY_OUTPUT_BOUNDED) {
    shape = Dims(std::span<const std::int64_t>(prepared_.bounds[output].data(), plan.rank));
    told_[output].assign(SY_MAX_RANK, -1);
    extents_[output] = told_[output].data();
  }
  const Placement placement = place(form_.outputs, info.dtype, shape, device_.info())
                                  .value_or(contiguous(info.dtype, shape, device_.info()));
  out_[output] = std::make_unique<TestTensor>(stream_, info.dtype, shape, placement);
  outputs_.push_back(out_[output]->abi());
}

sy_run_args KernelCall::args() {
  auto args = sized<sy_run_args>();
  args.stream = stream_.handle();
  args.kernel = prepared_.kernel;
  args.inputs = inputs_.data();
  args.input_count = static_cast<std::uint32_t>(inputs_.size());
  args.outputs = outputs_.data();
  args.output_count = static_cast<std::uint32_t>(outputs_.size());
  args.extents = extents_.data();
  const bool is_late = std::any_of(prepared_.plans.begin(), prepared_.plans.end(),
                                   [](const auto& p) { return p.mode == SY_OUTPUT_DEFERRED; });
  if (is_late) {
    allocator_.struct_size = sizeof(allocator_);
    allocator_.context = this;
    allocator_.allocate = &KernelCall::allocate;
    args.allocator = &allocator_;
  }
  return args;
}

void KernelCall::bind_workspace(sy_run_args& args) {
  std::uint64_t bytes = prepared_.workspace_bytes;
  if (bytes == SY_WORKSPACE_PER_RUN) {
    auto asked = sized<sy_workspace_args>();
    asked.run = &args;
    call_ok("workspace", device_.slots().workspace, asked);
    bytes = asked.size_bytes;
  }
  if (bytes == 0) return;
  const Dims shape{static_cast<std::int64_t>(bytes)};
  if (workspace_ && workspace_->shape() == shape) {  // of an earlier run: a binding names it, too
    args.workspace = workspace_->abi().storage;
    return;
  }
  workspace_ = std::make_unique<TestTensor>(stream_, DType::uint8, shape,
                                            contiguous(DType::uint8, shape, device_.info()));
  args.workspace = workspace_->abi().storage;
}

sy_status KernelCall::allocate(void* context, std::uint32_t output, std::uint32_t rank,
                               const std::int64_t* shape, sy_storage* storage,
                               std::uint64_t* offset_bytes) {
  auto& self = *static_cast<KernelCall*>(context);
  if (output >= self.late_.size() || rank > SY_MAX_RANK ||
      self.prepared_.plans[output].mode != SY_OUTPUT_DEFERRED || self.late_[output].storage) {
    return SY_INVALID;
  }
  if (self.refuses_storage_) return SY_OUT_OF_MEMORY;
  const Dims extents(std::span<const std::int64_t>(shape, rank));
  if (std::any_of(extents.begin(), extents.end(), [](std::int64_t n) { return n < 0; })) {
    return SY_INVALID;
  }
  try {
    const DType dtype = self.call_.outputs[self.prepared_.program.output_positions()[output]].dtype;
    Late& late = self.late_[output];
    late.shape = extents;
    late.storage = std::make_unique<TestStorage>(
        self.device_, byte_size(dtype, element_count(extents)) + 64, &self.stream_);
    *storage = late.storage->handle();
    *offset_bytes = 0;
    return SY_OK;
  } catch (...) {
    return SY_OUT_OF_MEMORY;
  }
}

Literal KernelCall::read_late(std::size_t output) {
  const Late& late = late_[output];
  if (!late.storage) fail("{} is deferred, and run took no storage for it", what("output", output));
  const DType dtype = call_.outputs[prepared_.program.output_positions()[output]].dtype;
  const std::vector<std::byte> bytes = late.storage->read(stream_);
  Literal value(dtype, late.shape);
  if (value.size_bytes() != 0) std::copy_n(bytes.data(), value.size_bytes(), value.mutable_bytes());
  return value;
}

/// The elements of what was really written, out of the tensor of the bound's shape.
Literal KernelCall::read_bounded(std::size_t output) {
  const Literal whole = out_[output]->read(stream_, what("output", output));
  const Dims& bound = whole.shape();
  Dims shape = bound;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    shape[axis] = told_[output][axis];
    if (shape[axis] >= 0 && shape[axis] <= bound[axis]) continue;
    fail("{} is bounded by {} along axis {}, and run told the extent {}", what("output", output),
         bound[axis], axis, shape[axis]);
  }
  Literal value(whole.dtype(), shape);
  const auto size = static_cast<std::size_t>(bit_width(whole.dtype()) / 8);
  Dims index = Dims::filled(shape.size(), 0);
  for (std::int64_t k = 0; k < value.size(); ++k) {
    std::int64_t from = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      from = from * bound[axis] + index[axis];
    }
    std::memcpy(value.mutable_bytes() + static_cast<std::size_t>(k) * size,
                whole.bytes() + static_cast<std::size_t>(from) * size, size);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
  return value;
}

Literal KernelCall::read_output(std::size_t output) {
  const sy_output_mode mode = prepared_.plans[output].mode;
  if (mode == SY_OUTPUT_DEFERRED) return read_late(output);
  if (mode == SY_OUTPUT_BOUNDED) return read_bounded(output);
  if (alias_ && alias_->output == output) {
    const auto& positions = prepared_.program.input_positions();
    const auto found = std::find(positions.begin(), positions.end(), alias_->input);
    return in_[static_cast<std::size_t>(found - positions.begin())]->read(stream_,
                                                                          what("output", output));
  }
  Literal value = out_[output]->read(stream_, what("output", output));
  if (out_[output]->is_untouched(value)) {
    fail("{}: run returned SY_OK and wrote nothing to it", what("output", output));
  }
  return value;
}

void KernelCall::check_untouched() {
  const auto& positions = prepared_.program.input_positions();
  for (std::size_t p = 0; p < in_.size(); ++p) {
    if (!in_[p] || (alias_ && alias_->input == positions[p])) continue;
    in_[p]->require_unchanged(stream_, what("input", positions[p]));
  }
  if (workspace_) workspace_->read(stream_, what("workspace of run", 0));
}

Answer KernelCall::enqueue() {
  bind_inputs();
  for (std::size_t output = 0; output < prepared_.plans.size(); ++output) bind_output(output);
  return submit();
}

Answer KernelCall::submit() {
  sy_run_args args = this->args();
  WideArray<sy_tensor> inputs(inputs_.data(), inputs_.size(), 24);
  WideArray<sy_tensor> outputs(outputs_.data(), outputs_.size(), 24);
  if (call_form().grows) {
    args.inputs = inputs.data();
    args.outputs = outputs.data();
  }
  bind_workspace(args);
  args.binding = binding_;
  Answer answer = conform::call("run", device_.slots().run, args);
  if (answer.ok()) number_ = stream_.enqueued("run", args.sequence);
  return answer;
}

std::vector<Literal> KernelCall::read() {
  check_untouched();
  std::vector<Literal> outputs;
  for (std::size_t output = 0; output < prepared_.plans.size(); ++output) {
    outputs.push_back(read_output(output));
  }
  ++device_.run().kernel_runs;
  return outputs;
}

std::vector<Literal> KernelCall::finish(const Answer& enqueued) {
  if (!enqueued.ok()) {
    fail("{} of {}{}: run returned {}", call_.name(), call_.text(), form_.text(), enqueued.text());
  }
  stream_.finish();
  return read();
}

std::vector<Literal> KernelCall::run() { return finish(enqueue()); }

std::vector<Literal> KernelCall::run_again(const OpCall& other) {
  const auto& positions = prepared_.program.input_positions();
  for (std::size_t p = 0; p < in_.size(); ++p) {
    if (in_[p]) in_[p]->hold(stream_, other.inputs[positions[p]]);
  }
  for (const auto& output : out_) output->poison(stream_);
  return finish(submit());
}

void require_dense(const Dims& shape, const std::vector<std::int64_t>& strides,
                   std::string_view what) {
  std::vector<std::size_t> axes(shape.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  std::stable_sort(axes.begin(), axes.end(),
                   [&](std::size_t a, std::size_t b) { return strides[a] < strides[b]; });
  std::int64_t step = 1;
  for (const std::size_t axis : axes) {
    if (shape[axis] == 1) continue;
    if (strides[axis] != step) {
      fail("{}, which are no permutation of contiguous ones: axis {} has {}", what, axis,
           strides[axis]);
    }
    step *= std::max<std::int64_t>(shape[axis], 1);
  }
}

}  // namespace switchyard::cli::conform
