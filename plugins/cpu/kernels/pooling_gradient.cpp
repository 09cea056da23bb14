// MaxPoolGradient, its adjoint MaxPoolGather, and AveragePoolGradient.
#include <algorithm>
#include <array>
#include <vector>

#include "kernels.hpp"
#include "kernels/contiguous.hpp"
#include "kernels/sliding_window.hpp"
#include "kernels/unary.hpp"
#include "parallel.hpp"

namespace cpu {
namespace {

constexpr int64_t nowhere = -1;  // the index of a window that sees nothing

int64_t grain_for(int64_t elements) {
  return std::max<int64_t>(1, 32768 / std::max<int64_t>(1, elements));
}

int64_t plane_size(sy::Extents shape) { return sy::element_count(shape.subspan(2)); }

// ---- MaxPoolGradient: each plane [n, c] by itself, so that threads never meet

template <typename T>
void run_max_pool_gradient(Call& call) {
  const Tensor& dy = call.input(0);
  const Tensor& dx = call.output(0);
  const ContiguousOutput<T> to(dx);
  const ContiguousInput<T> from(dy);
  const ContiguousInput<int64_t> indices(call.input(1));
  const int64_t planes = dx.shape[0] * dx.shape[1];
  const int64_t size = plane_size(dx.shape);
  const int64_t places = plane_size(dy.shape);
  parallel_for(planes, grain_for(size + places), [&](int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane) {
      T* target = to.data() + plane * size;
      std::fill_n(target, size, T{0});
      for (int64_t i = plane * places; i < (plane + 1) * places; ++i) {
        const int64_t index = indices.data()[i];
        if (index == nowhere) continue;
        const int64_t at = index - plane * size;
        if (index < 0 || at < 0 || at >= size) {
          throw sy::invalid("MaxPoolGradient: index ", index, " of element ", i,
                            " lies outside of its plane, which holds elements ", plane * size,
                            " to ", (plane + 1) * size - 1, " of X");
        }
        target[at] += from.data()[i];
      }
    }
  });
  to.write_back();
}

Prepared make_max_pool_gradient(const sy::Node&) {
  Prepared made;
  made.run = [](Call& call) {
    if (call.output(0).size() == 0 && call.input(0).size() == 0) return;
    const bool is_double = call.input(0).dtype == SY_FLOAT64;
    (is_double ? run_max_pool_gradient<double> : run_max_pool_gradient<float>)(call);
  };
  return made;
}

// ---- MaxPoolGather

template <typename T>
void run_max_pool_gather(Call& call) {
  const Tensor& g = call.input(0);
  const Tensor& y = call.output(0);
  const ContiguousOutput<T> to(y);
  const ContiguousInput<T> from(g);
  const ContiguousInput<int64_t> indices(call.input(1));
  const int64_t size = g.size();
  parallel_for(y.size(), 32768, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t index = indices.data()[i];
      if (index != nowhere && (index < 0 || index >= size)) {
        throw sy::invalid("MaxPoolGather: index ", index, " lies outside of G, which has ", size,
                          " elements");
      }
      to.data()[i] = index == nowhere ? T{0} : from.data()[index];
    }
  });
  to.write_back();
}

Prepared make_max_pool_gather(const sy::Node&) {
  Prepared made;
  made.run = [](Call& call) {
    const bool is_double = call.input(0).dtype == SY_FLOAT64;
    (is_double ? run_max_pool_gather<double> : run_max_pool_gather<float>)(call);
  };
  return made;
}

// ---- AveragePoolGradient

// What windows see along an axis, for each place.
struct Reach {
  int64_t first;   // element of the input
  int64_t count;   // of elements, a dilation apart
  int64_t joined;  // what this axis gives to the number of elements that are averaged
};

std::vector<Reach> reaches(const Window& window, size_t axis, bool counts_padding) {
  std::vector<Reach> made;
  for (int64_t place = 0; place < window.output[axis]; ++place) {
    const Window::Taps taps = window.taps(axis, place);
    const Window::Taps counted = counts_padding ? window.padded_taps(axis, place) : taps;
    const int64_t first = window.start(axis, place) + taps.begin * window.dilation[axis];
    made.push_back({first, taps.count(), counted.count()});
  }
  return made;
}

// Shares the gradient of each average out to the elements that it joins, plane by plane.
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

 private:
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
  const Tensor& dy = call.input(0);
  const Tensor& dx = call.output(0);
  const ContiguousOutput<T> to(dx);
  const ContiguousInput<T> from(dy);
  const Window window =
      attributes.window(sy::Extents(attributes.kernel()), dx.shape.subspan(2), dy.shape.subspan(2));
  const int64_t size = volume(window.input);
  const int64_t places = volume(window.output);
  const Sharing sharing(window, counts_padding);
  const int64_t grain = grain_for(size + places * volume(window.kernel));
  parallel_for(dx.shape[0] * dx.shape[1], grain, [&](int64_t begin, int64_t end) {
    const Scratch<T> shares(window.output[2]);
    for (int64_t plane = begin; plane < end; ++plane) {
      sharing.add_plane(from.data() + plane * places, shares.data(), to.data() + plane * size);
    }
  });
  to.write_back();
}

Prepared make_average_pool_gradient(const sy::Node& node) {
  Prepared made;
  made.run = [attributes = WindowAttributes(node),
              counts_padding = node.flag("count_include_pad")](Call& call) {
    if (call.output(0).size() == 0) return;
    const bool is_double = call.input(0).dtype == SY_FLOAT64;
    (is_double ? run_average_pool_gradient<double>
               : run_average_pool_gradient<float>)(attributes, counts_padding, call);
  };
  return made;
}

constexpr uint64_t with_indices = sy::float_dtypes | SY_DTYPE_BIT(SY_INT64);

constexpr KernelRow rows[] = {
    {"MaxPoolGradient", with_indices, sy::float_dtypes, make_max_pool_gradient, nullptr,
     any_strides, "switchyard", 1, UINT32_MAX, 3},
    {"MaxPoolGather", with_indices, sy::float_dtypes, make_max_pool_gather, nullptr, any_strides,
     "switchyard"},
    {"AveragePoolGradient", sy::float_dtypes, sy::float_dtypes, make_average_pool_gradient, nullptr,
     any_strides, "switchyard", 1, UINT32_MAX, 3, 5},
};

}  // namespace

KernelTable pooling_gradient_kernels() { return rows; }

}  // namespace cpu
