// Gradients of padding and resizing: linear maps, each dimension by itself, so the way back is the
// transposed map. And of blocks that were added to images.
#include <numeric>
#include <switchyard/functions.hpp>

#include "autograd/rules.hpp"
#include "autograd/rules/by_functions.hpp"
#include "autograd/rules/windows.hpp"
#include "functions/beside.hpp"
#include "functions/call.hpp"

namespace switchyard {
namespace {

constinit const ContractOp kResize("Resize"), kAffineGrid("AffineGrid");

using In = std::span<const Tensor>;

std::vector<std::int64_t> integers(const Tensor& list) {
  return list.to(DType::int64).to_vector<std::int64_t>();
}

/// The axes that are named, or all of them.
std::vector<std::int64_t> axes_or_all(std::vector<std::int64_t> axes, std::size_t rank) {
  if (axes.empty()) {
    axes.resize(rank);
    std::iota(axes.begin(), axes.end(), 0);
  }
  for (std::int64_t& axis : axes) axis += axis < 0 ? static_cast<std::int64_t>(rank) : 0;
  return axes;
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

/// Padding by as much less: what was added goes, what was cut off is zero.
Tensor unpadded(const Tensor& gradient, const std::vector<Margins>& margins) {
  const std::size_t rank = gradient.shape().size();
  Dims less(2 * rank, 0);
  for (const Margins& margin : margins) {
    const std::size_t from_last = rank - 1 - static_cast<std::size_t>(margin.axis);
    less[2 * from_last] = -margin.before;
    less[2 * from_last + 1] = -margin.after;
  }
  return pad(gradient, less);
}

/// Which element each place of a padded dimension shows.
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
  Tensor g = step.arriving();
  const std::vector<Margins> margins = margins_of(step);
  const std::string_view mode = step.attributes().get_text("mode", "constant");
  if (mode == "constant") {
    const Tensor inside = unpadded(g, margins);
    if (step.wants(0)) step.give(0, inside);
    if (step.wants(2)) step.give(2, reshape(sub(sum(g), sum(inside)), step.input_shape(2)));
    return;
  }
  for (const Margins& margin : margins) {
    if (margin.before == 0 && margin.after == 0) continue;
    const auto axis = static_cast<std::size_t>(margin.axis);
    const std::int64_t extent = step.input_shape(0)[axis];
    const std::vector<std::int64_t> indices = shown(mode, extent, margin);
    Dims shape = g.shape();
    shape[axis] = extent;
    g = index_add(full_like(g, shape, 0), margin.axis,
                  Tensor::of({static_cast<std::int64_t>(indices.size())}, indices), g);
  }
  step.give(0, g);
}

/// What Resize makes of one dimension: an [extent, resized] matrix, by resizing the rows of an
/// identity.
class AxisMap {
 public:
  explicit AxisMap(const Backward& step) : step_(step), attributes_(step.attributes()) {
    axes_ = axes_or_all(attributes_.get_ints("axes"), step.input_shape(0).size());
    attributes_.set("axes", std::vector<std::int64_t>{1});
    attributes_.set("extrapolation_value", 0.0F);
    const std::string_view policy = attributes_.get_text("keep_aspect_ratio_policy", "stretch");
    if (policy != "stretch" && step.has_input(3) && step.input_shape(3)[0] > 0) {
      find_leader(policy == "not_larger");
    }
  }

  const std::vector<std::int64_t>& axes() const { return axes_; }

  /// Whether a dimension that has the same extent after as before is the same.
  bool keeps(std::size_t i) const { return !has_scales() || scale(i) == 1; }

  Tensor matrix(std::size_t i, std::int64_t extent, std::int64_t resized,
                const Tensor& like) const {
    const Tensor identity = eye(extent, {}, beside(like));
    Tensor roi;
    if (step_.has_input(1) && step_.input(1).size() > 0) {
      const std::vector<float> all = step_.input(1).to(DType::float32).to_vector<float>();
      roi = Tensor::of({2}, std::vector<float>{all[i], all[i + axes_.size()]});
    }
    if (has_scales()) {
      return kResize({identity, roi, Tensor::of({1}, std::vector<float>{scale(i)})}, attributes_);
    }
    if (!sizes_.empty() && i != leader_) return beside_leader(identity, i, roi);
    const std::int64_t size = sizes_.empty() ? resized : sizes_[i];
    return kResize({identity, roi, {}, int64s(Dims{size})}, attributes_);
  }

 private:
  bool has_scales() const { return step_.has_input(2) && step_.input(2).size() > 0; }
  float scale(std::size_t i) const { return step_.input(2).to_vector<float>()[i]; }

  /// With proportions kept one axis gives all others its scale: the one that asks for the smallest,
  /// or the largest.
  void find_leader(bool smallest) {
    sizes_ = integers(step_.input(3));
    const auto scale = [&](std::size_t i) {
      const std::int64_t extent = step_.input_shape(0)[static_cast<std::size_t>(axes_[i])];
      return static_cast<double>(sizes_[i]) / static_cast<double>(extent);
    };
    for (std::size_t i = 1; i < axes_.size(); ++i) {
      if (smallest ? scale(i) < scale(leader_) : scale(i) > scale(leader_)) leader_ = i;
    }
  }

  /// A third dimension like the leader's, along which nothing changes, makes the scale its own.
  Tensor beside_leader(const Tensor& identity, std::size_t i, const Tensor& roi) const {
    const std::int64_t extent = step_.input_shape(0)[static_cast<std::size_t>(axes_[leader_])];
    const Dims shape{identity.size(0), identity.size(1), extent};
    const Tensor deep = expand(unsqueeze(identity, -1), shape).contiguous();
    Tensor both = roi;
    if (roi) {
      const std::vector<float> own = roi.to_vector<float>();
      both = Tensor::of({4}, std::vector<float>{own[0], 0, own[1], 1});
    }
    Attributes given = attributes_;
    given.set("axes", std::vector<std::int64_t>{1, 2});
    return select(kResize({deep, both, {}, int64s(Dims{sizes_[i], sizes_[leader_]})}, given), -1,
                  0);
  }

  const Backward& step_;
  Attributes attributes_;
  std::vector<std::int64_t> axes_, sizes_;  // sizes: only where proportions are kept
  std::size_t leader_ = 0;
};

void resize_rule(Backward& step) {
  const AxisMap map(step);
  Tensor g = step.arriving();
  const Dims resized = g.shape();
  for (std::size_t i = 0; i < map.axes().size(); ++i) {
    const std::int64_t dim = map.axes()[i];
    const auto axis = static_cast<std::size_t>(dim);
    const std::int64_t extent = step.input_shape(0)[axis];
    if (extent == resized[axis] && map.keeps(i) &&
        step.attributes().get_text("coordinate_transformation_mode", "") != "tf_crop_and_resize") {
      continue;
    }
    const Tensor back = transpose(map.matrix(i, extent, resized[axis], g), 0, 1);
    g = movedim(matmul(movedim(g, dim, -1), back), -1, dim);
  }
  step.give(0, g);
}

/// Each place of the grid is theta times [its coordinates, 1]; the identity as theta shows those.
void affine_grid_rule(Backward& step) {
  const Tensor g = step.arriving();
  const Dims& theta = step.input_shape(0);
  const std::int64_t axes = theta[1];
  std::vector<std::int64_t> size = integers(step.input(1));
  size[0] = 1;
  const Tensor identity = unsqueeze(eye(axes, axes + 1, beside(g)), 0);
  const Tensor places =
      reshape(kAffineGrid({identity, int64s(size)}, step.attributes()), {-1, axes});
  const Tensor coordinates = cat({places, full_like(places, {places.size(0), 1}, 1)}, 1);
  const Tensor by_place = reshape(g, {theta[0], places.size(0), axes});
  step.give(0, matmul(transpose(by_place, 1, 2), coordinates));
}

/// The deprecated name of one form of Resize.
std::vector<Tensor> upsample(const Backward& step, In in) {
  const std::string_view mode = step.attributes().get_text("mode", "nearest");
  const Attributes given =
      attributes({{"coordinate_transformation_mode", std::string("asymmetric")},
                  {"mode", std::string(mode == "bilinear" ? "linear" : mode)},
                  {"nearest_mode", std::string("floor")}});
  return {kResize({in[0], {}, in[1]}, given)};
}

/// Where elements that lie `steps` apart are, row by row, in an array of `extents`.
std::vector<std::int64_t> lattice(const std::vector<std::int64_t>& counts,
                                  const std::vector<std::int64_t>& steps,
                                  const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> places{0};
  for (std::size_t axis = 0; axis < counts.size(); ++axis) {
    std::vector<std::int64_t> finer;
    for (const std::int64_t place : places) {
      for (std::int64_t i = 0; i < counts[axis]; ++i) {
        finer.push_back(place * extents[axis] + i * steps[axis]);
      }
    }
    places = std::move(finer);
  }
  return places;
}

/// Each block was added to the image: its elements read the gradient there.
void col2im_rule(Backward& step) {
  const std::vector<std::int64_t> block = integers(step.input(2));
  const SlidingWindow window = sliding_window(step.attributes(), Dims(std::span(block)), {}, {});
  std::vector<std::int64_t> padded = integers(step.input(1)), counts;
  std::vector<Margins> margins;
  for (std::size_t axis = 0; axis < block.size(); ++axis) {
    const std::int64_t before = window.pads[axis], after = window.pads[axis + block.size()];
    padded[axis] += before + after;
    counts.push_back((padded[axis] - window.span(axis)) / window.strides[axis] + 1);
    margins.push_back({static_cast<std::int64_t>(axis) + 2, -before, -after});
  }
  std::vector<std::int64_t> places;
  const std::vector<std::int64_t> starts = lattice(counts, window.strides, padded);
  for (const std::int64_t element : lattice(block, window.dilations, padded)) {
    for (const std::int64_t start : starts) places.push_back(start + element);
  }
  const Tensor image = flatten(unpadded(step.arriving(), margins), 2);
  const Tensor index = Tensor::of({static_cast<std::int64_t>(places.size())}, places);
  step.give(0, reshape(index_select(image, 2, index), step.input_shape(0)));
}

constexpr RuleRow kRows[] = {
    {"Pad", pad_rule, saves(1, 3)},
    {"Resize", resize_rule, saves(1, 2, 3)},
    {"AffineGrid", affine_grid_rule, saves(1)},
    {"Upsample", by_functions<upsample>, kAll},
    {"Col2Im", col2im_rule, saves(1, 2)},
};

}  // namespace

std::span<const RuleRow> image_rules() { return kRows; }

}  // namespace switchyard
