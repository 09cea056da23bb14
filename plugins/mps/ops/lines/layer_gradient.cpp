// LayerNormalizationGradient, by kernels/layer_gradient.metal: a group a line, then parts of the
// lines for the scale and the bias, which are joined in order.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "ops/building/host_values.hpp"
#include "ops/dtypes.hpp"
#include "ops/lines/line_gradient.hpp"
#include "switchyard/plugin/division.hpp"

namespace mps {
namespace {

// As the kernels read them.
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

class LayerGradientKernel final : public Kernel {
 public:
  LayerGradientKernel(Device& device, const Pipelines& pipelines, int64_t axis, float epsilon)
      : device_(device), pipelines_(pipelines), axis_(axis), epsilon_(epsilon) {}

  void encode(const Run& run) const override {
    const bool wants_more = has_output(run, 1) || has_output(run, 2);
    if (run.inputs[1].size() == 0) return encode_zero_parameters(device_, run);
    const GradientWalk walk = walk_of(run);
    const uint32_t lines = walk.outer.count;
    const Block* statistics =
        wants_more ? &run.stream.temporary(size_t{lines} * sizeof(LineStatistics)) : nullptr;
    encode_line_gradients(run.stream, pipelines_.lines, walk, epsilon_, statistics);
    if (!wants_more) return;
    const uint32_t count = sy::ceil_div(lines, lines_of_part);
    const Block& parts = run.stream.temporary(size_t{count} * walk.inner.count * 2 * sizeof(float));
    encode_parts(run, walk, *statistics, parts, count);
    encode_join(run, parts, count);
  }

 private:
  GradientWalk walk_of(const Run& run) const {
    const Tensor &grad_output = run.inputs[0], &input = run.inputs[1], &scale = run.inputs[2],
                 &result = run.outputs[0];
    GradientWalk walk{
        bind(grad_output, 0), bind(input, 1), bind(result, 2), bind(scale, 3), {}, {}};
    const size_t rank = input.shape.size(), first = normalize_axis(axis_, rank);
    const std::vector<int64_t> nowhere(rank, 0);
    const auto walked = [](const Tensor& tensor, size_t from, uint64_t offset = 0) {
      return Walked{tensor.strides.data.data() + from, offset};
    };
    walk.outer = make_axes(
        sy::Extents(input.shape).first(first),
        std::array{walked(grad_output, 0, walk.grad_output.offset),
                   walked(input, 0, walk.input.offset), walked(result, 0, walk.result.offset),
                   Walked{nowhere.data(), walk.scale.offset}});
    walk.inner = make_axes(sy::Extents(input.shape).subspan(first),
                           std::array{walked(grad_output, first), walked(input, first),
                                      walked(result, first), walked(scale, 0)});
    return walk;
  }

  void encode_parts(const Run& run, const GradientWalk& walk, const Block& statistics,
                    const Block& parts, uint32_t count) const {
    const LayerPartsParameters parameters{lines_of_part};
    Arguments arguments;
    arguments.add(walk.grad_output).add(walk.input).add(statistics).add(parts);
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

// The output gradient is read again after the input's is written: none takes another's place.
Prepared make_layer_gradient(Device& device, const sy::Node& node) {
  const std::string type = metal_type(node.required_input(0).dtype);
  const Pipelines pipelines{device.pipeline("layer_gradient_" + type),
                            device.pipeline("layer_parts_" + type),
                            device.pipeline("join_layer_parts_" + type)};
  return {std::make_unique<LayerGradientKernel>(device, pipelines, node.integer("axis", -1),
                                                node.real("epsilon", 1e-5f))};
}

}  // namespace

std::span<const KernelRow> layer_gradient_rows() {
  static const KernelRow rows[] = {{{.op = "LayerNormalizationGradient",
                                     .domain = "switchyard",
                                     .dtypes = float_types,
                                     .min_rank = 1},
                                    make_layer_gradient}};
  return rows;
}

}  // namespace mps
