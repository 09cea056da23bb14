#include "tensor/kernel_run.hpp"

#include <algorithm>
#include <utility>

#include "device/open_device.hpp"
#include "device/status.hpp"
#include "plugin_loader/watch/thread_calls.hpp"
#include "routing/call_facts.hpp"
#include "tensor/data_dependent_outputs.hpp"
#include "tensor/overlap.hpp"
#include "tensor/plugin_tensors.hpp"
#include "trace/log.hpp"
#include "types/describe.hpp"

// The order within a run, which everything here relies on:
// - The stream is chosen once. A failure elsewhere may give the device another stream meanwhile;
//   all of a run waits on, enqueues to and records with the one that it began with.
// - Inputs are bound before outputs are made, because an output may take over the memory of an
//   input that dies here. At most one does (`taken_`), and never one that is read through a copy.
// - Work of other streams comes before the run: with each input the writes, with each storage that
//   is written (outputs, workspace) all uses. The stream waits for it, or else the caller. Work of
//   this stream is in order anyway.
// - A number is recorded on every storage of the run, read or written, before anything else may
//   throw. What is not recorded could go back to its pool while the device still uses it. On a
//   synchronous stream work is over when `run` returns, and nothing is recorded.
// - A run that failed may be made again, here or on another device (NotEnqueued), only while no
//   input was written over; unless the plugin says that it did nothing.
namespace switchyard {
namespace {

thread_local constinit std::string_view node_here;

/// Host values may be passed as they are: they need not live after the run, which is over then.
bool reads_host_memory(const OpenDevice& device) {
  return device.addressable() && device.has(SY_DEVICE_IMPORTS_HOST_MEMORY) &&
         device.has(SY_DEVICE_SYNCHRONOUS);
}

/// Bytes of a file or a message lie anywhere.
bool is_aligned(const void* bytes, DType dtype) {
  const auto size = static_cast<std::uintptr_t>(std::max(bit_width(dtype) / 8, 1));
  return reinterpret_cast<std::uintptr_t>(bytes) % size == 0;
}

/// What a run that failed before its enqueue says of the device, in a trail.
Verdict verdict_of(sy_status status, const sy_error& error, const Error& failure) {
  if (status == SY_UNSUPPORTED) return {SY_REFUSED, error.reason, refusal_message(error)};
  const sy_reason reason = status == SY_OUT_OF_MEMORY ? SY_REASON_MEMORY : SY_REASON_FAULTED;
  return {SY_REFUSED, reason, failure.what()};
}

/// Whether the device failed for want of memory or by a fault, which another may be free of.
bool is_failure_of(const OpenDevice& device, const Error& failure) {
  const bool may_pass = failure.kind() == ErrorKind::out_of_memory ||
                        failure.kind() == ErrorKind::transient ||
                        failure.kind() == ErrorKind::device_lost;
  return may_pass && failure.device() == device.name();
}

/// Makes what a run needs on the device before its enqueue. A failure of the device is NotEnqueued.
template <typename Work>
auto or_elsewhere(const OpenDevice& device, Work&& work) {
  try {
    return work();
  } catch (const Error& failure) {
    if (!is_failure_of(device, failure)) throw;
    const bool no_memory = failure.kind() == ErrorKind::out_of_memory;
    const sy_reason reason = no_memory ? SY_REASON_MEMORY : SY_REASON_FAULTED;
    throw NotEnqueued(failure, {SY_REFUSED, reason, failure.what()},
                      NotEnqueued::Stage::before_run);
  }
}

/// One run of a kernel, from bound inputs to enqueued outputs.
class KernelRun {
 public:
  KernelRun(std::string_view name, const RunPlan& plan, std::span<TensorRef> inputs,
            std::span<TensorRef> outputs, CopyCount& count, bool may_give)
      : name_(name),
        plan_(plan),
        may_give_(may_give),
        device_(*plan.device),
        stream_(device_.stream()),
        inputs_(inputs),
        outputs_(outputs),
        count_(count),
        in_(plan.input_positions.size()),
        out_(plan.output_positions.size()),
        told_as_(name) {}

  void bind_inputs(std::span<const Literal> literals) {
    for (std::size_t p = 0; p < plan_.input_positions.size(); ++p) {
      const std::uint32_t i = plan_.input_positions[p];
      const TensorImpl* input = inputs_[i].get();
      if (i < literals.size() && literals[i].dtype() != DType::undefined) {
        reads_host_pointers_ = true;
        bind_pointer(in_[p], literals[i].dtype(), literals[i].shape(), literals[i].bytes());
      } else if (plan_.simple && input->device == &device_ && input->offset_bytes == 0) [[likely]] {
        bind_here(in_[p], *input);
      } else {
        bind_input(p, i);
      }
    }
  }

  void make_outputs() {
    for (std::size_t p = 0; p < plan_.output_positions.size(); ++p) {
      const std::uint32_t i = plan_.output_positions[p];
      const RoutedOutput& plan = plan_.outputs[i];
      if (!outputs_[i] || !can_write(plan, *outputs_[i])) outputs_[i] = make_output(plan);
      if (plan.mode == SY_OUTPUT_DEFERRED) {
        out_[p] = {};
        out_[p].struct_size = sizeof(sy_tensor);
        out_[p].dtype = static_cast<sy_dtype>(plan.dtype);
      } else {
        bind(out_[p], *outputs_[i]);
      }
    }
  }

  void enqueue() {
    sy_run_args args{};
    args.struct_size = sizeof(args);
    args.input_count = static_cast<std::uint32_t>(plan_.input_positions.size());
    args.stream = stream_.handle();
    args.kernel = plan_.kernel->handle();
    args.inputs = in_.data();
    args.outputs = out_.data();
    args.output_count = static_cast<std::uint32_t>(plan_.output_positions.size());
    if (!plan_.simple) return enqueue_fully(args);
    const std::uint64_t sequence = enqueue(args);
    if (!stream_.synchronous()) record(sequence, {});
  }

 private:
  std::uint64_t enqueue(sy_run_args& args) {
    return stream_.enqueue("run", [&] {
      run(args);
      if (!stream_.synchronous()) stream_.note(args.sequence, name_, node_here);
      return args.sequence;
    });
  }

  void enqueue_fully(sy_run_args& args) {
    StorageRef workspace;
    if (const std::size_t bytes = workspace_bytes(args); bytes > 0) {
      workspace = new_storage(bytes);
      args.workspace = workspace->handle();
    }
    if (BindingTable* bindings = plan_.kernel->bindings(); bindings && !reads_host_pointers_) {
      args.binding = bindings->number_of(args);
    }
    DataDependentOutputs late(name_, plan_, stream_, outputs_);
    late.prepare(args);
    const std::uint64_t sequence = enqueue(args);
    if (!stream_.synchronous()) record(sequence, workspace);
    late.finish(sequence);
  }

  std::size_t workspace_bytes(const sy_run_args& run) {
    const std::uint64_t bytes = plan_.kernel->workspace_bytes();
    if (bytes != SY_WORKSPACE_PER_RUN) return bytes;
    sy_workspace_args args{};
    args.struct_size = sizeof(args);
    args.run = &run;
    PluginError error;
    const sy_status status = device_.try_call(device_.api().workspace, args, error);
    if (status != SY_OK) fail(status, error, "workspace");
    return args.size_bytes;
  }

  struct Held {
    std::size_t position;
    TensorRef stand_in;
  };
  void bind_input(std::size_t p, std::uint32_t i) {
    const TensorRef& given = inputs_[i];
    if (plan_.is_unneeded(i)) {
      return bind_pointer(in_[p], given->dtype, given->shape, nullptr);
    }
    if ((plan_.immediates & mask_bit(i)) != 0) return bind_immediate(in_[p], *given);
    if (!given->device && reads_host_memory(device_) && given->contiguous) {
      const std::byte* bytes = given->host->literal.bytes() + given->offset_bytes;
      if (is_aligned(bytes, given->dtype)) {
        reads_host_pointers_ = true;
        return bind_pointer(in_[p], given->dtype, given->shape, bytes);
      }
    }
    TensorRef stand_in;
    const TensorImpl* tensor = given.get();
    if (tensor->device != &device_) {
      stand_in = or_elsewhere(device_, [&] { return bring_to(device_, given, count_); });
      tensor = stand_in.get();
    }
    const bool fits = (plan_.make_contiguous & mask_bit(i)) == 0 || tensor->contiguous;
    if (!fits || !device_.takes_offset(tensor->offset_bytes)) {
      CopyCount none;
      const TensorRef& source = stand_in ? stand_in : given;
      stand_in = or_elsewhere(device_, [&] { return copy_to(device_, source, none); });
      tensor = stand_in.get();
    }
    bind_here(in_[p], *tensor);
    if (stand_in) held_.push_back({p, std::move(stand_in)});
  }

  void bind_here(sy_tensor& slot, const TensorImpl& input) {
    if (!device_.has(SY_DEVICE_SYNCHRONOUS)) input.storage->order_before_read(stream_);
    bind(slot, input);
  }

  bool has_stand_in(std::size_t p) const {
    return std::any_of(held_.begin(), held_.end(),
                       [p](const Held& held) { return held.position == p; });
  }

  /// True if the output may go straight to a tensor that is there already: no other bytes than
  /// those of an input that the kernel lets an output lie on are read while it is written.
  bool can_write(const RoutedOutput& plan, const TensorImpl& given) {
    if (plan.mode != SY_OUTPUT_EXACT || given.device != &device_ || given.dtype != plan.dtype ||
        !(given.shape == plan.shape) || !device_.takes_offset(given.offset_bytes)) {
      return false;
    }
    if (!(given.strides == plan.strides) && !takes_strides(plan, given)) return false;
    bool lies_on_input = false;
    for (const std::uint32_t i : plan_.input_positions) {
      const TensorRef& input = inputs_[i];
      if (!input || !input->storage || !input->storage->may_overlap(*given.storage.get())) continue;
      const bool same = input->storage.get() == given.storage.get() &&
                        input->offset_bytes == given.offset_bytes &&
                        input->layout == given.layout && input->shape == given.shape &&
                        input->strides == given.strides;
      if (!same || i >= 64 || !(plan.may_alias >> i & 1)) return false;
      lies_on_input = true;
    }
    writes_in_place_ = writes_in_place_ || lies_on_input;
    given.storage->order_before_write(stream_);
    return true;
  }

  bool takes_strides(const RoutedOutput& plan, const TensorImpl& given) const {
    return plan_.strided_outputs && plan.contiguous && !overlaps_itself(given);
  }

  TensorRef make_output(const RoutedOutput& plan) {
    TensorRef output = new_tensor();
    output->dtype = plan.dtype;
    output->device = &device_;
    if (plan.mode == SY_OUTPUT_DEFERRED) return output;
    output->shape = plan.shape;
    output->strides = plan.strides;
    output->layout = plan.layout;
    output->contiguous = plan.contiguous;
    if (plan.may_alias != 0 && may_give_) output->storage = donated_storage(plan, *output);
    if (!output->storage) output->storage = new_storage(plan.size_bytes);
    return output;
  }

  /// The memory of an input that nobody else can see, if its layout is the output's.
  StorageRef donated_storage(const RoutedOutput& plan, const TensorImpl& output) {
    for (std::size_t p = 0; p < plan_.input_positions.size(); ++p) {
      const std::uint32_t i = plan_.input_positions[p];
      if (i >= 64 || !(plan.may_alias >> i & 1) || has_stand_in(p)) continue;
      const TensorRef& input = inputs_[i];
      if (!input || input->device != &device_ || input->layout != plan.layout ||
          input->offset_bytes != 0 || !(input->shape == output.shape) ||
          !(input->strides == output.strides) || input->dtype != output.dtype ||
          input->constant_id != 0 || !input.is_sole_owner() || taken_ == input.get()) {
        continue;
      }
      if (!stream_.synchronous()) input->storage->order_before_write(stream_);
      taken_ = input.get();
      return input->storage;
    }
    return {};
  }

  // Another thread may have put another stream in place of this run's, to which the memory belongs.
  StorageRef new_storage(std::size_t bytes) {
    StorageRef storage = or_elsewhere(device_, [&] { return device_.allocator().allocate(bytes); });
    if (!stream_.synchronous()) storage->order_before_write(stream_);
    return storage;
  }

  void run(sy_run_args& args) {
    PluginError error;
    sy_status status = device_.api().run(&args, &error);
    if (status == SY_OK) [[likely]]
      return;
    if (status == SY_OUT_OF_MEMORY && !writes_over_input()) {
      DataDependentOutputs::drop(plan_, outputs_);
      device_.allocator().reclaim();
      status = device_.api().run(&args, &error);
      if (status == SY_OK) return;
    }
    fail(status, error, "run");
  }

  /// Then an input may be half gone when `run` has failed.
  bool writes_over_input() const { return taken_ != nullptr || writes_in_place_; }

  void fail(sy_status status, const PluginError& error, std::string_view call) {
    try {
      device_.check_call(status, error, call);
    } catch (const Error& failure) {
      const bool did_nothing =
          status == SY_UNSUPPORTED || status == SY_TRANSIENT || call == "workspace";
      if (status == SY_INVALID || (writes_over_input() && !did_nothing)) throw;
      throw NotEnqueued(failure, verdict_of(status, error, failure), NotEnqueued::Stage::run);
    }
  }

  void record(std::uint64_t sequence, const StorageRef& workspace) {
    const auto note_read = [&](const StorageRef& storage) {
      if (storage) storage->record_read(stream_, sequence);
    };
    const auto note_write = [&](const StorageRef& storage) {
      if (storage) storage->record_write(stream_, sequence);
    };
    plan_.kernel->record_use(stream_, sequence);
    for (const Held& held : held_) note_read(held.stand_in->storage);
    // Those of other devices may outlive this one's streams: a copy of them is complete, and an
    // import ends with this run, which it waits for.
    for (const std::uint32_t i : plan_.input_positions) {
      if (inputs_[i]->device == &device_) note_read(inputs_[i]->storage);
    }
    for (const std::uint32_t i : plan_.output_positions) note_write(outputs_[i]->storage);
    note_write(workspace);
  }

  const std::string_view name_;  // of the op
  const RunPlan& plan_;
  const bool may_give_;
  OpenDevice& device_;
  OpenStream& stream_;  // one throughout: a failure elsewhere may give the device another meanwhile
  std::span<TensorRef> inputs_;
  std::span<TensorRef> outputs_;
  CopyCount& count_;
  PluginTensors in_;
  PluginTensors out_;
  std::vector<Held> held_;  // copies of inputs that cannot be read as they lie
  const TensorImpl* taken_ = nullptr;
  bool writes_in_place_ = false;  // an output that was given lies on an input
  bool reads_host_pointers_ = false;
  const watch::OpScope
      told_as_;  // of all calls of the plugin, those for inputs and outputs included
};

std::vector<std::string> shapes_of(std::span<const TensorRef> tensors,
                                   const std::vector<std::uint32_t>& positions) {
  std::vector<std::string> texts;
  for (const std::uint32_t i : positions) {
    texts.push_back(describe(tensors[i]->dtype, tensors[i]->shape));
  }
  return texts;
}

void run_untraced(std::string_view name, const RunPlan& plan, std::span<TensorRef> inputs,
                  std::span<const Literal> literals, std::span<TensorRef> outputs, CopyCount& count,
                  bool may_give) {
  KernelRun run(name, plan, inputs, outputs, count, may_give);
  run.bind_inputs(literals);
  run.make_outputs();
  run.enqueue();
}

void run_traced(std::string_view name, trace::Facts facts, const RunPlan& plan,
                std::span<TensorRef> inputs, std::span<const Literal> literals,
                std::span<TensorRef> outputs, CopyCount& count, bool may_give) {
  const std::vector<std::string> shapes = shapes_of(inputs, plan.input_positions);
  trace::Span span(*plan.device->timeline(), "kernel", name, facts.add("inputs", shapes));
  run_untraced(name, plan, inputs, literals, outputs, count, may_give);
  span.results().add("outputs", shapes_of(outputs, plan.output_positions));
}

}  // namespace

// Nodes of a function body may have no name; the node that they stand for has.
NodeScope::NodeScope(std::string_view node) noexcept
    : outer_(std::exchange(node_here, node.empty() ? node_here : node)) {
  if (!node.empty()) watch::note_node(node);
}
NodeScope::~NodeScope() {
  if (node_here.data() != outer_.data()) watch::note_node(outer_);
  node_here = outer_;
}

void run_kernel(const CallSite& site, const RunPlan& plan, std::span<TensorRef> inputs,
                std::span<const Literal> literals, std::span<TensorRef> outputs, CopyCount& count,
                bool may_give) {
  if (!plan.device->timeline()) [[likely]]
    return run_untraced(site.op->name(), plan, inputs, literals, outputs, count, may_give);
  run_traced(site.op->name(), facts_of(site, *plan.device), plan, inputs, literals, outputs, count,
             may_give);
}

void run_program(std::size_t node_count, const RunPlan& plan, std::span<TensorRef> inputs,
                 std::span<const Literal> literals, std::span<TensorRef> outputs,
                 CopyCount& count) {
  if (!plan.device->timeline()) [[likely]]
    return run_untraced("a program", plan, inputs, literals, outputs, count, true);
  trace::Facts facts;
  facts.add("nodes", std::uint64_t{node_count}).add("device", plan.device->name());
  run_traced("program", std::move(facts), plan, inputs, literals, outputs, count, true);
}

void trace_failover(std::string_view what, const OpenDevice& device, const NotEnqueued& failure) {
  if (failure.kind() == ErrorKind::unsupported) return;
  trace::warn("{} moves away from {} for this call: {}", what, device.name(), failure.what());
}

}  // namespace switchyard
