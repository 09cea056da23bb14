#include "kernels/image/resize_axis.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "types/numeric.hpp"

namespace cpu {
namespace {

template <typename Value>
struct Named {
  std::string_view name;
  Value value;
};

constexpr Named<ResizeMode> modes[] = {
    {"nearest", ResizeMode::nearest}, {"linear", ResizeMode::linear}, {"cubic", ResizeMode::cubic}};

constexpr Named<Coordinates> coordinate_modes[] = {
    {"half_pixel", Coordinates::half_pixel},
    {"half_pixel_symmetric", Coordinates::half_pixel_symmetric},
    {"pytorch_half_pixel", Coordinates::pytorch_half_pixel},
    {"tf_half_pixel_for_nn", Coordinates::tf_half_pixel_for_nn},
    {"align_corners", Coordinates::align_corners},
    {"asymmetric", Coordinates::asymmetric},
    {"tf_crop_and_resize", Coordinates::tf_crop_and_resize}};

constexpr Named<Rounding> roundings[] = {{"round_prefer_floor", Rounding::prefer_floor},
                                         {"round_prefer_ceil", Rounding::prefer_ceil},
                                         {"floor", Rounding::floor},
                                         {"ceil", Rounding::ceil}};

template <typename Value, size_t count>
Value named(const Named<Value> (&names)[count], std::string_view name, const char* attribute) {
  const auto found = std::find_if(std::begin(names), std::end(names),
                                  [&](const Named<Value>& n) { return n.name == name; });
  if (found == std::end(names)) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "Resize does not know ", attribute, " '", name, "'");
  }
  return found->value;
}

template <typename T>
T coordinate(const ResizeRule& rule, T x, const ResizeAxis& axis, T scale, T first, T last) {
  const auto input = static_cast<T>(axis.input);
  const T output = scale * input, half = T(0.5);
  switch (rule.coordinates) {
    case Coordinates::half_pixel: return (x + half) / scale - half;
    case Coordinates::pytorch_half_pixel: return axis.output <= 1 ? 0 : (x + half) / scale - half;
    case Coordinates::tf_half_pixel_for_nn: return (x + half) / scale;
    case Coordinates::asymmetric: return x / scale;
    case Coordinates::align_corners: return output == 1 ? 0 : x * (input - 1) / (output - 1);
    case Coordinates::half_pixel_symmetric: {
      const T adjustment = static_cast<T>(axis.output) / output;
      return input / 2 * (1 - adjustment) + (x + half) / scale - half;
    }
    case Coordinates::tf_crop_and_resize:
      if (output == 1) return (first + last) * (input - 1) / 2;
      return first * (input - 1) + x * (last - first) * (input - 1) / (output - 1);
  }
  return x;
}

// The nearest element is found in float, as onnxruntime and PyTorch do: 4 / 1.3333334f is 3. Not
// where there are more elements than a float tells halves of.
double source(const ResizeRule& rule, int64_t place, const ResizeAxis& axis, double scale,
              double first, double last) {
  constexpr int64_t most = int64_t{1} << 22;
  if (rule.mode == ResizeMode::nearest && std::max(axis.input, axis.output) <= most) {
    return coordinate<float>(rule, static_cast<float>(place), axis, static_cast<float>(scale),
                             static_cast<float>(first), static_cast<float>(last));
  }
  return coordinate<double>(rule, static_cast<double>(place), axis, scale, first, last);
}

int64_t nearest(Rounding rounding, double x) {
  switch (rounding) {
    case Rounding::prefer_floor: return truncate<int64_t>(std::ceil(x - 0.5));
    case Rounding::prefer_ceil: return truncate<int64_t>(std::floor(x + 0.5));
    case Rounding::floor: return truncate<int64_t>(std::floor(x));
    case Rounding::ceil: return truncate<int64_t>(std::ceil(x));
  }
  return 0;
}

double triangle(double x) { return std::max(0.0, 1 - std::abs(x)); }

double cubic(double x, double a) {
  x = std::abs(x);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

// Weights of the elements around `x`, the first at `left`; shrinking spreads the filter if asked
// to.
std::vector<double> weights_around(const ResizeRule& rule, double x, double scale, int64_t& left) {
  const double spread = rule.antialias ? std::min(scale, 1.0) : 1.0;
  if (!(spread >= 1e-6))
    throw sy::invalid("Resize: a scale of ", scale, " takes too many elements");
  const double radius = rule.mode == ResizeMode::linear ? 1 : 2;
  const auto start = static_cast<int64_t>(std::floor(-radius / spread)) + 1;
  const int64_t taps = 2 - 2 * start;
  const double before = std::ceil(x) - 1;  // the element left of x, never x itself
  const double ratio = x - before;
  left = truncate<int64_t>(std::clamp(before, -1e15, 1e15)) + start;
  std::vector<double> weights;
  double sum = 0;
  for (int64_t i = 0; i < taps; ++i) {
    const double distance = (static_cast<double>(start + i) - ratio) * spread;
    weights.push_back(radius == 1 ? triangle(distance) : cubic(distance, rule.cubic_a));
    sum += weights.back();
  }
  if (rule.antialias) {
    for (double& weight : weights) weight /= sum;
  }
  return weights;
}

void drop_outside(std::vector<double>& weights, int64_t left, int64_t extent) {
  double sum = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    const int64_t at = left + static_cast<int64_t>(i);
    if (at < 0 || at >= extent) weights[i] = 0;
    sum += weights[i];
  }
  for (double& weight : weights) weight = sum == 0 ? 0 : weight / sum;
}

void add_output(const ResizeRule& rule, ResizeAxis& axis, double x, double scale) {
  const auto clamp = [&](int64_t i) { return std::clamp<int64_t>(i, 0, axis.input - 1); };
  if (rule.mode == ResizeMode::nearest) {
    axis.taps = 1;
    axis.index.push_back(clamp(nearest(rule.rounding, x)));
    axis.weight.push_back(1);
    return;
  }
  int64_t left = 0;
  std::vector<double> weights = weights_around(rule, x, scale, left);
  if (rule.exclude_outside) drop_outside(weights, left, axis.input);
  axis.taps = static_cast<int64_t>(weights.size());
  for (size_t i = 0; i < weights.size(); ++i) {
    axis.index.push_back(clamp(left + static_cast<int64_t>(i)));
    axis.weight.push_back(weights[i]);
  }
}

}  // namespace

ResizeRule::ResizeRule(const sy::Node& node)
    : mode(named(modes, node.text("mode", "nearest"), "mode")),
      coordinates(named(coordinate_modes, node.text("coordinate_transformation_mode", "half_pixel"),
                        "coordinate_transformation_mode")),
      rounding(named(roundings, node.text("nearest_mode", "round_prefer_floor"), "nearest_mode")),
      cubic_a(node.real("cubic_coeff_a", -0.75f)),
      antialias(node.flag("antialias")),
      exclude_outside(node.flag("exclude_outside")),
      extrapolation(node.real("extrapolation_value", 0)) {}

bool ResizeAxis::identity() const {
  if (input != output || taps != 1 || !outside.empty()) return false;
  for (int64_t i = 0; i < output; ++i) {
    if (index[static_cast<size_t>(i)] != i) return false;
  }
  return true;
}

ResizeAxis resize_axis(const ResizeRule& rule, int64_t input, int64_t output, double scale,
                       double first, double last) {
  ResizeAxis axis{input, output, 0, {}, {}, {}};
  const bool crops = rule.coordinates == Coordinates::tf_crop_and_resize;
  const bool same = input == output && scale == 1 && !crops;
  for (int64_t i = 0; i < output; ++i) {
    const double x = same ? static_cast<double>(i) : source(rule, i, axis, scale, first, last);
    if (same) {
      axis.taps = 1;
      axis.index.push_back(i);
      axis.weight.push_back(1);
    } else {
      add_output(rule, axis, x, scale);
    }
    if (!crops) continue;
    axis.outside.push_back(x < 0 || x > static_cast<double>(input - 1) ? 1 : 0);
  }
  return axis;
}

}  // namespace cpu
