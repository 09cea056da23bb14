// Gradients of moving elements: the same moves, backwards. And of counting.
#include <switchyard/functions.hpp>

#include "functions/calls/call.hpp"
#include "gradients/rules.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kTrilu("Trilu"), kReverseSequence("ReverseSequence"),
    kCenterCropPad("CenterCropPad");

void split_rule(Backward& step) {
  const std::int64_t count = step.has_input(1) ? element_count(step.input_shape(1))
                                               : step.attributes().get_int("num_outputs", 1);
  std::vector<Tensor> parts;
  for (std::int64_t i = 0; i < count; ++i) {
    parts.push_back(step.grad_output(static_cast<std::size_t>(i)));
  }
  step.set_grad_input(0, cat(parts, step.attributes().get_int("axis", 0)));
}

/// The sum over the repetitions.
void tile_rule(Backward& step) {
  const Dims& shape = step.input_shape(0);
  const Tensor gradient = step.grad_output();
  if (element_count(shape) == 0) return step.set_grad_input(0, gradient.new_full(shape, 0));
  Dims tiles, repetitions;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    repetitions.push_back(static_cast<std::int64_t>(tiles.size()));
    tiles.push_back(gradient.shape()[d] / shape[d]);
    tiles.push_back(shape[d]);
  }
  step.set_grad_input(0, shape.empty() ? gradient : sum(reshape(gradient, tiles), repetitions));
}

void trilu_rule(Backward& step) {
  const Attributes given = attributes({{"upper", step.attributes().get_int("upper", 1)}});
  if (!step.has_input(1)) return step.set_grad_input(0, kTrilu({step.grad_output()}, given));
  step.set_grad_input(0, kTrilu({step.grad_output(), step.input(1)}, given));
}

void reverse_sequence_rule(Backward& step) {
  step.set_grad_input(0, kReverseSequence({step.grad_output(), step.input(1)}, step.attributes()));
}

/// [n, blocks' place, channels, rows, columns] as [n, channels, rows of blocks, columns of blocks].
void depth_to_space_rule(Backward& step) {
  const Dims& shape = step.input_shape(0);
  const std::int64_t size = step.attributes().get_int("blocksize", 1);
  const Tensor blocks = reshape(
      step.grad_output(), {shape[0], shape[1] / (size * size), shape[2], size, shape[3], size});
  const bool column_first = step.attributes().get_text("mode", "DCR") == "CRD";
  const Dims order = column_first ? Dims{0, 1, 3, 5, 2, 4} : Dims{0, 3, 5, 1, 2, 4};
  step.set_grad_input(0, reshape(permute(blocks, order), shape));
}

void space_to_depth_rule(Backward& step) {
  const Dims& shape = step.input_shape(0);
  const std::int64_t size = step.attributes().get_int("blocksize", 1);
  const Tensor blocks = reshape(step.grad_output(),
                                {shape[0], size, size, shape[1], shape[2] / size, shape[3] / size});
  step.set_grad_input(0, reshape(permute(blocks, {0, 3, 4, 1, 5, 2}), shape));
}

/// What was padded is cropped, what was cropped padded; both about the same centre.
void center_crop_pad_rule(Backward& step) {
  const Dims& shape = step.input_shape(0);
  const std::vector<std::int64_t> axes = step.attributes().get_ints("axes");
  Dims target = axes.empty() ? shape : Dims{};
  for (const std::int64_t axis : axes) {
    const std::int64_t at = axis < 0 ? axis + static_cast<std::int64_t>(shape.size()) : axis;
    target.push_back(shape[static_cast<std::size_t>(at)]);
  }
  step.set_grad_input(0, kCenterCropPad({step.grad_output(), int64s(target)}, step.attributes()));
}

/// start + i delta; the limit alone has no gradient.
void range_rule(Backward& step) {
  const Tensor g = step.grad_output();
  if (step.needs_input_grad(0)) step.set_grad_input(0, reshape(sum(g), step.input_shape(0)));
  if (!step.needs_input_grad(2)) return;
  const Tensor positions = sub(cumsum(g.detach().new_full(g.shape(), 1), 0), 1);
  const Tensor shares = where(eq(positions, 0), 0, mul(g, positions));
  step.set_grad_input(2, reshape(sum(shares), step.input_shape(2)));
}

constexpr RuleRow kMovementRules[] = {
    {"Split", split_rule},
    {"Tile", tile_rule},
    {"Trilu", trilu_rule, saves(1)},
    {"ReverseSequence", reverse_sequence_rule, saves(1)},
    {"DepthToSpace", depth_to_space_rule},
    {"SpaceToDepth", space_to_depth_rule},
    {"CenterCropPad", center_crop_pad_rule},
    {"Range", range_rule},
};

}  // namespace

std::span<const RuleRow> movement_rules() { return kMovementRules; }

}  // namespace switchyard
