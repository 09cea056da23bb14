// LayerNormalizationGradient, by kernels/layer_gradient.metal: a group a line, then parts of the
// lines for the scale and the bias, which are joined in order.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "ops/building/arguments.hpp"
#include "ops/building/host_values.hpp"
#include "ops/building/lines.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"
#include "runtime/axes.hpp"
#include "switchyard/plugin/division.hpp"

namespace mps {
namespace {

// As the kernels read them.
struct LayerGradientParameters {
  float epsilon = 0;
  uint32_t writes_statistics = 0;
};
struct LineStatistics {
  float centre = 0, rest = 0, factor = 0;
};
struct LayerPartsParameters {
  uint32_t lines = 0;
};
struct JoinLayerPartsParameters {
  uint32_t parts = 0;
  uint32_t has_scale = 0;
  uint32_t has_bias = 0;
};

constexpr uint32_t lines_of_part = 64;

struct Pipelines {
  const seam::Pipeline& lines;
  const seam::Pipeline& parts;
  const seam::Pipeline& join;
};

// The tensors of a run, and how its lines are walked.
struct Walk {
  Bound slopes, input, result, scale;
  Axes outer, inner;
};

class LayerGradientKernel final : public Kernel {
 public:
  LayerGradientKernel(Device& device, const Pipelines& pipelines, int64_t axis, float epsilon)
      : device_(device), pipelines_(pipelines), axis_(axis), epsilon_(epsilon) {}

  void encode(const Run& run) const override {
    const bool wants_more = has_output(run, 1) || has_output(run, 2);
    if (run.inputs[1].size() == 0) return encode_zeros(run);
    const Walk walk = walk_of(run);
    const uint32_t lines = walk.outer.count;
    const Block* statistics =
        wants_more ? &run.stream.temporary(size_t{lines} * sizeof(LineStatistics)) : nullptr;
    encode_lines(run, walk, statistics);
    if (!wants_more) return;
    const uint32_t count = sy::divide_up(lines, lines_of_part);
    const Block& parts = run.stream.temporary(size_t{count} * walk.inner.count * 2 * sizeof(float));
    encode_parts(run, walk, *statistics, parts, count);
    encode_join(run, parts, count);
  }

 private:
  static bool has_output(const Run& run, size_t i) {
    return i < run.outputs.size() && run.outputs[i].dtype != 0;
  }

  // No line adds anything to the scale and the bias.
  void encode_zeros(const Run& run) const {
    constexpr std::array<std::byte, 4> zero{};
    for (size_t i = 1; i < run.outputs.size(); ++i) {
      if (!has_output(run, i) || run.outputs[i].size() == 0) continue;
      const size_t bytes = sy::dtype_bytes(run.outputs[i].dtype);
      encode_fill(device_, run.stream, run.outputs[i], std::span(zero).first(bytes));
    }
  }

  Walk walk_of(const Run& run) const {
    const Tensor &slopes = run.inputs[0], &input = run.inputs[1], &scale = run.inputs[2],
                 &result = run.outputs[0];
    Walk walk{bind(slopes, 0), bind(input, 1), bind(result, 2), bind(scale, 3), {}, {}};
    const size_t rank = input.shape.size(), first = normalize_axis(axis_, rank);
    const std::vector<int64_t> nowhere(rank, 0);
    const auto walked = [](const Tensor& tensor, size_t from, uint64_t offset = 0) {
      return Walked{tensor.strides.data.data() + from, offset};
    };
    walk.outer = make_axes(
        sy::Extents(input.shape).first(first),
        std::array{walked(slopes, 0, walk.slopes.offset), walked(input, 0, walk.input.offset),
                   walked(result, 0, walk.result.offset),
                   Walked{nowhere.data(), walk.scale.offset}});
    walk.inner = make_axes(sy::Extents(input.shape).subspan(first),
                           std::array{walked(slopes, first), walked(input, first),
                                      walked(result, first), walked(scale, 0)});
    return walk;
  }

  void encode_lines(const Run& run, const Walk& walk, const Block* statistics) const {
    const LayerGradientParameters parameters{epsilon_, statistics != nullptr ? 1u : 0u};
    Arguments arguments;
    arguments.add(walk.slopes).add(walk.input).add(walk.result).add(walk.scale);
    statistics != nullptr ? arguments.add(*statistics) : arguments.add(walk.result);
    arguments.add_value(walk.outer).add_value(walk.inner).add_value(parameters);
    arguments.run_groups(run.stream, pipelines_.lines, walk.outer.count,
                         group_for(walk.inner.count));
  }

  void encode_parts(const Run& run, const Walk& walk, const Block& statistics, const Block& parts,
                    uint32_t count) const {
    const LayerPartsParameters parameters{lines_of_part};
    Arguments arguments;
    arguments.add(walk.slopes).add(walk.input).add(statistics).add(parts);
    arguments.add_value(walk.outer).add_value(walk.inner).add_value(parameters);
    arguments.run(run.stream, pipelines_.parts, count * walk.inner.count);
  }

  void encode_join(const Run& run, const Block& parts, uint32_t count) const {
    const bool has_scale = has_output(run, 1), has_bias = has_output(run, 2);
    const Tensor& of_scale = run.outputs[has_scale ? 1 : 2];
    const Tensor& of_bias = run.outputs[has_bias ? 2 : 1];
    const Bound bound[2] = {bind(of_scale, 1), bind(of_bias, 2)};
    const JoinLayerPartsParameters parameters{count, has_scale ? 1u : 0u, has_bias ? 1u : 0u};
    const Axes to =
        make_axes(of_scale.shape, std::array{Walked{of_scale.strides.data.data(), bound[0].offset},
                                             Walked{of_bias.strides.data.data(), bound[1].offset}});
    Arguments arguments;
    arguments.add(parts).add(bound[0]).add(bound[1]).add_value(to).add_value(parameters);
    arguments.run(run.stream, pipelines_.join, to.count);
  }

  Device& device_;
  const Pipelines pipelines_;
  const int64_t axis_;
  const float epsilon_;
};

// The arriving gradient is read again after the input's is written: none takes another's place.
Prepared make_layer_gradient(Device& device, const sy::Node& node) {
  const std::string type = metal_type(node.needed_input(0).dtype);
  const Pipelines pipelines{device.pipeline("layer_gradient_" + type),
                            device.pipeline("layer_parts_" + type),
                            device.pipeline("join_layer_parts_" + type)};
  return {std::make_unique<LayerGradientKernel>(device, pipelines, node.integer("axis", -1),
                                                node.real("epsilon", 1e-5f))};
}

}  // namespace

std::span<const Row> layer_gradient_rows() {
  static const Row rows[] = {{{.op = "LayerNormalizationGradient",
                               .domain = "switchyard",
                               .dtypes = float_types,
                               .min_rank = 1},
                              make_layer_gradient}};
  return rows;
}

}  // namespace mps
