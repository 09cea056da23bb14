#include "programs/chain.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "ops/building/elementwise.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

constexpr size_t most_axes = 16;

bool contains(const std::vector<uint32_t>& all, uint32_t one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

// How the kernel walks its tensors, as the text that is written for it reads it.
class Walk {
 public:
  Walk(sy::Extents shape, std::vector<sy::Dimensions> strides, std::vector<uint32_t> offsets)
      : strides_(std::move(strides)), offsets_(std::move(offsets)), steps_(strides_.size()) {
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      if (shape[axis] != 1) add(axis, shape[axis]);
    }
  }

  std::vector<uint32_t> words() const {
    std::vector<uint32_t> words = {rank_};
    words.insert(words.end(), extents_.begin(), extents_.end());
    words.insert(words.end(), offsets_.begin(), offsets_.end());
    for (const auto& steps : steps_) {
      for (const int32_t step : steps) words.push_back(static_cast<uint32_t>(step));
    }
    return words;
  }

 private:
  // To the axis before it, where that runs on into it for every tensor.
  void add(size_t axis, int64_t extent) {
    bool merges = rank_ > 0;
    for (size_t k = 0; merges && k < strides_.size(); ++k) {
      merges = steps_[k][rank_ - 1] == strides_[k][axis] * extent;
    }
    if (!merges && rank_ == most_axes) {
      throw sy::unsupported(SY_REASON_RANK, "more than 16 axes that cannot be merged");
    }
    if (!merges) extents_[rank_++] = 1;
    extents_[rank_ - 1] *= static_cast<uint32_t>(extent);
    for (size_t k = 0; k < strides_.size(); ++k) {
      steps_[k][rank_ - 1] = int32_step(strides_[k][axis]);
    }
  }

  const std::vector<sy::Dimensions> strides_;
  const std::vector<uint32_t> offsets_;
  uint32_t rank_ = 0;
  std::array<uint32_t, most_axes> extents_{};
  std::vector<std::array<int32_t, most_axes>> steps_;
};

class ChainKernel final : public Kernel {
 public:
  explicit ChainKernel(seam::Ref<seam::Pipeline> pipeline) : pipeline_(std::move(pipeline)) {}

  void encode(const Run& run) const override {
    const sy::Extents shape = run.outputs[0].shape;
    std::vector<seam::Argument> arguments;
    std::vector<sy::Dimensions> strides;
    std::vector<uint32_t> offsets;
    uint32_t threads = 0;
    for (size_t i = 0; i < run.inputs.size() + run.outputs.size(); ++i) {
      const Tensor& tensor =
          i < run.inputs.size() ? run.inputs[i] : run.outputs[i - run.inputs.size()];
      const Bound bound = bind(tensor, static_cast<uint32_t>(i));
      arguments.push_back(bound.argument);
      strides.push_back(sy::broadcast_strides(tensor.shape, tensor.strides.data.data(), shape));
      // Refuses what 32 bits do not reach.
      const std::array walked = {Walked{strides.back().data.data(), bound.offset}};
      const Axes axes = make_axes(shape, walked);
      offsets.push_back(axes.offsets[0]);
      threads = axes.count;
    }
    const std::vector<uint32_t> words = Walk(shape, std::move(strides), std::move(offsets)).words();
    arguments.push_back(
        {static_cast<uint32_t>(arguments.size()), nullptr, 0, std::as_bytes(std::span(words))});
    seam::Dispatch dispatch;
    dispatch.pipeline = pipeline_.get();
    dispatch.arguments = arguments;
    dispatch.threads = {threads, 1, 1};
    dispatch.group = {std::min({threads, 256u, pipeline_->max_threads_per_group()}), 1, 1};
    run.stream.commands().dispatch(dispatch);
  }

 private:
  const seam::Ref<seam::Pipeline> pipeline_;
};

}  // namespace

std::vector<uint32_t> inputs_of_chain(const Flow& flow, const std::vector<uint32_t>& nodes) {
  std::vector<uint32_t> inputs;
  for (const uint32_t number : nodes) {
    const sy_node& node = flow.nodes[number].raw();
    for (uint32_t i = 0; i < node.input_count; ++i) {
      const uint32_t value = node.inputs[i];
      if (value == SY_ABSENT || contains(inputs, value)) continue;
      const bool is_made = !flow.seen[value] && contains(nodes, flow.maker[value]);
      if (!is_made) inputs.push_back(value);
    }
  }
  return inputs;
}

bool can_be_chain(const Flow& flow, const std::vector<uint32_t>& nodes) {
  const std::vector<uint32_t> inputs = inputs_of_chain(flow, nodes);
  const auto outputs = std::count_if(nodes.begin(), nodes.end(), [&](uint32_t number) {
    return flow.is_read_beside(flow.nodes[number].raw().outputs[0], nodes);
  });
  if (inputs.size() + static_cast<size_t>(outputs) > most_chained_buffers) return false;
  for (const uint32_t value : inputs) {
    if (contains(nodes, flow.maker[flow.root(value)])) return false;  // a view of its own values
  }
  const auto shape_of = [&](uint32_t number) {
    return sy::shape_of(flow.nodes[number].required_output(0));
  };
  const sy::Extents shape = shape_of(nodes.front());
  return std::all_of(nodes.begin(), nodes.end(), [&](uint32_t number) {
    const sy::Extents other = shape_of(number);
    return std::equal(shape.begin(), shape.end(), other.begin(), other.end());
  });
}

MadePiece make_chain(Device& device, const Flow& flow, const std::vector<Abilities>& abilities,
                     const Piece& piece, std::vector<uint32_t> outputs) {
  auto pipeline = device.pipeline_of(text_of_chain(flow, abilities, piece, outputs), "chain");
  return {std::make_unique<ChainKernel>(std::move(pipeline)), inputs_of_chain(flow, piece.nodes),
          std::move(outputs)};
}

}  // namespace mps
