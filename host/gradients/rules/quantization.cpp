// Gradients of scales. What is quantized is of integers, or of floats of 8 bits, and has none.
#include <switchyard/functions.hpp>

#include "functions/calls/call.hpp"
#include "functions/indexing/indexed_elements.hpp"
#include "gradients/rules.hpp"
#include "gradients/rules/composite_gradient.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kDequantize("DequantizeLinear");

/// Adds up along `axis` what each scale of a block stands for; the last block may be shorter.
Tensor sum_of_blocks(const Tensor& x, std::int64_t axis, std::int64_t block, const Dims& scales) {
  std::vector<std::int64_t> owners;
  for (std::int64_t i = 0; i < x.size(axis); ++i) owners.push_back(i / block);
  const Tensor index = host_tensor({x.size(axis)}, owners);
  return add_slices(x.new_full(scales, 0), axis, index, x);
}

/// The result is linear in the scales: with scales of 1 it shows what each is multiplied by.
void dequantize_rule(Backward& step) {
  if (!step.needs_input_grad(1)) return;
  const Dims& x = step.input_shape(0);
  const Dims& scales = step.input_shape(1);
  const Tensor g = step.grad_output();
  const Tensor ones = g.new_full(scales, 1, {.dtype = step.input_dtype(1)});
  const Tensor derivative =
      step.has_input(2) ? kDequantize({step.input(0), ones, step.input(2)}, step.attributes())
                        : kDequantize({step.input(0), ones}, step.attributes());
  const Tensor shares = mul(widened(g), widened(derivative));
  const auto rank = static_cast<std::int64_t>(x.size());
  std::int64_t axis = step.attributes().get_int("axis", 1);
  if (axis < 0) axis += rank;
  const std::int64_t block = step.attributes().get_int("block_size", 0);
  Tensor added;
  if (block > 0) {
    added = sum_of_blocks(shares, axis, block, scales);
  } else if (element_count(scales) == 1) {
    added = reshape(sum(shares), scales);
  } else {
    Dims others;
    for (std::int64_t d = 0; d < rank; ++d) {
      if (d != axis) others.push_back(d);
    }
    added = others.empty() ? shares : sum(shares, others);
  }
  step.set_grad_input(1, added.to(step.input_dtype(1)));
}

/// Of the three outputs the scale alone is not an integer: the range of x and 0, in 255 steps.
std::vector<Tensor> dynamic_scale(const Backward&, std::span<const Tensor> in) {
  const Tensor range = sub(amax(clamp(in[0], 0)), amin(clamp(in[0], {}, 0)));
  const Tensor scale = div(range, 255);
  return {Tensor(), where(eq(scale, 0), 1, scale)};
}

constexpr RuleRow kQuantizationRules[] = {
    {"DequantizeLinear", dequantize_rule, saves(0, 2)},
    {"DynamicQuantizeLinear", composite_gradient<dynamic_scale>, kAll},
};

}  // namespace

std::span<const RuleRow> quantization_rules() { return kQuantizationRules; }

}  // namespace switchyard
