#include "ops/building/element_kernel.hpp"

#include <algorithm>
#include <array>

#include "ops/building/elementwise.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

constexpr size_t most_tensors = Axes::max_operands;
constexpr uint32_t group_threads = 256;

// As many as 16 bytes hold, which is what a thread of a GPU can load at once.
uint32_t per_thread_of(size_t widest) {
  constexpr size_t bytes = 16, most = 8;
  return static_cast<uint32_t>(std::clamp(bytes / widest, size_t{1}, most));
}

// By the numbers of kernels/elements.h.
seam::Constants constants_of(bool is_dense, uint32_t per_thread, std::optional<uint32_t> choice) {
  seam::Constants constants = {{0, is_dense}, {1, per_thread}};
  if (choice) constants.emplace_back(2, *choice);
  return constants;
}

// A dispatch, but for the kernel.
class ElementWalk {
 public:
  explicit ElementWalk(std::span<const Tensor* const> tensors)
      : count_(static_cast<uint32_t>(tensors.size())) {
    const sy::Extents shape = tensors.back()->shape;
    std::array<sy::Dimensions, most_tensors> strides;
    std::array<Walked, most_tensors> walked;
    for (uint32_t k = 0; k < count_; ++k) {
      const Tensor& tensor = *tensors[k];
      const Bound bound = bind(tensor, k);
      arguments_[k] = bound.argument;
      strides[k] = sy::broadcast_strides(tensor.shape, tensor.strides.data.data(), shape);
      walked[k] = {strides[k].data.data(), bound.offset};
    }
    axes_ = make_axes(shape, std::span(walked).first(count_));
    if (axes_.rank == 0) add_axis();
  }

  bool is_dense() const {
    return axes_.rank == 1 && std::all_of(axes_.steps, axes_.steps + count_,
                                          [](const auto& steps) { return steps[0] == 1; });
  }

  void run(Stream& stream, const seam::Pipeline& pipeline, uint32_t per_thread,
           std::span<const std::byte> parameters) {
    if (axes_.count == 0) return;
    arguments_[count_] = {count_, nullptr, 0, std::as_bytes(std::span(&axes_, 1))};
    arguments_[count_ + 1] = {count_ + 1, nullptr, 0, parameters};
    const uint32_t extent = axes_.extents[axes_.rank - 1];
    const uint32_t threads = (extent - 1) / per_thread + 1, lines = axes_.count / extent;
    const uint32_t group = std::min(group_threads, pipeline.max_threads_per_group());
    const uint32_t group_width = std::min(threads, group);
    seam::Dispatch dispatch;
    dispatch.pipeline = &pipeline;
    dispatch.arguments = std::span(arguments_).first(count_ + (parameters.empty() ? 1 : 2));
    dispatch.threads = {threads, lines, 1};
    dispatch.group = {group_width, std::min(lines, group / group_width), 1};
    stream.commands().dispatch(dispatch);
  }

 private:
  // Of extent 1, to a walk without: the kernels want one.
  void add_axis() {
    axes_.rank = 1;
    axes_.extents[0] = 1;
    for (uint32_t k = 0; k < count_; ++k) axes_.steps[k][0] = 1;
  }

  const uint32_t count_;
  std::array<seam::Argument, most_tensors + 2> arguments_;
  Axes axes_;
};

}  // namespace

ElementKernel::ElementKernel(Device& device, const std::string& function, size_t widest,
                             std::optional<uint32_t> choice)
    : per_thread_(per_thread_of(widest)),
      dense_(device.pipeline(function, constants_of(true, per_thread_, choice))),
      strided_(device.pipeline(function, constants_of(false, per_thread_, choice))) {}

void ElementKernel::encode(Stream& stream, std::span<const Tensor* const> tensors,
                           std::span<const std::byte> parameters) const {
  ElementWalk walk(tensors);
  walk.run(stream, walk.is_dense() ? dense_ : strided_, per_thread_, parameters);
}

void encode_elements(Device& device, Stream& stream, const std::string& function,
                     std::span<const Tensor* const> tensors,
                     std::span<const std::byte> parameters) {
  ElementWalk walk(tensors);
  const uint32_t per_thread = per_thread_of(sy::dtype_bytes(tensors.back()->dtype));
  const auto& pipeline = device.pipeline(function, constants_of(walk.is_dense(), per_thread, {}));
  walk.run(stream, pipeline, per_thread, parameters);
}

}  // namespace mps
