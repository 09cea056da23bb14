#include "ops/movement/order.hpp"

#include <algorithm>

#include "ops/building/arguments.hpp"

namespace mps {
namespace {

// Of a line that one threadgroup sorts.
constexpr uint32_t longest_in_group = 4096;

// As kernels/sort.metal reads it.
struct OrderStep {
  uint32_t span;
  uint32_t reach;
};

}  // namespace

OrderKernels::OrderKernels(Device& device, const std::string& type)
    : in_group_(device.pipeline("order_in_group_" + type)),
      start_(device.pipeline("order_start")),
      step_(device.pipeline("order_step_" + type)),
      finish_(device.pipeline("order_finish_" + type)) {}

void OrderKernels::encode(Stream& stream, const Ordering& ordering) const {
  if (ordering.parameters.count > longest_in_group) return encode_steps(stream, ordering);
  Arguments arguments;
  arguments.add(ordering.input).add(ordering.values).add(ordering.positions);
  arguments.add_value(ordering.outer).add_value(ordering.parameters);
  const uint32_t group = std::clamp(ordering.parameters.padded / 2, 1u, 256u);
  arguments.run_groups(stream, in_group_, ordering.outer.count, group);
}

void OrderKernels::encode_steps(Stream& stream, const Ordering& ordering) const {
  const uint32_t lines = ordering.outer.count;
  const uint32_t padded = ordering.parameters.padded;
  const uint64_t positions = uint64_t{lines} * padded;
  if (positions > uint64_t{1} << 31) {
    throw sy::unsupported(SY_REASON_LIMIT, "more than 2147483648 elements to sort");
  }
  const Block& order = stream.temporary(positions * sizeof(uint32_t));
  Arguments starting;
  starting.add(order).add_value(ordering.parameters);
  starting.run(stream, start_, static_cast<uint32_t>(positions));
  for (uint32_t span = 2; span <= padded; span *= 2) {
    for (uint32_t reach = span / 2; reach > 0; reach /= 2) {
      const OrderStep step{span, reach};
      Arguments arguments;
      arguments.add(ordering.input).add(order).add_value(ordering.outer);
      arguments.add_value(ordering.parameters).add_value(step);
      arguments.run(stream, step_, static_cast<uint32_t>(positions / 2));
    }
  }
  Arguments finishing;
  finishing.add(ordering.input).add(ordering.values).add(ordering.positions).add(order);
  finishing.add_value(ordering.outer).add_value(ordering.parameters);
  finishing.run(stream, finish_, lines * ordering.parameters.wanted);
}

}  // namespace mps
