// MaxPoolGradient, its adjoint MaxPoolGather, and AveragePoolGradient.
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "gemm/long_sums.hpp"
#include "kernels/convolution/sliding_window.hpp"
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "loops/packed_input.hpp"
#include "machine/parallel.hpp"
#include "switchyard/plugin/division.hpp"

namespace cpu {
namespace {

constexpr int64_t nowhere = -1;  // the index of a window that sees nothing

int64_t grain_for(int64_t elements) {
  return std::max<int64_t>(1, 32768 / std::max<int64_t>(1, elements));
}

// Neighbours that a thread takes of a channels-last image.
constexpr int64_t channels_together = 64;

int64_t plane_size(sy::Extents shape) { return sy::element_count(shape.subspan(2)); }

// ---- MaxPoolGradient

// How [N, C, ...] lies whose images follow each other: contiguous or channels-last.
struct PlaneSteps {
  int64_t image, position, channel;
};

PlaneSteps plane_steps(sy::Extents shape, bool last) {
  const int64_t positions = plane_size(shape);
  return last ? PlaneSteps{shape[1] * positions, shape[1], 1}
              : PlaneSteps{shape[1] * positions, 1, positions};
}

// Some channels of an image: what one thread does, so that threads never meet.
template <typename T>
struct Scattering {
  const T* dy;
  const int64_t* indices;
  T* dx;
  PlaneSteps dy_steps, index_steps, dx_steps;
  int64_t channels, positions, size;

  void run(int64_t image, int64_t begin, int64_t end) const {
    if (is_busy(image, begin, end)) return run_wide(image, begin, end);
    clear(image, begin, end);
    add(dx + image * dx_steps.image + begin * dx_steps.channel, dx_steps, image, begin, end);
  }

 private:
  void clear(int64_t image, int64_t begin, int64_t end) const {
    T* to = dx + image * dx_steps.image + begin * dx_steps.channel;
    if (dx_steps.channel != 1 || end - begin == channels) {
      std::fill_n(to, (end - begin) * size, T{0});
    } else {
      for (int64_t i = 0; i < size; ++i) std::fill_n(to + i * channels, end - begin, T{0});
    }
  }

  // Calls `body(channel, place)` in the order of memory.
  template <typename Body>
  void for_each_position(int64_t begin, int64_t end, Body&& body) const {
    if (dx_steps.channel == 1) {
      for (int64_t p = 0; p < positions; ++p) {
        for (int64_t c = begin; c < end; ++c) body(c, p);
      }
    } else {
      for (int64_t c = begin; c < end; ++c) {
        for (int64_t p = 0; p < positions; ++p) body(c, p);
      }
    }
  }

  // Whether so many gradients may meet in an element of `dx` that their sum loses digits. Elements
  // share counters: a counter that stays low says so of all of its elements.
  bool is_busy(int64_t image, int64_t begin, int64_t end) const {
    if (!loses_digits<T> || positions <= chained_sums) return false;
    const auto counters = std::bit_ceil(static_cast<uint64_t>((end - begin) * positions / 64));
    const Scratch<uint16_t> counts(static_cast<int64_t>(counters));
    std::fill_n(counts.data(), counters, uint16_t{0});
    uint16_t most = 0;
    const int64_t* index = indices + image * index_steps.image;
    for_each_position(begin, end, [&](int64_t c, int64_t p) {
      const int64_t at = index[c * index_steps.channel + p * index_steps.position];
      uint16_t& count = counts.data()[static_cast<uint64_t>(at) & (counters - 1)];
      count += count <= chained_sums && at != nowhere ? 1 : 0;
      most = std::max(most, count);
    });
    return most > chained_sums;
  }

  void run_wide(int64_t image, int64_t begin, int64_t end) const {
    const Scratch<double> sums((end - begin) * size);
    std::fill_n(sums.data(), (end - begin) * size, 0.0);
    const PlaneSteps steps{0, 1, size};
    add(sums.data(), steps, image, begin, end);
    T* to = dx + image * dx_steps.image;
    for (int64_t c = begin; c < end; ++c) {
      const double* from = sums.data() + (c - begin) * size;
      for (int64_t i = 0; i < size; ++i) {
        to[c * dx_steps.channel + i * dx_steps.position] = static_cast<T>(from[i]);
      }
    }
  }

  // `to` is where channel `begin` of the image lies.
  template <typename To>
  void add(To* to, const PlaneSteps& steps, int64_t image, int64_t begin, int64_t end) const {
    const T* from = dy + image * dy_steps.image;
    const int64_t* index = indices + image * index_steps.image;
    for_each_position(begin, end, [&](int64_t c, int64_t p) {
      const int64_t plane = image * channels + c;
      const int64_t given = index[c * index_steps.channel + p * index_steps.position];
      const int64_t at = given - plane * size;
      if (at >= 0 && at < size) [[likely]] {
        to[(c - begin) * steps.channel + at * steps.position] +=
            static_cast<To>(from[c * dy_steps.channel + p * dy_steps.position]);
      } else if (given != nowhere) {
        fail(given, plane, p);
      }
    });
  }

  [[noreturn]] void fail(int64_t index, int64_t plane, int64_t position) const {
    throw sy::invalid("MaxPoolGradient: index ", index, " of element ",
                      plane * positions + position,
                      " lies outside of its plane, which holds elements ", plane * size, " to ",
                      (plane + 1) * size - 1, " of X");
  }
};

// An input may lie in another of the two layouts than the output.
template <typename T>
void run_max_pool_gradient(Call& call) {
  const ConstTensor& dy = call.input(0);
  const ConstTensor& positions = call.input(1);
  const Tensor& dx = call.output(0);
  const bool last = is_only_channels_last(dx), dy_last = is_only_channels_last(dy),
             positions_last = is_only_channels_last(positions);
  const LaidOutput<T> to(dx, last);
  const PackedInput<T> from(dy, dy_last);
  const PackedInput<int64_t> indices(positions, positions_last);
  const int64_t channels = dx.shape[1];
  const Scattering<T> scattering{.dy = from.data(),
                                 .indices = indices.data(),
                                 .dx = to.data(),
                                 .dy_steps = plane_steps(dy.shape, dy_last),
                                 .index_steps = plane_steps(dy.shape, positions_last),
                                 .dx_steps = plane_steps(dx.shape, last),
                                 .channels = channels,
                                 .positions = plane_size(dy.shape),
                                 .size = plane_size(dx.shape)};
  const int64_t part = last ? std::min(channels, channels_together) : 1;
  const int64_t parts = part == 0 ? 0 : sy::ceil_div(channels, part);
  const int64_t grain = grain_for(part * (scattering.size + scattering.positions));
  parallel_for(dx.shape[0] * parts, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i % parts * part;
      scattering.run(i / parts, first, std::min(first + part, channels));
    }
  });
  to.write_back();
}

Prepared make_max_pool_gradient(const sy::Node&) {
  Prepared made;
  made.outputs = {{.follows_layout = true}};
  made.kernel = function_kernel([](Call& call) {
    if (call.output(0).size() == 0 && call.input(0).size() == 0) return;
    const bool is_double = call.input(0).dtype == SY_FLOAT64;
    (is_double ? run_max_pool_gradient<double> : run_max_pool_gradient<float>)(call);
  });
  return made;
}

// ---- MaxPoolGather

// Where element `index` of a tensor of rank 3 and more lies, were it contiguous.
int64_t offset_of(int64_t index, int64_t size, int64_t channels, const PlaneSteps& steps) {
  const int64_t plane = index / size;
  return plane / channels * steps.image + plane % channels * steps.channel +
         index % size * steps.position;
}

// Elements come from G as it lies, if that is channels-last; the result lies likewise.
template <typename T>
void run_max_pool_gather(Call& call) {
  const ConstTensor& g = call.input(0);
  const Tensor& y = call.output(0);
  const bool last = is_only_channels_last(g) && y.rank() > 2;
  const LaidOutput<T> to(y, last);
  const PackedInput<T> from(g, last);
  const PackedInput<int64_t> indices(call.input(1), last);
  const int64_t size = g.size();
  const int64_t plane = last ? plane_size(g.shape) : 0, channels = last ? g.shape[1] : 0;
  const PlaneSteps steps = last ? plane_steps(g.shape, last) : PlaneSteps{};
  parallel_for(y.size(), 32768, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t index = indices.data()[i];
      if (index != nowhere && (index < 0 || index >= size)) {
        throw sy::invalid("MaxPoolGather: index ", index, " lies outside of G, which has ", size,
                          " elements");
      }
      const int64_t at = last ? offset_of(index, plane, channels, steps) : index;
      to.data()[i] = index == nowhere ? T{0} : from.data()[at];
    }
  });
  to.write_back();
}

Prepared make_max_pool_gather(const sy::Node&) {
  Prepared made;
  made.outputs = {{.follows_layout = true}};
  made.kernel = function_kernel([](Call& call) {
    const bool is_double = call.input(0).dtype == SY_FLOAT64;
    (is_double ? run_max_pool_gather<double> : run_max_pool_gather<float>)(call);
  });
  return made;
}

// ---- AveragePoolGradient

// What windows see along an axis, for each position.
struct Reach {
  int64_t first;   // element of the input
  int64_t count;   // of elements, a dilation apart
  int64_t joined;  // what this axis gives to the number of elements that are averaged
};

std::vector<Reach> reaches(const Window& window, size_t axis, bool counts_padding) {
  std::vector<Reach> made;
  for (int64_t position = 0; position < window.output[axis]; ++position) {
    const Window::Taps taps = window.taps(axis, position);
    const Window::Taps counted = counts_padding ? window.padded_taps(axis, position) : taps;
    const int64_t first = window.start(axis, position) + taps.begin * window.dilation[axis];
    made.push_back({first, taps.count(), counted.count()});
  }
  return made;
}

// Shares the gradient of each average out to the elements that it joins.
class Sharing {
 public:
  Sharing(const Window& window, bool counts_padding) : window_(window) {
    for (size_t axis = 0; axis < spatial_rank; ++axis) {
      reaches_[axis] = reaches(window, axis, counts_padding);
    }
  }

  template <typename T>
  void add_plane(const T* dy, T* shares, T* dx) const {
    std::fill_n(dx, volume(window_.input), T{0});
    for (const Reach& depth : reaches_[0]) {
      for (const Reach& height : reaches_[1]) {
        for (const Reach& width : reaches_[2]) {
          const int64_t joined = depth.joined * height.joined * width.joined;
          *shares++ = joined == 0 ? T{0} : *dy / static_cast<T>(joined);
          ++dy;
        }
        shares -= window_.output[2];
        add_row(depth, height, shares, dx);
      }
    }
  }

  // Channels [begin, end) of a channels-last image that has `channels`.
  template <typename T>
  void add_channels(const T* dy, int64_t channels, int64_t begin, int64_t end, T* shares,
                    T* dx) const {
    const int64_t count = end - begin;
    for (int64_t i = 0; i < volume(window_.input); ++i) {
      std::fill_n(dx + i * channels + begin, count, T{0});
    }
    for (const Reach& depth : reaches_[0]) {
      for (const Reach& height : reaches_[1]) {
        for (const Reach& width : reaches_[2]) {
          const int64_t joined = depth.joined * height.joined * width.joined;
          for (int64_t c = 0; c < count; ++c) {
            shares[c] = joined == 0 ? T{0} : dy[begin + c] / static_cast<T>(joined);
          }
          dy += channels;
          add_position({depth, height, width}, shares, channels, count, dx + begin);
        }
      }
    }
  }

 private:
  template <typename T>
  void add_position(const std::array<Reach, spatial_rank>& seen, const T* shares, int64_t channels,
                    int64_t count, T* dx) const {
    for (int64_t d = 0; d < seen[0].count; ++d) {
      const int64_t plane = (seen[0].first + d * window_.dilation[0]) * window_.input[1];
      for (int64_t h = 0; h < seen[1].count; ++h) {
        const int64_t row =
            (plane + seen[1].first + h * window_.dilation[1]) * window_.input[2] + seen[2].first;
        for (int64_t w = 0; w < seen[2].count; ++w) {
          T* to = dx + (row + w * window_.dilation[2]) * channels;
          for (int64_t c = 0; c < count; ++c) to[c] += shares[c];
        }
      }
    }
  }

  template <typename T>
  void add_row(const Reach& depth, const Reach& height, const T* shares, T* dx) const {
    for (int64_t d = 0; d < depth.count; ++d) {
      const int64_t plane = (depth.first + d * window_.dilation[0]) * window_.input[1];
      for (int64_t h = 0; h < height.count; ++h) {
        const int64_t row = plane + height.first + h * window_.dilation[1];
        const T* share = shares;
        for (const Reach& width : reaches_[2]) {
          T* to = dx + row * window_.input[2] + width.first;
          for (int64_t w = 0; w < width.count; ++w) to[w * window_.dilation[2]] += *share;
          ++share;
        }
      }
    }
  }

  const Window& window_;
  std::array<std::vector<Reach>, spatial_rank> reaches_;
};

template <typename T>
void run_average_pool_gradient(const WindowAttributes& attributes, bool counts_padding,
                               Call& call) {
  const ConstTensor& dy = call.input(0);
  const Tensor& dx = call.output(0);
  const bool last = is_only_channels_last(dx);
  const LaidOutput<T> to(dx, last);
  const PackedInput<T> from(dy, last);
  const Window window =
      attributes.window(sy::Extents(attributes.kernel()), dx.shape.subspan(2), dy.shape.subspan(2));
  const int64_t size = volume(window.input), positions = volume(window.output);
  const int64_t channels = dx.shape[1];
  const Sharing sharing(window, counts_padding);
  const int64_t part = last ? std::min(channels, channels_together) : 1;
  const int64_t parts = sy::ceil_div(channels, part);
  const int64_t grain = grain_for(part * (size + positions * window.most_taps()));
  parallel_for(dx.shape[0] * parts, grain, [&](int64_t begin, int64_t end) {
    const Scratch<T> shares(last ? part : window.output[2]);
    for (int64_t i = begin; i < end; ++i) {
      if (last) {
        const int64_t image = i / parts * channels, first = i % parts * part;
        sharing.add_channels(from.data() + image * positions, channels, first,
                             std::min(first + part, channels), shares.data(),
                             to.data() + image * size);
      } else {
        sharing.add_plane(from.data() + i * positions, shares.data(), to.data() + i * size);
      }
    }
  });
  to.write_back();
}

Prepared make_average_pool_gradient(const sy::Node& node) {
  Prepared made;
  made.outputs = {{.follows_layout = true}};
  made.kernel = function_kernel([attributes = WindowAttributes(node),
                                 counts_padding = node.flag("count_include_pad")](Call& call) {
    if (call.output(0).size() == 0) return;
    // An element is in as many windows as a window has elements, or as there are.
    int64_t windows = 1;
    for (size_t axis = 0; axis < attributes.kernel().size(); ++axis) {
      windows *= std::min(attributes.kernel()[axis], call.input(0).shape[axis + 2]);
    }
    const bool is_long = windows > chained_sums;
    (is_long || call.input(0).dtype == SY_FLOAT64
         ? run_average_pool_gradient<double>
         : run_average_pool_gradient<float>)(attributes, counts_padding, call);
  });
  return made;
}

constexpr uint64_t gradient_with_indices = sy::float_dtypes | SY_DTYPE_BIT(SY_INT64);

constexpr KernelRow pooling_gradient_rows[] = {
    {"MaxPoolGradient", gradient_with_indices, sy::float_dtypes, make_max_pool_gradient, nullptr,
     any_strides, "switchyard", 1, UINT32_MAX, 3},
    {"MaxPoolGather", gradient_with_indices, sy::float_dtypes, make_max_pool_gather, nullptr,
     any_strides, "switchyard"},
    {"AveragePoolGradient", sy::float_dtypes, sy::float_dtypes, make_average_pool_gradient, nullptr,
     any_strides, "switchyard", 1, UINT32_MAX, 3, 5},
};

}  // namespace

KernelTable pooling_gradient_kernels() { return pooling_gradient_rows; }

}  // namespace cpu
