// BatchNormalizationGradient and GroupNormalizationGradient, by kernels/layer_gradient.metal, a
// group a line, and kernels/channel_gradient.metal for the scale and the bias, a group a channel.
#include <array>
#include <string>
#include <vector>

#include "ops/building/lines.hpp"
#include "ops/dtypes.hpp"
#include "ops/lines/line_gradient.hpp"
#include "switchyard/plugin/dtype.hpp"

namespace mps {
namespace {

// As kernels/channel_gradient.metal reads them.
struct ChannelParametersParameters {
  uint32_t has_scale = 0;
  uint32_t has_bias = 0;
};

using Strides = std::vector<int64_t>;

// [N, C, ...] seen with its channels in groups, [N, groups, C / groups, ...], some of these axes.
struct Grouping {
  int64_t groups, in_group;
  bool across_samples;  // lines are channels, each a group

  // Which axes lead from line to line.
  bool is_outer(size_t axis) const { return axis == 1 || (across_samples ? axis == 2 : axis == 0); }
  Strides extents(const Tensor& x) const {
    Strides made(x.shape.begin(), x.shape.end());
    made[1] = groups;
    made.insert(made.begin() + 2, in_group);
    return made;
  }
  Strides strides(const Tensor& tensor) const {
    Strides made(tensor.strides.data.begin(), tensor.strides.data.begin() + tensor.strides.rank);
    made.insert(made.begin() + 2, made[1]);
    made[1] *= in_group;
    return made;
  }
  // Of one number a channel.
  Strides strides_of_channels(const Tensor& numbers, size_t rank) const {
    Strides made(rank + 1, 0);
    made[1] = numbers.strides[0] * in_group;
    made[2] = numbers.strides[0];
    return made;
  }
  // Of one number a line.
  Strides strides_of_lines(size_t rank) const {
    Strides made(rank + 1, 0);
    if (!across_samples) made[0] = groups;
    made[1] = 1;
    return made;
  }
};

template <typename Takes>
Strides some_of(const Strides& all, Takes takes) {
  Strides made;
  for (size_t i = 0; i < all.size(); ++i) {
    if (takes(i)) made.push_back(all[i]);
  }
  return made;
}

// An operand's strides by the axes of a Grouping, and where it begins.
struct GroupedOperand {
  Strides strides;
  uint64_t offset = 0;
};

// A walk over those axes that `takes` says. Offsets count where the walk leads from line to line.
template <size_t count, typename Takes>
Axes walk_over(const Strides& extents, const std::array<GroupedOperand, count>& operands,
               bool with_offsets, Takes takes) {
  std::array<Strides, count> strides;
  std::array<Walked, count> walked{};
  for (size_t k = 0; k < count; ++k) {
    strides[k] = some_of(operands[k].strides, takes);
    walked[k] = {strides[k].data(), with_offsets ? operands[k].offset : 0};
  }
  return make_axes(some_of(extents, takes), walked);
}

class ChannelGradientKernel final : public Kernel {
 public:
  // `groups`: of a sample's channels; 0: each channel of all samples is one.
  ChannelGradientKernel(Device& device, const seam::Pipeline& lines,
                        const seam::Pipeline& parameters, int64_t groups, float epsilon)
      : device_(device),
        lines_(lines),
        parameters_(parameters),
        groups_(groups),
        epsilon_(epsilon) {}

  void encode(const Run& run) const override {
    const Tensor& x = run.inputs[1];
    if (x.size() == 0) return encode_zero_parameters(device_, run);
    const int64_t groups = groups_ == 0 ? x.shape[1] : groups_;
    const Grouping grouping{groups, x.shape[1] / groups, groups_ == 0};
    const GradientWalk walk = walk_of(run, grouping);
    const bool wants_more = has_output(run, 1) || has_output(run, 2);
    const Block* statistics =
        wants_more ? &run.stream.temporary(size_t{walk.outer.count} * sizeof(LineStatistics))
                   : nullptr;
    encode_line_gradients(run.stream, lines_, walk, epsilon_, statistics);
    if (wants_more) encode_parameters(run, grouping, *statistics);
  }

 private:
  static GradientWalk walk_of(const Run& run, const Grouping& grouping) {
    const Tensor &grad_output = run.inputs[0], &x = run.inputs[1], &scale = run.inputs[2],
                 &result = run.outputs[0];
    GradientWalk walk{bind(grad_output, 0), bind(x, 1), bind(result, 2), bind(scale, 3), {}, {}};
    const std::array operands = {
        GroupedOperand{grouping.strides(grad_output), walk.grad_output.offset},
        GroupedOperand{grouping.strides(x), walk.input.offset},
        GroupedOperand{grouping.strides(result), walk.result.offset},
        GroupedOperand{grouping.strides_of_channels(scale, x.shape.size()), walk.scale.offset}};
    const Strides extents = grouping.extents(x);
    walk.outer = walk_over(extents, operands, true, [&](size_t i) { return grouping.is_outer(i); });
    walk.inner =
        walk_over(extents, operands, false, [&](size_t i) { return !grouping.is_outer(i); });
    return walk;
  }

  void encode_parameters(const Run& run, const Grouping& grouping, const Block& statistics) const {
    const Tensor &grad_output = run.inputs[0], &x = run.inputs[1];
    const Bound grads = bind(grad_output, 0), input = bind(x, 1);
    const std::array operands = {GroupedOperand{grouping.strides(grad_output), grads.offset},
                                 GroupedOperand{grouping.strides(x), input.offset},
                                 GroupedOperand{grouping.strides_of_lines(x.shape.size())}};
    const auto is_channel = [](size_t i) { return i == 1 || i == 2; };
    const Strides extents = grouping.extents(x);
    const Axes outer = walk_over(extents, operands, true, is_channel);
    const Axes inner =
        walk_over(extents, operands, false, [&](size_t i) { return !is_channel(i); });
    const bool has_scale = has_output(run, 1), has_bias = has_output(run, 2);
    // What is left out is bound as the other one, and not written.
    const Tensor& of_scale = run.outputs[has_scale ? 1 : 2];
    const Tensor& of_bias = run.outputs[has_bias ? 2 : 1];
    const Bound bound[2] = {bind(of_scale, 1), bind(of_bias, 2)};
    const Axes to =
        make_axes(of_scale.shape, std::array{Walked{of_scale.strides.data.data(), bound[0].offset},
                                             Walked{of_bias.strides.data.data(), bound[1].offset}});
    const ChannelParametersParameters parameters{has_scale ? 1u : 0u, has_bias ? 1u : 0u};
    Arguments arguments;
    arguments.add(grads).add(input).add(statistics).add(bound[0]).add(bound[1]);
    arguments.add_value(outer).add_value(inner).add_value(to).add_value(parameters);
    arguments.run_groups(run.stream, parameters_, outer.count, group_for(inner.count));
  }

  Device& device_;
  const seam::Pipeline& lines_;
  const seam::Pipeline& parameters_;
  const int64_t groups_;
  const float epsilon_;
};

// The output gradient is read again after the input's is written: none takes another's place.
Prepared make_channel_gradient(Device& device, const sy::Node& node, int64_t groups) {
  const std::string type = metal_type(node.required_input(0).dtype);
  return {std::make_unique<ChannelGradientKernel>(device, device.pipeline("layer_gradient_" + type),
                                                  device.pipeline("channel_parameters_" + type),
                                                  groups, node.real("epsilon", 1e-5f))};
}

Prepared make_batch_gradient(Device& device, const sy::Node& node) {
  return make_channel_gradient(device, node, 0);
}

Prepared make_group_gradient(Device& device, const sy::Node& node) {
  const int64_t groups = node.integer("num_groups");
  if (groups < 1) throw sy::invalid("num_groups is ", groups, "; it must be at least 1");
  return make_channel_gradient(device, node, groups);
}

void check_channels_of_gradient(const sy::Node& node) {
  const sy_value& x = node.required_input(1);
  if (sy::has_rank(x) && x.rank < 2) throw sy::unsupported(SY_REASON_RANK, "X has no channels");
}

}  // namespace

std::span<const KernelRow> channel_gradient_rows() {
  static const KernelRow rows[] = {
      {{.op = "BatchNormalizationGradient", .domain = "switchyard", .dtypes = float_types},
       make_batch_gradient,
       check_channels_of_gradient},
      {{.op = "GroupNormalizationGradient", .domain = "switchyard", .dtypes = float_types},
       make_group_gradient,
       check_channels_of_gradient}};
  return rows;
}

}  // namespace mps
