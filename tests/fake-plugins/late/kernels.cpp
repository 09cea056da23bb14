// The kernels of another plugin, which compute for this one: how they are loaded and prepared.
#include <dlfcn.h>

#include "kernels.hpp"
#include "objects.hpp"
#include "slots.hpp"
#include "switchyard/plugin/program.hpp"

namespace late {
namespace {

const sy_plugin* loaded = nullptr;

std::unique_ptr<Kernel> describe(const sy_prepare_args& args) {
  const sy_program& program = *args.program;
  auto kernel = std::make_unique<Kernel>();
  kernel->workspace = args.workspace_bytes;
  for (uint32_t i = 0; i < program.input_count; ++i) {
    kernel->input_flags.push_back(SY_AT(sy_value, program.values, program.inputs[i])->flags);
  }
  for (uint32_t i = 0; i < program.output_count; ++i) {
    kernel->output_modes.push_back(SY_AT(sy_output_plan, args.outputs, i)->mode);
  }
  return kernel;
}

sy_status supports(sy_supports_args* args, sy_error* error) {
  sy_supports_args inner = *args;
  inner.device = object(args->device).inner;
  return kernels().supports(&inner, error);
}

sy_status prepare(sy_prepare_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    Device& device = object(args->device);
    if (device.happens(device.settings.refused)) {
      throw sy::unsupported(SY_REASON_LIMIT, "refused, as asked for");
    }
    sy_prepare_args inner = *args;
    inner.device = device.inner;
    sy_error failure = {};
    failure.struct_size = sizeof(failure);
    const sy_status status = kernels().prepare(&inner, &failure);
    if (status != SY_OK) throw sy::Failure(status, failure.reason, failure.message);
    args->workspace_bytes = inner.workspace_bytes;
    auto kernel = describe(*args);
    kernel->inner = inner.kernel;
    args->kernel = reinterpret_cast<sy_kernel>(kernel.release());
  });
}

sy_status destroy_kernel(sy_kernel_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::unique_ptr<Kernel> kernel(&object(args->kernel));
    sy_kernel_args inner{sizeof(inner), 0, nullptr, kernel->inner};
    kernels().destroy_kernel(&inner, error);
  });
}

sy_status release_constant(sy_constant_args* args, sy_error* error) {
  sy_constant_args inner = *args;
  inner.device = object(args->device).inner;
  return kernels().release_constant(&inner, error);
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
  static std::string loaded_from;
  if (loaded != nullptr) {
    if (file == loaded_from) return;
    throw sy::invalid("option kernels: ", file, ", and in this process it was ", loaded_from);
  }
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
  loaded_from = file;
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

}  // namespace late
