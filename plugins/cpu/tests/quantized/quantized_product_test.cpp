#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/not_finite.hpp"
#include "harness/products.hpp"
#include "harness/windows.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {
namespace {

const sy_dtype bytes[] = {SY_INT8, SY_UINT8};

// All values of a byte occur.
Value any_bytes(sy_dtype dtype, const Shape& shape, int seed) {
  std::vector<double> made = fractions(sy::element_count(shape), seed);
  const double least = dtype == SY_INT8 ? -128 : 0;
  for (double& x : made) x = std::floor((x + 1) * 128) + least;
  return from_doubles(dtype, shape, made);
}

Value floats(const Shape& shape, const std::vector<double>& numbers) {
  return from_doubles(SY_FLOAT32, shape, numbers);
}

std::vector<double> minus(const Value& x, const Value& zero, const Shape& zero_shape) {
  Value aligned = zero;
  aligned.shape = zero_shape;
  aligned.strides.clear();
  std::vector<double> made = as_doubles(x);
  const std::vector<double> zeros = as_doubles(broadcast(aligned, x.shape));
  for (size_t i = 0; i < made.size(); ++i) made[i] -= zeros[i];
  return made;
}

TEST(MatMulInteger, ZeroPointsOfTensorsRowsAndColumns) {
  constexpr int64_t m = 9, n = 35, k = 70;
  for (const sy_dtype left : bytes) {
    for (const sy_dtype right : bytes) {
      for (const bool each : {false, true}) {
        const Value a = any_bytes(left, {m, k}, 1), b = any_bytes(right, {k, n}, 2);
        const Value a_zero = any_bytes(left, each ? Shape{m} : Shape{}, 3);
        const Value b_zero = any_bytes(right, each ? Shape{n} : Shape{1}, 4);
        const auto expected = product_of(minus(a, a_zero, each ? Shape{m, 1} : Shape{}).data(),
                                         minus(b, b_zero, b_zero.shape).data(), m, n, k);
        for (const Value& laid : layouts_of(a)) {
          OneNode node("MatMulInteger", 10);
          node.input(laid).input(transposed(b, {1, 0})).input(a_zero).input(b_zero);
          expect_near(node.output(SY_INT32, {m, n}).run(), expected, 0);
          OneNode constant("MatMulInteger", 10);
          static uint64_t id = 50000;
          constant.input(laid).constant(b, ++id).input(a_zero).input(b_zero);
          expect_near(constant.output(SY_INT32, {m, n}).run(), expected, 0);
        }
      }
    }
  }
}

TEST(MatMulInteger, WithoutZeroPointsAndInStacks) {
  const Value a = any_bytes(SY_UINT8, {2, 3, 4, 5}, 1), b = any_bytes(SY_INT8, {3, 5, 2}, 2);
  std::vector<double> expected;
  const auto x = as_doubles(a), y = as_doubles(b);
  for (int64_t i = 0; i < 6; ++i) {
    const auto part = product_of(x.data() + i * 20, y.data() + i % 3 * 10, 4, 2, 5);
    expected.insert(expected.end(), part.begin(), part.end());
  }
  const Value made =
      OneNode("MatMulInteger", 10).input(a).input(b).output(SY_INT32, {2, 3, 4, 2}).run();
  expect_near(made, expected, 0);
}

// 60000 products of 255 and -128 are more than a float holds.
TEST(MatMulInteger, LongSumsAreExact) {
  constexpr int64_t k = 60000;
  const Value a = from_doubles(SY_UINT8, {2, k}, std::vector<double>(2 * k, 255));
  std::vector<double> numbers(k, -128);
  numbers[k - 1] = 1;
  const Value b = from_doubles(SY_INT8, {k, 1}, numbers);
  const Value made = OneNode("MatMulInteger", 10).input(a).input(b).output(SY_INT32, {2, 1}).run();
  EXPECT_EQ(as_doubles(made), std::vector<double>(2, 255.0 * (-128.0 * (k - 1) + 1)));
}

TEST(MatMulInteger, OfNothing) {
  const Value a = from_doubles(SY_UINT8, {3, 0}, {}), b = from_doubles(SY_INT8, {0, 2}, {});
  const Value zeros = OneNode("MatMulInteger", 10).input(a).input(b).output(SY_INT32, {3, 2}).run();
  EXPECT_EQ(as_doubles(zeros), std::vector<double>(6, 0));
  const Value c = any_bytes(SY_UINT8, {0, 4}, 1), d = any_bytes(SY_INT8, {4, 2}, 2);
  const Value none = OneNode("MatMulInteger", 10).input(c).input(d).output(SY_INT32, {0, 2}).run();
  EXPECT_EQ(none.size(), 0);
}

TEST(MatMulInteger, OfVectors) {
  const Value a = any_bytes(SY_INT8, {70}, 1), b = any_bytes(SY_UINT8, {70, 3}, 2);
  const Value b_zero = any_bytes(SY_UINT8, {3}, 3);
  const auto rights = minus(b, b_zero, {3});
  const auto expected = product_of(as_doubles(a).data(), rights.data(), 1, 3, 70);
  OneNode node("MatMulInteger", 10);
  node.input(a).input(b).absent_input().input(b_zero).output(SY_INT32, {3});
  expect_near(node.run(), expected, 0);
}

double quantized(double real, double zero, sy_dtype dtype) {
  const double least = dtype == SY_INT8 ? -128 : 0, most = dtype == SY_INT8 ? 127 : 255;
  return std::clamp(std::nearbyint(real) + zero, least, most);
}

TEST(QLinearMatMul, ScalesOfTensorsRowsAndColumns) {
  constexpr int64_t m = 6, n = 19, k = 33;
  for (const sy_dtype left : bytes) {
    for (const sy_dtype right : bytes) {
      for (const sy_dtype out : bytes) {
        for (const bool each : {false, true}) {
          const Value a = any_bytes(left, {m, k}, 1), b = any_bytes(right, {k, n}, 2);
          const Value a_zero = any_bytes(left, each ? Shape{m} : Shape{}, 3);
          const Value b_zero = any_bytes(right, each ? Shape{n} : Shape{}, 4);
          Value a_scale = floats({}, {0.0625}), b_scale = floats({}, {0.03125});
          if (each) a_scale = floats({m}, {0.5, 0.25, 0.125, 0.0625, 1, 2});
          if (each) b_scale = floats({n}, std::vector<double>(n, 0.0078125));
          const Value zero = any_bytes(out, {}, 5);
          auto expected = product_of(minus(a, a_zero, each ? Shape{m, 1} : Shape{}).data(),
                                     minus(b, b_zero, b_zero.shape).data(), m, n, k);
          const auto as = as_doubles(a_scale), bs = as_doubles(b_scale);
          for (int64_t i = 0; i < m * n; ++i) {
            const double scale = as[each ? i / n : 0] * bs[each ? i % n : 0] / 4;
            expected[i] = quantized(expected[i] * scale, as_doubles(zero)[0], out);
          }
          OneNode node("QLinearMatMul", 21);
          node.input(a).input(a_scale).input(a_zero).input(b).input(b_scale).input(b_zero);
          node.input(floats({}, {4})).input(zero).output(out, {m, n});
          expect_near(node.run(), expected, 0);
        }
      }
    }
  }
}

TEST(QLinearMatMul, SmallFloats) {
  const sy_dtype dtype = SY_FLOAT8E4M3FN;
  const Value a = from_doubles(dtype, {2, 3}, {1, 2, 3, -1, 0.5, 4});
  const Value b = from_doubles(dtype, {3, 2}, {1, -1, 2, 0.5, 1, 1});
  const Value zero = from_doubles(dtype, {}, {0});
  OneNode node("QLinearMatMul", 21);
  node.input(a).input(floats({}, {0.5})).input(zero).input(b).input(floats({}, {2})).input(zero);
  node.input(floats({}, {2})).input(zero).output(dtype, {2, 2});
  EXPECT_EQ(as_doubles(node.run()), (std::vector<double>{4, 1.5, 2, 2.5}));
}

// As in QuantizeLinear: a scale may be anything.
TEST(QLinearMatMul, ScalesThatAreNotFinite) {
  for (const sy_dtype dtype : bytes) {
    const Value a = from_doubles(dtype, {1, 2}, {1, 2}), b = from_doubles(dtype, {2, 1}, {3, 4});
    const Value zero = from_doubles(dtype, {}, {0});
    for (const double scale : {nan, infinity}) {
      OneNode node("QLinearMatMul", 21);
      node.input(a).input(floats({}, {scale})).input(zero);
      node.input(b).input(floats({}, {1})).input(zero);
      node.input(floats({}, {1})).input(zero).output(dtype, {1, 1});
      const double expected = std::isnan(scale) ? 0 : quantized(scale, 0, dtype);
      EXPECT_EQ(as_doubles(node.run()), std::vector<double>{expected});
    }
  }
}

TEST(IntegerConvolution, OfNoChannels) {
  for (const int64_t kernel : {1, 2}) {
    const Value x = from_doubles(SY_UINT8, {1, 0, 3, 3}, {});
    const Value w = from_doubles(SY_INT8, {70, 0, kernel, kernel}, {});
    const int64_t extent = 4 - kernel;
    OneNode node("ConvInteger", 10);
    node.input(x).input(w).input(from_doubles(SY_UINT8, {}, {3}));
    node.input(from_doubles(SY_INT8, {}, {5})).output(SY_INT32, {1, 70, extent, extent});
    const std::vector<double> zeros(static_cast<size_t>(70 * extent * extent), 0);
    EXPECT_EQ(as_doubles(node.run()), zeros);
  }
}

TEST(QLinearConv, ScalesThatAreNotFinite) {
  const Value x = from_doubles(SY_UINT8, {1, 1, 1, 2}, {1, 2});
  const Value w = from_doubles(SY_INT8, {3, 1, 1, 1}, {1, 1, -1});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  OneNode node("QLinearConv", 10);
  node.input(x).input(floats({}, {1})).input(from_doubles(SY_UINT8, {}, {0}));
  node.input(w).input(floats({3}, {nan, infinity, infinity}));
  node.input(from_doubles(SY_INT8, {3}, {0, 0, 0})).input(floats({}, {1}));
  node.input(from_doubles(SY_UINT8, {}, {7})).output(SY_UINT8, {1, 3, 1, 2});
  EXPECT_EQ(as_doubles(node.run()), (std::vector<double>{0, 0, 255, 255, 0, 0}));
}

struct QuantizedConvolutionCase {
  Shape x;
  int64_t outputs, groups;
  WindowCase window;
};

const std::vector<QuantizedConvolutionCase>& quantized_convolution_cases() {
  static const std::vector<QuantizedConvolutionCase> all = {
      {{1, 3, 7, 8}, 4, 1, {{3, 3}, {}, {}, {1, 1, 1, 1}}},
      {{2, 4, 9, 9}, 6, 2, {{3, 2}, {2, 1}, {}, {0, 1, 1, 0}}},
      {{1, 6, 6, 6}, 6, 6, {{3, 3}, {}, {}, {1, 1, 1, 1}}},
      {{1, 16, 5, 5}, 32, 1, {{1, 1}}},
      {{1, 2, 11}, 3, 1, {{3}, {2}, {2}}},
      {{2, 83, 5, 6}, 83, 83, {{3, 3}, {2, 1}, {}, {1, 0, 1, 2}}},
      {{1, 5, 4, 4}, 10, 5, {{3, 3}, {}, {}, {1, 1, 1, 1}}},
      {{1, 20, 6, 7}, 70, 1, {{3, 3}, {1, 2}, {2, 1}, {2, 1, 2, 1}}},
      {{1, 40, 4, 3}, 24, 2, {{1, 1}}},
      {{1, 3, 3, 4, 5}, 5, 1, {{2, 3, 3}, {}, {}, {1, 1, 1, 0, 1, 1}}},
  };
  return all;
}

// Sums of (x - its zero) * (w - its channel's zero), the padding being 0.
std::vector<double> convolution_sums(const QuantizedConvolutionCase& c,
                                     const std::vector<double>& x, const std::vector<double>& w) {
  Shape y = c.window.slid(c.x);
  y[1] = c.outputs;
  Shape weights = {c.outputs, c.x[1] / c.groups};
  weights.insert(weights.end(), c.window.kernel.begin(), c.window.kernel.end());
  std::vector<double> made;
  for_each_index(y, [&](const Shape& index) {
    double sum = 0;
    const int64_t group = index[1] / (c.outputs / c.groups);
    for_each_tap(c.window, Shape(c.x.begin() + 2, c.x.end()), Shape(index.begin() + 2, index.end()),
                 [&](const Shape& tap, const Shape& at, bool inside) {
                   for (int64_t i = 0; inside && i < weights[1]; ++i) {
                     Shape xi = {index[0], group * weights[1] + i}, wi = {index[1], i};
                     xi.insert(xi.end(), at.begin(), at.end());
                     wi.insert(wi.end(), tap.begin(), tap.end());
                     sum += x[flat(c.x, xi)] * w[flat(weights, wi)];
                   }
                 });
    made.push_back(sum);
  });
  return made;
}

TEST(IntegerConvolution, EveryCaseAndType) {
  for (const QuantizedConvolutionCase& c : quantized_convolution_cases()) {
    Shape y = c.window.slid(c.x);
    y[1] = c.outputs;
    Shape weights = {c.outputs, c.x[1] / c.groups};
    weights.insert(weights.end(), c.window.kernel.begin(), c.window.kernel.end());
    for (const sy_dtype left : bytes) {
      for (const sy_dtype right : bytes) {
        const Value x = any_bytes(left, c.x, 1), w = any_bytes(right, weights, 2);
        const Value x_zero = any_bytes(left, {}, 3), w_zero = any_bytes(right, {c.outputs}, 4);
        Shape along(weights.size(), 1);
        along[0] = c.outputs;
        const auto sums = convolution_sums(c, minus(x, x_zero, {}), minus(w, w_zero, along));
        static uint64_t weights_id = 70000;
        for (const Value& laid : layouts_of(x)) {
          for (const bool constant : {false, true}) {
            OneNode node("ConvInteger", 10);
            c.window.describe(node).attribute("group", c.groups);
            node.input(laid);
            constant ? node.constant(w, ++weights_id) : node.input(w);
            node.input(x_zero).input(w_zero).output(SY_INT32, y);
            if (constant) node.accept_strides();
            expect_near(node.run(), sums, 0);
          }
        }
        std::vector<double> w_scale, expected = sums;
        for (int64_t i = 0; i < c.outputs; ++i)
          w_scale.push_back(std::ldexp(1.0, static_cast<int>(-6 - i % 3)));
        const Value bias = whole(SY_INT32, {c.outputs}, 6);
        const Value zero = any_bytes(left, {}, 7);
        const int64_t positions = sy::element_count(Shape(y.begin() + 2, y.end()));
        for (size_t i = 0; i < expected.size(); ++i) {
          const auto channel = static_cast<size_t>(static_cast<int64_t>(i) / positions % c.outputs);
          const double real =
              (expected[i] + as_doubles(bias)[channel]) * (0.5 / 8) * w_scale[channel];
          expected[i] = quantized(real, as_doubles(zero)[0], left);
        }
        static uint64_t id = 60000;
        for (const bool constant : {false, true}) {
          OneNode node("QLinearConv", 10);
          c.window.describe(node).attribute("group", c.groups);
          node.input(x).input(floats({}, {0.5})).input(x_zero);
          constant ? node.constant(w, ++id) : node.input(w);
          node.input(floats({c.outputs}, w_scale)).input(w_zero).input(floats({}, {8})).input(zero);
          node.input(bias).output(left, y).accept_strides();
          expect_near(node.run(), expected, 0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace cpu::testing
