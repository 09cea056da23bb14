#include "ops/movement/resize_table.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "ops/building/host_values.hpp"
#include "ops/building/known_shape.hpp"

namespace mps {
namespace {

constexpr std::string_view modes[] = {"nearest", "linear", "cubic"};
constexpr std::string_view coordinates[] = {
    "half_pixel",    "half_pixel_symmetric", "pytorch_half_pixel", "tf_half_pixel_for_nn",
    "align_corners", "asymmetric",           "tf_crop_and_resize"};
constexpr std::string_view roundings[] = {"round_prefer_floor", "round_prefer_ceil", "floor",
                                          "ceil"};

template <size_t count>
void check_name(const std::string_view (&names)[count], const char* attribute,
                std::string_view name) {
  if (std::find(std::begin(names), std::end(names), name) == std::end(names)) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, attribute, " is '", name, "'");
  }
}

struct Rule {
  std::string_view mode;
  std::string_view coordinate;
  std::string_view rounding;
  double cubic;
  bool antialias;
  bool exclude_outside;

  explicit Rule(const sy::Node& node)
      : mode(node.text("mode", "nearest")),
        coordinate(node.text("coordinate_transformation_mode", "half_pixel")),
        rounding(node.text("nearest_mode", "round_prefer_floor")),
        cubic(node.real("cubic_coeff_a", -0.75f)),
        antialias(node.flag("antialias")),
        exclude_outside(node.flag("exclude_outside")) {}
};

// One axis: extents, output over input as asked for, and the region of interest.
struct Stretch {
  double input = 0;
  double output = 0;
  double scale = 1;
  double first = 0;
  double last = 1;
};

// Where in the input the output's place lies.
template <typename T>
T source_of(std::string_view mode, T place, const Stretch& axis) {
  const T scale = static_cast<T>(axis.scale), input = static_cast<T>(axis.input);
  const T exact = scale * input;  // the output's extent before it was rounded
  const T half = T(0.5), centred = (place + half) / scale - half;
  if (mode == "half_pixel") return centred;
  if (mode == "asymmetric") return place / scale;
  if (mode == "tf_half_pixel_for_nn") return (place + half) / scale;
  if (mode == "pytorch_half_pixel") return axis.output > 1 ? centred : 0;
  if (mode == "align_corners") return exact == 1 ? 0 : place * (input - 1) / (exact - 1);
  if (mode == "half_pixel_symmetric") {
    return input / 2 * (1 - static_cast<T>(axis.output) / exact) + centred;
  }
  const T first = static_cast<T>(axis.first), last = static_cast<T>(axis.last);
  if (exact == 1) return half * (first + last) * (input - 1);  // tf_crop_and_resize
  return first * (input - 1) + place * (last - first) * (input - 1) / (exact - 1);
}

// The nearest element is found in float, as onnxruntime and PyTorch do: 4 / 1.3333334f is 3. Not
// where there are more elements than a float tells halves of.
double source_of(const Rule& rule, int64_t place, const Stretch& axis) {
  constexpr double most = 1 << 22;
  if (rule.mode == "nearest" && std::max(axis.input, axis.output) <= most) {
    return source_of(rule.coordinate, static_cast<float>(place), axis);
  }
  return source_of(rule.coordinate, static_cast<double>(place), axis);
}

double rounded(std::string_view mode, double x) {
  if (mode == "floor") return std::floor(x);
  if (mode == "ceil") return std::ceil(x);
  return mode == "round_prefer_floor" ? std::ceil(x - 0.5) : std::floor(x + 0.5);
}

// What an element counts at a distance from the place.
double weight_at(const Rule& rule, double distance) {
  const double x = std::abs(distance);
  if (rule.mode == "linear") return std::max(0.0, 1 - x);
  const double a = rule.cubic;
  if (x >= 2) return 0;
  if (x > 1) return a * (((x - 5) * x + 8) * x - 4);
  return ((a + 2) * x - (a + 3)) * x * x + 1;
}

uint32_t nearest_within(double place, const Stretch& axis) {
  if (std::isnan(place)) return 0;
  return static_cast<uint32_t>(std::clamp(place, 0.0, axis.input - 1));
}

// How far a filter reaches; shrinking widens it where antialias asks for it.
struct Filter {
  double narrowing;  // of distances
  int64_t reach;     // elements on each side
};

Filter filter_of(const Rule& rule, const Stretch& axis) {
  const double narrowing = rule.antialias ? std::min(axis.scale, 1.0) : 1.0;
  const double radius = rule.mode == "linear" ? 1 : 2;
  return {narrowing, static_cast<int64_t>(std::ceil(radius / narrowing))};
}

void add_taps(const Rule& rule, const Filter& filter, const Stretch& axis, double x,
              Weights& weights) {
  const double left = std::ceil(x) - 1;  // the element before x, never at it
  std::vector<double> counted;
  for (int64_t i = 1 - filter.reach; i <= filter.reach; ++i) {
    const double place = left + static_cast<double>(i);
    const bool drops = rule.exclude_outside && (place < 0 || place >= axis.input);
    counted.push_back(drops ? 0 : weight_at(rule, (place - x) * filter.narrowing));
    weights.places.push_back(nearest_within(place, axis));
  }
  const double sum = std::accumulate(counted.begin(), counted.end(), 0.0);
  const bool divides = (rule.antialias || rule.exclude_outside) && sum != 0;
  for (const double one : counted) {
    weights.weights.push_back(static_cast<float>(divides ? one / sum : one));
  }
}

ResizedAxis table_of(const Rule& rule, size_t number, const Stretch& axis) {
  ResizedAxis made;
  made.axis = number;
  made.extent = static_cast<int64_t>(axis.output);
  const bool is_nearest = rule.mode == "nearest";
  const Filter filter = filter_of(rule, axis);
  made.weights.taps = is_nearest ? 1 : static_cast<uint32_t>(2 * filter.reach);
  for (int64_t i = 0; i < made.extent; ++i) {
    const double x = source_of(rule, i, axis);
    if (rule.coordinate == "tf_crop_and_resize") {
      made.outside.push_back(x < 0 || x > axis.input - 1 ? 1 : 0);
    }
    if (!is_nearest) {
      add_taps(rule, filter, axis, x, made.weights);
      continue;
    }
    made.weights.places.push_back(nearest_within(rounded(rule.rounding, x), axis));
    made.weights.weights.push_back(1);
  }
  return made;
}

std::vector<size_t> named_axes(const sy::Node& node, size_t rank) {
  std::vector<size_t> axes;
  for (const int64_t axis : node.integers("axes")) axes.push_back(normalize_axis(axis, rank));
  if (!axes.empty()) return axes;
  axes.resize(rank);
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

// One scale for all axes, so that the picture keeps its form: the least or the most asked for.
void keep_form(std::vector<Stretch>& stretches, const std::vector<size_t>& axes,
               const std::vector<int64_t>& sizes, bool not_larger) {
  constexpr double most = std::numeric_limits<double>::max();
  double shared = not_larger ? most : 0;
  for (size_t i = 0; i < axes.size(); ++i) {
    const double wanted = static_cast<double>(sizes[i]) / stretches[axes[i]].input;
    shared = not_larger ? std::min(shared, wanted) : std::max(shared, wanted);
  }
  for (const size_t axis : axes) stretches[axis].scale = shared;
}

std::vector<Stretch> stretches_of(const sy::Node& node, const std::vector<size_t>& axes) {
  const sy_value& input = node.needed_input(0);
  const sy_value& output = node.needed_output(0);
  std::vector<Stretch> stretches(input.rank);
  for (size_t i = 0; i < input.rank; ++i) {
    stretches[i].input = static_cast<double>(input.shape[i]);
    stretches[i].output = static_cast<double>(output.shape[i]);
  }
  const std::vector<double> scales = host_reals(node, 2);
  const std::vector<double> region = host_reals(node, 1);
  const std::vector<int64_t> sizes =
      scales.empty() ? host_integers(node, 3) : std::vector<int64_t>();
  if (std::max(scales.size(), sizes.size()) != axes.size()) {
    throw sy::invalid("scales or sizes must be given for ", axes.size(), " axes");
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    Stretch& axis = stretches[axes[i]];
    axis.scale = scales.empty() ? axis.output / axis.input : scales[i];
    if (region.size() != 2 * axes.size()) continue;
    axis.first = region[i];
    axis.last = region[axes.size() + i];
  }
  const std::string_view policy = node.text("keep_aspect_ratio_policy", "stretch");
  if (policy != "stretch" && !sizes.empty()) {
    keep_form(stretches, axes, sizes, policy == "not_larger");
  }
  return stretches;
}

}  // namespace

void check_resize_attributes(const sy::Node& node) {
  const Rule rule(node);
  check_name(modes, "mode", rule.mode);
  check_name(coordinates, "coordinate_transformation_mode", rule.coordinate);
  check_name(roundings, "nearest_mode", rule.rounding);
}

std::vector<ResizedAxis> resized_axes(const sy::Node& node) {
  const sy_value& input = node.needed_input(0);
  const int64_t from = sy::element_count(known_shape(input));
  const int64_t to = sy::element_count(known_shape(node.needed_output(0)));
  if (to == 0) return {};  // however long the other axes are
  if (from == 0) throw sy::invalid("Resize of no elements to ", to);
  const Rule rule(node);
  const std::vector<size_t> axes = named_axes(node, input.rank);
  const std::vector<Stretch> stretches = stretches_of(node, axes);
  std::vector<ResizedAxis> resized;
  for (const size_t axis : axes) {
    const Stretch& one = stretches[axis];
    const bool stays = one.input == one.output && one.scale == 1;
    if (stays && rule.coordinate != "tf_crop_and_resize") continue;
    resized.push_back(table_of(rule, axis, one));
  }
  return resized;
}

}  // namespace mps
