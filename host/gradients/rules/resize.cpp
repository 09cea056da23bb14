// The gradient of resizing: a linear map of each dimension by itself, whose transposed map gives
// each element what the results that it is a tap of have. Elements that are not a tap get nothing,
// not even what infinity times 0 is.
#include <cmath>
#include <switchyard/functions.hpp>

#include "functions/calls/call.hpp"
#include "functions/calls/options_like.hpp"
#include "functions/indexing/indexed_elements.hpp"
#include "gradients/rules.hpp"
#include "gradients/rules/axes.hpp"
#include "gradients/rules/by_functions.hpp"

namespace switchyard {
namespace {

constinit const ContractOp kResize("Resize");

using In = std::span<const Tensor>;

std::vector<std::int64_t> integers(const Tensor& list) {
  return list.to(DType::int64).to_vector<std::int64_t>();
}

/// What Resize makes of one dimension: an [extent, resized] matrix of weights, by resizing the rows
/// of an identity.
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
    const Tensor identity = eye(extent, {}, options_like(like));
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

std::vector<double> numbers_of(const Tensor& x) {
  if (x.dtype() == DType::float64) return x.to_vector<double>();
  const std::vector<float> numbers = x.to_vector<float>();
  return {numbers.begin(), numbers.end()};
}

/// Dimension `dim` of `g` by the weights alone that are not 0.
Tensor by_taps(const Tensor& g, std::int64_t dim, const Tensor& matrix) {
  const std::int64_t extent = matrix.size(0), resized = matrix.size(1);
  const std::vector<double> numbers = numbers_of(matrix.detach());
  std::vector<std::int64_t> results, elements;
  std::vector<double> weights;
  const double* number = numbers.data();
  for (std::int64_t element = 0; element < extent; ++element) {
    for (std::int64_t result = 0; result < resized; ++result, ++number) {
      if (*number == 0) continue;
      results.push_back(result);
      elements.push_back(element);
      weights.push_back(*number);
    }
  }
  const auto axis = static_cast<std::size_t>(dim);
  const auto count = static_cast<std::int64_t>(weights.size());
  Dims shape = g.shape(), along(shape.size(), 1);
  shape[axis] = extent;
  along[axis] = count;
  const Tensor nothing = full_like(g.detach(), shape, 0);
  if (count == 0) return nothing;
  const Tensor shares = mul(select_slices(g, dim, Tensor::of({count}, results)),
                            from_data(weights, along, options_like(g)));
  return add_slices(nothing, dim, Tensor::of({count}, elements), shares);
}

/// By all weights, in one product: much faster, and the same while 0 times the gradient is 0.
Tensor by_product(const Tensor& g, std::int64_t dim, const Tensor& matrix) {
  return movedim(matmul(movedim(g, dim, -1), transpose(matrix, 0, 1)), -1, dim);
}

void resize_rule(Backward& step) {
  const AxisMap map(step);
  Tensor g = widened(step.grad_output());
  const Dims resized = g.shape();
  // No sum is finite that holds an infinity or a NaN.
  const bool is_finite = std::isfinite(sum(g.detach()).item());
  for (std::size_t i = 0; i < map.axes().size(); ++i) {
    const std::int64_t dim = map.axes()[i];
    const auto axis = static_cast<std::size_t>(dim);
    const std::int64_t extent = step.input_shape(0)[axis];
    if (extent == resized[axis] && map.keeps(i) &&
        step.attributes().get_text("coordinate_transformation_mode", "") != "tf_crop_and_resize") {
      continue;
    }
    const Tensor matrix = map.matrix(i, extent, resized[axis], g);
    g = is_finite ? by_product(g, dim, matrix) : by_taps(g, dim, matrix);
  }
  step.set_grad_input(0, g.to(step.input_dtype(0)));
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

constexpr RuleRow kResizeRules[] = {
    {"Resize", resize_rule, saves(1, 2, 3)},
    {"Upsample", by_functions<upsample>, kAll},
};

}  // namespace

std::span<const RuleRow> resize_rules() { return kResizeRules; }

}  // namespace switchyard
