// GridSample, AffineGrid: reading images at positions that are given, between -1 and 1 on each
// axis. Formulas: ONNX operators GridSample-20 and AffineGrid-20, and their references.
#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"
#include "loops/indices.hpp"
#include "machine/parallel.hpp"

namespace cpu {
namespace {

enum class Mode { linear, nearest, cubic };
enum class Padding { zeros, border, reflection };

struct Sampling {
  Mode mode;
  Padding padding;
  bool align_corners;
};

Sampling sampling_of(const sy::Node& node) {
  const std::string_view mode = node.text("mode", "linear");
  const std::string_view padding = node.text("padding_mode", "zeros");
  Sampling sampling{Mode::linear, Padding::zeros, node.flag("align_corners")};
  if (mode == "nearest")
    sampling.mode = Mode::nearest;
  else if (mode == "cubic")
    sampling.mode = Mode::cubic;
  else if (mode != "linear")
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "GridSample does not know mode '", mode, "'");
  if (padding == "border")
    sampling.padding = Padding::border;
  else if (padding == "reflection")
    sampling.padding = Padding::reflection;
  else if (padding != "zeros") {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "GridSample does not know padding_mode '", padding,
                          "'");
  }
  return sampling;
}

void check_grid_sample(const sy::Node& node) {
  const Sampling sampling = sampling_of(node);
  const sy_value& input = node.required_input(0);
  if (sy::has_rank(input) && sampling.mode == Mode::cubic && input.rank != 4) {
    throw sy::unsupported(SY_REASON_RANK, "GridSample is cubic for rank 4 only, not ", input.rank);
  }
}

double from_unit(double x, int64_t extent, bool align_corners) {
  const auto n = static_cast<double>(extent);
  return align_corners ? (x + 1) / 2 * (n - 1) : ((x + 1) * n - 1) / 2;
}

// Folds x back between `low` and `high`.
double reflected(double x, double low, double high) {
  const double range = high - low;
  if (range <= 0) return low;
  double distance = x < low ? low - x : x - high;
  if (x >= low && x <= high) return x;
  const double folds = std::trunc(distance / range);  // may be beyond any integer type
  const double rest = distance - folds * range;
  const bool even = std::fmod(folds, 2) == 0;
  if (x < low) return even ? low + rest : high - rest;
  return even ? high - rest : low + rest;
}

// An index that lies outside, as the padding has it; -1 shows zero.
int64_t padded_index(int64_t i, int64_t extent, const Sampling& sampling) {
  if (i >= 0 && i < extent) return i;
  if (sampling.padding == Padding::zeros) return -1;
  if (sampling.padding == Padding::border) return std::clamp<int64_t>(i, 0, extent - 1);
  const double low = sampling.align_corners ? 0 : -0.5;
  const double high =
      sampling.align_corners ? static_cast<double>(extent - 1) : static_cast<double>(extent) - 0.5;
  return std::clamp<int64_t>(std::llround(reflected(static_cast<double>(i), low, high)), 0,
                             extent - 1);
}

// The elements that make a sample on one axis.
struct Taps {
  int count = 0;
  std::array<int64_t, 4> index;
  std::array<double, 4> weight;

  void add(int64_t i, double w) {
    index[static_cast<size_t>(count)] = i;
    weight[static_cast<size_t>(count++)] = w;
  }
};

Taps taps_of(double x, int64_t extent, const Sampling& sampling) {
  constexpr double a = -0.75;
  Taps taps;
  if (!std::isfinite(x)) x = -1e6;
  x = std::clamp(x, -1e15, 1e15);
  if (sampling.mode == Mode::nearest) {
    taps.add(padded_index(static_cast<int64_t>(std::nearbyint(x)), extent, sampling), 1);
    return taps;
  }
  const double floor = std::floor(x), t = x - floor;
  const auto first = static_cast<int64_t>(floor);
  if (sampling.mode == Mode::linear) {
    taps.add(padded_index(first, extent, sampling), 1 - t);
    taps.add(padded_index(first + 1, extent, sampling), t);
    return taps;
  }
  const auto far = [](double d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
  const auto near = [](double d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  const double weights[] = {far(t + 1), near(t), near(1 - t), far(2 - t)};
  for (int i = 0; i < 4; ++i) taps.add(padded_index(first - 1 + i, extent, sampling), weights[i]);
  return taps;
}

double prepared_position(double x, int64_t extent, const Sampling& sampling) {
  const double position = from_unit(x, extent, sampling.align_corners);
  if (sampling.padding == Padding::border && sampling.mode != Mode::cubic) {
    return std::clamp(position, 0.0, static_cast<double>(extent - 1));
  }
  if (sampling.padding == Padding::reflection && sampling.mode != Mode::cubic) {
    const double low = sampling.align_corners ? 0 : -0.5;
    const double high = sampling.align_corners ? static_cast<double>(extent - 1)
                                               : static_cast<double>(extent) - 0.5;
    return std::clamp(reflected(position, low, high), 0.0, static_cast<double>(extent - 1));
  }
  return position;
}

// Sums over the product of the axes' taps, outermost first.
template <typename T>
double sum_taps(const T* image, const std::vector<Taps>& taps, const std::vector<int64_t>& strides,
                size_t axis, int64_t offset) {
  if (axis == taps.size()) return convert<double>(image[offset]);
  double sum = 0;
  for (int i = 0; i < taps[axis].count; ++i) {
    const int64_t index = taps[axis].index[static_cast<size_t>(i)];
    const double weight = taps[axis].weight[static_cast<size_t>(i)];
    if (index < 0 || weight == 0) continue;
    sum += weight * sum_taps(image, taps, strides, axis + 1, offset + index * strides[axis]);
  }
  return sum;
}

template <typename T, typename G>
void grid_sample(Call& call, const Sampling& sampling) {
  const ConstTensor& in = call.input(0);
  const ConstTensor& grid = call.input(1);
  const Tensor& out = call.output(0);
  const size_t spatial = in.rank() - 2;
  const int64_t channels = in.shape[1];
  const int64_t image = sy::element_count(in.shape.subspan(2));
  const int64_t positions = sy::element_count(out.shape.subspan(2));
  const sy::Dimensions own = sy::contiguous_strides(in.shape.subspan(2));
  const std::vector<int64_t> strides(own.data.begin(),
                                     own.data.begin() + static_cast<std::ptrdiff_t>(spatial));
  parallel_for(in.shape[0] * positions, 256, [&](int64_t begin, int64_t end) {
    std::vector<Taps> taps(spatial);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t batch = i / positions, position = i % positions;
      const G* coordinates = grid.as<G>() + i * static_cast<int64_t>(spatial);
      for (size_t d = 0; d < spatial; ++d) {  // a position names x first, which is the last axis
        const int64_t extent = in.shape[2 + d];
        const auto x = convert<double>(coordinates[spatial - 1 - d]);
        taps[d] = taps_of(prepared_position(x, extent, sampling), extent, sampling);
      }
      for (int64_t c = 0; c < channels; ++c) {
        const T* from = in.as<T>() + (batch * channels + c) * image;
        out.as<T>()[(batch * channels + c) * positions + position] =
            convert<T>(sum_taps(from, taps, strides, 0, 0));
      }
    }
  });
}

using SampledTypes = TypeList<float, double, Float16, BFloat16>;

Prepared make_grid_sample(const sy::Node& node) {
  Prepared made;
  made.kernel = function_kernel(
      visit_dtype(SampledTypes{}, node.required_input(0).dtype, [&](auto element) -> Run {
        return visit_dtype(
            SampledTypes{}, node.required_input(1).dtype, [&](auto coordinate) -> Run {
              using T = decltype(element);
              using G = decltype(coordinate);
              return
                  [sampling = sampling_of(node)](Call& call) { grid_sample<T, G>(call, sampling); };
            });
      }));
  return made;
}

// ---- AffineGrid: theta times each base position. An only pixel has no corners to align and lies
// in the middle, as in PyTorch, by which ONNX explains the op.

template <typename T>
void affine_grid(Call& call, bool align_corners) {
  const ConstTensor& theta = call.input(0);
  const Tensor& out = call.output(0);
  const size_t spatial = out.rank() - 2;
  const auto n = static_cast<int64_t>(spatial);
  const sy::Extents shape = out.shape.first(out.rank() - 1);
  for_each_position(shape, [&](int64_t flat, const std::vector<int64_t>& position) {
    const T* matrix = theta.as<T>() + position[0] * n * (n + 1);
    for (int64_t row = 0; row < n; ++row) {
      auto sum = convert<double>(matrix[row * (n + 1) + n]);
      for (size_t d = 0; d < spatial; ++d) {
        const auto extent = static_cast<double>(shape[1 + d]);
        const auto index = static_cast<double>(position[1 + d]);
        const double x = align_corners ? (extent > 1 ? 2 * index / (extent - 1) - 1 : 0)
                                       : (2 * index + 1) / extent - 1;
        sum += convert<double>(matrix[row * (n + 1) + n - 1 - static_cast<int64_t>(d)]) * x;
      }
      out.as<T>()[flat * n + row] = convert<T>(sum);
    }
  });
}

Prepared make_affine_grid(const sy::Node& node) {
  Prepared made;
  made.kernel = function_kernel(
      visit_dtype(SampledTypes{}, node.required_input(0).dtype, [&](auto zero) -> Run {
        using T = decltype(zero);
        return [align = node.flag("align_corners")](Call& call) { affine_grid<T>(call, align); };
      }));
  return made;
}

constexpr uint64_t sampled = dtypes_of(SampledTypes{});

constexpr KernelRow grid_sample_rows[] = {
    {"GridSample", sampled, sampled, make_grid_sample, check_grid_sample, 0, "", 1, UINT32_MAX, 3},
    {"AffineGrid", sampled, sampled, make_affine_grid},
};

}  // namespace

KernelTable grid_sample_kernels() { return grid_sample_rows; }

}  // namespace cpu
