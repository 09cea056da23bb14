#include "abi/custom_kernels.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "abi/guard.hpp"
#include "abi/handles.hpp"
#include "ops/building/elementwise.hpp"
#include "switchyard/plugin/writer.hpp"

namespace mps {
namespace {

constexpr size_t most_buffers = 31;  // that a Metal function takes

// Inputs, then outputs, as buffers 0 and on.
class CustomKernel final : public Kernel {
 public:
  CustomKernel(Device& device, seam::Ref<seam::Library> library, seam::Ref<seam::Pipeline> pipeline)
      : device_(device), library_(std::move(library)), pipeline_(std::move(pipeline)) {}

  void encode(const Run& run) const override {
    if (run.launch == nullptr) throw sy::invalid("the run of a compiled kernel has no sy_launch");
    std::vector<seam::Argument> arguments;
    for (const Tensor& input : run.inputs) {
      // Metal binds at multiples of 4 bytes; what begins elsewhere is copied.
      const bool direct = input.is_contiguous() && input.offset_bytes % 4 == 0;
      add(arguments, direct ? input : packed(device_, run.stream, input));
    }
    for (const Tensor& output : run.outputs) add(arguments, output);
    seam::Dispatch dispatch;
    dispatch.pipeline = pipeline_.get();
    dispatch.arguments = arguments;
    std::copy_n(run.launch->threads, 3, dispatch.threads.begin());
    dispatch.group = group_of(*run.launch);
    run.stream.commands().dispatch(dispatch);
  }

 private:
  static void add(std::vector<seam::Argument>& arguments, const Tensor& tensor) {
    const auto index = static_cast<uint32_t>(arguments.size());
    if (tensor.block == nullptr) throw sy::invalid("tensor ", index, " has no elements");
    arguments.push_back({index, tensor.block->buffer, tensor.offset_bytes, {}});
  }

  seam::Size group_of(const sy_launch& launch) const {
    if (launch.group[0] == 0) {
      return {std::min({launch.threads[0], 256u, pipeline_->max_threads_per_group()}), 1, 1};
    }
    const uint64_t size = uint64_t{launch.group[0]} * launch.group[1] * launch.group[2];
    if (size > pipeline_->max_threads_per_group()) {
      throw sy::invalid("a group of ", size, " threads: this kernel takes ",
                        pipeline_->max_threads_per_group(), " at most");
    }
    return {launch.group[0], launch.group[1], launch.group[2]};
  }

  Device& device_;
  const seam::Ref<seam::Library> library_;
  const seam::Ref<seam::Pipeline> pipeline_;
};

std::vector<uint32_t> every_position(uint32_t count) {
  std::vector<uint32_t> positions(count);
  std::iota(positions.begin(), positions.end(), 0u);
  return positions;
}

void compile_kernel(sy_compile_args& args) {
  if (uint64_t{args.input_count} + args.output_count > most_buffers) {
    throw sy::invalid("a kernel of ", args.input_count, " inputs and ", args.output_count,
                      " outputs: Metal binds ", most_buffers, " buffers at most");
  }
  Device& device = device_of(args.device);
  auto library = device.metal().library({args.name, args.source, device.fast_math()});
  auto pipeline = library->pipeline(args.function, {});
  auto placed = std::make_unique<PlacedKernel>();
  placed->kernel = std::make_unique<CustomKernel>(device, std::move(library), std::move(pipeline));
  placed->name = args.function;
  placed->positions = {every_position(args.input_count), every_position(args.output_count)};
  args.kernel = reinterpret_cast<sy_kernel>(placed.release());
}

// The user's source is at fault where it does not compile or lacks the function.
sy_status compile(sy_compile_args* args, sy_error* error) {
  return guard(error, [&] {
    try {
      compile_kernel(*args);
    } catch (const seam::Failure& failure) {
      const bool users =
          failure.fault() == seam::Fault::compilation || failure.fault() == seam::Fault::invalid;
      if (!users) throw;
      if (args->log != nullptr) sy::write(*args->log, failure.what());
      throw sy::invalid(failure.what());
    }
  });
}

}  // namespace

const sy_kernel_compiler& kernel_compiler() {
  static const sy_kernel_compiler compiler = {
      {sizeof(sy_kernel_compiler), SY_EXTENSION_KERNEL_COMPILER, nullptr},
      "Metal Shading Language",
      compile};
  return compiler;
}

}  // namespace mps
