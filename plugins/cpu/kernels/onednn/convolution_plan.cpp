#include "kernels/onednn/convolution_plan.hpp"

#include <algorithm>
#include <utility>

#include "loops/layout.hpp"
#include "machine/work_time.hpp"

namespace cpu::onednn {
namespace {

bool has_extents(const sy_value& value) {
  return sy::has_known_shape(value) && sy::element_count(sy::shape_of(value)) > 0;
}

}  // namespace

ConvolutionPlan::ConvolutionPlan(const sy::Node& node, const sy_value& x_value,
                                 const sy_value& weights_value, const sy_value& y_value)
    : attributes(node),
      x(sy::shape_of(x_value)),
      weights(sy::shape_of(weights_value)),
      y(sy::shape_of(y_value)),
      dtype(x_value.dtype),
      shape(attributes.shape(x, weights, y)),
      turns(x.rank == 4 && x[3] == 1 && weights[3] == 1 && y[3] == 1) {}

sy::Dimensions ConvolutionPlan::turned(sy::Dimensions extents) const {
  if (turns) std::swap(extents[extents.rank - 1], extents[extents.rank - 2]);
  return extents;
}

namespace {

// [O, I, ...], or [G, O / G, I / G, ...] of groups.
sy::Dimensions weight_extents(const ConvolutionPlan& plan) {
  const sy::Dimensions& weights = plan.weights;
  if (plan.attributes.groups == 1) return plan.turned(weights);
  sy::Dimensions made;
  made.rank = weights.rank + 1;
  made[0] = plan.attributes.groups;
  made[1] = weights[0] / plan.attributes.groups;
  for (uint32_t i = 1; i < weights.rank; ++i) made[i + 1] = weights[i];
  return plan.turned(made);
}

}  // namespace

Desc ConvolutionPlan::plain_weights() const { return desc_of(dtype, weight_extents(*this)); }

Desc ConvolutionPlan::best_weights() const {
  const sy::Dimensions extents = weight_extents(*this);
  return Desc({extents.data.begin(), extents.data.begin() + extents.rank}, type_of(dtype),
              dnnl::memory::format_tag::any);
}

Desc ConvolutionPlan::last(const sy::Dimensions& given) const {
  const sy::Dimensions extents = turned(given);
  return desc_of(dtype, extents, channels_last_strides(extents).data.data());
}

Work ConvolutionPlan::work() const {
  // Channels by themselves leave most of a vector instruction's work undone.
  const int64_t speed = shape.group_inputs == 1 ? 12 : 48;
  const int64_t elements = sy::element_count(x) + sy::element_count(weights) + sy::element_count(y);
  return {shape.batch * shape.outputs() * volume(shape.window.output) * shape.depth(),
          elements * static_cast<int64_t>(sy::dtype_bytes(dtype)), speed};
}

ConvolutionPlan ConvolutionPlan::of_images(int64_t count) const {
  ConvolutionPlan made = *this;
  made.x[0] = made.y[0] = made.shape.batch = count;
  return made;
}

ConvolutionPlan::Windows ConvolutionPlan::windows() const {
  const size_t first = spatial_rank - (x.rank - 2);
  Windows made;
  for (size_t axis = first; axis < spatial_rank; ++axis) {
    made.strides.push_back(shape.window.stride[axis]);
    made.dilations.push_back(shape.window.dilation[axis] - 1);
    made.before.push_back(shape.window.pad[axis]);
    made.after.push_back(shape.window.pad_after(axis));
  }
  if (turns) {
    for (auto* numbers : {&made.strides, &made.dilations, &made.before, &made.after}) {
      std::swap((*numbers)[0], (*numbers)[1]);
    }
  }
  return made;
}

// oneDNN reckons with 32 bits at some points, and writes code for each column of padding.
bool ConvolutionPlan::is_within_reach() const {
  constexpr int64_t most_extent = 1 << 28, most_step = 1 << 12;
  const auto are_below = [](std::span<const int64_t> numbers, int64_t most) {
    return std::all_of(numbers.begin(), numbers.end(),
                       [most](int64_t number) { return number <= most; });
  };
  const Windows made = windows();
  return are_below(x, most_extent) && are_below(weights, most_extent) &&
         are_below(y, most_extent) && are_below(made.strides, most_step) &&
         are_below(made.dilations, most_step) && are_below(made.before, most_step) &&
         are_below(made.after, most_step);
}

void check_convolution_shapes(const sy::Node& node) {
  for (uint32_t i = 0; i < 2; ++i) {
    if (!has_extents(node.required_input(i))) {
      throw sy::unsupported(SY_REASON_LIMIT, "oneDNN wants shapes that are known and not empty");
    }
  }
  if (!has_extents(node.required_output(0))) {
    throw sy::unsupported(SY_REASON_LIMIT, "oneDNN wants an output that is not empty");
  }
}

}  // namespace cpu::onednn
