#include "routing/run_plan.hpp"

#include <algorithm>

namespace switchyard {
namespace {

bool shape_is_known(const ValueInfo& info) {
  return info.shape && !info.bounded &&
         std::none_of(info.shape->begin(), info.shape->end(), [](auto e) { return e < 0; });
}

/// True if the strides are those of a contiguous tensor with its axes in another order.
bool is_dense(const Dims& shape, const Dims& strides) {
  std::vector<std::size_t> axes;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0) return true;
    if (shape[i] != 1) axes.push_back(i);
  }
  std::sort(axes.begin(), axes.end(),
            [&](std::size_t a, std::size_t b) { return strides[a] < strides[b]; });
  std::uint64_t step = 1;  // a plugin's strides may be any: it must not overflow
  for (const std::size_t axis : axes) {
    if (static_cast<std::uint64_t>(strides[axis]) != step) return false;
    step *= static_cast<std::uint64_t>(shape[axis]);
  }
  return true;
}

}  // namespace

std::string_view plan_error(const OutputPlan& plan, const ValueInfo& info) {
  const bool is_exact = plan.mode == SY_OUTPUT_EXACT;
  if (!is_exact && plan.mode != SY_OUTPUT_BOUNDED && plan.mode != SY_OUTPUT_DEFERRED) {
    return "gives a mode that this version of the ABI does not have";
  }
  if (is_exact && !shape_is_known(info)) {
    return "calls a shape exact that is known only after the run";
  }
  if (plan.mode == SY_OUTPUT_DEFERRED) return "";
  const Dims& shape = is_exact ? *info.shape : plan.bound;
  if (!is_exact && info.shape && info.shape->size() != shape.size()) {
    return "gives a bound of another rank";
  }
  if (std::any_of(shape.begin(), shape.end(), [](auto e) { return e < 0; })) {
    return "gives a bound below 0";
  }
  if (plan.strides.empty()) return "";
  if (plan.strides.size() != shape.size()) return "proposes strides of another rank";
  if (!is_dense(shape, plan.strides)) return "proposes strides that overlap or leave gaps";
  return "";
}

bool may_have_shape(const RoutedOutput& output, std::span<const std::int64_t> shape) {
  const auto may_be = [](std::int64_t inferred, std::int64_t told) {
    return inferred == kUnknown || inferred == told;
  };
  return !output.inferred || std::equal(output.inferred->begin(), output.inferred->end(),
                                        shape.begin(), shape.end(), may_be);
}

RoutedOutput routed_output(const ValueInfo& info, const OutputPlan& plan) {
  RoutedOutput output;
  output.wanted = true;
  output.dtype = info.dtype;
  output.mode = plan.mode;
  output.may_alias = plan.may_alias;
  if (plan.mode != SY_OUTPUT_EXACT && !info.bounded) output.inferred = info.shape;
  if (plan.mode == SY_OUTPUT_DEFERRED) return output;
  output.shape = plan.mode == SY_OUTPUT_BOUNDED ? plan.bound : *info.shape;
  output.strides = plan.strides.empty() ? contiguous_strides(output.shape) : plan.strides;
  output.contiguous = is_contiguous(output.shape, output.strides);
  output.size_bytes = byte_size(output.dtype, element_count(output.shape));
  output.layout = layout_hash(output.dtype, output.shape, output.strides);
  return output;
}

bool RunPlan::runs_plainly() const {
  return kernel->workspace_bytes() == 0 && !kernel->bindings() && make_contiguous == 0 &&
         unneeded_inputs.empty() &&
         std::all_of(outputs.begin(), outputs.end(), [](const RoutedOutput& output) {
           return output.wanted && output.mode == SY_OUTPUT_EXACT;
         });
}

}  // namespace switchyard
