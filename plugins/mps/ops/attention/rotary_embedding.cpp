// RotaryEmbedding, by kernels/rotary.metal.
#include <algorithm>
#include <array>
#include <string>

#include "ops/building/arguments.hpp"
#include "ops/dtypes.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

// As kernels/rotary.metal reads them.
struct RotaryParameters {
  uint32_t width, pairs;
  uint32_t is_interleaved, has_positions, positions;
  int32_t x_step, y_step;
  int32_t cosine_row, cosine_step;
  int32_t sine_row, sine_step;
};

// [batch, heads, length, width] of a tensor of rank 4, or 3 without an axis of heads.
struct Heads {
  std::array<int64_t, 3> lines;
  std::array<int64_t, 3> strides;
  int64_t width;
  int64_t step;

  Heads(const Tensor& tensor, int64_t heads_of_rank_3) {
    const sy::Extents shape = tensor.shape;
    const auto& stride = tensor.strides;
    if (shape.size() == 4) {
      lines = {shape[0], shape[1], shape[2]};
      strides = {stride[0], stride[1], stride[2]};
      width = shape[3];
      step = stride[3];
      return;
    }
    if (heads_of_rank_3 < 1 || shape[2] % heads_of_rank_3 != 0) {
      throw sy::invalid(shape[2], " elements do not divide among ", heads_of_rank_3, " heads");
    }
    width = shape[2] / heads_of_rank_3;
    step = stride[2];
    lines = {shape[0], heads_of_rank_3, shape[1]};
    strides = {stride[0], step * width, stride[1]};
  }
};

// Refuses what 32 bits do not reach.
Bound bound_within_reach(const Tensor& tensor) {
  const Bound bound = bind(tensor, 0);
  make_axes(tensor.shape, std::array{Walked{tensor.strides.data.data(), bound.offset}});
  return bound;
}

class RotaryKernel final : public Kernel {
 public:
  RotaryKernel(const seam::Pipeline& pipeline, const sy::Node& node)
      : pipeline_(pipeline),
        heads_(node.integer("num_heads", 0)),
        rotated_(node.integer("rotary_embedding_dim", 0)),
        is_interleaved_(node.flag("interleaved")) {}

  void encode(const Run& run) const override {
    const bool has_positions = run.has_input(3);
    const Tensor& positions = run.inputs[has_positions ? 3 : 0];
    const Bound bound[5] = {bound_within_reach(run.inputs[0]), bound_within_reach(run.outputs[0]),
                            bound_within_reach(run.inputs[1]), bound_within_reach(run.inputs[2]),
                            bound_within_reach(positions)};
    const Heads x(run.inputs[0], heads_), y(run.outputs[0], heads_);
    const RotaryParameters parameters = parameters_of(run, x, y);
    const auto cosines = table_strides(run.inputs[1], has_positions);
    const auto sines = table_strides(run.inputs[2], has_positions);
    const std::array<int64_t, 3> by_token = {positions.strides[0], 0, positions.strides[1]};
    const Axes lines = make_axes(x.lines, std::array{Walked{x.strides.data(), bound[0].offset},
                                                     Walked{y.strides.data(), bound[1].offset},
                                                     Walked{cosines.data(), bound[2].offset},
                                                     Walked{sines.data(), bound[3].offset}});
    const Axes tokens = make_axes(
        x.lines, std::array{Walked{by_token.data(), has_positions ? bound[4].offset : 0}});
    Arguments arguments;
    for (const Bound& one : bound) arguments.add(one);
    arguments.add_value(lines).add_value(tokens).add_value(parameters).add_faults();
    arguments.run(run.stream, pipeline_, static_cast<uint32_t>(run.outputs[0].size()));
  }

 private:
  RotaryParameters parameters_of(const Run& run, const Heads& x, const Heads& y) const {
    const Tensor& cosines = run.inputs[1];
    const Tensor& sines = run.inputs[2];
    const int64_t pairs = (rotated_ == 0 ? x.width : rotated_) / 2;
    const size_t last = cosines.shape.size() - 1;
    if (pairs * 2 > x.width || cosines.shape[last] != pairs) {
      throw sy::invalid("a cache of shape ", cosines.shape, " does not turn ", pairs * 2, " of ",
                        x.width, " elements");
    }
    if (!std::ranges::equal(sines.shape, cosines.shape)) {
      throw sy::invalid("cosines of shape ", cosines.shape, " and sines of shape ", sines.shape);
    }
    return {static_cast<uint32_t>(x.width),
            static_cast<uint32_t>(pairs),
            is_interleaved_ ? 1u : 0u,
            run.has_input(3) ? 1u : 0u,
            static_cast<uint32_t>(cosines.shape[0]),
            int32_step(x.step),
            int32_step(y.step),
            int32_step(cosines.strides[0]),
            int32_step(cosines.strides[last]),
            int32_step(sines.strides[0]),
            int32_step(sines.strides[last])};
  }

  // Along batch, heads and length: a row a token, or the row that its position names.
  static std::array<int64_t, 3> table_strides(const Tensor& table, bool has_positions) {
    if (has_positions) return {0, 0, 0};
    return {table.strides[0], 0, table.strides[1]};
  }

  const seam::Pipeline& pipeline_;
  const int64_t heads_, rotated_;
  const bool is_interleaved_;
};

Prepared make_rotary_embedding(Device& device, const sy::Node& node) {
  const auto& pipeline =
      device.pipeline(std::string("rotary_") + metal_type(node.required_input(0).dtype));
  return {std::make_unique<RotaryKernel>(pipeline, node)};
}

// The claim has the positions' type too.
void check_types(const sy::Node& node) {
  for (uint32_t i = 0; i < 3; ++i) {
    const sy_value& input = node.required_input(i);
    if (input.dtype != SY_INT64 && input.dtype == node.required_output(0).dtype) continue;
    throw sy::unsupported(SY_REASON_DTYPE, "input ", i, " of ", sy::dtype_name(input.dtype));
  }
}

}  // namespace

std::span<const KernelRow> rotary_embedding_rows() {
  static const KernelRow rows[] = {{.claim = {.op = "RotaryEmbedding",
                                              .min_version = 23,
                                              .dtypes = float_types | SY_DTYPE_BIT(SY_INT64),
                                              .output_dtypes = float_types},
                                    .make = make_rotary_embedding,
                                    .check = check_types}};
  return rows;
}

}  // namespace mps
