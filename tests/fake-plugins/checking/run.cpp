// A run: checked when it is enqueued, carried out by the other plugin's kernel when its turn comes.
#include <algorithm>
#include <cstring>
#include <deque>
#include <future>
#include <memory>

#include "bounds.hpp"
#include "kernels.hpp"
#include "order.hpp"
#include "slots.hpp"
#include "switchyard/plugin/guard.hpp"
#include "turn.hpp"

namespace checking {
namespace {

// All that the kernel needs of the args, which end with the call.
struct Run {
  const Kernel& kernel;
  Stream& stream;
  std::string what;
  std::vector<sy_tensor> inputs, outputs;
  std::deque<std::vector<int64_t>> numbers;  // shapes and strides
  std::deque<std::vector<char>> values;      // host inputs
  std::vector<int64_t*> extents;
  char* workspace = nullptr;
  std::vector<std::pair<Storage*, Access>> uses = {};

  const int64_t* keep(const int64_t* from, uint32_t count) {
    if (from == nullptr) return nullptr;
    return numbers.emplace_back(from, from + count).data();
  }

  sy_tensor copy_of(const sy_tensor& tensor) {
    sy_tensor copy = tensor;
    copy.struct_size = sizeof(copy);
    copy.shape = keep(tensor.shape, tensor.rank);
    copy.strides = keep(tensor.strides, tensor.rank);
    return copy;
  }
};

Elements elements_of(const sy_tensor& tensor) {
  return {tensor.dtype, sy::Extents(tensor.shape, tensor.rank), tensor.strides,
          tensor.offset_bytes};
}

bool is_empty(const sy_tensor& tensor) {
  return sy::element_count(sy::Extents(tensor.shape, tensor.rank)) == 0;
}

// Whether the tensor is what the kernel was prepared for.
void check_port(const Run& run, const Port& port, const sy_tensor& tensor, const char* kind,
                uint32_t index) {
  const std::string what = sy::text(run.what, ": ", kind, " ", index);
  const sy::Extents shape(tensor.shape, tensor.rank);
  if (tensor.dtype != port.dtype) violation(what, " has type ", tensor.dtype, ", not ", port.dtype);
  if (port.rank == SY_UNKNOWN_RANK) return;
  if (tensor.rank != port.rank) return violation(what, " has rank ", tensor.rank);
  if ((port.specialised_on & SY_ON_SHAPE) != 0) {
    for (uint32_t i = 0; i < tensor.rank; ++i) {
      if (port.shape[i] >= 0 && port.shape[i] != shape[i]) {
        violation(what, " is ", shape, ", but was prepared as ", sy::Extents(port.shape));
      }
    }
  }
  const bool same_shape = std::equal(shape.begin(), shape.end(), port.shape.begin());
  if ((port.specialised_on & SY_ON_STRIDES) != 0 && same_shape && !is_empty(tensor) &&
      !same_strides(shape, port.has_strides ? port.strides.data() : nullptr, tensor.strides)) {
    violation(what, " does not have the strides that it was prepared for");
  }
}

Storage& storage_of(const Run& run, const sy_tensor& tensor) {
  Storage* storage = find(*run.stream.device, tensor.storage, run.what);
  if (storage == nullptr) throw sy::invalid("no storage ", tensor.storage);
  if (storage->mappings != 0) violation(run.what, ": storage ", storage->id, " is mapped");
  check_bounds(*storage, elements_of(tensor), run.what);
  return *storage;
}

void bind_host_input(Run& run, const Port& port, sy_tensor& tensor) {
  const auto count =
      static_cast<uint64_t>(sy::element_count(sy::Extents(tensor.shape, tensor.rank)));
  if (tensor.storage == 0 || count == 0) return;
  const auto* bytes = reinterpret_cast<const char*>(tensor.storage);
  run.values.emplace_back(bytes, bytes + sy::contiguous_bytes(tensor.dtype, count));
  if ((port.specialised_on & SY_ON_DATA) != 0 && !port.data.empty() &&
      port.data != run.values.back()) {
    violation(run.what, ": a host input does not have the value that it was prepared for");
  }
  tensor.storage = reinterpret_cast<uint64_t>(run.values.back().data());
}

void bind_input(Run& run, const sy_tensor& given, uint32_t index) {
  const Port& port = run.kernel.inputs[index];
  check_port(run, port, given, "input", index);
  sy_tensor& tensor = run.inputs.emplace_back(run.copy_of(given));
  if ((port.flags & SY_VALUE_HOST_INPUT) != 0) return bind_host_input(run, port, tensor);
  if ((port.flags & SY_VALUE_IMMEDIATE) != 0) {
    if (given.rank == 0 && given.storage == 0) return;
    violation(run.what, ": input ", index, " is an immediate with a rank or a storage");
  }
  if (is_empty(given) || given.storage == 0) {
    if (!is_empty(given) && (port.flags & SY_VALUE_CONSTANT) == 0) {
      violation(run.what, ": input ", index, " has no storage");
    }
    tensor.storage = 0;
    return;
  }
  Storage& storage = storage_of(run, given);
  tensor.storage = reinterpret_cast<uint64_t>(storage.bytes);
  run.uses.emplace_back(&storage, Access::read);
}

// An output may lie on an input only as the identical view, where the kernel said so.
void check_alias(const Run& run, const sy_run_args& args, const Port& port,
                 const sy_tensor& output) {
  for (uint32_t i = 0; i < args.input_count; ++i) {
    const sy_tensor& input = *SY_AT(sy_tensor, args.inputs, i);
    const uint32_t flags = run.kernel.inputs[i].flags;
    if ((flags & (SY_VALUE_HOST_INPUT | SY_VALUE_IMMEDIATE)) != 0) continue;
    if (input.storage != output.storage || is_empty(input)) continue;
    const Elements read = elements_of(input), written = elements_of(output);
    if (!touch_same_bytes(read, written)) continue;
    const bool allowed = i < 64 && (port.may_alias >> i & 1U) != 0 && are_identical(read, written);
    if (!allowed) violation(run.what, ": an output lies on input ", i);
  }
}

void bind_output(Run& run, const sy_run_args& args, uint32_t index) {
  const Port& port = run.kernel.outputs[index];
  const sy_tensor& given = *SY_AT(sy_tensor, args.outputs, index);
  sy_tensor& tensor = run.outputs.emplace_back(run.copy_of(given));
  if (port.mode == SY_OUTPUT_DEFERRED) return;
  check_port(run, port, given, "output", index);
  tensor.storage = 0;
  if (is_empty(given)) return;
  Storage& storage = storage_of(run, given);
  check_alias(run, args, port, given);
  for (uint32_t i = 0; i < index; ++i) {
    const sy_tensor& other = *SY_AT(sy_tensor, args.outputs, i);
    const bool is_late = run.kernel.outputs[i].mode == SY_OUTPUT_DEFERRED;
    if (!is_late && other.storage == given.storage && !is_empty(other)) {
      violation(run.what, ": outputs ", i, " and ", index, " share a storage");
    }
  }
  tensor.storage = reinterpret_cast<uint64_t>(storage.bytes);
  run.uses.emplace_back(&storage, Access::write);
}

void bind_workspace(Run& run, const sy_run_args& args) {
  if (run.kernel.workspace == 0) return;
  Storage* storage = find(*run.stream.device, args.workspace, run.what);
  if (storage == nullptr) throw sy::invalid("no workspace");
  if (args.workspace_offset_bytes + run.kernel.workspace > storage->size) {
    violation(run.what, ": the workspace is too small");
  }
  run.workspace = storage->bytes + args.workspace_offset_bytes;
  run.uses.emplace_back(storage, Access::write);
}

void carry_out(const Run& run, const sy_output_allocator* allocator) {
  sy_run_args args = {};
  args.struct_size = sizeof(args);
  args.input_count = static_cast<uint32_t>(run.inputs.size());
  args.stream = run.stream.inner;
  args.kernel = run.kernel.inner;
  args.inputs = run.inputs.data();
  args.outputs = run.outputs.data();
  args.output_count = static_cast<uint32_t>(run.outputs.size());
  args.workspace = reinterpret_cast<sy_storage>(run.workspace);
  args.extents = run.extents.empty() ? nullptr : run.extents.data();
  args.allocator = allocator;
  sy_error error = {};
  error.struct_size = sizeof(error);
  const sy_status status = kernels().run(&args, &error);
  if (status != SY_OK) throw sy::Failure(status, error.reason, error.message);
}

// For all that the stream was given, waits for events included, which have no number either.
void catch_up(Stream& stream, uint64_t last) {
  auto reached = std::make_shared<std::promise<void>>();
  const std::future<void> over = reached->get_future();
  stream.state->enqueue_unnumbered([reached = std::move(reached)] { reached->set_value(); });
  stream.state->flush();
  over.wait();  // or until it is dropped, where the stream has failed
  sy_error failure = {};
  if (stream.state->wait(last, failure)) sy::throw_failure(failure);
}

// Turns storages that the host gives for deferred outputs into the pointers that the kernel needs.
struct LateStorages {
  const sy_output_allocator& host;
  Run& run;

  // Waits for what the memory was used for before.
  void take(sy_storage& storage) {
    std::unique_lock lock(everything());
    Storage* taken = find(*run.stream.device, storage, "a deferred output");
    if (taken == nullptr) throw sy::invalid("no storage ", storage);
    run.uses.emplace_back(taken, Access::write);
    storage = reinterpret_cast<sy_storage>(taken->bytes);
    const uint64_t before = run.stream.last;
    lock.unlock();
    catch_up(run.stream, before);
  }

  static sy_status allocate(void* context, uint32_t output, uint32_t rank, const int64_t* shape,
                            sy_storage* storage, uint64_t* offset_bytes) {
    auto& self = *static_cast<LateStorages*>(context);
    const sy_status status =
        self.host.allocate(self.host.context, output, rank, shape, storage, offset_bytes);
    if (status != SY_OK) return status;
    return sy::guard(nullptr, [&] { self.take(*storage); });
  }
};

// It takes one number, when it is over.
uint64_t run_now(Run& run, const sy_output_allocator& host, std::unique_lock<std::mutex>& lock) {
  const uint64_t before = run.stream.last;
  lock.unlock();
  catch_up(run.stream, before);
  LateStorages late{host, run};
  sy_output_allocator allocator = {};
  allocator.struct_size = sizeof(allocator);
  allocator.context = &late;
  allocator.allocate = LateStorages::allocate;
  carry_out(run, &allocator);
  lock.lock();
  return enqueue(run.stream, [] {});
}

void check_counts(const Run& run, const sy_run_args& args) {
  if (args.input_count != run.kernel.inputs.size() ||
      args.output_count != run.kernel.outputs.size()) {
    throw sy::bug(run.what, ": not as many inputs and outputs as the program has");
  }
}

void fail_as_asked(Device& device) {
  if (device.happens(device.settings.transient)) {
    throw sy::Failure(SY_TRANSIENT, SY_REASON_NONE, "run fails, as asked for");
  }
  if (device.happens(device.settings.out_of_memory)) throw sy::out_of_memory("as asked for");
}

sy_status run(sy_run_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    std::unique_lock lock(everything());
    Stream* stream = find(args->stream, "run");
    Kernel* kernel = find(args->kernel, "run");
    if (stream == nullptr || kernel == nullptr) throw sy::invalid("no such handle");
    const Turn turn(*stream, "run");
    if (kernel->device != stream->device) violation("run: a kernel of another device");
    fail_as_asked(*stream->device);
    const auto run = std::make_shared<Run>(Run{*kernel, *stream, "a run of " + kernel->op});
    check_counts(*run, *args);
    for (uint32_t i = 0; i < args->input_count; ++i) {
      bind_input(*run, *SY_AT(sy_tensor, args->inputs, i), i);
    }
    for (uint32_t i = 0; i < args->output_count; ++i) bind_output(*run, *args, i);
    bind_workspace(*run, *args);
    if (args->extents != nullptr) {
      run->extents.assign(args->extents, args->extents + args->output_count);
    }
    args->sequence = kernel->has_deferred ? run_now(*run, *args->allocator, lock)
                                          : enqueue(*stream, [run] { carry_out(*run, nullptr); });
    for (const auto& [storage, access] : run->uses) {
      note_use(*stream, args->sequence, *storage, access, run->what);
    }
    kernel->uses[stream] = args->sequence;
  });
}

}  // namespace

void set_run_slot(sy_plugin& table) { table.run = run; }

}  // namespace checking
