// LayerNormalization and related ops: lines made to have a mean of 0, or what it is, and a variance
// of 1, by kernels/moments.metal.
#include <array>
#include <limits>
#include <string>

#include "ops/building/folding.hpp"
#include "ops/building/host_values.hpp"
#include "ops/building/lines.hpp"
#include "ops/dtypes.hpp"
#include "ops/elementwise/elementwise_graph.hpp"
#include "ops/kernel.hpp"
#include "ops/lines/batch_moments.hpp"

namespace mps {
namespace {

// As kernels/moments.metal reads them.
struct MomentsParameters {
  float epsilon = 0;
  uint32_t epsilon_after_root = 0;
  uint32_t has_scale = 0;
  uint32_t has_bias = 0;
  uint32_t has_means = 0;
  uint32_t has_factors = 0;
  uint32_t about_zero = 0;
};

// Axes over the lines and along them: extents, and strides of the input, the output, the scale and
// the bias.
struct LineAxes {
  std::vector<int64_t> shape[2];
  std::vector<int64_t> strides[2][4];

  void add(bool along, int64_t extent, int64_t input, int64_t output, int64_t scale, int64_t bias) {
    const size_t side = along ? 1 : 0;
    shape[side].push_back(extent);
    const int64_t given[] = {input, output, scale, bias};
    for (size_t k = 0; k < 4; ++k) strides[side][k].push_back(given[k]);
  }
  Axes walk(bool along, std::span<const uint64_t, 4> offsets) const {
    const size_t side = along ? 1 : 0;
    std::array<Walked, 4> walked;
    for (size_t k = 0; k < 4; ++k) {
      walked[k] = {strides[side][k].data(), along ? 0 : offsets[k]};
    }
    return make_axes(shape[side], walked);
  }
};

// What is common: the subclasses say which axes lines have.
class MomentsKernel : public Kernel {
 public:
  MomentsKernel(Device& device, const seam::Pipeline& pipeline, float epsilon)
      : device_(device), pipeline_(pipeline) {
    parameters_.epsilon = epsilon;
  }

  void encode(const Run& run) const override {
    if (run.inputs[0].size() == 0) return encode_nothing(run);
    const LineAxes lines = lines_of(run);
    MomentsParameters parameters = parameters_;
    parameters.has_scale = run.has_input(1) ? 1 : 0;
    parameters.has_bias = run.has_input(2) ? 1 : 0;
    parameters.has_means = has_output(run, 1) ? 1 : 0;
    parameters.has_factors = has_output(run, 2) ? 1 : 0;
    const Tensor& input = run.inputs[0];
    const Bound bound[4] = {bind(input, 0), bind(run.outputs[0], 1),
                            bind(run.has_input(1) ? run.inputs[1] : input, 2),
                            bind(run.has_input(2) ? run.inputs[2] : input, 3)};
    const std::array<uint64_t, 4> offsets = {bound[0].offset, bound[1].offset, bound[2].offset,
                                             bound[3].offset};
    const Axes outer = lines.walk(false, offsets);
    const Axes inner = lines.walk(true, offsets);
    const Tensor& means = has_output(run, 1) ? run.outputs[1] : run.outputs[0];
    const Tensor& factors = has_output(run, 2) ? run.outputs[2] : run.outputs[0];
    const Bound statistics[2] = {bind(means, 7), bind(factors, 8)};
    // They have every axis of the input, those along lines of extent 1.
    const std::array<Walked, 2> walked = {
        Walked{means.strides.data.data(), statistics[0].offset},
        Walked{factors.strides.data.data(), statistics[1].offset}};
    const Axes over_statistics = make_axes(lines.shape[0], walked);
    Arguments arguments;
    for (const Bound& one : bound) arguments.add(one);
    arguments.add_value(outer).add_value(inner).add_value(parameters);
    arguments.add(statistics[0]).add(statistics[1]).add_value(over_statistics);
    arguments.run_groups(run.stream, pipeline_, outer.count, group_for(inner.count));
  }

 protected:
  virtual LineAxes lines_of(const Run& run) const = 0;

  MomentsParameters parameters_;

 private:
  static bool has_output(const Run& run, size_t i) {
    return i < run.outputs.size() && run.outputs[i].dtype != 0;
  }

  // Lines without elements have no mean.
  void encode_nothing(const Run& run) const {
    const float none = std::numeric_limits<float>::quiet_NaN();
    for (size_t i = 1; i < run.outputs.size(); ++i) {
      if (!has_output(run, i) || run.outputs[i].size() == 0) continue;
      encode_fill(device_, run.stream, run.outputs[i], std::as_bytes(std::span(&none, 1)));
    }
  }

  Device& device_;
  const seam::Pipeline& pipeline_;
};

// Lines along all axes from one on, scaled element by element.
class LayerKernel final : public MomentsKernel {
 public:
  LayerKernel(Device& device, const seam::Pipeline& pipeline, const sy::Node& node)
      : MomentsKernel(device, pipeline, node.real("epsilon", 1e-5f)),
        axis_(node.integer("axis", -1)) {
    parameters_.about_zero = node.op() == "RMSNormalization" ? 1 : 0;
  }

 private:
  LineAxes lines_of(const Run& run) const override {
    const Tensor& input = run.inputs[0];
    const Tensor& scale = run.inputs[1];
    const Tensor& bias = run.has_input(2) ? run.inputs[2] : scale;
    const size_t first = normalize_axis(axis_, input.shape.size());
    const sy::Extents line = input.shape.subspan(first);
    const auto scale_strides = sy::broadcast_strides(scale.shape, scale.strides.data.data(), line);
    const auto bias_strides = sy::broadcast_strides(bias.shape, bias.strides.data.data(), line);
    LineAxes lines;
    for (size_t i = 0; i < input.shape.size(); ++i) {
      const bool along = i >= first;
      lines.add(along, input.shape[i], input.strides[i], run.outputs[0].strides[i],
                along ? scale_strides[i - first] : 0, along ? bias_strides[i - first] : 0);
    }
    return lines;
  }

  const int64_t axis_;
};

// Lines along the positions of a group of channels, scaled channel by channel. Without groups each
// channel is one.
class ChannelKernel final : public MomentsKernel {
 public:
  ChannelKernel(Device& device, const seam::Pipeline& pipeline, float epsilon, int64_t groups)
      : MomentsKernel(device, pipeline, epsilon), groups_(groups) {}

 private:
  LineAxes lines_of(const Run& run) const override {
    const Tensor& input = run.inputs[0];
    const Tensor& output = run.outputs[0];
    const int64_t channels = input.shape[1];
    const int64_t groups = groups_ == 0 ? channels : groups_;
    if (groups < 0 || channels % groups != 0) {
      throw sy::invalid(channels, " channels do not divide into ", groups, " groups");
    }
    for (size_t i = 1; i < 3; ++i) {
      if (run.inputs[i].size() == channels) continue;
      throw sy::invalid(run.inputs[i].size(), " scales or biases for ", channels, " channels");
    }
    const int64_t together = channels / groups;
    const int64_t scale = run.inputs[1].strides[0];
    const int64_t bias = run.inputs[2].strides[0];
    LineAxes lines;
    lines.add(false, input.shape[0], input.strides[0], output.strides[0], 0, 0);
    lines.add(false, groups, together * input.strides[1], together * output.strides[1],
              together * scale, together * bias);
    lines.add(true, together, input.strides[1], output.strides[1], scale, bias);
    for (size_t i = 2; i < input.shape.size(); ++i) {
      lines.add(true, input.shape[i], input.strides[i], output.strides[i], 0, 0);
    }
    return lines;
  }

  const int64_t groups_;
};

// Lines along any axes, not scaled.
class PlainKernel final : public MomentsKernel {
 public:
  PlainKernel(Device& device, const seam::Pipeline& pipeline, std::vector<int64_t> axes)
      : MomentsKernel(device, pipeline, 1e-9f), axes_(std::move(axes)) {  // ONNX's function body
    parameters_.epsilon_after_root = 1;
  }

 private:
  LineAxes lines_of(const Run& run) const override {
    const Tensor& input = run.inputs[0];
    const std::vector<bool> along = axes_in(axes_, input.shape.size());
    LineAxes lines;
    for (size_t i = 0; i < input.shape.size(); ++i) {
      lines.add(along[i], input.shape[i], input.strides[i], run.outputs[0].strides[i], 0, 0);
    }
    return lines;
  }

  const std::vector<int64_t> axes_;
};

const seam::Pipeline& pipeline_for(Device& device, const sy::Node& node) {
  return device.pipeline(std::string("normalize_") + metal_type(node.required_input(0).dtype));
}

Prepared make_layer(Device& device, const sy::Node& node) {
  return {std::make_unique<LayerKernel>(device, pipeline_for(device, node), node)};
}

Prepared make_channel(Device& device, const sy::Node& node) {
  const bool grouped = node.op() == "GroupNormalization";
  return {std::make_unique<ChannelKernel>(device, pipeline_for(device, node),
                                          node.real("epsilon", 1e-5f),
                                          grouped ? node.integer("num_groups") : 0)};
}

Prepared make_plain(Device& device, const sy::Node& node) {
  const auto given = node.integers("axes");
  std::vector<int64_t> axes(given.begin(), given.end());
  if (axes.empty()) axes = {0, 2, 3};
  return {std::make_unique<PlainKernel>(device, pipeline_for(device, node), std::move(axes))};
}

// A scale, or bias, is read along the lines alone.
void check_scales(const sy::Node& node) {
  const sy_value& input = node.required_input(0);
  const int64_t axis = node.integer("axis", -1);
  const int64_t lines = axis < 0 ? -axis : int64_t{input.rank} - axis;
  for (uint32_t i = 1; i < 3; ++i) {
    const sy_value* scale = node.input(i);
    if (scale == nullptr || !sy::has_rank(input) || !sy::has_rank(*scale)) continue;
    if (int64_t{scale->rank} <= lines) continue;
    throw sy::unsupported(SY_REASON_RANK, "input ", i, " has rank ", scale->rank,
                          " for lines of rank ", lines);
  }
}

// The mean and the factor are written as float32 alone.
void check_statistics(const sy::Node& node) {
  check_scales(node);
  for (uint32_t i = 1; i < 3; ++i) {
    const sy_value* output = node.output(i);
    if (output != nullptr && output->dtype != SY_FLOAT32) {
      throw sy::unsupported(SY_REASON_DTYPE, "output ", i, " of ", sy::dtype_name(output->dtype));
    }
  }
}

// What is computed is float32, and the scale is read as the input's type.
void check_root_mean_square(const sy::Node& node) {
  check_scales(node);
  if (node.integer("stash_type", SY_FLOAT32) == SY_FLOAT64) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "a stash_type of float64");
  }
  if (node.required_input(1).dtype == node.required_input(0).dtype) return;
  throw sy::unsupported(SY_REASON_DTYPE, "a scale of ",
                        sy::dtype_name(node.required_input(1).dtype));
}

// Scales are vectors, so that the claim's ranks cannot tell the input's.
void check_channels(const sy::Node& node) {
  const sy_value& input = node.required_input(0);
  if (sy::has_rank(input) && input.rank < 2) {
    throw sy::unsupported(SY_REASON_RANK, "input 0 has rank ", input.rank, ", so no channels");
  }
}

// With a mean of 0, or what it is, and a variance of 1 along some axes, in float32.
uint32_t normalized(GraphBuilder& graph, const sy::Node& node, uint32_t x, const seam::Axes& axes) {
  using Do = seam::Operation;
  GraphBuilder::Shape line = graph.shape(x);
  for (const int64_t axis : axes.axes) line[static_cast<size_t>(axis)] = 1;
  const auto number = [&](double value) { return graph.number(value, seam::ElementType::float32); };
  const bool about_zero = node.op() == "RMSNormalization";
  const uint32_t distance =
      about_zero ? x : add_binary(graph, Do::subtract, x, graph.add(Do::mean, line, {x}, axes));
  const uint32_t squares = add_binary(graph, Do::multiply, distance, distance);
  const uint32_t variance = graph.add(Do::mean, line, {squares}, axes);
  const uint32_t spread = add_binary(graph, Do::add, variance,
                                     number(static_cast<double>(node.real("epsilon", 1e-5f))));
  const uint32_t factor =
      add_binary(graph, Do::divide, number(1), add_unary(graph, Do::square_root, spread));
  return add_binary(graph, Do::multiply, distance, factor);
}

// By inputs 1 and 2, seen in `shape`.
uint32_t scaled(GraphBuilder& graph, const sy::Node& node, uint32_t x,
                const GraphBuilder::Shape* shape) {
  const auto factor = [&](uint32_t index) {
    const uint32_t given = widened_input(graph, node, index);
    return shape == nullptr ? given : graph.reshape(given, *shape);
  };
  x = add_binary(graph, seam::Operation::multiply, x, factor(1));
  if (node.input(2) == nullptr) return x;
  return add_binary(graph, seam::Operation::add, x, factor(2));
}

uint32_t lower_layer(GraphBuilder& graph, const sy::Node& node) {
  const uint32_t x = widened_input(graph, node);
  const size_t rank = graph.shape(x).size();
  seam::Axes axes;
  for (size_t i = normalize_axis(node.integer("axis", -1), rank); i < rank; ++i) {
    axes.axes.push_back(static_cast<int64_t>(i));
  }
  return as_output(graph, node, scaled(graph, node, normalized(graph, node, x, axes), nullptr));
}

// Channels that belong together lie beside each other: each group is a line.
uint32_t lower_channel(GraphBuilder& graph, const sy::Node& node) {
  const uint32_t x = widened_input(graph, node);
  const GraphBuilder::Shape shape = graph.shape(x);
  const int64_t channels = shape[1];
  const int64_t groups = node.op() == "GroupNormalization" ? node.integer("num_groups") : channels;
  if (groups <= 0 || channels % groups != 0) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "groups that do not divide the channels");
  }
  const int64_t line = sy::element_count(shape) / (shape[0] * groups);
  const uint32_t lines = graph.reshape(x, {shape[0], groups, line});
  GraphBuilder::Shape per_channel(shape.size(), 1);
  per_channel[1] = channels;
  const uint32_t result = graph.reshape(normalized(graph, node, lines, seam::Axes{{2}}), shape);
  return as_output(graph, node, scaled(graph, node, result, &per_channel));
}

}  // namespace

std::span<const KernelRow> moments_rows() {
  static const KernelRow rows[] = {
      {{.op = "LayerNormalization", .dtypes = float_types},
       make_layer,
       check_statistics,
       lower_layer},
      {{.op = "RMSNormalization", .min_version = 23, .dtypes = float_types},
       make_layer,
       check_root_mean_square,
       lower_layer},
      {{.op = "InstanceNormalization", .dtypes = float_types},
       make_channel,
       check_channels,
       lower_channel},
      {{.op = "GroupNormalization", .min_version = 21, .dtypes = float_types},
       make_channel,
       check_channels,
       lower_channel},
      {{.op = "MeanVarianceNormalization", .dtypes = float_types}, make_plain},
      batch_moments_row()};
  return rows;
}

}  // namespace mps
