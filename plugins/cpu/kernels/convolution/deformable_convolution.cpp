// DeformConv: a convolution of pictures whose windows' elements are moved, each by an offset of its
// own.
#include <algorithm>
#include <cmath>
#include <optional>

#include "gemm/gemm.hpp"
#include "kernels/convolution/sliding_window.hpp"
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "loops/contiguous.hpp"
#include "machine/parallel.hpp"

namespace cpu {
namespace {

struct Attributes {
  explicit Attributes(const sy::Node& node)
      : window(node),
        groups(node.integer("group", 1)),
        offset_groups(node.integer("offset_group", 1)) {}

  WindowAttributes window;
  int64_t groups, offset_groups;
};

// A point between pixels, which are 0 beyond the edges.
template <typename T>
T sample(const T* picture, int64_t height, int64_t width, T y, T x) {
  if (!(y > -1 && y < static_cast<T>(height) && x > -1 && x < static_cast<T>(width))) return 0;
  const auto top = static_cast<int64_t>(std::floor(y));
  const auto left = static_cast<int64_t>(std::floor(x));
  const T down = y - static_cast<T>(top);
  const T right = x - static_cast<T>(left);
  const auto pixel = [&](int64_t row, int64_t column) {
    const bool inside = row >= 0 && row < height && column >= 0 && column < width;
    return inside ? picture[row * width + column] : T{0};
  };
  return (1 - down) * ((1 - right) * pixel(top, left) + right * pixel(top, left + 1)) +
         down * ((1 - right) * pixel(top + 1, left) + right * pixel(top + 1, left + 1));
}

// What the windows of one image see: a row for each channel and kernel element, a column for each
// position.
template <typename T>
struct Samples {
  const Window& window;
  const T* picture;  // [channels, H, W]
  const T* offsets;  // [offset groups, kernel elements, 2, positions]
  const T* mask;     // [offset groups, kernel elements, positions], or null
  int64_t channels_per_offset;

  void write_row(int64_t channel, int64_t tap, T* row) const {
    const int64_t positions = volume(window.output), taps = volume(window.kernel);
    const int64_t element = channel / channels_per_offset * taps + tap;
    const T* down = offsets + 2 * element * positions;
    const T* weight = mask == nullptr ? nullptr : mask + element * positions;
    const int64_t size = window.input[1] * window.input[2];
    for (int64_t p = 0; p < positions; ++p) {
      const int64_t h =
          window.start(1, p / window.output[2]) + tap / window.kernel[2] * window.dilation[1];
      const int64_t w =
          window.start(2, p % window.output[2]) + tap % window.kernel[2] * window.dilation[2];
      row[p] = sample(picture + channel * size, window.input[1], window.input[2],
                      static_cast<T>(h) + down[p], static_cast<T>(w) + down[positions + p]);
      if (weight != nullptr) row[p] *= weight[p];
    }
  }
};

template <typename T>
void run_deformed(const Attributes& attributes, Call& call) {
  const ConstTensor& x = call.input(0);
  const ConstTensor& weights = call.input(1);
  const Tensor& y = call.output(0);
  const ContiguousOutput<T> to(y);
  const ContiguousInput<T> from(x), w(weights), offsets(call.input(2));
  std::optional<ContiguousInput<T>> bias, mask;
  if (call.has_input(3)) bias.emplace(call.input(3));
  if (call.has_input(4)) mask.emplace(call.input(4));
  const Window window =
      attributes.window.window(weights.shape.subspan(2), x.shape.subspan(2), y.shape.subspan(2));
  const int64_t channels = x.shape[1], outputs = y.shape[1];
  const int64_t positions = volume(window.output), taps = volume(window.kernel);
  const int64_t depth = weights.shape[1] * taps, group_outputs = outputs / attributes.groups;
  const Scratch<T> columns(channels * taps * positions);
  for (int64_t image = 0; image < x.shape[0]; ++image) {
    const int64_t elements = image * attributes.offset_groups * taps * positions;
    const Samples<T> samples{window, from.data() + image * channels * volume(window.input),
                             offsets.data() + 2 * elements,
                             mask ? mask->data() + elements : nullptr,
                             std::max<int64_t>(1, channels / attributes.offset_groups)};
    parallel_for(channels * taps, std::max<int64_t>(1, 4096 / positions),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t i = begin; i < end; ++i) {
                     samples.write_row(i / taps, i % taps, columns.data() + i * positions);
                   }
                 });
    for (int64_t group = 0; group < attributes.groups; ++group) {
      T* start = to.data() + (image * outputs + group * group_outputs) * positions;
      for (int64_t i = 0; bias && i < group_outputs; ++i) {
        std::fill_n(start + i * positions, positions, bias->data()[group * group_outputs + i]);
      }
      GemmOperand<T> left, right;
      left.view = {w.data() + group * group_outputs * depth, depth, 1};
      right.view = {columns.data() + group * depth * positions, positions, 1};
      gemm<T>(group_outputs, positions, depth, left, right, {start, positions, 1},
              {1, bias.has_value()});
    }
  }
  to.write_back();
}

Prepared make_deformable(const sy::Node& node) {
  Prepared made;
  made.kernel = function_kernel([attributes = Attributes(node)](Call& call) {
    if (call.output(0).size() == 0) return;
    const bool is_double = call.input(0).dtype == SY_FLOAT64;
    (is_double ? run_deformed<double> : run_deformed<float>)(attributes, call);
  });
  return made;
}

void check_deformable(const sy::Node& node) {
  const sy_value& x = node.required_input(0);
  if (sy::has_rank(x) && x.rank != 4) {
    throw sy::unsupported(SY_REASON_RANK, "DeformConv is for pictures [N, C, H, W], not rank ",
                          x.rank);
  }
}

constexpr KernelRow deformable_convolution_rows[] = {
    {"DeformConv", sy::float_dtypes, sy::float_dtypes, make_deformable, check_deformable,
     any_strides, "", 1, UINT32_MAX, 1, 4},
};

}  // namespace

KernelTable deformable_convolution_kernels() { return deformable_convolution_rows; }

}  // namespace cpu
