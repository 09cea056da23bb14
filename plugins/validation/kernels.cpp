// Kernels that users write (kernels.h), and the end of kernels and packed constants.
#include "call.hpp"
#include "order.hpp"
#include "slots.hpp"
#include "switchyard/plugin/dtype.hpp"

namespace validation {
namespace {

std::vector<Port> ports_of(const sy_dtype* dtypes, uint32_t count) {
  std::vector<Port> ports;
  for (uint32_t i = 0; i < count; ++i) {
    Port& port = ports.emplace_back();
    port.dtype = dtypes[i];
    port.may_be_strided = false;
  }
  return ports;
}

void check_types(Call& call, const char* kind, const sy_dtype* dtypes, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (dtypes != nullptr && sy::dtype_bits(dtypes[i]) != 0) continue;
    call.violation(Rule::args, kind, " ", i, " is of no type that there is");
    return call.stop();
  }
}

}  // namespace

sy_status compile(Plugin& plugin, sy_compile_args* args, sy_error* error) {
  Call call(plugin, "compile", *args, error);
  const auto device = call.find(args->device);
  if (args->name == nullptr || args->source == nullptr || args->function == nullptr) {
    call.violation(Rule::args, "it lacks a name, a source or a function");
    call.stop();
  }
  check_types(call, "input", args->inputs, args->input_count);
  check_types(call, "output", args->outputs, args->output_count);
  if (!call.may_pass()) return call.refuse();
  sy_compile_args inner = copy_of(*args);
  inner.device = device->inner;
  const sy_status status = call.pass_on(plugin.compiler->compile, inner);
  if (status != SY_OK) return status;
  args->kernel = nullptr;
  if (inner.kernel == nullptr) return status;
  auto kernel = std::make_shared<Kernel>();
  kernel->device = device;
  kernel->generation = device->recoveries;
  kernel->inner = inner.kernel;
  kernel->op = args->function;
  kernel->is_compiled = true;
  kernel->inputs = ports_of(args->inputs, args->input_count);
  kernel->outputs = ports_of(args->outputs, args->output_count);
  ++device->kernels;
  args->kernel = plugin.kernels.keep(std::move(kernel), plugin.numbers.next());
  return status;
}

sy_status destroy_kernel(Plugin& plugin, sy_kernel_args* args, sy_error* error) {
  Call call(plugin, "destroy_kernel", *args, error, Handling::lets_go);
  const auto kernel = call.find(args->kernel);
  if (kernel) {
    call.check_unused_by_calls(*kernel, "kernel");
    for (const auto& [stream, last] : kernel->uses) {
      const uint64_t done = known_done(stream, nullptr);
      if (last <= done) continue;
      call.violation(Rule::kernel, kernel->op, " runs as number ", last, " of stream ", stream->id,
                     "; known to be over: ", done);
    }
  }
  if (!call.may_pass()) return call.refuse();
  plugin.kernels.drop(args->kernel);
  --kernel->device->kernels;
  sy_kernel_args inner = copy_of(*args);
  inner.kernel = kernel->inner;
  return call.pass_on(plugin.inner.destroy_kernel, inner);
}

sy_status release_constant(Plugin& plugin, sy_constant_args* args, sy_error* error) {
  Call call(plugin, "release_constant", *args, error, Handling::lets_go);
  const auto device = call.find(args->device);
  if (device) {
    const auto found = device->constants.find(args->constant);
    if (found == device->constants.end()) {
      call.violation(Rule::constant, "it was not returned, or has been released as often");
      call.stop();
    } else if (call.may_pass() && --found->second == 0) {
      device->constants.erase(found);
    }
  }
  if (!call.may_pass()) return call.refuse();
  sy_constant_args inner = copy_of(*args);
  inner.device = device->inner;
  return call.pass_on(plugin.inner.release_constant, inner);
}

}  // namespace validation
