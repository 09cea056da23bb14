// Images: padded, and resized.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/options_like.hpp"
#include "functions/calls/require.hpp"
#include "functions/creation/new_tensor.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "tensor/host_tensor.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kPad("Pad"), kResize("Resize");

/// ONNX's names of the modes.
constexpr std::string_view kPadModes[] = {"constant", "reflect", "edge", "wrap"};

/// What can be mirrored or repeated: reflections stop short of the edge, a cycle has one round.
void check_padding(const Tensor& x, const Dims& padding, PaddingMode mode) {
  for (std::size_t i = 0; i < padding.size(); ++i) {
    const std::int64_t extent = x.shape()[x.shape().size() - 1 - i / 2];
    const std::int64_t most = mode == PaddingMode::reflect    ? extent - 1
                              : mode == PaddingMode::circular ? extent
                                                              : INT64_MAX;
    if (padding[i] <= most && extent > 0) continue;
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[pad] {} is too much for mode {} on an input {}", listed(padding),
                            name_of(mode), describe(x.shape())));
  }
}

/// How much a padding takes away.
std::int64_t taken_by(std::int64_t padding) {
  return padding < 0 ? -std::max(padding, -INT64_MAX) : 0;
}

/// Dimension i of the result of `cut` lies at dimension i of `x`, without what is negative.
Tensor cropped(Tensor x, const Dims& padding) {
  for (std::size_t i = 0; i + 1 < padding.size(); i += 2) {
    const auto dim = static_cast<std::int64_t>(x.shape().size() - 1 - i / 2);
    const std::int64_t before = taken_by(padding[i]), after = taken_by(padding[i + 1]);
    if (before == 0 && after == 0) continue;
    if (add_extents(before, after) > x.size(dim)) {
      throw Error(ErrorKind::shape_mismatch,
                  fmt::format("[pad] {} cuts off more than there is of an input {}",
                              listed(padding), describe(x.shape())));
    }
    x = narrow(x, dim, before, x.size(dim) - before - after);
  }
  return x;
}

/// ONNX's order: begins of all dimensions, then ends.
Dims begins_and_ends(const Dims& padding, std::size_t rank) {
  Dims pads = Dims::filled(2 * rank, 0);
  for (std::size_t i = 0; i + 1 < padding.size(); i += 2) {
    pads[rank - 1 - i / 2] = std::max<std::int64_t>(padding[i], 0);
    pads[2 * rank - 1 - i / 2] = std::max<std::int64_t>(padding[i + 1], 0);
  }
  return pads;
}

/// A mode's name, how many spatial dimensions it is for (0: any), and ONNX's name.
struct ResizeMode {
  std::string_view name;
  std::size_t spatial;
  std::string_view word;
};
constexpr std::array<ResizeMode, 5> kResizeModes = {{{"nearest", 0, "nearest"},
                                                     {"linear", 1, "linear"},
                                                     {"bilinear", 2, "linear"},
                                                     {"trilinear", 3, "linear"},
                                                     {"bicubic", 2, "cubic"}}};

std::string_view resize_mode(const Tensor& x, const InterpolateOptions& options) {
  const ResizeMode& mode = kResizeModes.at(static_cast<std::size_t>(options.mode));
  if (mode.spatial == 0 || mode.spatial == x.shape().size() - 2) return mode.word;
  throw Error(ErrorKind::shape_mismatch,
              fmt::format("[interpolate] mode \"{}\" does not go with an input {}: nearest is for "
                          "any, linear for [N, C, L], bilinear and bicubic for [N, C, H, W], "
                          "trilinear for [N, C, D, H, W]",
                          mode.name, describe(x.shape())));
}

/// `size` for each spatial dimension.
Dims spatial_size(const Tensor& x, const Dims& size) {
  const std::size_t spatial = x.shape().size() - 2;
  Dims all = size;
  if (size.size() == 1) all = Dims::filled(spatial, size[0]);
  if (all.size() == spatial && std::all_of(all.begin(), all.end(), [](auto n) { return n > 0; })) {
    return all;
  }
  throw Error(ErrorKind::shape_mismatch,
              fmt::format("[interpolate] size {} must be 1 or {} positive numbers for an input {}",
                          listed(size), spatial, describe(x.shape())));
}

/// No more than these along a dimension: what comes of a scale, and what of it is made by tables.
constexpr std::int64_t kLargestExtent = std::numeric_limits<std::int32_t>::max(),
                       kLongestTable = std::int64_t{1} << 24;

/// The extent that the scale makes of a dimension.
std::int64_t scaled_extent(const Tensor& x, std::int64_t dim, double scale, std::int64_t most) {
  const double made = static_cast<double>(x.size(dim)) * scale;
  const std::string what =
      fmt::format("dimension {} of {} times the scale_factor {}", dim, describe(x.shape()), scale);
  return whole_within("interpolate", what, made, 1, most);
}

/// The weights of the elements around a coordinate that is `past` beyond one of them, the first
/// `before` it. Cubic: with PyTorch's coefficient, -0.75.
struct Weights {
  std::int64_t before;
  std::vector<double> of;
};
Weights weights_around(std::string_view mode, double past) {
  if (mode == "nearest") return {0, {1}};
  if (mode == "linear") return {0, {1 - past, past}};
  constexpr double a = -0.75;
  const auto near = [](double t) { return ((a + 2) * t - (a + 3)) * t * t + 1; };
  const auto far = [](double t) { return ((a * t - 5 * a) * t + 8 * a) * t - 4 * a; };
  return {1, {far(past + 1), near(past), near(1 - past), far(2 - past)}};
}

/// Resized along one dimension by any scale, where Resize takes float32 ones: the sum of the
/// elements around each position. What has no share in it is left out, as it may be infinite.
Tensor resized_along(const Tensor& x, std::int64_t dim, std::string_view mode, double scale) {
  const std::int64_t extent = x.size(dim);
  // The tables below have several numbers for each element.
  const std::int64_t size = scaled_extent(x, dim, scale, kLongestTable);
  std::vector<std::vector<std::int64_t>> positions;
  std::vector<std::vector<double>> weights;
  for (std::int64_t i = 0; i < size; ++i) {
    const auto at = static_cast<double>(i);
    const double from = mode == "nearest" ? at / scale : (at + 0.5) / scale - 0.5;
    const Weights around = weights_around(mode, from - std::floor(from));
    positions.resize(around.of.size());
    weights.resize(around.of.size());
    for (std::size_t tap = 0; tap < around.of.size(); ++tap) {
      const auto position = static_cast<std::int64_t>(std::floor(from)) - around.before +
                            static_cast<std::int64_t>(tap);
      positions[tap].push_back(std::clamp<std::int64_t>(position, 0, extent - 1));
      weights[tap].push_back(around.of[tap]);
    }
  }
  Dims line = Dims::filled(x.shape().size(), 1);
  line[static_cast<std::size_t>(dim)] = size;
  const TensorOptions beside_x = options_like(x);
  Tensor sum;
  for (std::size_t tap = 0; tap < positions.size(); ++tap) {
    const Tensor index = place(host_tensor({size}, positions[tap]), {.device = beside_x.device});
    const Tensor weight = place(host_tensor(line, weights[tap]), beside_x);
    const Tensor taken = index_select(x, dim, index);
    const Tensor part = mode == "nearest" ? taken : where(ne(weight, 0), mul(taken, weight), 0);
    sum = sum.defined() ? add(sum, part) : part;
  }
  return sum;
}

}  // namespace

std::string_view name_of(PaddingMode mode) {
  static constexpr std::array<std::string_view, 4> kNames = {"constant", "reflect", "replicate",
                                                             "circular"};
  return kNames.at(static_cast<std::size_t>(mode));
}

Tensor pad(const Tensor& x, const Dims& padding, PaddingMode mode, const Tensor& value) {
  const CalledFunction here;
  if (padding.size() % 2 != 0 || padding.size() > 2 * x.shape().size()) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[pad] {} is not a list of pairs for an input {}", listed(padding),
                            describe(x.shape())));
  }
  const bool is_constant = mode == PaddingMode::constant;
  if (!is_constant) check_padding(x, padding, mode);
  if (!is_constant && value.defined()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[pad] a value is for the mode constant, not for {}; leave it out",
                            name_of(mode)));
  }
  const Tensor rest = cropped(x, padding);
  if (std::all_of(padding.begin(), padding.end(), [](auto n) { return n <= 0; })) return rest;
  const Tensor pads = int64s(begins_and_ends(padding, x.shape().size()));
  const std::string word(kPadModes[static_cast<std::size_t>(mode)]);
  const Attributes given = attributes({{"mode", word}});
  if (!is_constant) return kPad({rest, pads}, given);
  const Tensor fill = as_element("pad", value.defined() ? value : Tensor(0), x.dtype());
  return kPad({rest, pads, fill}, given);
}

Tensor interpolate(const Tensor& x, const InterpolateOptions& options) {
  const CalledFunction here;
  require_rank("interpolate", x, 3, 8);
  const std::string_view mode = resize_mode(x, options);
  const bool nearest = options.mode == InterpolationMode::nearest;
  if (options.size.empty() == !options.scale_factor) {
    throw Error(ErrorKind::invalid_argument, "[interpolate] needs either size or scale_factor");
  }
  if (nearest && options.align_corners) {
    throw Error(ErrorKind::invalid_argument, "[interpolate] nearest has no corners to align");
  }
  const std::size_t spatial = x.shape().size() - 2;
  std::vector<std::int64_t> axes(spatial);
  for (std::size_t i = 0; i < spatial; ++i) axes[i] = static_cast<std::int64_t>(i) + 2;
  const Attributes given = attributes(
      {{"axes", axes},
       {"coordinate_transformation_mode", std::string(nearest                 ? "asymmetric"
                                                      : options.align_corners ? "align_corners"
                                                                              : "half_pixel")},
       {"cubic_coeff_a", -0.75F},
       {"mode", std::string(mode)},
       {"nearest_mode", std::string("floor")}});
  if (!options.size.empty())
    return kResize({x, {}, {}, int64s(spatial_size(x, options.size))}, given);
  for (const std::int64_t axis : axes)
    scaled_extent(x, axis, *options.scale_factor, kLargestExtent);
  if (options.align_corners) {  // the corners of what is made: no part of an element beyond them
    Dims size;
    for (std::size_t i = 0; i < spatial; ++i) {
      size.push_back(scaled_extent(x, axes[i], *options.scale_factor, kLargestExtent));
    }
    return kResize({x, {}, {}, int64s(spatial_size(x, size))}, given);
  }
  if (!fits_attribute(x.dtype(), *options.scale_factor)) {
    Tensor resized = x;
    for (const std::int64_t axis : axes) {
      resized = resized_along(resized, axis, mode, *options.scale_factor);
    }
    return resized;
  }
  const std::vector<float> scales(spatial, static_cast<float>(*options.scale_factor));
  const auto count = static_cast<std::int64_t>(spatial);
  return kResize({x, {}, host_tensor({count}, scales)}, given);
}

}  // namespace switchyard
