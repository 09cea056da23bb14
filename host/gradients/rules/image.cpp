// Gradients of padding, a linear map of each dimension by itself, whose backward pass is the
// transposed map; of grids; and of blocks that were added to images.
#include <algorithm>
#include <switchyard/functions.hpp>

#include "functions/calls/call.hpp"
#include "functions/calls/options_like.hpp"
#include "functions/indexing/indexed_elements.hpp"
#include "gradients/rules.hpp"
#include "gradients/rules/axes.hpp"
#include "gradients/rules/windows.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kAffineGrid("AffineGrid");

std::vector<std::int64_t> integers(const Tensor& list) {
  return list.to(DType::int64).to_vector<std::int64_t>();
}

/// How much a dimension gets before and after.
struct Margins {
  std::int64_t axis, before, after;
};

std::vector<Margins> margins_of(const Backward& step) {
  const std::vector<std::int64_t> pads = integers(step.input(1));
  std::vector<std::int64_t> axes;
  if (step.has_input(3)) axes = integers(step.input(3));
  axes = axes_or_all(std::move(axes), step.input_shape(0).size());
  std::vector<Margins> margins;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    margins.push_back({axes[i], pads[i], pads[i + axes.size()]});
  }
  return margins;
}

/// Padding by `times` the margins. By -1 times: what was added goes, what was cut off is zero.
Tensor with_margins(const Tensor& x, const std::vector<Margins>& margins, std::int64_t times,
                    double value) {
  const std::size_t rank = x.shape().size();
  Dims amounts = Dims::filled(2 * rank, 0);
  for (const Margins& margin : margins) {
    const std::size_t from_last = rank - 1 - static_cast<std::size_t>(margin.axis);
    amounts[2 * from_last] = times * margin.before;
    amounts[2 * from_last + 1] = times * margin.after;
  }
  return pad(x, amounts, PaddingMode::constant, value);
}

/// The gradient of what is padded with: of the margins alone, whatever is between them.
Tensor of_padding(const Backward& step, const std::vector<Margins>& margins) {
  const Tensor g = step.grad_output();
  const Tensor outside = with_margins(g.detach().new_full(step.input_shape(0), 0), margins, 1, 1);
  return reshape(sum(where(eq(outside, 0), 0, g)), step.input_shape(2));
}

/// Which element each position of a padded dimension shows.
std::vector<std::int64_t> shown(std::string_view mode, std::int64_t extent, const Margins& margin) {
  std::vector<std::int64_t> indices;
  const auto cycle = [](std::int64_t at, std::int64_t length) {
    return ((at % length) + length) % length;
  };
  for (std::int64_t at = -margin.before; at < extent + margin.after; ++at) {
    if (mode == "edge") {
      indices.push_back(std::clamp<std::int64_t>(at, 0, extent - 1));
    } else if (mode == "wrap") {
      indices.push_back(cycle(at, extent));
    } else {
      const std::int64_t there = extent == 1 ? 0 : cycle(at, 2 * extent - 2);
      indices.push_back(there < extent ? there : 2 * extent - 2 - there);
    }
  }
  return indices;
}

void pad_rule(Backward& step) {
  Tensor g = step.grad_output();
  const std::vector<Margins> margins = margins_of(step);
  const std::string_view mode = step.attributes().get_text("mode", "constant");
  if (mode == "constant") {
    if (step.needs_input_grad(0)) step.set_grad_input(0, with_margins(g, margins, -1, 0));
    if (step.needs_input_grad(2)) step.set_grad_input(2, of_padding(step, margins));
    return;
  }
  for (const Margins& margin : margins) {
    if (margin.before == 0 && margin.after == 0) continue;
    const auto axis = static_cast<std::size_t>(margin.axis);
    const std::int64_t extent = step.input_shape(0)[axis];
    const std::vector<std::int64_t> indices = shown(mode, extent, margin);
    Dims shape = g.shape();
    shape[axis] = extent;
    g = add_slices(g.new_full(shape, 0), margin.axis,
                   host_tensor({static_cast<std::int64_t>(indices.size())}, indices), g);
  }
  step.set_grad_input(0, g);
}

/// Each position of the grid is theta times [its coordinates, 1]; the identity as theta shows
/// those.
void affine_grid_rule(Backward& step) {
  const Tensor g = step.grad_output();
  const Dims& theta = step.input_shape(0);
  const std::int64_t axes = theta[1];
  std::vector<std::int64_t> size = integers(step.input(1));
  size[0] = 1;
  const Tensor identity = unsqueeze(eye(axes, axes + 1, options_like(g)), 0);
  const Tensor positions =
      reshape(kAffineGrid({identity, int64s(Dims(size))}, step.attributes()), {-1, axes});
  const Tensor coordinates = cat({positions, positions.new_full({positions.size(0), 1}, 1)}, 1);
  const Tensor by_position = reshape(g, {theta[0], positions.size(0), axes});
  step.set_grad_input(0, matmul(transpose(by_position, 1, 2), coordinates));
}

/// Where elements that lie `steps` apart are, row by row, in an array of `extents`.
std::vector<std::int64_t> lattice(const std::vector<std::int64_t>& counts,
                                  const std::vector<std::int64_t>& steps,
                                  const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> positions{0};
  for (std::size_t axis = 0; axis < counts.size(); ++axis) {
    std::vector<std::int64_t> finer;
    for (const std::int64_t position : positions) {
      for (std::int64_t i = 0; i < counts[axis]; ++i) {
        finer.push_back(position * extents[axis] + i * steps[axis]);
      }
    }
    positions = std::move(finer);
  }
  return positions;
}

/// Each block was added to the image: its elements read the gradient there.
void col2im_rule(Backward& step) {
  const std::vector<std::int64_t> block = integers(step.input(2));
  std::vector<std::int64_t> padded = integers(step.input(1)), counts, strides, dilations;
  const SlidingWindow window = sliding_window(step.attributes(), Dims(std::span(block)));
  std::vector<Margins> margins;
  for (std::size_t axis = 0; axis < block.size(); ++axis) {
    const sy::WindowAxis& on = window[axis];
    counts.push_back(sy::conv_output_size(on, padded[axis]).value_or(0));
    strides.push_back(on.stride);
    dilations.push_back(on.dilation);
    padded[axis] = on.padded(padded[axis]);
    margins.push_back({static_cast<std::int64_t>(axis) + 2, -on.pad_before, -on.pad_after});
  }
  std::vector<std::int64_t> positions;
  const std::vector<std::int64_t> starts = lattice(counts, strides, padded);
  for (const std::int64_t element : lattice(block, dilations, padded)) {
    for (const std::int64_t start : starts) positions.push_back(start + element);
  }
  const Tensor image = flatten(with_margins(step.grad_output(), margins, -1, 0), 2);
  const Tensor index = host_tensor({static_cast<std::int64_t>(positions.size())}, positions);
  step.set_grad_input(0, reshape(select_slices(image, 2, index), step.input_shape(0)));
}

constexpr RuleRow kImageRules[] = {
    {"Pad", pad_rule, saves(1, 3)},
    {"AffineGrid", affine_grid_rule, saves(1)},
    {"Col2Im", col2im_rule, saves(1, 2)},
};

}  // namespace

std::span<const RuleRow> image_rules() { return kImageRules; }

}  // namespace switchyard
