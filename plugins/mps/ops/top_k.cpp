// TopK, by kernels/order.metal.
#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "ops/arguments.hpp"
#include "ops/dtypes.hpp"
#include "ops/host_values.hpp"
#include "ops/kernel.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

// Of a line that one threadgroup sorts.
constexpr uint32_t longest_in_group = 4096;

// As kernels/order.metal reads them.
struct OrderParameters {
  uint32_t count;
  uint32_t padded;
  uint32_t wanted;
  uint32_t smallest;
  int32_t step;
  int32_t value_step;
  int32_t place_step;
  uint32_t has_values;
  uint32_t has_places;
};

struct OrderStep {
  uint32_t span;
  uint32_t reach;
};

// The tensors of a run; one of the results may be left out.
struct Ordering {
  Bound input;
  Bound values;
  Bound places;
  Axes outer;
  OrderParameters parameters;
};

Ordering ordering_of(const Run& run, int64_t named_axis, bool largest) {
  const Tensor& input = run.inputs[0];
  const bool has_values = run.outputs[0].dtype != 0;
  const bool has_places = run.outputs.size() > 1 && run.outputs[1].dtype != 0;
  const Tensor& values = has_values ? run.outputs[0] : run.outputs[1];
  const Tensor& places = has_places ? run.outputs[1] : run.outputs[0];
  const size_t axis = axis_place(named_axis, input.shape.size());
  Ordering made{bind(input, 0), bind(values, 1), bind(places, 2), {}, {}};
  sy::Dimensions shape(input.shape);
  shape[axis] = 1;
  const std::array<Walked, 3> walked = {Walked{input.strides.data.data(), made.input.offset},
                                        Walked{values.strides.data.data(), made.values.offset},
                                        Walked{places.strides.data.data(), made.places.offset}};
  made.outer = make_axes(shape, walked);
  const auto count = static_cast<uint32_t>(input.shape[axis]);
  const auto wanted = static_cast<uint32_t>(values.shape[axis]);
  if (wanted > count) throw sy::invalid("the first ", wanted, " of ", count, " elements");
  made.parameters = {count,
                     std::bit_ceil(count),
                     wanted,
                     largest ? 0u : 1u,
                     int32_step(input.strides[axis]),
                     int32_step(values.strides[axis]),
                     int32_step(places.strides[axis]),
                     has_values ? 1u : 0u,
                     has_places ? 1u : 0u};
  return made;
}

class TopKernel final : public Kernel {
 public:
  TopKernel(Device& device, const std::string& type, int64_t axis, bool largest)
      : in_group_(device.pipeline("order_in_group_" + type)),
        start_(device.pipeline("order_start")),
        step_(device.pipeline("order_step_" + type)),
        finish_(device.pipeline("order_finish_" + type)),
        axis_(axis),
        largest_(largest) {}

  void encode(const Run& run) const override {
    const Ordering ordering = ordering_of(run, axis_, largest_);
    if (ordering.parameters.count > longest_in_group) return encode_steps(run, ordering);
    Arguments arguments;
    arguments.add(ordering.input).add(ordering.values).add(ordering.places);
    arguments.add_value(ordering.outer).add_value(ordering.parameters);
    const uint32_t group = std::clamp(ordering.parameters.padded / 2, 1u, 256u);
    arguments.run_groups(run.stream, in_group_, ordering.outer.count, group);
  }

 private:
  void encode_steps(const Run& run, const Ordering& ordering) const {
    const uint32_t lines = ordering.outer.count;
    const uint32_t padded = ordering.parameters.padded;
    const uint64_t places = uint64_t{lines} * padded;
    if (places > uint64_t{1} << 31) {
      throw sy::unsupported(SY_REASON_LIMIT, "more than 2147483648 elements to sort");
    }
    const Block& order = run.stream.temporary(places * sizeof(uint32_t));
    Arguments starting;
    starting.add(order).add_value(ordering.parameters);
    starting.run(run.stream, start_, static_cast<uint32_t>(places));
    for (uint32_t span = 2; span <= padded; span *= 2) {
      for (uint32_t reach = span / 2; reach > 0; reach /= 2) {
        const OrderStep step{span, reach};
        Arguments arguments;
        arguments.add(ordering.input).add(order).add_value(ordering.outer);
        arguments.add_value(ordering.parameters).add_value(step);
        arguments.run(run.stream, step_, static_cast<uint32_t>(places / 2));
      }
    }
    Arguments finishing;
    finishing.add(ordering.input).add(ordering.values).add(ordering.places).add(order);
    finishing.add_value(ordering.outer).add_value(ordering.parameters);
    finishing.run(run.stream, finish_, lines * ordering.parameters.wanted);
  }

  const seam::Pipeline& in_group_;
  const seam::Pipeline& start_;
  const seam::Pipeline& step_;
  const seam::Pipeline& finish_;
  const int64_t axis_;
  const bool largest_;
};

Prepared make_top(Device& device, const sy::Node& node) {
  return {std::make_unique<TopKernel>(device, metal_type(node.needed_input(0).dtype),
                                      node.integer("axis", -1), node.flag("largest", true))};
}

}  // namespace

std::span<const Row> top_k_rows() {
  static const std::vector<Row> rows = {
      {{.op = "TopK", .dtypes = number_types, .min_rank = 1}, make_top}};
  return rows;
}

}  // namespace mps
