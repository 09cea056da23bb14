#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/products.hpp"
#include "harness/windows.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {
namespace {

struct TransposedConvolutionCase {
  Shape x;
  int64_t outputs;  // of a group
  int64_t groups;
  WindowCase window;
  Shape padding = {};  // output_padding
  Shape shape = {};    // output_shape

  Shape weights() const {
    Shape made = {x[1], outputs};
    made.insert(made.end(), window.kernel.begin(), window.kernel.end());
    return made;
  }
  int64_t extra(size_t axis) const { return padding.empty() ? 0 : padding[axis]; }
  int64_t whole(size_t axis) const {
    return window.stride(axis) * (x[2 + axis] - 1) + extra(axis) + window.span(axis);
  }
  // ONNX's formulas for pads where the output's extent is fixed.
  int64_t extent(size_t axis) const {
    if (!shape.empty()) return shape[axis];
    if (window.auto_pad.starts_with("SAME")) return x[2 + axis] * window.stride(axis);
    const bool padded = !window.pads.empty() && window.auto_pad == "NOTSET";
    const int64_t pads = padded ? window.pads[axis] + window.pads[axis + window.kernel.size()] : 0;
    return whole(axis) - pads;
  }
  int64_t pad(size_t axis) const {
    if (shape.empty() && !window.auto_pad.starts_with("SAME")) {
      return window.pads.empty() || window.auto_pad == "VALID" ? 0 : window.pads[axis];
    }
    const int64_t total = std::max<int64_t>(0, whole(axis) - extent(axis));
    return window.auto_pad == "SAME_UPPER" ? total / 2 : total - total / 2;
  }
  Shape y() const {
    Shape made = {x[0], outputs * groups};
    for (size_t i = 0; i < window.kernel.size(); ++i) made.push_back(extent(i));
    return made;
  }
};

const std::vector<TransposedConvolutionCase>& transposed_convolution_cases() {
  static const std::vector<TransposedConvolutionCase> all = {
      {{1, 1, 3, 3}, 2, 1, {{3, 3}}},
      {{2, 3, 5, 4}, 4, 1, {{2, 2}, {2, 2}}},
      {{1, 3, 5, 4}, 2, 1, {{3, 3}, {2, 3}, {}, {1, 0, 1, 2}}},
      {{1, 2, 3, 3}, 2, 1, {{3, 3}, {3, 2}}, {1, 1}},
      {{1, 2, 3, 3}, 2, 1, {{3, 3}, {3, 2}}, {}, {10, 8}},
      {{1, 2, 3, 3}, 2, 1, {{3, 3}, {3, 2}, {}, {}, "SAME_UPPER"}, {}, {8, 6}},
      {{1, 2, 4, 5}, 3, 1, {{4, 4}, {2, 2}, {}, {}, "SAME_UPPER"}},
      {{1, 2, 4, 5}, 3, 1, {{3, 3}, {2, 2}, {}, {}, "SAME_LOWER"}},
      {{1, 4, 5, 5}, 3, 2, {{3, 3}, {}, {2, 2}, {1, 1, 1, 1}}},
      {{1, 6, 4, 4}, 1, 6, {{4, 4}, {2, 2}, {}, {1, 1, 1, 1}}},
      {{2, 3, 7}, 4, 1, {{3}, {2}, {}, {1, 1}}, {1}},
      {{1, 2, 3, 2, 4}, 3, 1, {{2, 2, 3}, {2, 1, 2}, {}, {0, 0, 1, 0, 0, 1}}},
      {{1, 40, 6, 6}, 24, 1, {{2, 2}, {2, 2}}},
  };
  return all;
}

std::vector<double> reference(const TransposedConvolutionCase& c, const Value& x,
                              const Value& weights, const std::vector<double>& bias) {
  const std::vector<double> from = as_doubles(x), w = as_doubles(weights);
  const Shape y = c.y();
  const int64_t size = sy::element_count(Shape(y.begin() + 2, y.end()));
  std::vector<double> made(static_cast<size_t>(sy::element_count(y)), 0.0);
  for (size_t i = 0; !bias.empty() && i < made.size(); ++i) {
    made[i] = bias[i / static_cast<size_t>(size) % bias.size()];
  }
  for_each_index(c.x, [&](const Shape& xi) {
    const int64_t group = xi[1] / (c.x[1] / c.groups);
    for_each_index(c.window.kernel, [&](const Shape& tap) {
      Shape yi = {xi[0], 0}, wi = {xi[1], 0};
      for (size_t i = 0; i < tap.size(); ++i) {
        const int64_t at =
            xi[2 + i] * c.window.stride(i) + tap[i] * c.window.dilation(i) - c.pad(i);
        if (at < 0 || at >= y[2 + i]) return;
        yi.push_back(at);
        wi.push_back(tap[i]);
      }
      for (int64_t o = 0; o < c.outputs; ++o) {
        yi[1] = group * c.outputs + o;
        wi[1] = o;
        made[flat(y, yi)] += from[flat(c.x, xi)] * w[flat(c.weights(), wi)];
      }
    });
  });
  return made;
}

TEST(ConvTranspose, EveryCaseDtypeAndLayout) {
  static uint64_t id = 70000;
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16}) {
    const double units = dtype == SY_BFLOAT16 || dtype == SY_FLOAT16 ? 0.51 : 0;
    for (const TransposedConvolutionCase& c : transposed_convolution_cases()) {
      SCOPED_TRACE(sy::text(sy::dtype_name(dtype), " x", c.x, " w", c.weights(), " y", c.y()));
      const Value x = whole(dtype, c.x, 1), w = whole(dtype, c.weights(), 2);
      const Value bias = whole(dtype, {c.outputs * c.groups}, 3);
      const auto expected = reference(c, x, w, as_doubles(bias));
      std::vector<Value> layouts = layouts_of(x);
      std::vector<size_t> order = {0};
      for (size_t i = 2; i < c.x.size(); ++i) order.push_back(i);
      order.push_back(1);
      layouts.push_back(transposed(x, order));
      for (const Value& laid : layouts) {
        for (const bool constant : {false, true}) {
          OneNode node("ConvTranspose", 11);
          c.window.describe(node).attribute("group", c.groups);
          if (!c.padding.empty()) node.attribute("output_padding", c.padding);
          if (!c.shape.empty()) node.attribute("output_shape", c.shape);
          node.input(laid);
          constant ? node.constant(w, ++id) : node.input(w);
          node.input(bias).output(dtype, c.y());
          if (constant) node.accept_strides();
          expect_near(node.run(), expected, units);
        }
      }
      OneNode plain("ConvTranspose", 11);
      c.window.describe(plain).attribute("group", c.groups);
      if (!c.padding.empty()) plain.attribute("output_padding", c.padding);
      if (!c.shape.empty()) plain.attribute("output_shape", c.shape);
      plain.input(x).input(reversed(w)).output(dtype, c.y()).hide_shapes();
      expect_near(plain.run(), reference(c, x, w, {}), units);
    }
  }
}

// Without offsets and with a mask of ones it is a plain convolution; these are not.
std::vector<double> deformed(const Value& x, const Value& w, const Value& offsets,
                             const Value& mask, const WindowCase& window, const Shape& y,
                             int64_t groups, int64_t offset_groups) {
  const auto from = as_doubles(x), weights = as_doubles(w), moved = as_doubles(offsets),
             m = as_doubles(mask);
  const int64_t taps = sy::element_count(window.kernel), channels = x.shape[1];
  std::vector<double> made;
  const auto pixel = [&](int64_t n, int64_t c, int64_t h, int64_t v) {
    const bool inside = h >= 0 && h < x.shape[2] && v >= 0 && v < x.shape[3];
    return inside ? from[flat(x.shape, {n, c, h, v})] : 0.0;
  };
  for_each_index(y, [&](const Shape& at) {
    double sum = 0;
    for (int64_t i = 0; i < w.shape[1]; ++i) {
      const int64_t c = at[1] / (y[1] / groups) * w.shape[1] + i;
      for (int64_t tap = 0; tap < taps; ++tap) {
        const int64_t kh = tap / window.kernel[1], kw = tap % window.kernel[1];
        const int64_t element = c / (channels / offset_groups) * taps + tap;
        const double h = static_cast<double>(at[2] * window.stride(0) - window.pad(0, 0) +
                                             kh * window.dilation(0)) +
                         moved[flat(offsets.shape, {at[0], 2 * element, at[2], at[3]})];
        const double v = static_cast<double>(at[3] * window.stride(1) - window.pad(1, 0) +
                                             kw * window.dilation(1)) +
                         moved[flat(offsets.shape, {at[0], 2 * element + 1, at[2], at[3]})];
        const auto top = static_cast<int64_t>(std::floor(h)),
                   left = static_cast<int64_t>(std::floor(v));
        double value = 0;
        for (const int64_t dh : {0, 1}) {
          for (const int64_t dv : {0, 1}) {
            const double weight = (1 - std::abs(h - static_cast<double>(top + dh))) *
                                  (1 - std::abs(v - static_cast<double>(left + dv)));
            value += weight * pixel(at[0], c, top + dh, left + dv);
          }
        }
        sum += value * m[flat(mask.shape, {at[0], element, at[2], at[3]})] *
               weights[flat(w.shape, {at[1], i, kh, kw})];
      }
    }
    made.push_back(sum);
  });
  return made;
}

TEST(DeformConv, OffsetsGroupsAndMasks) {
  const WindowCase window{{3, 2}, {2, 1}, {1, 2}, {1, 1, 1, 0}};
  const Shape shape = {2, 4, 7, 8};
  Shape y = window.slid(shape);
  y[1] = 6;
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64}) {
    const Value x = random(dtype, shape, 1), w = random(dtype, {6, 2, 3, 2}, 2);
    Value offsets = random(dtype, {2, 2 * 6 * 2, y[2], y[3]}, 3);
    const Value mask = random(dtype, {2, 2 * 6, y[2], y[3]}, 4);
    OneNode node("DeformConv", 19);
    window.describe(node).attribute("group", 2).attribute("offset_group", 2);
    node.input(x).input(w).input(offsets).absent_input().input(mask).output(dtype, y);
    expect_near(node.run(), deformed(x, w, offsets, mask, window, y, 2, 2), 4, 1e-5);
  }
}

}  // namespace
}  // namespace cpu::testing
