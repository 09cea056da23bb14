// ScatterElements, ScatterND: elements written at indices, by kernels/scatter.metal.
#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <string>
#include <string_view>

#include "ops/building/arguments.hpp"
#include "ops/building/host_values.hpp"
#include "ops/building/tuple.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"
#include "ops/movement/order.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

// How updates find their positions: each axis of the updates with its extent and its strides.
struct UpdateWalk {
  std::vector<int64_t> shape, indices, updates, output, owners;
  std::vector<bool> meets;  // updates along this axis may share a position
  Tuple tuple;

  void add_axis(int64_t extent, int64_t index, int64_t update, int64_t to, int64_t owner,
                bool may_meet) {
    shape.push_back(extent);
    indices.push_back(index);
    updates.push_back(update);
    output.push_back(to);
    owners.push_back(owner);
    meets.push_back(may_meet);
  }
};

// An index for each update, along one axis.
UpdateWalk walk_of_elements(const Run& run, int64_t named_axis) {
  const Tensor& indices = run.inputs[1];
  const Tensor& output = run.outputs[0];
  const size_t axis = normalize_axis(named_axis, output.shape.size());
  const sy::Dimensions owners = sy::contiguous_strides(output.shape);
  UpdateWalk walk;
  for (size_t i = 0; i < output.shape.size(); ++i) {
    const bool is_named = i == axis;
    if (!is_named && indices.shape[i] > output.shape[i]) {
      throw sy::invalid("indices of shape ", indices.shape, " for data of shape ", output.shape);
    }
    walk.add_axis(indices.shape[i], indices.strides[i], run.inputs[2].strides[i],
                  is_named ? 0 : output.strides[i], is_named ? 0 : owners[i], is_named);
  }
  walk.tuple.name_axis(output.shape[axis], output.strides[axis], owners[axis]);
  return walk;
}

// A tuple for each block of updates.
UpdateWalk walk_of_tuples(const Run& run) {
  const Tensor& indices = run.inputs[1];
  const Tensor& updates = run.inputs[2];
  const Tensor& output = run.outputs[0];
  const size_t lead = indices.shape.size() - 1;
  const auto length = static_cast<size_t>(indices.shape[lead]);
  const sy::Dimensions owners = sy::contiguous_strides(output.shape);
  UpdateWalk walk;
  for (size_t i = 0; i < lead; ++i) {
    walk.add_axis(indices.shape[i], indices.strides[i], updates.strides[i], 0, 0, true);
  }
  for (size_t i = length; i < output.shape.size(); ++i) {
    walk.add_axis(output.shape[i], 0, updates.strides[lead + i - length], output.strides[i],
                  owners[i], false);
  }
  walk.tuple.index_step = int32_step(indices.strides[lead]);
  for (size_t i = 0; i < length; ++i) {
    walk.tuple.name_axis(output.shape[i], output.strides[i], owners[i]);
  }
  return walk;
}

bool is_same_view(const Tensor& x, const Tensor& y) {
  return x.block == y.block && x.offset_bytes == y.offset_bytes;
}

class ScatterKernel : public Kernel {
 public:
  ScatterKernel(Device& device, bool by_tuple, int64_t axis)
      : device_(device), by_tuple_(by_tuple), axis_(axis) {}

  void encode(const Run& run) const override {
    const Tensor& output = run.outputs[0];
    if (!is_same_view(run.inputs[0], output)) {
      encode_copy(device_, run.stream, run.inputs[0], output);
    }
    if (run.inputs[2].size() == 0) return;
    if (run.inputs[1].size() == 0) {
      throw sy::unsupported(SY_REASON_LIMIT, "tuples of no indices");
    }
    encode_updates(run, by_tuple_ ? walk_of_tuples(run) : walk_of_elements(run, axis_));
  }

 protected:
  virtual void encode_updates(const Run& run, const UpdateWalk& walk) const = 0;

 private:
  Device& device_;
  const bool by_tuple_;
  const int64_t axis_;
};

// The last update of a position counts.
class StoringKernel final : public ScatterKernel {
 public:
  StoringKernel(Device& device, bool by_tuple, int64_t axis, const seam::Pipeline& claim,
                const seam::Pipeline& store)
      : ScatterKernel(device, by_tuple, axis), claim_(claim), store_(store) {}

 private:
  void encode_updates(const Run& run, const UpdateWalk& walk) const override {
    const Bound indices = bind(run.inputs[1], 0);
    const Bound updates = bind(run.inputs[2], 1);
    const Bound output = bind(run.outputs[0], 2);
    const std::array<Walked, 4> walked = {
        Walked{walk.indices.data(), indices.offset}, Walked{walk.updates.data(), updates.offset},
        Walked{walk.output.data(), output.offset}, Walked{walk.owners.data()}};
    const Axes axes = make_axes(walk.shape, walked);
    const size_t bytes = static_cast<size_t>(run.outputs[0].size()) * sizeof(uint32_t);
    const Block& owners = run.stream.temporary(bytes);
    run.stream.commands().fill(owners.buffer, 0, bytes, 0);
    Arguments claiming;
    claiming.add(indices).add(owners).add_value(axes).add_value(walk.tuple);
    claiming.add_faults().run(run.stream, claim_, axes.count);
    Arguments storing;
    storing.add(indices).add(updates).add(output).add(owners).add_value(axes);
    storing.add_value(walk.tuple).add_faults().run(run.stream, store_, axes.count);
  }

  const seam::Pipeline& claim_;
  const seam::Pipeline& store_;
};

// Axes of the updates, some of them, as one walk.
struct Part {
  std::vector<int64_t> shape, indices, updates, output;

  void take(const UpdateWalk& walk, size_t axis) {
    shape.push_back(walk.shape[axis]);
    indices.push_back(walk.indices[axis]);
    updates.push_back(walk.updates[axis]);
    output.push_back(walk.output[axis]);
  }
};

// Updates of a position are joined in their order. Lines are made of those that may share a
// position; a line's indices are looked at once, however much is written at each of its positions.
class JoiningKernel final : public ScatterKernel {
 public:
  JoiningKernel(Device& device, bool by_tuple, int64_t axis, const std::string& type,
                const std::string& index_type, uint32_t operation)
      : ScatterKernel(device, by_tuple, axis),
        name_(device.pipeline("scatter_name_" + index_type)),
        few_(device.pipeline("scatter_few_" + type)),
        ordered_(device.pipeline("scatter_ordered_" + type)),
        order_(device, "int"),
        operation_(operation) {}

 private:
  // As kernels/scatter.metal has them.
  struct Walks {
    Axes lines, meeting, shared;
  };

  void encode_updates(const Run& run, const UpdateWalk& walk) const override {
    const Bound indices = bind(run.inputs[1], 0);
    const Bound updates = bind(run.inputs[2], 1);
    const Bound output = bind(run.outputs[0], 2);
    const Walks walks = walks_of(walk, indices, updates, output);
    const uint32_t count = walks.lines.count * walks.meeting.count;
    const Block& named = run.stream.temporary(size_t{count} * sizeof(int32_t));
    Arguments naming;
    naming.add(indices).add(named).add_value(walks.lines).add_value(walks.meeting);
    naming.add_value(walk.tuple).add_faults().run(run.stream, name_, count);
    const bool is_long = walks.meeting.count > longest_unordered;
    const Block* order = is_long ? &encode_order(run.stream, walks, named) : nullptr;
    Arguments joining;
    joining.add(named).add(updates).add(output).add_value(walks.lines).add_value(walks.meeting);
    joining.add_value(walks.shared).add_value(operation_);
    if (is_long) joining.add(*order);
    joining.run(run.stream, is_long ? ordered_ : few_, count * walks.shared.count);
  }

  static Walks walks_of(const UpdateWalk& walk, const Bound& indices, const Bound& updates,
                        const Bound& output) {
    Part lines, meeting, shared;
    for (size_t i = 0; i < walk.shape.size(); ++i) {
      Part& part = walk.meets[i] ? meeting : walk.indices[i] != 0 ? lines : shared;
      part.take(walk, i);
    }
    return {make_axes(lines.shape, std::array{Walked{lines.indices.data(), indices.offset},
                                              Walked{lines.updates.data(), updates.offset},
                                              Walked{lines.output.data(), output.offset}}),
            make_axes(meeting.shape,
                      std::array{Walked{meeting.indices.data()}, Walked{meeting.updates.data()}}),
            make_axes(shared.shape,
                      std::array{Walked{shared.updates.data()}, Walked{shared.output.data()}})};
  }

  // Each line's updates by their positions.
  const Block& encode_order(Stream& stream, const Walks& walks, const Block& named) const {
    const uint32_t lines = walks.lines.count, length = walks.meeting.count;
    const Block& order = stream.temporary(size_t{lines} * length * sizeof(int64_t));
    const std::array<int64_t, 1> shape = {lines}, step = {length};
    const Walked along{step.data()};
    const Bound positions{{0, named.buffer, 0, {}}, 0};
    Ordering ordering{positions, positions, {{0, order.buffer, 0, {}}, 0}, {}, {}};
    ordering.outer = make_axes(shape, std::array{along, along, along});
    ordering.parameters = {length, std::bit_ceil(length), length, 1, 1, 1, 1, 0, 1};
    order_.encode(stream, ordering);
    return order;
  }

  // A line whose threads find their positions faster than a sort does.
  static constexpr uint32_t longest_unordered = 64;

  const seam::Pipeline& name_;
  const seam::Pipeline& few_;
  const seam::Pipeline& ordered_;
  const OrderKernels order_;
  const uint32_t operation_;
};

// In the order of kernels/scatter.metal's cases.
constexpr std::string_view reductions[] = {"add", "mul", "min", "max"};

Prepared make_scatter(Device& device, const sy::Node& node) {
  const sy_dtype dtype = node.required_input(0).dtype;
  const std::string index = std::string("_") + metal_type(node.required_input(1).dtype);
  const bool by_tuple = node.op() == "ScatterND";
  const int64_t axis = node.integer("axis", 0);
  const std::string_view reduction = node.text("reduction", "none");
  if (reduction == "none") {
    const std::string size = std::to_string(sy::dtype_bytes(dtype));
    return {std::make_unique<StoringKernel>(device, by_tuple, axis,
                                            device.pipeline("scatter_claim" + index),
                                            device.pipeline("scatter_" + size + index)),
            0,
            {1}};
  }
  uint32_t operation = 0;
  while (reductions[operation] != reduction) ++operation;
  return {std::make_unique<JoiningKernel>(device, by_tuple, axis, metal_type(dtype),
                                          metal_type(node.required_input(1).dtype), operation),
          0,
          {1}};
}

void check_scatter(const sy::Node& node) {
  const sy_dtype index = node.required_input(1).dtype;
  if (index != SY_INT32 && index != SY_INT64) {
    throw sy::unsupported(SY_REASON_DTYPE, "indices of ", sy::dtype_name(index));
  }
  const std::string_view reduction = node.text("reduction", "none");
  if (reduction == "none") return;
  if (std::find(std::begin(reductions), std::end(reductions), reduction) == std::end(reductions)) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "reduction is '", reduction,
                          "'; it must be none, add, mul, min or max");
  }
  const sy_dtype dtype = node.required_input(0).dtype;
  if ((number_types & SY_DTYPE_BIT(dtype)) == 0) {
    throw sy::unsupported(SY_REASON_DTYPE, "reduction ", reduction, " of ", sy::dtype_name(dtype));
  }
}

}  // namespace

std::span<const KernelRow> scatter_rows() {
  static const KernelRow rows[] = {
      {{.op = "ScatterElements", .dtypes = moved_types}, make_scatter, check_scatter},
      {{.op = "ScatterND", .dtypes = moved_types}, make_scatter, check_scatter}};
  return rows;
}

}  // namespace mps
