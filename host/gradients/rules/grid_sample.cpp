// The gradient of GridSample, by the images and by the grid.
#include <cmath>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "gradients/rules.hpp"
#include "gradients/rules/composite_gradient.hpp"
#include "gradients/rules/taps.hpp"

namespace switchyard {
namespace {

enum class Padding { zeros, border, reflection };

/// One axis of the images as the grid's positions, -1 to 1, see it.
class SampledAxis {
 public:
  SampledAxis(const Attributes& attributes, std::int64_t extent)
      : extent_(extent),
        aligned_(attributes.get_int("align_corners", 0) != 0),
        mode_(attributes.get_text("mode", "linear")) {
    const std::string_view padding = attributes.get_text("padding_mode", "zeros");
    padding_ = padding == "border"       ? Padding::border
               : padding == "reflection" ? Padding::reflection
                                         : Padding::zeros;
  }

  TappedAxis tapped(const Tensor& coordinate) const {
    const Tensor at = position(coordinate);
    if (mode_ == "nearest") return {extent_, {tap(round(at.detach()), ones_like(at.detach()))}};
    const Tensor first = floor(at.detach());
    const Tensor t = sub(at, first);
    if (mode_ == "linear") return {extent_, {tap(first, sub(1, t)), tap(add(first, 1), t)}};
    return {extent_,
            {tap(sub(first, 1), far(add(t, 1))), tap(first, near(t)),
             tap(add(first, 1), near(sub(1, t))), tap(add(first, 2), far(sub(2, t)))}};
  }

 private:
  static constexpr double kCubic = -0.75;

  static Tensor far(const Tensor& d) {
    const Tensor inner = add(mul(sub(mul(d, kCubic), 5 * kCubic), d), 8 * kCubic);
    return sub(mul(inner, d), 4 * kCubic);
  }
  static Tensor near(const Tensor& d) {
    return add(mul(mul(sub(mul(d, kCubic + 2), kCubic + 3), d), d), 1);
  }

  double low() const { return aligned_ ? 0 : -0.5; }
  double range() const { return static_cast<double>(aligned_ ? extent_ - 1 : extent_); }

  /// In elements. Cubic samples are padded element by element instead.
  Tensor position(const Tensor& coordinate) const {
    const auto n = static_cast<double>(extent_);
    Tensor at =
        aligned_ ? mul(add(coordinate, 1), (n - 1) / 2) : sub(mul(add(coordinate, 1), n / 2), 0.5);
    at = where(isfinite(at.detach()), at, -1e6);
    if (mode_ == "cubic" || padding_ == Padding::zeros) return at;
    if (padding_ == Padding::reflection) at = reflected(at);
    return clamp(at, 0, n - 1);
  }

  /// Folded back between `low` and `low + range`.
  Tensor reflected(const Tensor& at) const {
    if (range() <= 0) return full_like(at.detach(), low());
    const Tensor along = sub(at, low());
    const Tensor folds = floor(div(along.detach(), range()));
    const Tensor rest = sub(along, mul(folds, range()));
    return add(where(eq(remainder(folds, 2), 0), rest, sub(range(), rest)), low());
  }

  Tap tap(const Tensor& index, const Tensor& weight) const {
    if (padding_ == Padding::zeros) return tap_or_none(index, weight, extent_);
    const Tensor inside = padding_ == Padding::border ? index : round(reflected(index));
    return {clamp(inside, 0, extent_ - 1).to(DType::int64), weight};
  }

  const std::int64_t extent_;
  const bool aligned_;
  const std::string_view mode_;
  Padding padding_;
};

std::vector<Tensor> grid_sample(const Backward& step, std::span<const Tensor> in) {
  const CalledFunction here;
  const bool exact = in[0].dtype() == DType::float64 || in[1].dtype() == DType::float64;
  const DType dtype = exact ? DType::float64 : DType::float32;
  const Tensor images = in[0].to(dtype), grid = in[1].to(dtype);
  const std::int64_t spatial = images.dim() - 2;
  std::vector<TappedAxis> axes;
  for (std::int64_t d = 0; d < spatial; ++d) {  // positions name the last axis first
    const SampledAxis axis(step.attributes(), images.size(d + 2));
    axes.push_back(axis.tapped(select(grid, -1, spatial - 1 - d)));
  }
  const Tensor batch = counted_indices(images.size(0), 0, spatial + 1, grid.detach());
  const Tensor samples = tapped(rows_of_pixels(images), batch, axes);
  return {movedim(samples, -1, 1).to(in[0].dtype())};
}

/// The nearest pixels stay so at small steps of the positions, whose gradient is zeros, as of
/// rounding.
void grid_sample_rule(Backward& step) {
  differentiate_composite(step, grid_sample);
  const bool is_flat = step.attributes().get_text("mode", "linear") == "nearest";
  if (!is_flat || !step.needs_input_grad(1)) return;
  step.set_grad_input(
      1, step.grad_output().new_full(step.input_shape(1), 0, {.dtype = step.input_dtype(1)}));
}

constexpr RuleRow kGridSampleRules[] = {{"GridSample", grid_sample_rule, kAll}};

}  // namespace

std::span<const RuleRow> grid_sample_rules() { return kGridSampleRules; }

}  // namespace switchyard
