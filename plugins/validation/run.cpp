#include "run.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "slots.hpp"
#include "switchyard/plugin/extension.hpp"

namespace validation {
namespace {

// A kernel that was compiled is told how many threads run it, and another is not.
void check_launch(Run& run) {
  const auto* launch = sy::find_extension<sy_launch>(run.args.extensions, SY_EXTENSION_LAUNCH);
  Call& call = run.call;
  if (!run.kernel->is_compiled) {
    if (launch != nullptr) call.violation(Rule::launch, "there is one, for a kernel of ops");
    return;
  }
  if (launch == nullptr) return call.violation(Rule::launch, "a compiled kernel needs one");
  const auto counts_to = [](const uint32_t(&counts)[3], uint32_t least) {
    return counts[0] >= least && counts[1] >= least && counts[2] >= least;
  };
  if (!counts_to(launch->threads, 1)) call.violation(Rule::launch, "it has no threads");
  const auto& group = launch->group;
  const bool chooses = group[0] == 0 && group[1] == 0 && group[2] == 0;
  if (!chooses && !counts_to(launch->group, 1)) {
    call.violation(Rule::launch, "its groups have no threads");
  }
}

void check_late_outputs(Run& run) {
  bool has_deferred = false;
  for (uint32_t i = 0; i < run.args.output_count; ++i) {
    const sy_output_mode mode = run.kernel->outputs[i].mode;
    if (mode == SY_OUTPUT_DEFERRED && run.args.allocator == nullptr) {
      run.call.violation(Rule::outputs, "output ", i, " is deferred, and there is no allocator");
      run.call.stop();
    }
    has_deferred = has_deferred || mode == SY_OUTPUT_DEFERRED;
    if (mode == SY_OUTPUT_BOUNDED &&
        (run.args.extents == nullptr || run.args.extents[i] == nullptr)) {
      run.call.violation(Rule::outputs, "output ", i, " is bounded, and its extents go nowhere");
      run.call.stop();
    }
  }
  if (run.args.allocator == nullptr) return;
  if (run.call.check_given(run.args.allocator, "the allocator")) {
    run.call.check_reserved(run.args.allocator->reserved);
  }
  if (!has_deferred) {
    run.call.violation(Rule::outputs, "there is an allocator, and no output is deferred");
  }
}

// The host's allocator of deferred outputs, whose storages are looked up on their way.
struct Allocator {
  const sy_output_allocator& host;
  Run& run;
  Work& work;

  sy_status take(sy_storage& handle, const sy_tensor& output, const std::string& which) {
    const std::lock_guard lock(run.call.plugin().guard);
    const auto storage = run.call.find(*run.stream->device, handle);
    if (!storage) return SY_BUG;
    check_lies_in(run, *storage, output, which);
    work.add({storage, Access::write});
    handle = storage->inner;
    return SY_OK;
  }

  static sy_status allocate(void* context, uint32_t output, uint32_t rank, const int64_t* shape,
                            sy_storage* storage, uint64_t* offset_bytes) {
    auto& self = *static_cast<Allocator*>(context);
    const sy_status status =
        self.host.allocate(self.host.context, output, rank, shape, storage, offset_bytes);
    if (status != SY_OK || *storage == 0 || output >= self.run.args.output_count) return status;
    sy_tensor given = *SY_AT(sy_tensor, self.run.args.outputs, output);
    given.rank = rank;
    given.shape = shape;
    given.offset_bytes = *offset_bytes;
    return self.take(*storage, given, sy::text("output ", output));
  }
};

// A binding's number stands for the same tensors whenever it comes: the latest numbers are kept.
void check_binding(Run& run) {
  constexpr size_t most_kept = 64;
  const uint64_t number = run.args.binding;
  if (number == 0) return;
  if (!run.kernel->wants_bindings) {
    run.call.violation(Rule::binding, "there is one, though the kernel wants none");
  }
  const std::vector<Port>& inputs = run.kernel->inputs;
  if (std::any_of(inputs.begin(), inputs.end(),
                  [](const Port& port) { return (port.flags & SY_VALUE_HOST_INPUT) != 0; })) {
    run.call.violation(Rule::binding, "there is one, though an input is a host input");
  }
  RunTensors tensors = tensors_of(run);
  tensors.insert(tensors.end(), {run.args.workspace, run.args.workspace_offset_bytes});
  auto& known = run.kernel->bindings;
  const auto [position, is_new] = known.try_emplace(number, std::move(tensors));
  if (!is_new && position->second != tensors) {
    run.call.violation(Rule::binding, "number ", number, " stood for other tensors before");
  }
  if (known.size() > most_kept) known.erase(known.begin());
}

sy_status pass_on(Run& run, Work& work, uint64_t& sequence) {
  sy_run_args inner = copy_of(run.args);
  inner.stream = run.stream->inner;
  inner.kernel = run.kernel->inner;
  inner.inputs = run.inputs.data();
  inner.outputs = run.outputs.data();
  inner.workspace = run.workspace;
  std::optional<Allocator> late;
  sy_output_allocator allocator = {};
  if (run.args.allocator != nullptr) {
    late.emplace(Allocator{*run.args.allocator, run, work});
    allocator = copy_of(*run.args.allocator);
    allocator.context = &*late;
    allocator.allocate = Allocator::allocate;
    inner.allocator = &allocator;
  }
  const sy_status status = run.call.pass_on(run.call.plugin().inner.run, inner);
  sequence = inner.sequence;
  return status;
}

}  // namespace

sy_status workspace(Plugin& plugin, sy_workspace_args* args, sy_error* error) {
  Call call(plugin, "workspace", *args, error);
  if (!call.check_given(args->run, "the run")) return call.refuse();
  const auto stream = call.find(args->run->stream);
  const auto kernel = call.find(args->run->kernel);
  if (stream && kernel) call.check_owner(*kernel, *stream->device, "kernel");
  if (kernel && kernel->workspace != SY_WORKSPACE_PER_RUN) {
    call.violation(Rule::workspace, "the kernel has said how much it wants");
  }
  if (args->run->workspace != 0 || args->run->binding != 0) {
    call.violation(Rule::workspace, "the run has a workspace or a binding already");
  }
  if (!call.may_pass()) return call.refuse();
  Run run{call, *args->run, kernel, stream};
  bind_tensors(run);
  if (!call.may_pass()) return call.refuse();
  sy_run_args told = copy_of(*args->run);
  told.stream = stream->inner;
  told.kernel = kernel->inner;
  told.inputs = run.inputs.data();
  told.outputs = run.outputs.data();
  sy_workspace_args inner = copy_of(*args);
  inner.run = &told;
  const sy_status status = call.pass_on(plugin.inner.workspace, inner);
  args->size_bytes = inner.size_bytes;
  if (status == SY_OK) {
    kernel->asked_workspace[std::this_thread::get_id()] = {tensors_of(run), inner.size_bytes};
  }
  return status;
}

sy_status run(Plugin& plugin, sy_run_args* args, sy_error* error) {
  Call call(plugin, "run", *args, error);
  const auto stream = call.find(args->stream);
  const auto kernel = call.find(args->kernel);
  if (stream) call.drive(stream);
  if (stream && kernel) call.check_owner(*kernel, *stream->device, "kernel");
  if (!call.may_pass()) return call.refuse();
  call.set_what("a run of " + kernel->op);
  Run run{call, *args, kernel, stream};
  bind_tensors(run);
  if (!call.may_pass()) return call.refuse();
  bind_workspace(run);
  if (!call.may_pass()) return call.refuse();
  check_binding(run);
  check_launch(run);
  check_late_outputs(run);
  Work work(call, stream, run.uses);
  if (!call.may_pass()) return call.refuse();
  const sy_status status = pass_on(run, work, args->sequence);
  if (status != SY_OK) return status;
  work.enqueued(args->sequence);
  kernel->asked_workspace.erase(std::this_thread::get_id());
  std::erase_if(kernel->uses, [](const auto& use) { return use.second <= use.first->seen; });
  if (!stream->device->is(SY_DEVICE_SYNCHRONOUS)) kernel->uses[stream] = args->sequence;
  return status;
}

}  // namespace validation
