// PhiloxUniform, PhiloxNormal and PhiloxInteger, by kernels/philox.metal: the numbers of
// random.cpp, with the seed as the key and the offset added to each block's number. Both lie on the
// device.
#include <array>
#include <string>

#include "ops/building/arguments.hpp"
#include "ops/building/host_values.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

// As kernels/philox.metal reads them.
struct PhiloxParameters {
  uint32_t seed_at = 0;
  uint32_t offset_at = 0;
  float low = 0;
  float range = 1;
};

struct BoundsParameters {
  uint32_t low_at = 0;
  uint32_t high_at = 0;
};

uint32_t position_of(const Bound& scalar) { return static_cast<uint32_t>(scalar.offset); }

// Input 0, the shape, is the host's.
class PhiloxKernel final : public Kernel {
 public:
  PhiloxKernel(const seam::Pipeline& pipeline, uint32_t of_a_block, float low, float range,
               bool has_bounds)
      : pipeline_(pipeline),
        of_a_block_(of_a_block),
        low_(low),
        range_(range),
        has_bounds_(has_bounds) {}

  void encode(const Run& run) const override {
    const Tensor& output = run.outputs[0];
    const Bound seed = bind(run.inputs[1], 0), offset = bind(run.inputs[2], 1);
    const Bound bound = bind(output, 2);
    const std::array<Walked, 1> walked = {Walked{output.strides.data.data(), bound.offset}};
    const Axes axes = make_axes(output.shape, walked);
    const PhiloxParameters parameters{position_of(seed), position_of(offset), low_, range_};
    Arguments arguments;
    arguments.add(seed).add(offset).add(bound).add_value(axes).add_value(parameters);
    BoundsParameters bounds;
    if (has_bounds_) {
      const Bound low = bind(run.inputs[3], 5), high = bind(run.inputs[4], 6);
      bounds = {position_of(low), position_of(high)};
      arguments.add(low).add(high).add_value(bounds).add_faults();
    }
    const uint32_t blocks = axes.count / of_a_block_ + (axes.count % of_a_block_ != 0 ? 1 : 0);
    arguments.run(run.stream, pipeline_, blocks);
  }

 private:
  const seam::Pipeline& pipeline_;
  const uint32_t of_a_block_;
  const float low_;
  const float range_;
  const bool has_bounds_;
};

Prepared make_philox_uniform(Device& device, const sy::Node& node) {
  const float low = node.real("low", 0), high = node.real("high", 1);
  const auto& pipeline =
      device.pipeline(std::string("philox_uniform_") + metal_type(node.required_output(0).dtype));
  return {std::make_unique<PhiloxKernel>(pipeline, 4, low, high - low, false)};
}

Prepared make_philox_normal(Device& device, const sy::Node& node) {
  const auto& pipeline =
      device.pipeline(std::string("philox_normal_") + metal_type(node.required_output(0).dtype));
  return {std::make_unique<PhiloxKernel>(pipeline, 2, node.real("mean", 0), node.real("scale", 1),
                                         false)};
}

// Integers wrap, so that those without a sign have the bits of those with one.
const char* written_as(sy_dtype dtype) {
  switch (dtype) {
    case SY_UINT8: return "char";
    case SY_UINT16: return "short";
    case SY_UINT32: return "int";
    case SY_UINT64: return "long";
    default: return metal_type(dtype);
  }
}

// Bounds that are known need no run to be found wrong; the kernel reports the others. What was
// read, SY_ON_*, is what the kernel is specialised on.
uint8_t check_known_bounds(const sy::Node& node) {
  const sy_value &low = node.required_input(3), &high = node.required_input(4);
  if (low.data == nullptr || high.data == nullptr) return 0;
  const int64_t first = host_integers(node, 3).at(0), end = host_integers(node, 4).at(0);
  if (first >= end) {
    throw sy::invalid("PhiloxInteger: there is no integer from ", first, " up to, but not, ", end);
  }
  return SY_ON_DATA;
}

Prepared make_philox_integer(Device& device, const sy::Node& node) {
  const uint8_t specialised_on = check_known_bounds(node);
  const auto& pipeline =
      device.pipeline(std::string("philox_integer_") + written_as(node.required_output(0).dtype));
  return {std::make_unique<PhiloxKernel>(pipeline, 2, 0, 0, true), specialised_on};
}

}  // namespace

std::span<const KernelRow> philox_rows() {
  constexpr uint64_t state = SY_DTYPE_BIT(SY_INT64);
  constexpr uint64_t integers =
      number_types | SY_DTYPE_BIT(SY_UINT16) | SY_DTYPE_BIT(SY_UINT32) | SY_DTYPE_BIT(SY_UINT64);
  const auto row = [](const char* op, uint64_t outputs, Make make) {
    return KernelRow{{.op = op, .domain = "switchyard", .dtypes = state, .output_dtypes = outputs},
                     make};
  };
  static const KernelRow rows[] = {row("PhiloxUniform", float_types, make_philox_uniform),
                                   row("PhiloxNormal", float_types, make_philox_normal),
                                   row("PhiloxInteger", integers, make_philox_integer)};
  return rows;
}

}  // namespace mps
