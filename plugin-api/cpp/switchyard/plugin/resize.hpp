/// @file
/// Resize, one axis at a time: which elements of the input, with which weights, make each element
/// of the output. Formulas: ONNX, operator Resize, version 19, each computed in the order in which
/// ONNX writes it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "switchyard/plugin/program.hpp"

namespace sy {

/// ONNX's mode, coordinate_transformation_mode, nearest_mode and keep_aspect_ratio_policy.
/// @{
enum class ResizeMode : uint8_t { nearest, linear, cubic };
enum class ResizeCoordinates : uint8_t {
  half_pixel,
  half_pixel_symmetric,
  pytorch_half_pixel,
  tf_half_pixel_for_nn,  // until opset 13
  align_corners,
  asymmetric,
  tf_crop_and_resize
};
enum class ResizeRounding : uint8_t { prefer_floor, prefer_ceil, floor, ceil };
enum class ResizePolicy : uint8_t { stretch, not_larger, not_smaller };
/// @}

/// A Resize's attributes but for its axes.
struct ResizeAttributes {
  ResizeMode mode = ResizeMode::nearest;  ///< how elements between positions are made
  ResizeCoordinates coordinates =
      ResizeCoordinates::half_pixel;                       ///< where an output lies in the input
  ResizeRounding rounding = ResizeRounding::prefer_floor;  ///< of mode nearest
  ResizePolicy policy = ResizePolicy::stretch;             ///< how sizes keep the aspect ratio
  float cubic_a = -0.75f;                                  ///< of mode cubic
  bool antialias = false;        ///< a shrinking filter is as wide as the elements of the output
  bool exclude_outside = false;  ///< weights beyond the edge count for nothing
  float extrapolation = 0;       ///< shown where a crop lies outside of the input

  ResizeAttributes() = default;
  /// Those of a Resize. Throws as the setters below.
  explicit ResizeAttributes(const Node& node);

  /// By the names that ONNX gives to values. Each throws sy::unsupported for another.
  /// @{
  void set_mode(std::string_view name);
  void set_coordinates(std::string_view name);
  void set_rounding(std::string_view name);
  void set_policy(std::string_view name);
  /// @}

  /// Whether a region of interest is shown.
  bool crops() const { return coordinates == ResizeCoordinates::tf_crop_and_resize; }
};

/// What is asked of the axes: a scale or a size for each, never both, and a region of interest,
/// first all begins and then all ends, or none.
struct ResizeRequest {
  std::vector<size_t> axes;    ///< those that may change
  std::vector<double> scales;  ///< by axis, or none
  std::vector<int64_t> sizes;  ///< likewise
  std::vector<double> region;  ///< of the input, from 0 to 1
};

/// How an axis changes. `scale` is output over input as asked for, before extents are rounded;
/// `first` and `last` are the region of interest, of which 0 is the first element and 1 the last.
struct ResizeStretch {
  /// Extents, the scale, and the region.
  /// @{
  int64_t input = 0;
  int64_t output = 0;
  double scale = 1;
  double first = 0;
  double last = 1;
  /// @}

  /// Whether each element is shown as it is.
  bool stays(const ResizeAttributes& rule) const {
    return input == output && scale == 1 && !rule.crops();
  }
};

/// Which elements of an axis make each element of the output.
struct ResizeTable {
  /// The extents of both.
  /// @{
  int64_t input = 0;
  int64_t output = 0;
  /// @}
  int64_t taps = 0;              ///< elements that make one output
  std::vector<int64_t> index;    ///< output * taps, each in [0, input)
  std::vector<double> weight;    ///< likewise; an element may come twice for one output
  std::vector<uint8_t> outside;  ///< by output: shows the extrapolation value; empty if none does

  /// Whether the output is the input.
  bool is_identity() const;
};

/// The one scale of all axes that a policy other than `stretch` makes of the sizes asked for. Axes
/// without elements ask for nothing; nothing if all are.
std::optional<double> shared_resize_scale(ResizePolicy policy, Extents extents, Extents sizes);

/// One for each axis of the request, for known shapes of the whole input and output. Throws
/// sy::invalid where the numbers asked for are not as many as the axes.
std::vector<ResizeStretch> resize_stretches(const ResizeAttributes& rule,
                                            const ResizeRequest& request, Extents input,
                                            Extents output);

/// Throws sy::invalid for a scale so small that antialiasing takes too many elements. The input
/// must have elements if the output has.
ResizeTable resize_table(const ResizeAttributes& rule, const ResizeStretch& stretch);

/// An axis that stays as it is.
inline ResizeTable resize_identity(int64_t extent) {
  return resize_table({}, {extent, extent, 1, 0, 1});
}

namespace detail {

template <typename Value>
struct ResizeName {
  std::string_view name;
  Value value;
};

template <typename Value, size_t count>
void set_by_name(Value& value, const ResizeName<Value> (&names)[count], std::string_view name,
                 const char* attribute) {
  for (const ResizeName<Value>& known : names) {
    if (known.name != name) continue;
    value = known.value;
    return;
  }
  throw unsupported(SY_REASON_ATTRIBUTE, "Resize does not know ", attribute, " '", name, "'");
}

// Where in the input output `x` lies.
template <typename T>
T resize_source(const ResizeAttributes& rule, T x, const ResizeStretch& axis) {
  const auto scale = static_cast<T>(axis.scale), input = static_cast<T>(axis.input);
  const T exact = scale * input;  // the output's extent before it was rounded
  const T half = T(0.5);
  switch (rule.coordinates) {
    case ResizeCoordinates::half_pixel: return (x + half) / scale - half;
    case ResizeCoordinates::pytorch_half_pixel:
      return axis.output <= 1 ? 0 : (x + half) / scale - half;
    case ResizeCoordinates::tf_half_pixel_for_nn: return (x + half) / scale;
    case ResizeCoordinates::asymmetric: return x / scale;
    case ResizeCoordinates::align_corners: return exact == 1 ? 0 : x * (input - 1) / (exact - 1);
    case ResizeCoordinates::half_pixel_symmetric: {
      const T offset = input / 2 * (1 - static_cast<T>(axis.output) / exact);
      return offset + (x + half) / scale - half;
    }
    case ResizeCoordinates::tf_crop_and_resize: break;
  }
  const auto first = static_cast<T>(axis.first), last = static_cast<T>(axis.last);
  if (exact == 1) return (first + last) * (input - 1) / 2;
  return first * (input - 1) + x * (last - first) * (input - 1) / (exact - 1);
}

// The nearest element is found in float, as onnxruntime and PyTorch do: 4 / 1.3333334f is 3. Not
// where there are more elements than a float tells halves of.
inline double resize_position(const ResizeAttributes& rule, int64_t output,
                              const ResizeStretch& axis) {
  constexpr int64_t most = int64_t{1} << 22;
  if (rule.mode == ResizeMode::nearest && std::max(axis.input, axis.output) <= most) {
    return resize_source(rule, static_cast<float>(output), axis);
  }
  return resize_source(rule, static_cast<double>(output), axis);
}

inline double rounded_position(ResizeRounding rounding, double x) {
  switch (rounding) {
    case ResizeRounding::prefer_floor: return std::ceil(x - 0.5);
    case ResizeRounding::prefer_ceil: return std::floor(x + 0.5);
    case ResizeRounding::floor: return std::floor(x);
    case ResizeRounding::ceil: return std::ceil(x);
  }
  return x;
}

// The element at x, which has no fraction, or the one at the end beyond it; of NaN, the first.
inline int64_t element_at(double x, int64_t extent) {
  if (!(x > 0)) return 0;
  return x >= static_cast<double>(extent - 1) ? extent - 1 : static_cast<int64_t>(x);
}

inline double triangle_weight(double distance) { return std::max(0.0, 1 - std::abs(distance)); }

inline double cubic_weight(double distance, double a) {
  const double x = std::abs(distance);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

inline void divide_by_sum(double* weights, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += weights[i];
  for (int64_t i = 0; i < count; ++i) weights[i] = sum == 0 ? 0 : weights[i] / sum;
}

// The filter of modes linear and cubic. Shrinking spreads it where antialias asks for it.
class ResizeFilter {
 public:
  ResizeFilter(const ResizeAttributes& rule, double scale)
      : rule_(rule), spread_(rule.antialias ? std::min(scale, 1.0) : 1.0) {
    if (!(spread_ >= 1e-6)) {
      throw invalid("Resize: a scale of ", scale, " takes too many elements");
    }
    const double radius = rule.mode == ResizeMode::linear ? 1 : 2;
    reach_ = static_cast<int64_t>(std::ceil(radius / spread_));
  }

  int64_t taps() const { return 2 * reach_; }

  // The elements around `x` and their weights.
  void add(double x, ResizeTable& table) const {
    const double before = std::ceil(x) - 1;  // the element left of x, never x itself
    const double ratio = x - before;
    const size_t start = table.weight.size();
    for (int64_t i = 1 - reach_; i <= reach_; ++i) {
      const double at = before + static_cast<double>(i);
      table.index.push_back(element_at(at, table.input));
      table.weight.push_back(weight((static_cast<double>(i) - ratio) * spread_));
    }
    double* weights = table.weight.data() + start;
    if (rule_.antialias) divide_by_sum(weights, taps());
    if (!rule_.exclude_outside) return;
    for (int64_t i = 0; i < taps(); ++i) {
      const double at = before + static_cast<double>(i + 1 - reach_);
      if (at < 0 || at >= static_cast<double>(table.input)) weights[i] = 0;
    }
    divide_by_sum(weights, taps());
  }

 private:
  double weight(double distance) const {
    return rule_.mode == ResizeMode::linear ? triangle_weight(distance)
                                            : cubic_weight(distance, rule_.cubic_a);
  }

  const ResizeAttributes& rule_;
  double spread_;
  int64_t reach_;
};

inline void check_count(size_t have, size_t wanted, const char* name) {
  if (have == wanted) return;
  throw invalid("Resize: ", name, " holds ", have, " numbers, not ", wanted);
}

}  // namespace detail

inline void ResizeAttributes::set_mode(std::string_view name) {
  constexpr detail::ResizeName<ResizeMode> names[] = {{"nearest", ResizeMode::nearest},
                                                      {"linear", ResizeMode::linear},
                                                      {"cubic", ResizeMode::cubic}};
  detail::set_by_name(mode, names, name, "mode");
}

inline void ResizeAttributes::set_coordinates(std::string_view name) {
  constexpr detail::ResizeName<ResizeCoordinates> names[] = {
      {"half_pixel", ResizeCoordinates::half_pixel},
      {"half_pixel_symmetric", ResizeCoordinates::half_pixel_symmetric},
      {"pytorch_half_pixel", ResizeCoordinates::pytorch_half_pixel},
      {"tf_half_pixel_for_nn", ResizeCoordinates::tf_half_pixel_for_nn},
      {"align_corners", ResizeCoordinates::align_corners},
      {"asymmetric", ResizeCoordinates::asymmetric},
      {"tf_crop_and_resize", ResizeCoordinates::tf_crop_and_resize}};
  detail::set_by_name(coordinates, names, name, "coordinate_transformation_mode");
}

inline void ResizeAttributes::set_rounding(std::string_view name) {
  constexpr detail::ResizeName<ResizeRounding> names[] = {
      {"round_prefer_floor", ResizeRounding::prefer_floor},
      {"round_prefer_ceil", ResizeRounding::prefer_ceil},
      {"floor", ResizeRounding::floor},
      {"ceil", ResizeRounding::ceil}};
  detail::set_by_name(rounding, names, name, "nearest_mode");
}

inline void ResizeAttributes::set_policy(std::string_view name) {
  constexpr detail::ResizeName<ResizePolicy> names[] = {{"stretch", ResizePolicy::stretch},
                                                        {"not_larger", ResizePolicy::not_larger},
                                                        {"not_smaller", ResizePolicy::not_smaller}};
  detail::set_by_name(policy, names, name, "keep_aspect_ratio_policy");
}

inline ResizeAttributes::ResizeAttributes(const Node& node)
    : cubic_a(node.real("cubic_coeff_a", -0.75f)),
      antialias(node.flag("antialias")),
      exclude_outside(node.flag("exclude_outside")),
      extrapolation(node.real("extrapolation_value", 0)) {
  set_mode(node.text("mode", "nearest"));
  set_coordinates(node.text("coordinate_transformation_mode", "half_pixel"));
  set_rounding(node.text("nearest_mode", "round_prefer_floor"));
  set_policy(node.text("keep_aspect_ratio_policy", "stretch"));
}

inline bool ResizeTable::is_identity() const {
  if (input != output || taps != 1 || !outside.empty()) return false;
  for (int64_t i = 0; i < output; ++i) {
    if (index[static_cast<size_t>(i)] != i) return false;
  }
  return true;
}

inline std::optional<double> shared_resize_scale(ResizePolicy policy, Extents extents,
                                                 Extents sizes) {
  std::optional<double> shared;
  for (size_t i = 0; i < extents.size(); ++i) {
    if (extents[i] <= 0) continue;
    const double wanted = static_cast<double>(sizes[i]) / static_cast<double>(extents[i]);
    const bool is_smallest = policy == ResizePolicy::not_larger;
    if (!shared || (is_smallest ? wanted < *shared : wanted > *shared)) shared = wanted;
  }
  return shared;
}

inline std::vector<ResizeStretch> resize_stretches(const ResizeAttributes& rule,
                                                   const ResizeRequest& request, Extents input,
                                                   Extents output) {
  const size_t count = request.axes.size();
  const bool has_scales = !request.scales.empty();
  detail::check_count(has_scales ? request.scales.size() : request.sizes.size(), count,
                      has_scales ? "scales" : "sizes");
  if (rule.crops()) detail::check_count(request.region.size(), 2 * count, "roi");
  std::vector<ResizeStretch> stretches;
  std::vector<int64_t> extents;
  for (size_t i = 0; i < count; ++i) {
    const size_t axis = request.axes[i];
    ResizeStretch one{input[axis], output[axis]};
    one.scale = has_scales ? request.scales[i]
                           : static_cast<double>(one.output) / static_cast<double>(one.input);
    if (rule.crops()) {
      one.first = request.region[i];
      one.last = request.region[count + i];
    }
    stretches.push_back(one);
    extents.push_back(one.input);
  }
  if (has_scales || rule.policy == ResizePolicy::stretch) return stretches;
  const double shared = shared_resize_scale(rule.policy, extents, request.sizes).value_or(1);
  for (ResizeStretch& one : stretches) one.scale = shared;
  return stretches;
}

inline ResizeTable resize_table(const ResizeAttributes& rule, const ResizeStretch& stretch) {
  ResizeTable table{stretch.input, stretch.output, 1, {}, {}, {}};
  const bool stays = stretch.stays(rule);
  const bool weighs = !stays && rule.mode != ResizeMode::nearest && stretch.output > 0;
  std::optional<detail::ResizeFilter> filter;
  if (weighs) filter.emplace(rule, stretch.scale);
  if (filter) table.taps = filter->taps();
  for (int64_t i = 0; i < stretch.output; ++i) {
    const double x = stays ? static_cast<double>(i) : detail::resize_position(rule, i, stretch);
    if (filter) {
      filter->add(x, table);
    } else {
      const double at = stays ? x : detail::rounded_position(rule.rounding, x);
      table.index.push_back(detail::element_at(at, stretch.input));
      table.weight.push_back(1);
    }
    if (!rule.crops()) continue;
    table.outside.push_back(x < 0 || x > static_cast<double>(stretch.input - 1) ? 1 : 0);
  }
  return table;
}

}  // namespace sy
