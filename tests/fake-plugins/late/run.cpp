// A run: copied when it is enqueued, carried out by the other plugin's kernel when its turn comes.
#include <deque>
#include <future>
#include <memory>

#include "kernels.hpp"
#include "objects.hpp"
#include "slots.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/shape.hpp"

namespace late {
namespace {

// All that the kernel needs of the args, which end with the call.
struct Run {
  const Kernel& kernel;
  Stream& stream;
  std::vector<sy_tensor> inputs = {}, outputs = {};
  std::deque<std::vector<int64_t>> numbers = {};  // shapes and strides
  std::deque<std::vector<char>> values = {};      // host inputs
  std::vector<int64_t*> extents = {};
  char* workspace = nullptr;

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

uint64_t count_of(const sy_tensor& tensor) {
  return static_cast<uint64_t>(sy::element_count(sy::Extents(tensor.shape, tensor.rank)));
}

uint64_t address_of(sy_storage storage) { return reinterpret_cast<uint64_t>(find(storage).bytes); }

void bind_host_input(Run& run, sy_tensor& tensor) {
  const uint64_t count = count_of(tensor);
  if (tensor.storage == 0 || count == 0) return;
  const auto* bytes = reinterpret_cast<const char*>(tensor.storage);
  run.values.emplace_back(bytes, bytes + sy::contiguous_bytes(tensor.dtype, count));
  tensor.storage = reinterpret_cast<uint64_t>(run.values.back().data());
}

void bind_input(Run& run, const sy_tensor& given, uint32_t index) {
  const uint32_t flags = run.kernel.input_flags[index];
  sy_tensor& tensor = run.inputs.emplace_back(run.copy_of(given));
  if ((flags & SY_VALUE_HOST_INPUT) != 0) return bind_host_input(run, tensor);
  if ((flags & SY_VALUE_IMMEDIATE) != 0) return;
  tensor.storage = given.storage == 0 || count_of(given) == 0 ? 0 : address_of(given.storage);
}

void bind_output(Run& run, const sy_tensor& given, uint32_t index) {
  sy_tensor& tensor = run.outputs.emplace_back(run.copy_of(given));
  if (run.kernel.output_modes[index] == SY_OUTPUT_DEFERRED) return;
  tensor.storage = count_of(given) == 0 ? 0 : address_of(given.storage);
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
    storage = address_of(storage);
    const uint64_t before = run.stream.last;
    lock.unlock();
    catch_up(run.stream, before);
  }

  static sy_status allocate(void* context, uint32_t output, uint32_t rank, const int64_t* shape,
                            sy_storage* storage, uint64_t* offset_bytes) {
    auto& self = *static_cast<LateStorages*>(context);
    const sy_status status =
        self.host.allocate(self.host.context, output, rank, shape, storage, offset_bytes);
    if (status != SY_OK || *storage == 0) return status;  // 0: of a tensor without elements
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

void fail_as_asked(Device& device) {
  if (device.happens(device.settings.transient)) {
    throw sy::Failure(SY_TRANSIENT, SY_REASON_NONE, "run fails, as asked for");
  }
  if (device.happens(device.settings.out_of_memory)) throw sy::out_of_memory("as asked for");
}

sy_status run(sy_run_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    std::unique_lock lock(everything());
    Stream& stream = object(args->stream);
    const Kernel& kernel = object(args->kernel);
    fail_as_asked(*stream.device);
    const auto run = std::make_shared<Run>(Run{kernel, stream});
    for (uint32_t i = 0; i < args->input_count; ++i) {
      bind_input(*run, *SY_AT(sy_tensor, args->inputs, i), i);
    }
    for (uint32_t i = 0; i < args->output_count; ++i) {
      bind_output(*run, *SY_AT(sy_tensor, args->outputs, i), i);
    }
    if (kernel.workspace != 0) {
      run->workspace = find(args->workspace).bytes + args->workspace_offset_bytes;
    }
    if (args->extents != nullptr) {
      run->extents.assign(args->extents, args->extents + args->output_count);
    }
    args->sequence = kernel.has_deferred() ? run_now(*run, *args->allocator, lock)
                                           : enqueue(stream, [run] { carry_out(*run, nullptr); });
  });
}

}  // namespace

void set_run_slot(sy_plugin& table) { table.run = run; }

}  // namespace late
