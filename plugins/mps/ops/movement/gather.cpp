// Gather, GatherElements, GatherND: elements by index, by kernels/gather.metal.
#include <array>
#include <string>

#include "ops/building/arguments.hpp"
#include "ops/building/graph_builder.hpp"
#include "ops/building/host_values.hpp"
#include "ops/building/tuple.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

// As kernels/gather.metal reads them.
struct GatherParameters {
  uint32_t axis_extent;
  int32_t axis_step;
};

// Strides over the result's axes: what walks the input, and what walks the indices.
struct GatherWalk {
  sy::Dimensions input;
  sy::Dimensions indices;
};

// The result's axes are the input's before the axis, the indices', and the input's after it.
GatherWalk walk_of_slices(const Tensor& input, const Tensor& indices, size_t axis) {
  GatherWalk walk;
  const size_t index_rank = indices.shape.size();
  const size_t rank = input.shape.size() - 1 + index_rank;
  walk.input.rank = walk.indices.rank = static_cast<uint32_t>(rank);
  for (size_t i = 0; i < rank; ++i) {
    const bool is_index = i >= axis && i < axis + index_rank;
    walk.indices[i] = is_index ? indices.strides[i - axis] : 0;
    walk.input[i] = is_index ? 0 : input.strides[i < axis ? i : i - index_rank + 1];
  }
  return walk;
}

// The result's axes are the indices'.
GatherWalk walk_of_elements(const Tensor& input, const Tensor& indices, size_t axis) {
  GatherWalk walk{input.strides, indices.strides};
  walk.input[axis] = 0;
  for (size_t i = 0; i < input.shape.size(); ++i) {
    if (i != axis && indices.shape[i] > input.shape[i]) {
      throw sy::invalid("indices of shape ", indices.shape, " for data of shape ", input.shape);
    }
  }
  return walk;
}

class GatherKernel final : public Kernel {
 public:
  GatherKernel(const seam::Pipeline& pipeline, int64_t axis, bool by_element)
      : pipeline_(pipeline), axis_(axis), by_element_(by_element) {}

  void encode(const Run& run) const override {
    const Tensor& input = run.inputs[0];
    const Tensor& indices = run.inputs[1];
    const Tensor& output = run.outputs[0];
    require_elements(input);
    const size_t axis = normalize_axis(axis_, input.shape.size());
    const GatherWalk walk =
        by_element_ ? walk_of_elements(input, indices, axis) : walk_of_slices(input, indices, axis);
    const Bound bound[3] = {bind(input, 0), bind(indices, 1), bind(output, 2)};
    const std::array<Walked, 3> walked = {Walked{walk.input.data.data(), bound[0].offset},
                                          Walked{walk.indices.data.data(), bound[1].offset},
                                          Walked{output.strides.data.data(), bound[2].offset}};
    const Axes axes = make_axes(output.shape, walked);
    const GatherParameters parameters{static_cast<uint32_t>(input.shape[axis]),
                                      int32_step(input.strides[axis])};
    Arguments arguments;
    arguments.add(bound[0]).add(bound[1]).add(bound[2]).add_value(axes).add_value(parameters);
    arguments.add_faults().run(run.stream, pipeline_, axes.count);
  }

 private:
  const seam::Pipeline& pipeline_;
  const int64_t axis_;
  const bool by_element_;
};

class GatherTuplesKernel final : public Kernel {
 public:
  GatherTuplesKernel(const seam::Pipeline& pipeline, size_t batch_rank)
      : pipeline_(pipeline), batch_rank_(batch_rank) {}

  // The result's axes are those of the batch, the tuples' others, and the input's that are left.
  void encode(const Run& run) const override {
    const Tensor& input = run.inputs[0];
    const Tensor& output = run.outputs[0];
    require_elements(input);
    const size_t lead = run.inputs[1].shape.size() - 1;
    const auto length = static_cast<size_t>(run.inputs[1].shape[lead]);
    // Tuples of no indices have no memory.
    const Tensor& indices = length == 0 ? input : run.inputs[1];
    sy::Dimensions input_strides(output.shape);
    sy::Dimensions index_strides(output.shape);
    for (size_t i = 0; i < output.shape.size(); ++i) {
      index_strides[i] = i < lead && length > 0 ? indices.strides[i] : 0;
      input_strides[i] = i < batch_rank_ ? input.strides[i]
                         : i < lead      ? 0
                                         : input.strides[i - lead + batch_rank_ + length];
    }
    Tuple tuple;
    tuple.index_step = length == 0 ? 0 : int32_step(indices.strides[lead]);
    for (size_t i = 0; i < length; ++i) {
      const size_t axis = batch_rank_ + i;
      tuple.name_axis(input.shape[axis], input.strides[axis], 0);
    }
    const Bound bound[3] = {bind(input, 0), bind(indices, 1), bind(output, 2)};
    const std::array<Walked, 3> walked = {
        Walked{input_strides.data.data(), bound[0].offset},
        Walked{index_strides.data.data(), length == 0 ? 0 : bound[1].offset},
        Walked{output.strides.data.data(), bound[2].offset}};
    const Axes axes = make_axes(output.shape, walked);
    Arguments arguments;
    arguments.add(bound[0]).add(bound[1]).add(bound[2]).add_value(axes).add_value(tuple);
    arguments.add_faults().run(run.stream, pipeline_, axes.count);
  }

 private:
  const seam::Pipeline& pipeline_;
  const size_t batch_rank_;
};

Prepared make_gather(Device& device, const sy::Node& node) {
  const std::string size = std::to_string(sy::dtype_bytes(node.required_input(0).dtype));
  const auto& pipeline =
      device.pipeline("gather_" + size + "_" + metal_type(node.required_input(1).dtype));
  return {std::make_unique<GatherKernel>(pipeline, node.integer("axis", 0),
                                         node.op() == "GatherElements")};
}

Prepared make_gather_tuples(Device& device, const sy::Node& node) {
  const std::string size = std::to_string(sy::dtype_bytes(node.required_input(0).dtype));
  return {std::make_unique<GatherTuplesKernel>(device.pipeline("gather_tuples_" + size),
                                               static_cast<size_t>(node.integer("batch_dims", 0)))};
}

void check_indices(const sy::Node& node) {
  const sy_dtype dtype = node.required_input(1).dtype;
  if (dtype != SY_INT32 && dtype != SY_INT64) {
    throw sy::unsupported(SY_REASON_DTYPE, "indices of ", sy::dtype_name(dtype));
  }
}

// Indices that are known, and so known to be there: a graph reports none that are not.
uint32_t lower_gather(GraphBuilder& graph, const sy::Node& node) {
  const seam::TensorType result = type_of(node.required_output(0));
  const GraphBuilder::Shape shape = type_of(node.required_input(0)).shape;
  const size_t axis = normalize_axis(node.integer("axis", 0), shape.size());
  std::vector<int32_t> positions;
  for (const int64_t index : host_integers(node, 1)) {
    const int64_t position = index < 0 ? index + shape[axis] : index;
    if (position < 0 || position >= shape[axis]) {
      throw sy::unsupported(SY_REASON_LIMIT, "index ", index, " is not on its axis");
    }
    positions.push_back(static_cast<int32_t>(position));
  }
  const uint32_t indices = graph.constant(
      {seam::ElementType::int32, type_of(node.required_input(1)).shape}, positions.data());
  return graph.add(seam::Operation::gather, result.shape, {graph.input(node, 0), indices},
                   seam::Axes{{static_cast<int64_t>(axis)}});
}

}  // namespace

std::span<const KernelRow> gather_rows() {
  static const KernelRow rows[] = {
      {{.op = "Gather", .dtypes = moved_types}, make_gather, check_indices, lower_gather},
      {{.op = "GatherElements", .dtypes = moved_types}, make_gather, check_indices},
      {{.op = "GatherND", .dtypes = moved_types}, make_gather_tuples}};
  return rows;
}

}  // namespace mps
