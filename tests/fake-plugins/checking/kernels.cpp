// The kernels of another plugin, which compute for this one: how they are loaded and prepared.
#include <dlfcn.h>

#include <algorithm>
#include <cstring>

#include "kernels.hpp"
#include "order.hpp"
#include "slots.hpp"
#include "switchyard/plugin/program.hpp"
#include "violations.hpp"

namespace checking {
namespace {

const sy_plugin* loaded = nullptr;

Port port_of(const sy_value& value) {
  Port port;
  port.flags = value.flags;
  port.dtype = value.dtype;
  port.rank = value.rank;
  if (value.rank == SY_UNKNOWN_RANK) return port;
  port.shape.assign(value.shape, value.shape + value.rank);
  port.has_strides = value.strides != nullptr;
  if (port.has_strides) port.strides.assign(value.strides, value.strides + value.rank);
  if (value.data != nullptr && sy::is_known(port.shape)) {
    const auto count = static_cast<uint64_t>(sy::element_count(port.shape));
    const auto* bytes = static_cast<const char*>(value.data);
    port.data.assign(bytes, bytes + sy::contiguous_bytes(value.dtype, count));
  }
  return port;
}

void check_program(const sy_prepare_args& args) {
  const sy_program& program = *args.program;
  for (uint32_t i = 0; i < program.input_count; ++i) {
    if (program.inputs[i] >= program.value_count)
      violation("prepare: an input that is not a value");
    if (args.specialised_on[i] != SY_ON_ALL) violation("prepare: specialised_on is not preset");
  }
  for (uint32_t i = 0; i < program.output_count; ++i) {
    if (program.outputs[i] >= program.value_count)
      violation("prepare: an output that is not a value");
  }
}

std::unique_ptr<Kernel> describe(const sy_prepare_args& args) {
  const sy_program& program = *args.program;
  auto kernel = std::make_unique<Kernel>();
  kernel->op = SY_AT(sy_node, program.nodes, 0)->op;
  kernel->workspace = args.workspace_bytes;
  for (uint32_t i = 0; i < program.input_count; ++i) {
    kernel->inputs.push_back(port_of(*SY_AT(sy_value, program.values, program.inputs[i])));
    kernel->inputs.back().specialised_on = args.specialised_on[i];
  }
  for (uint32_t i = 0; i < program.output_count; ++i) {
    const sy_output_plan& plan = *SY_AT(sy_output_plan, args.outputs, i);
    kernel->outputs.push_back(port_of(*SY_AT(sy_value, program.values, program.outputs[i])));
    kernel->outputs.back().mode = plan.mode;
    kernel->outputs.back().may_alias = plan.may_alias_inputs;
    kernel->has_deferred = kernel->has_deferred || plan.mode == SY_OUTPUT_DEFERRED;
  }
  return kernel;
}

sy_status supports(sy_supports_args* args, sy_error* error) {
  sy_supports_args inner = *args;
  {
    const std::lock_guard lock(everything());
    Device* device = find(args->device, "supports");
    if (device == nullptr) return SY_INVALID;
    inner.device = device->inner;
  }
  return kernels().supports(&inner, error);
}

sy_status prepare(sy_prepare_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    std::unique_lock lock(everything());
    Device* device = find(args->device, "prepare");
    if (device == nullptr) throw sy::invalid("no device");
    if (device->happens(device->settings.refused)) {
      throw sy::unsupported(SY_REASON_LIMIT, "refused, as asked for");
    }
    lock.unlock();
    check_program(*args);
    sy_prepare_args inner = *args;
    inner.device = device->inner;
    sy_error failure = {};
    failure.struct_size = sizeof(failure);
    const sy_status status = kernels().prepare(&inner, &failure);
    if (status != SY_OK) throw sy::Failure(status, failure.reason, failure.message);
    args->workspace_bytes = inner.workspace_bytes;
    auto kernel = describe(*args);
    kernel->device = device;
    kernel->inner = inner.kernel;
    lock.lock();
    for (uint32_t i = 0; i < args->program->input_count; ++i) {
      const sy_constant packed = SY_AT(sy_packed_constant, args->constants, i)->packed;
      if (packed != nullptr) ++device->constants[packed];
    }
    ++device->kernels;
    args->kernel = keep(std::move(kernel));
  });
}

sy_status destroy_kernel(sy_kernel_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    Kernel* kernel = find(args->kernel, "destroy_kernel");
    if (kernel == nullptr || kernel->is_destroyed) return;
    for (const auto& [stream, last] : kernel->uses) {
      if (last <= known_done(*stream)) continue;
      violation("destroy_kernel: ", kernel->op, " runs as number ", last, " of stream ", stream->id,
                "; known to be done: ", known_done(*stream));
    }
    kernel->is_destroyed = true;
    --kernel->device->kernels;
    sy_kernel_args inner{sizeof(inner), 0, nullptr, kernel->inner};
    kernels().destroy_kernel(&inner, error);
  });
}

sy_status release_constant(sy_constant_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    Device* device = find(args->device, "release_constant");
    if (device == nullptr) return;
    const auto found = device->constants.find(args->constant);
    if (found == device->constants.end()) {
      violation("release_constant: more often than it was returned");
      return;
    }
    if (--found->second == 0) device->constants.erase(found);
    sy_constant_args inner{sizeof(inner), 0, nullptr, device->inner, args->constant};
    kernels().release_constant(&inner, error);
  });
}

}  // namespace

const sy_plugin& kernels() { return *loaded; }

const sy_host& kernels_host() {
  static const sy_host host = [] {
    sy_host made = {};
    made.struct_size = sizeof(made);
    made.thread_limit = 1;
    made.library_path = "";
    made.log = [](void*, sy_log_level, const char*) {};
    return made;
  }();
  return host;
}

void load_kernels(const std::string& file) {
  if (loaded != nullptr) return;
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw sy::invalid("option kernels: ", dlerror());
  const auto entry = reinterpret_cast<sy_plugin_entry>(dlsym(library, "switchyard_plugin_entry"));
  if (entry == nullptr) throw sy::invalid("option kernels: ", file, " is not a plugin");
  sy_entry_args args = {};
  args.struct_size = sizeof(args);
  args.min_version = args.max_version = SY_ABI_VERSION;
  args.host = &kernels_host();
  sy_error error = {};
  error.struct_size = sizeof(error);
  if (entry(&args, &error) != SY_OK) throw sy::invalid("option kernels: ", error.message);
  loaded = args.plugin;
}

const sy_device_info& kernels_device() {
  static const sy_device_info& info = []() -> const sy_device_info& {
    sy_probe_args args = {};
    args.struct_size = sizeof(args);
    args.host = &kernels_host();
    sy_error error = {};
    error.struct_size = sizeof(error);
    if (kernels().probe(&args, &error) != SY_OK) throw sy::bug(error.message);
    return *args.devices;
  }();
  return info;
}

void set_program_slots(sy_plugin& table) {
  if (kernels().supports != nullptr) table.supports = supports;
  table.prepare = prepare;
  table.destroy_kernel = destroy_kernel;
  table.release_constant = release_constant;
}

}  // namespace checking
