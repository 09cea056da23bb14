#include "tensor/custom_kernel.hpp"

#include <fmt/format.h>
#include <switchyard/kernels.h>

#include <switchyard/device.hpp>
#include <switchyard/error.hpp>
#include <utility>

#include "device/open_device.hpp"
#include "device/plugin_text.hpp"
#include "device/status.hpp"
#include "tensor/placement.hpp"
#include "tensor/plugin_tensors.hpp"

namespace switchyard {

/// The compiled kernel, destroyed once nothing runs it.
struct CustomKernel::State {
  std::shared_ptr<OpenDevice> device;
  KernelSource source;
  std::uint64_t generation;  // the device's when the kernel was compiled
  sy_kernel handle = nullptr;
  mutable Uses uses;  // runs note themselves; the kernel stays what it is

  State(std::shared_ptr<OpenDevice> on, KernelSource from)
      : device(std::move(on)), source(std::move(from)), generation(device->generation()) {}
  ~State() {
    if (handle == nullptr) return;
    uses.settle();
    sy_kernel_args args{};
    args.struct_size = sizeof(args);
    args.kernel = handle;
    PluginError error;
    device->api().destroy_kernel(&args, &error);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

namespace {

const sy_kernel_compiler* compiler_of(const OpenDevice& device) {
  for (const sy_extension* link = device.plugin().table().extensions; link != nullptr;
       link = link->next) {
    if (link->kind == SY_EXTENSION_KERNEL_COMPILER &&
        link->struct_size >= sizeof(sy_kernel_compiler)) {
      return reinterpret_cast<const sy_kernel_compiler*>(link);
    }
  }
  return nullptr;
}

std::vector<sy_dtype> plugin_types(const std::vector<DType>& dtypes) {
  std::vector<sy_dtype> types;
  for (const DType dtype : dtypes) types.push_back(static_cast<sy_dtype>(dtype));
  return types;
}

void compile(CustomKernel::State& state, const sy_kernel_compiler& compiler) {
  const std::vector<sy_dtype> inputs = plugin_types(state.source.inputs);
  const std::vector<sy_dtype> outputs = plugin_types(state.source.outputs);
  PluginText log;
  sy_compile_args args{};
  args.struct_size = sizeof(args);
  args.device = state.device->handle();
  args.name = state.source.name.c_str();
  args.source = state.source.source.c_str();
  args.function = state.source.function.c_str();
  args.inputs = inputs.data();
  args.input_count = static_cast<std::uint32_t>(inputs.size());
  args.outputs = outputs.data();
  args.output_count = static_cast<std::uint32_t>(outputs.size());
  args.log = &log.writer();
  PluginError error;
  const sy_status status = state.device->try_call(
      PluginFunction(compiler.compile, "compile", &state.device->calls()), args, error);
  if (status == SY_INVALID) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{}: the kernel '{}' does not compile: {}", state.device->name(),
                            state.source.function,
                            log.text().empty() ? error.message : log.text().c_str()));
  }
  state.device->check_call(status, error, "compile");
  state.handle = args.kernel;
}

std::vector<TensorRef> bring_inputs(const CustomKernel::State& state,
                                    std::span<const Tensor> inputs) {
  if (inputs.size() != state.source.inputs.size()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the kernel '{}' takes {} inputs, not {}", state.source.function,
                            state.source.inputs.size(), inputs.size()));
  }
  std::vector<TensorRef> brought;
  CopyCount count;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].defined() || inputs[i].dtype() != state.source.inputs[i]) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("input {} of the kernel '{}' is declared as {}, not {}", i,
                              state.source.function, name_of(state.source.inputs[i]),
                              inputs[i].defined() ? name_of(inputs[i].dtype()) : "left out"));
    }
    brought.push_back(make_contiguous(bring_to(*state.device, TensorRef(inputs[i].impl()), count)));
  }
  return brought;
}

std::vector<TensorRef> make_outputs(const CustomKernel::State& state,
                                    std::span<const Dims> shapes) {
  if (shapes.size() != state.source.outputs.size()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the kernel '{}' gives {} outputs, not {}", state.source.function,
                            state.source.outputs.size(), shapes.size()));
  }
  std::vector<TensorRef> outputs;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    outputs.push_back(make_device_tensor(*state.device, state.source.outputs[i], shapes[i]));
  }
  return outputs;
}

sy_launch launch_of(const Launch& launch, std::string_view function) {
  sy_launch made{};
  made.link = {sizeof(sy_launch), SY_EXTENSION_LAUNCH, nullptr};
  bool chooses = false;
  for (std::size_t i = 0; i < 3; ++i) {
    if (launch.threads[i] == 0) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("the kernel '{}' would run no threads", function));
    }
    made.threads[i] = launch.threads[i];
    made.group[i] = launch.group[i];
    chooses = chooses || launch.group[i] != 0;
  }
  for (std::size_t i = 0; chooses && i < 3; ++i) {
    if (launch.group[i] == 0) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("the kernel '{}' would run in groups without threads", function));
    }
  }
  return made;
}

std::vector<sy_tensor> slots_of(const std::vector<TensorRef>& tensors) {
  std::vector<sy_tensor> slots(tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) bind(slots[i], *tensors[i]);
  return slots;
}

}  // namespace

CustomKernel Device::compile_kernel(const KernelSource& source) const {
  const sy_kernel_compiler* compiler = compiler_of(*open_);
  if (compiler == nullptr) {
    throw Error(ErrorKind::unsupported,
                fmt::format("{} compiles no kernels of its users'", open_->name()));
  }
  auto state = std::make_shared<CustomKernel::State>(open_, source);
  compile(*state, *compiler);
  return CustomKernel(std::move(state));
}

const std::string& function_of(const CustomKernel::State& kernel) { return kernel.source.function; }

std::vector<Tensor> launch_kernel(const std::shared_ptr<const CustomKernel::State>& kernel,
                                  std::span<const Tensor> inputs,
                                  std::span<const Dims> output_shapes, const Launch& launch) {
  sy_launch how = launch_of(launch, kernel->source.function);
  const std::vector<TensorRef> in = bring_inputs(*kernel, inputs);
  std::vector<TensorRef> out = make_outputs(*kernel, output_shapes);
  const std::vector<sy_tensor> in_slots = slots_of(in);
  const std::vector<sy_tensor> out_slots = slots_of(out);
  OpenStream& stream = kernel->device->stream();
  if (kernel->generation != kernel->device->generation()) {
    throw Error(ErrorKind::device_lost,
                fmt::format("{}: the device has failed and recovered since the kernel '{}' was "
                            "compiled; compile it again",
                            kernel->device->name(), kernel->source.function))
        .set_device(kernel->device->name());
  }
  if (!stream.synchronous()) {
    for (const TensorRef& tensor : in) tensor->storage->order_before_read(stream);
    for (const TensorRef& tensor : out) tensor->storage->order_before_write(stream);
  }
  sy_run_args args{};
  args.struct_size = sizeof(args);
  args.extensions = &how.link;
  args.stream = stream.handle();
  args.kernel = kernel->handle;
  args.inputs = in_slots.data();
  args.input_count = static_cast<std::uint32_t>(in.size());
  args.outputs = out_slots.data();
  args.output_count = static_cast<std::uint32_t>(out.size());
  const std::uint64_t sequence = stream.enqueue("run", [&] {
    kernel->device->call(kernel->device->api().run, args, "run");
    return args.sequence;
  });
  if (!stream.synchronous()) {
    kernel->uses.record_read(stream, sequence);
    for (const TensorRef& tensor : in) tensor->storage->record_read(stream, sequence);
    for (const TensorRef& tensor : out) tensor->storage->record_write(stream, sequence);
  }
  std::vector<Tensor> results;
  for (TensorRef& tensor : out) results.push_back(Tensor::adopt(tensor.release()));
  return results;
}

}  // namespace switchyard
