// A case: the calls of a host that breaks a rule of plugin.h on purpose, and what they have at
// hand.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "layered.hpp"

namespace layered {

using driver::Numbers;
using driver::Operand;

// What the calls of a case have at hand.
struct Case {
  Plugin& plugin;
  const sy_plugin& api;
  driver::Device& device;

  Operand tensor(float value = 1) {
    return {.shape = {4}, .storage = device.upload({value, value, value, value})};
  }
  sy_kernel kernel(const char* op = "Relu", sy_dtype output = SY_FLOAT32) {
    const Operand x{.shape = {4}};
    const Operand y{.shape = {4}, .dtype = output};
    return device.prepare(driver::Program(op, 14, {x}, y)).kernel;
  }

  sy_stream another_stream(sy_device of = nullptr) {
    auto args = make<sy_create_stream_args>();
    args.device = of == nullptr ? device.handle() : of;
    EXPECT_EQ(api.create_stream(&args, nullptr), SY_OK);
    return args.stream;
  }
  void destroy(sy_stream stream) {
    auto args = make<sy_stream_args>();
    args.stream = stream;
    EXPECT_EQ(api.destroy_stream(&args, nullptr), SY_OK);
  }
  sy_event event(uint32_t flags = 0) {
    auto args = make<sy_create_event_args>();
    args.device = device.handle();
    args.flags = flags;
    EXPECT_EQ(api.create_event(&args, nullptr), SY_OK);
    return args.event;
  }
  void record(sy_event event) {
    auto args = make<sy_event_args>();
    args.event = event;
    args.stream = device.stream();
    EXPECT_EQ(api.record_event(&args, nullptr), SY_OK);
  }
  sy_elapsed_time_args times(sy_event start, sy_event end) {
    auto args = make<sy_elapsed_time_args>();
    args.start = start;
    args.end = end;
    return args;
  }
  sy_notify_args notice(uint64_t sequence) {
    auto args = make<sy_notify_args>();
    args.stream = device.stream();
    args.sequence = sequence;
    args.function = [](void*) {};
    return args;
  }
  sy_status destroy(sy_event event, sy_stream stream = nullptr) {
    auto args = make<sy_event_args>();
    args.event = event;
    args.stream = stream;
    return api.destroy_event(&args, nullptr);
  }
  sy_status release(sy_storage storage) {
    auto args = make<sy_storage_args>();
    args.device = device.handle();
    args.storage = storage;
    return api.release(&args, nullptr);
  }
  sy_storage allocate(uint64_t size_bytes) {
    auto args = make<sy_allocate_args>();
    args.device = device.handle();
    args.size_bytes = size_bytes;
    EXPECT_EQ(api.allocate(&args, nullptr), SY_OK);
    return args.storage;
  }
  sy_host_memory_args block(void* pointer, uint64_t size_bytes) {
    auto args = make<sy_host_memory_args>();
    args.device = device.handle();
    args.pointer = pointer;
    args.size_bytes = size_bytes;
    return args;
  }
  sy_export_args exported(sy_storage storage, sy_event event) {
    auto args = make<sy_export_args>();
    args.device = device.handle();
    args.storage = storage;
    args.event = event;
    return args;
  }
  sy_import_args imported(sy_external_kind kind, void* pointer) {
    auto args = make<sy_import_args>();
    args.device = device.handle();
    args.kind = kind;
    args.pointer = pointer;
    args.size_bytes = 16;
    return args;
  }
  sy_status destroy(sy_kernel kernel) {
    auto args = make<sy_kernel_args>();
    args.kernel = kernel;
    return api.destroy_kernel(&args, nullptr);
  }
  sy_status copy(sy_stream stream, const sy_region& from, const sy_region& to,
                 const Numbers& shape = {4}) {
    auto args = make<sy_copy_args>();
    args.dtype = SY_FLOAT32;
    args.device = device.handle();
    args.stream = stream;
    args.source = &from;
    args.destination = &to;
    args.shape = shape.data();
    args.rank = static_cast<uint32_t>(shape.size());
    const sy_status status = api.copy(&args, nullptr);
    last = args.sequence;
    return status;
  }
  sy_status run(sy_kernel kernel, const std::vector<Operand>& inputs, const Operand& output) {
    return device.try_run(kernel, inputs, output, last);
  }
  void wait() { device.wait(last); }

  uint64_t last = 0;
};

struct BrokenRule {
  const char* name;
  const char* rule;
  const char* plugin;  // behind the layer
  std::function<void(Case&)> calls;
};

inline constexpr float four[4] = {1, 2, 3, 4};

// The cases, by what the calls are about.
std::vector<BrokenRule> cases_of_handles();
std::vector<BrokenRule> cases_of_memory();
std::vector<BrokenRule> cases_of_work();
std::vector<BrokenRule> cases_of_programs();

// A run of one input and one output.
struct OneRun {
  sy_tensor input, output;
  sy_run_args args = make<sy_run_args>();

  OneRun(Case& c, sy_kernel kernel, const Operand& x, const Operand& y)
      : input(x.tensor()), output(y.tensor()) {
    args.stream = c.device.stream();
    args.kernel = kernel;
    args.inputs = &input;
    args.input_count = 1;
    args.outputs = &output;
    args.output_count = 1;
  }
  OneRun(const OneRun&) = delete;
  OneRun& operator=(const OneRun&) = delete;
};

// Such a run, with whatever `change` changes.
inline sy_status run_changed(Case& c, const std::function<void(sy_run_args&)>& change) {
  const sy_kernel kernel = c.kernel();
  const Operand x = c.tensor(), y = c.tensor();
  OneRun run(c, kernel, x, y);
  change(run.args);
  const sy_status status = c.api.run(&run.args, nullptr);
  EXPECT_EQ(c.destroy(kernel), SY_OK);
  return status;
}

// How much workspace it is told to want.
inline sy_status ask_workspace(Case& c, const sy_run_args& run, uint64_t& size_bytes) {
  auto args = make<sy_workspace_args>();
  args.run = &run;
  const sy_status status = c.api.workspace(&args, nullptr);
  size_bytes = args.size_bytes;
  return status;
}

// A run whose output is deferred; `meanwhile` is called while the plugin asks for storage.
inline void run_deferred(Case& c, const std::function<void(sy_kernel)>& meanwhile,
                         bool has_allocator = true) {
  const Operand x = c.tensor();
  const Operand y{.shape = {1, SY_UNKNOWN_DIMENSION}, .dtype = SY_INT64};
  const sy_kernel kernel = c.device.prepare(driver::Program("NonZero", 13, {x}, y)).kernel;
  struct Context {
    Case& c;
    const sy_kernel kernel;
    const std::function<void(sy_kernel)>& meanwhile;
  } context{c, kernel, meanwhile};
  auto allocator = make<sy_output_allocator>();
  allocator.context = &context;
  allocator.allocate = [](void* with, uint32_t, uint32_t, const int64_t*, sy_storage* storage,
                          uint64_t* offset_bytes) -> sy_status {
    auto& self = *static_cast<Context*>(with);
    self.meanwhile(self.kernel);
    *storage = self.c.device.allocate(256);
    *offset_bytes = 0;
    return SY_OK;
  };
  const sy_tensor input = x.tensor();
  auto output = make<sy_tensor>();
  output.dtype = SY_INT64;
  auto args = make<sy_run_args>();
  args.stream = c.device.stream();
  args.kernel = kernel;
  args.inputs = &input;
  args.input_count = 1;
  args.outputs = &output;
  args.output_count = 1;
  args.allocator = has_allocator ? &allocator : nullptr;
  EXPECT_EQ(c.api.run(&args, nullptr), has_allocator ? SY_OK : SY_INVALID);
  c.destroy(kernel);
}

}  // namespace layered
