// Pooling regions of interest of pictures: RoiAlign and MaxRoiPool.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "loops/contiguous.hpp"
#include "machine/parallel.hpp"

namespace cpu {
namespace {

int64_t grain_for(int64_t channels, int64_t cells) {
  return std::max<int64_t>(1, 4096 / std::max<int64_t>(1, channels * cells));
}

int64_t checked_image(int64_t image, int64_t batch) {
  if (image < 0 || image >= batch) {
    throw sy::invalid("a region is of image ", image, " of ", batch);
  }
  return image;
}

// ---- RoiAlign

struct Alignment {
  explicit Alignment(const sy::Node& node)
      : largest(node.text("mode", "avg") == "max"),
        shift(node.text("coordinate_transformation_mode", "half_pixel") == "half_pixel" ? 0.5 : 0),
        samples(node.integer("sampling_ratio", 0)),
        scale(node.real("spatial_scale", 1)) {}

  bool largest;
  double shift;     // of pixels' centres
  int64_t samples;  // a cell's side; 0: as many as pixels
  double scale;
};

// The four pixels around a point, and their weights.
struct Corners {
  std::array<int64_t, 4> positions;
  std::array<double, 4> weights;
};

Corners corners_of(double y, double x, int64_t height, int64_t width) {
  const bool near = y >= -1 && y <= static_cast<double>(height) && x >= -1 &&
                    x <= static_cast<double>(width);  // NaN is not
  if (!near) return {};
  const auto split = [](double at, int64_t extent, int64_t& low, int64_t& high) {
    const double inside = std::clamp(at, 0.0, static_cast<double>(extent - 1));
    low = static_cast<int64_t>(inside);
    high = std::min(low + 1, extent - 1);
    return inside - static_cast<double>(low);
  };
  int64_t top, bottom, left, right;
  const double down = split(y, height, top, bottom);
  const double across = split(x, width, left, right);
  return {{top * width + left, top * width + right, bottom * width + left, bottom * width + right},
          {(1 - down) * (1 - across), (1 - down) * across, down * (1 - across), down * across}};
}

// Along a cell, and so of pixels in it: more is not a picture, but a number out of order.
constexpr double most_samples = 1 << 14;

// Cells of one side of a region: where it starts, a cell's extent, and samples in it.
struct Side {
  double start, cell;
  int64_t samples;

  double at(int64_t index, int64_t sample) const {
    return start + cell * (static_cast<double>(index) +
                           (static_cast<double>(sample) + 0.5) / static_cast<double>(samples));
  }
};

Side side_of(const Alignment& how, double begin, double end, int64_t cells) {
  const double start = begin * how.scale - how.shift;
  double extent = end * how.scale - how.shift - start;
  if (how.shift == 0) extent = std::max(extent, 1.0);
  const double cell = extent / static_cast<double>(cells);
  if (how.samples > 0) return {start, cell, how.samples};
  if (cell > most_samples) throw sy::invalid("RoiAlign: a region of ", extent, " pixels");
  return {start, cell, cell > 0 ? static_cast<int64_t>(std::ceil(cell)) : 0};  // none if reversed
}

template <typename T>
T joined(const Alignment& how, const T* picture, const std::vector<Corners>& points) {
  double sum = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (const Corners& point : points) {
    for (size_t k = 0; k < 4; ++k) {
      const double part = point.weights[k] * static_cast<double>(picture[point.positions[k]]);
      sum += part;
      most = std::max(most, part);
    }
  }
  if (points.empty()) return 0;
  return static_cast<T>(how.largest ? most : sum / static_cast<double>(points.size()));
}

template <typename T>
void run_alignment(const Alignment& how, Call& call) {
  const ConstTensor& x = call.input(0);
  const Tensor& y = call.output(0);
  const ContiguousInput<T> from(x), regions(call.input(1));
  const ContiguousInput<int64_t> images(call.input(2));
  const ContiguousOutput<T> to(y);
  const int64_t channels = y.shape[1], rows = y.shape[2], columns = y.shape[3];
  const int64_t height = x.shape[2], width = x.shape[3];
  parallel_for(
      y.shape[0], grain_for(channels, 4 * rows * columns), [&](int64_t begin, int64_t end) {
        std::vector<Corners> points;
        for (int64_t r = begin; r < end; ++r) {
          const T* region = regions.data() + r * 4;
          const Side across =
              side_of(how, static_cast<double>(region[0]), static_cast<double>(region[2]), columns);
          const Side down =
              side_of(how, static_cast<double>(region[1]), static_cast<double>(region[3]), rows);
          const T* picture =
              from.data() + checked_image(images.data()[r], x.shape[0]) * channels * height * width;
          for (int64_t cell = 0; cell < rows * columns; ++cell) {
            points.clear();
            for (int64_t i = 0; i < down.samples * across.samples; ++i) {
              points.push_back(corners_of(down.at(cell / columns, i / across.samples),
                                          across.at(cell % columns, i % across.samples), height,
                                          width));
            }
            for (int64_t c = 0; c < channels; ++c) {
              to.data()[(r * channels + c) * rows * columns + cell] =
                  joined(how, picture + c * height * width, points);
            }
          }
        }
      });
  to.write_back();
}

Prepared make_roi_align(const sy::Node& node) {
  Prepared made;
  made.kernel = function_kernel([how = Alignment(node)](Call& call) {
    if (call.output(0).size() == 0) return;
    const bool is_double = call.input(0).dtype == SY_FLOAT64;
    (is_double ? run_alignment<double> : run_alignment<float>)(how, call);
  });
  return made;
}

// ---- MaxRoiPool

// Pixels [begin, end) of cell `index` of a region's side.
struct Span {
  int64_t begin, end;
};

Span span_of(double first, double last, double scale, int64_t cells, int64_t index,
             int64_t extent) {
  const auto pixel = [scale](double at) {
    const double position = std::round(at * scale);
    return std::isnan(position) ? 0 : static_cast<int64_t>(std::clamp(position, -1e12, 1e12));
  };
  const int64_t start = pixel(first), end = pixel(last);
  const double cell =
      static_cast<double>(std::max<int64_t>(end - start + 1, 1)) / static_cast<double>(cells);
  const auto low = static_cast<int64_t>(std::floor(static_cast<double>(index) * cell));
  const auto high = static_cast<int64_t>(std::ceil(static_cast<double>(index + 1) * cell));
  return {std::clamp<int64_t>(start + low, 0, extent),
          std::clamp<int64_t>(start + high, 0, extent)};
}

template <typename T>
void run_max(double scale, Call& call) {
  const ConstTensor& x = call.input(0);
  const Tensor& y = call.output(0);
  const ContiguousInput<T> from(x), regions(call.input(1));
  const ContiguousOutput<T> to(y);
  const int64_t channels = y.shape[1], rows = y.shape[2], columns = y.shape[3];
  const int64_t height = x.shape[2], width = x.shape[3];
  parallel_for(y.size(), 256, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t cell = i % (rows * columns);
      const int64_t channel = i / (rows * columns) % channels;
      const T* region = regions.data() + i / (rows * columns * channels) * 5;
      const auto number = [&](int k) { return static_cast<double>(region[k]); };
      const bool counts = number(0) >= 0 && number(0) < static_cast<double>(x.shape[0]);
      const int64_t image =
          checked_image(counts ? static_cast<int64_t>(number(0)) : -1, x.shape[0]);
      const Span h = span_of(number(2), number(4), scale, rows, cell / columns, height);
      const Span w = span_of(number(1), number(3), scale, columns, cell % columns, width);
      const T* picture = from.data() + (image * channels + channel) * height * width;
      const bool empty = h.begin >= h.end || w.begin >= w.end;
      T most = empty ? T{0} : picture[h.begin * width + w.begin];
      for (int64_t row = h.begin; row < h.end; ++row) {
        for (int64_t column = w.begin; column < w.end; ++column) {
          most = std::max(most, picture[row * width + column]);
        }
      }
      to.data()[i] = most;
    }
  });
  to.write_back();
}

Prepared make_max_roi_pool(const sy::Node& node) {
  Prepared made;
  made.kernel =
      function_kernel([scale = static_cast<double>(node.real("spatial_scale", 1))](Call& call) {
        if (call.output(0).size() == 0) return;
        const bool is_double = call.input(0).dtype == SY_FLOAT64;
        (is_double ? run_max<double> : run_max<float>)(scale, call);
      });
  return made;
}

constexpr uint64_t with_images = sy::float_dtypes | SY_DTYPE_BIT(SY_INT64);

constexpr KernelRow region_pooling_rows[] = {
    {"RoiAlign", with_images, sy::float_dtypes, make_roi_align, nullptr, any_strides},
    {"MaxRoiPool", sy::float_dtypes, sy::float_dtypes, make_max_roi_pool, nullptr, any_strides},
};

}  // namespace

KernelTable region_pooling_kernels() { return region_pooling_rows; }

}  // namespace cpu
