// Softmax, LogSoftmax and LayerNormalization, by kernels/line.metal.
#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "ops/folding.hpp"
#include "ops/kernel.hpp"

namespace mps {
namespace {

constexpr uint32_t largest_group = 256;

// Lines along some axes of two tensors of one shape.
struct Lines {
  Bound input;
  Bound output;
  Axes outer;  // over the lines: the input, the output
  Axes inner;  // along one
};

Lines lines_of(const Tensor& input, const Tensor& output, const std::vector<bool>& along) {
  std::vector<int64_t> extents[2], input_strides[2], output_strides[2];
  for (size_t i = 0; i < input.shape.size(); ++i) {
    const size_t side = along[i] ? 1 : 0;
    extents[side].push_back(input.shape[i]);
    input_strides[side].push_back(input.strides[i]);
    output_strides[side].push_back(output.strides[i]);
  }
  Lines lines{bind(input, 0), bind(output, 1), {}, {}};
  const std::array<Walked, 2> outer = {Walked{input_strides[0].data(), lines.input.offset},
                                       Walked{output_strides[0].data(), lines.output.offset}};
  const std::array<Walked, 2> inner = {Walked{input_strides[1].data(), 0},
                                       Walked{output_strides[1].data(), 0}};
  lines.outer = make_axes(extents[0], outer);
  lines.inner = make_axes(extents[1], inner);
  return lines;
}

template <typename T>
seam::Argument by_value(uint32_t index, const T& value) {
  return {index, nullptr, 0, std::as_bytes(std::span(&value, 1))};
}

// A group for each line.
void encode_lines(Stream& stream, const seam::Pipeline& pipeline, const Lines& lines,
                  std::span<const seam::Argument> arguments) {
  const uint32_t group = std::clamp(std::bit_floor(lines.inner.count / 2), 1u, largest_group);
  const uint64_t threads = uint64_t{lines.outer.count} * group;
  if (threads > UINT32_MAX) {
    throw sy::unsupported(SY_REASON_LIMIT, "more than 4294967295 threads");
  }
  seam::Dispatch dispatch;
  dispatch.pipeline = &pipeline;
  dispatch.arguments = arguments;
  dispatch.threads = {static_cast<uint32_t>(threads), 1, 1};
  dispatch.group = {group, 1, 1};
  stream.commands().dispatch(dispatch);
}

class SoftmaxKernel final : public Kernel {
 public:
  SoftmaxKernel(const seam::Pipeline& pipeline, std::vector<bool> along, bool logarithm)
      : pipeline_(pipeline), along_(std::move(along)), logarithm_(logarithm ? 1 : 0) {}

  void encode(const Run& run) const override {
    const Lines lines = lines_of(run.inputs[0], run.outputs[0], along_);
    const std::array<seam::Argument, 5> arguments = {
        lines.input.argument, lines.output.argument, by_value(2, lines.outer),
        by_value(3, lines.inner), by_value(4, logarithm_)};
    encode_lines(run.stream, pipeline_, lines, arguments);
  }

 private:
  const seam::Pipeline& pipeline_;
  const std::vector<bool> along_;
  const uint32_t logarithm_;
};

uint32_t known_rank(const sy_value& value) {
  if (sy::has_rank(value)) return value.rank;
  throw sy::unsupported(SY_REASON_RANK, "the rank is not known before the run");
}

Prepared make_softmax(Device& device, const sy::Node& node) {
  const sy_value& input = node.needed_input(0);
  std::vector<bool> along = axes_in({node.integer("axis", -1)}, known_rank(input));
  const auto& pipeline = device.pipeline(std::string("softmax_") + metal_type(input.dtype));
  return {std::make_unique<SoftmaxKernel>(pipeline, std::move(along), node.op() == "LogSoftmax"),
          SY_ON_SHAPE, 1};
}

// As kernels/line.metal reads them.
struct LayerNormParameters {
  float epsilon;
  uint32_t has_bias;
};

class LayerNormKernel final : public Kernel {
 public:
  LayerNormKernel(const seam::Pipeline& pipeline, size_t first, float epsilon)
      : pipeline_(pipeline), first_(first), epsilon_(epsilon) {}

  void encode(const Run& run) const override {
    const Tensor& input = run.inputs[0];
    std::vector<bool> along(input.shape.size(), false);
    std::fill(along.begin() + static_cast<std::ptrdiff_t>(first_), along.end(), true);
    const Lines lines = lines_of(input, run.outputs[0], along);
    const Tensor& scale = run.inputs[1];
    const Tensor& bias = run.has_input(2) ? run.inputs[2] : scale;
    const Bound bound_scale = bind(scale, 5);
    const Bound bound_bias = bind(bias, 6);
    const sy::Extents line = input.shape.subspan(first_);
    const auto scale_strides = sy::broadcast_strides(scale.shape, scale.strides.data.data(), line);
    const auto bias_strides = sy::broadcast_strides(bias.shape, bias.strides.data.data(), line);
    const std::array<Walked, 2> walked = {Walked{scale_strides.data.data(), bound_scale.offset},
                                          Walked{bias_strides.data.data(), bound_bias.offset}};
    const Axes affine = make_axes(line, walked);
    const LayerNormParameters parameters{epsilon_, run.has_input(2) ? 1u : 0u};
    const std::array<seam::Argument, 8> arguments = {
        lines.input.argument,     lines.output.argument,   by_value(2, lines.outer),
        by_value(3, lines.inner), by_value(4, parameters), bound_scale.argument,
        bound_bias.argument,      by_value(7, affine)};
    encode_lines(run.stream, pipeline_, lines, arguments);
  }

 private:
  const seam::Pipeline& pipeline_;
  const size_t first_;
  const float epsilon_;
};

Prepared make_layer_norm(Device& device, const sy::Node& node) {
  const sy_value& input = node.needed_input(0);
  const auto rank = static_cast<int64_t>(known_rank(input));
  const int64_t axis = node.integer("axis", -1);
  const auto first = static_cast<size_t>(axis < 0 ? axis + rank : axis);
  const auto& pipeline = device.pipeline(std::string("layer_norm_") + metal_type(input.dtype));
  return {std::make_unique<LayerNormKernel>(pipeline, first, node.real("epsilon", 1e-5f)),
          SY_ON_SHAPE};
}

void check_layer_norm(const sy::Node& node) {
  if (node.output(1) != nullptr || node.output(2) != nullptr) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "no mean and deviation as results");
  }
}

std::vector<Row> make_rows() {
  constexpr uint64_t floats = SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT16);
  return {{{.op = "Softmax", .min_version = 13, .dtypes = floats, .min_rank = 1}, make_softmax},
          {{.op = "LogSoftmax", .min_version = 13, .dtypes = floats, .min_rank = 1}, make_softmax},
          {{.op = "LayerNormalization", .dtypes = floats, .min_rank = 1},
           make_layer_norm,
           check_layer_norm}};
}

}  // namespace

std::span<const Row> line_rows() {
  static const std::vector<Row> rows = make_rows();
  return rows;
}

}  // namespace mps
