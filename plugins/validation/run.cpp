#include "run.hpp"

#include <optional>

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
  const bool chooses = launch->group[0] + launch->group[1] + launch->group[2] == 0;
  if (!chooses && !counts_to(launch->group, 1)) {
    call.violation(Rule::launch, "its groups have no threads");
  }
}

void check_late_outputs(Run& run) {
  for (uint32_t i = 0; i < run.args.output_count; ++i) {
    const sy_output_mode mode = run.kernel->outputs[i].mode;
    if (mode == SY_OUTPUT_DEFERRED && run.args.allocator == nullptr) {
      run.call.violation(Rule::outputs, "output ", i, " is deferred, and there is no allocator");
      run.call.stop();
    }
    if (mode == SY_OUTPUT_BOUNDED &&
        (run.args.extents == nullptr || run.args.extents[i] == nullptr)) {
      run.call.violation(Rule::outputs, "output ", i, " is bounded, and its extents go nowhere");
      run.call.stop();
    }
  }
}

// The host's allocator of deferred outputs, whose storages are looked up on their way.
struct Allocator {
  const sy_output_allocator& host;
  Run& run;
  Work& work;

  sy_status take(sy_storage& handle) {
    const std::lock_guard lock(run.call.plugin().guard);
    const auto storage = run.call.find(*run.stream->device, handle);
    if (!storage) return SY_BUG;
    work.add({storage, Access::write});
    handle = storage->inner;
    return SY_OK;
  }

  static sy_status allocate(void* context, uint32_t output, uint32_t rank, const int64_t* shape,
                            sy_storage* storage, uint64_t* offset_bytes) {
    auto& self = *static_cast<Allocator*>(context);
    const sy_status status =
        self.host.allocate(self.host.context, output, rank, shape, storage, offset_bytes);
    if (status != SY_OK || *storage == 0) return status;
    return self.take(*storage);
  }
};

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
  check_launch(run);
  check_late_outputs(run);
  Work work(call, stream, run.uses);
  if (!call.may_pass()) return call.refuse();
  const sy_status status = pass_on(run, work, args->sequence);
  if (status != SY_OK) return status;
  work.enqueued(args->sequence);
  std::erase_if(kernel->uses, [](const auto& use) { return use.second <= use.first->seen; });
  if (!stream->device->is(SY_DEVICE_SYNCHRONOUS)) kernel->uses[stream] = args->sequence;
  return status;
}

}  // namespace validation
