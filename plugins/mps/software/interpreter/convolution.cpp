#include "software/interpreter/product.hpp"
#include "software/interpreter/sums.hpp"
#include "software/interpreter/window.hpp"

namespace mps::software::interpreter {

namespace {

Plane plane_of(const Shape& shape) { return {shape[2], shape[3]}; }

// A convolution between two images, of which `coarser` has an element for each position of the
// window. In each group a channel of the one meets each channel of the other in a kernel of its
// own: weights [coarser channels, finer channels of a group, kh, kw].
struct Meeting {
  const seam::Window& window;
  Plane finer;
  Plane coarser;
  int64_t batch;
  int64_t finer_channels;
  int64_t coarser_channels;

  // Calls each(offset of the plane, of the other plane, of the kernel).
  template <typename Each>
  void for_each_pair(Each each) const {
    const int64_t finer_group = finer_channels / window.groups;
    const int64_t coarser_group = coarser_channels / window.groups;
    const int64_t kernel = window.size[0] * window.size[1];
    for (int64_t n = 0; n < batch; ++n) {
      for (int64_t c = 0; c < coarser_channels; ++c) {
        const int64_t first = c / coarser_group * finer_group;
        for (int64_t f = 0; f < finer_group; ++f) {
          each((n * coarser_channels + c) * coarser.count(),
               (n * finer_channels + first + f) * finer.count(), (c * finer_group + f) * kernel);
        }
      }
    }
  }

  // Calls row(weight's offset, offset on the coarser image, on the finer one, length).
  template <typename Visit>
  void for_each_row(Visit row) const {
    for_each_pair([&](int64_t coarser_plane, int64_t finer_plane, int64_t kernel) {
      for (int64_t tap = 0; tap < window.size[0] * window.size[1]; ++tap) {
        for_each_row_of_tap(window, tap / window.size[1], tap % window.size[1], finer, coarser,
                            [&](int64_t on_coarser, int64_t on_finer, int64_t length) {
                              row(kernel + tap, coarser_plane + on_coarser, finer_plane + on_finer,
                                  length);
                            });
      }
    });
  }
};

}  // namespace

namespace {

// Sum: what the terms of an element are gathered in.
template <typename Sum>
Value convolution_in(const Value& x, const Value& weights, const seam::Window& window,
                     const seam::TensorType& type) {
  const Numbers<float> xs(x);
  const Numbers<float> factors(weights);
  Sums<Sum> sums(type);
  const Meeting meeting{window,       plane_of(x.shape()), plane_of(type.shape),
                        x.shape()[0], x.shape()[1],        type.shape[1]};
  const int64_t step = window.strides[1];
  meeting.for_each_row([&](int64_t weight, int64_t coarser, int64_t finer, int64_t length) {
    const float factor = factors[weight];
    const float* from = xs.data() + finer;
    Sum* to = sums.data() + coarser;
    for (int64_t i = 0; i < length; ++i) to[i] += factor * from[i * step];
  });
  return sums.rounded();
}

template <typename Sum>
Value transposed_convolution_in(const Value& x, const Value& weights, const seam::Window& window,
                                const seam::TensorType& type) {
  const Numbers<float> xs(x);
  const Numbers<float> factors(weights);
  Sums<Sum> sums(type);
  const Meeting meeting{window,       plane_of(type.shape), plane_of(x.shape()),
                        x.shape()[0], type.shape[1],        x.shape()[1]};
  const int64_t step = window.strides[1];
  meeting.for_each_row([&](int64_t weight, int64_t coarser, int64_t finer, int64_t length) {
    const float factor = factors[weight];
    const float* from = xs.data() + coarser;
    Sum* to = sums.data() + finer;
    for (int64_t i = 0; i < length; ++i) to[i * step] += factor * from[i];
  });
  return sums.rounded();
}

template <typename Sum>
Value weight_gradient_in(const Value& x, const Value& gradient, const seam::Window& window,
                         const seam::TensorType& type) {
  const Numbers<float> xs(x);
  const Numbers<float> gradients(gradient);
  Sums<Sum> sums(type);
  const Meeting meeting{window,       plane_of(x.shape()), plane_of(gradient.shape()),
                        x.shape()[0], x.shape()[1],        gradient.shape()[1]};
  const int64_t step = window.strides[1];
  meeting.for_each_row([&](int64_t weight, int64_t coarser, int64_t finer, int64_t length) {
    const float* from = xs.data() + finer;
    const float* by = gradients.data() + coarser;
    Sum sum = 0;
    for (int64_t i = 0; i < length; ++i) sum += by[i] * from[i * step];
    sums.data()[weight] += sum;
  });
  return sums.rounded();
}

}  // namespace

Value convolution(const Value& x, const Value& weights, const seam::Window& window,
                  const seam::TensorType& type) {
  const bool is_long = is_long_sum(weights.count() / weights.shape()[0]);
  return (is_long ? convolution_in<double> : convolution_in<float>)(x, weights, window, type);
}

Value transposed_convolution(const Value& x, const Value& weights, const seam::Window& window,
                             const seam::TensorType& type) {
  const int64_t terms = weights.count() / weights.shape()[1] / window.groups;
  return (is_long_sum(terms) ? transposed_convolution_in<double>
                             : transposed_convolution_in<float>)(x, weights, window, type);
}

Value convolution_weight_gradient(const Value& x, const Value& gradient, const seam::Window& window,
                                  const seam::TensorType& type) {
  const int64_t terms = gradient.count() / gradient.shape()[1];
  return (is_long_sum(terms) ? weight_gradient_in<double>
                             : weight_gradient_in<float>)(x, gradient, window, type);
}

}  // namespace mps::software::interpreter
