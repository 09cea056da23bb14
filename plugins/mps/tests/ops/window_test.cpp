// Convolutions, pooling, BatchNormalization and Gemm, whose inputs, weights and results are views
// of every kind.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"

namespace mps::op_tests {
namespace {

template <typename T>
class WindowOf : public testing::Test {
 protected:
  static constexpr double rounding = std::is_same_v<T, float> ? 1e-5 : 0x1.1p-9;
};
TYPED_TEST_SUITE(WindowOf, FloatAndHalf);

// A window over two axes, as ONNX describes it.
struct Window {
  int64_t size[2], strides[2], dilations[2], pads[4];
  int64_t groups = 1;

  Case& describe(Case& node) const {
    return node.attribute("kernel_shape", Numbers{size[0], size[1]})
        .attribute("strides", Numbers{strides[0], strides[1]})
        .attribute("dilations", Numbers{dilations[0], dilations[1]})
        .attribute("pads", Numbers{pads[0], pads[1], pads[2], pads[3]});
  }
  int64_t result(size_t axis, int64_t extent) const {
    const int64_t span = (size[axis] - 1) * dilations[axis] + 1;
    return (extent + pads[axis] + pads[axis + 2] - span) / strides[axis] + 1;
  }
  // Calls visit(row, column of the window, row, column of the input) for what is not padding.
  template <typename Visit>
  void each(const Shape& from, int64_t row, int64_t column, Visit&& visit) const {
    for (int64_t i = 0; i < size[0]; ++i) {
      for (int64_t j = 0; j < size[1]; ++j) {
        const int64_t y = row * strides[0] - pads[0] + i * dilations[0];
        const int64_t x = column * strides[1] - pads[1] + j * dilations[1];
        if (y >= 0 && y < from[2] && x >= 0 && x < from[3]) visit(i, j, y, x);
      }
    }
  }
};

const Window windows[] = {{{3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}},
                          {{2, 3}, {2, 1}, {1, 2}, {0, 2, 1, 1}, 2},
                          {{1, 1}, {1, 1}, {1, 1}, {0, 0, 0, 0}},
                          {{3, 2}, {1, 2}, {2, 1}, {1, 0, 2, 1}, 4}};

TYPED_TEST(WindowOf, Convolutions) {
  const Shape shape{2, 4, 6, 5};
  const auto x = numbers<TypeParam>(count_of(shape));
  for (const Window& window : windows) {
    const int64_t each = shape[1] / window.groups;
    const Shape weight_shape{8, each, window.size[0], window.size[1]};
    const Shape result{2, 8, window.result(0, 6), window.result(1, 5)};
    const auto w = numbers<TypeParam>(count_of(weight_shape), 2);
    const auto bias = numbers<TypeParam>(8, 3);
    const auto expected = made_by<TypeParam>(result, [&](const Shape& at) {
      auto sum = static_cast<double>(static_cast<float>(bias[static_cast<size_t>(at[1])]));
      const int64_t first = at[1] / (8 / window.groups) * each;
      window.each(shape, at[2], at[3], [&](int64_t i, int64_t j, int64_t row, int64_t column) {
        for (int64_t c = 0; c < each; ++c) {
          sum += wide_at(x, shape, {at[0], first + c, row, column}) *
                 wide_at(w, weight_shape, {at[1], c, i, j});
        }
      });
      return sum;
    });
    Case node("Conv", 11);
    window.describe(node).attribute("group", window.groups);
    node.input(shape, x).input(weight_shape, w).template input<TypeParam>({8}, bias);
    node.expect(result, expected, this->rounding);
  }
}

TYPED_TEST(WindowOf, TransposedConvolutions) {
  const Shape shape{2, 4, 4, 3};
  const auto x = numbers<TypeParam>(count_of(shape));
  for (const Window& window : windows) {
    const int64_t made = 6 / std::min<int64_t>(window.groups, 2);
    const int64_t groups = 6 / made;
    const Shape weight_shape{4, made, window.size[0], window.size[1]};
    Shape result{2, 6, 0, 0};
    for (size_t axis = 0; axis < 2; ++axis) {
      result[2 + axis] = (shape[2 + axis] - 1) * window.strides[axis] +
                         (window.size[axis] - 1) * window.dilations[axis] + 1 - window.pads[axis] -
                         window.pads[axis + 2];
    }
    const auto w = numbers<TypeParam>(count_of(weight_shape), 2);
    std::vector<double> sums(static_cast<size_t>(count_of(result)));
    each_position(shape, [&](const Shape& at) {
      const int64_t first = at[1] / (4 / groups) * made;
      each_position({made, window.size[0], window.size[1]}, [&](const Shape& of) {
        const int64_t y = at[2] * window.strides[0] + of[1] * window.dilations[0] - window.pads[0];
        const int64_t z = at[3] * window.strides[1] + of[2] * window.dilations[1] - window.pads[1];
        if (y < 0 || y >= result[2] || z < 0 || z >= result[3]) return;
        sums[flat(result, {at[0], first + of[0], y, z})] +=
            wide_at(x, shape, at) * wide_at(w, weight_shape, {at[1], of[0], of[1], of[2]});
      });
    });
    Case node("ConvTranspose", 11);
    window.describe(node).attribute("group", groups);
    node.input(shape, x).input(weight_shape, w);
    node.expect(result, std::vector<TypeParam>(sums.begin(), sums.end()), this->rounding);
  }
}

// Both of them, of the convolutions above, whose last rows and columns some windows never reach.
TYPED_TEST(WindowOf, GradientsOfConvolutions) {
  const Shape shape{2, 4, 6, 5};
  const auto x = numbers<TypeParam>(count_of(shape));
  for (const Window& window : windows) {
    const int64_t each = shape[1] / window.groups;
    const Shape weight_shape{8, each, window.size[0], window.size[1]};
    const Shape result{2, 8, window.result(0, 6), window.result(1, 5)};
    const auto w = numbers<TypeParam>(count_of(weight_shape), 2);
    const auto gradient = numbers<TypeParam>(count_of(result), 3);
    std::vector<double> by_input(x.size()), by_weights(w.size());
    each_position(result, [&](const Shape& at) {
      const int64_t first = at[1] / (8 / window.groups) * each;
      const double g = wide_at(gradient, result, at);
      window.each(shape, at[2], at[3], [&](int64_t i, int64_t j, int64_t row, int64_t column) {
        for (int64_t c = 0; c < each; ++c) {
          const Shape from{at[0], first + c, row, column}, by{at[1], c, i, j};
          by_input[flat(shape, from)] += g * wide_at(w, weight_shape, by);
          by_weights[flat(weight_shape, by)] += g * wide_at(x, shape, from);
        }
      });
    });
    const auto describe = [&](Case& node) -> Case& {
      return node.domain("switchyard")
          .attribute("strides", Numbers{window.strides[0], window.strides[1]})
          .attribute("dilations", Numbers{window.dilations[0], window.dilations[1]})
          .attribute("pads", Numbers(window.pads, window.pads + 4))
          .attribute("group", window.groups);
    };
    Case of_input("ConvInputGradient", 1), of_weights("ConvWeightGradient", 1);
    describe(of_input).input(result, gradient).input(weight_shape, w).host({4}, shape);
    of_input.expect(shape, std::vector<TypeParam>(by_input.begin(), by_input.end()),
                    this->rounding);
    describe(of_weights).input(shape, x).input(result, gradient).host({4}, weight_shape);
    of_weights.expect(weight_shape, std::vector<TypeParam>(by_weights.begin(), by_weights.end()),
                      this->rounding);
  }
}

TYPED_TEST(WindowOf, GradientsAlongOneAxis) {
  const Shape shape{2, 3, 9}, weight_shape{4, 3, 3}, result{2, 4, 5};
  const auto x = numbers<TypeParam>(54), w = numbers<TypeParam>(36, 2);
  const auto gradient = numbers<TypeParam>(40, 3);
  std::vector<double> by_input(54), by_weights(36);
  each_position(result, [&](const Shape& at) {
    each_position({3, 3}, [&](const Shape& of) {
      const int64_t position = 2 * at[2] + of[1] - 1;
      if (position < 0 || position >= 9) return;
      const Shape from{at[0], of[0], position}, by{at[1], of[0], of[1]};
      const double g = wide_at(gradient, result, at);
      by_input[flat(shape, from)] += g * wide_at(w, weight_shape, by);
      by_weights[flat(weight_shape, by)] += g * wide_at(x, shape, from);
    });
  });
  Case of_input("ConvInputGradient", 1), of_weights("ConvWeightGradient", 1);
  for (Case* node : {&of_input, &of_weights}) {
    node->domain("switchyard").attribute("pads", Numbers{1, 1}).attribute("strides", Numbers{2});
  }
  of_input.input(result, gradient).input(weight_shape, w).host({3}, shape);
  of_input.expect(shape, std::vector<TypeParam>(by_input.begin(), by_input.end()), this->rounding);
  of_weights.input(shape, x).input(result, gradient).host({3}, weight_shape);
  of_weights.expect(weight_shape, std::vector<TypeParam>(by_weights.begin(), by_weights.end()),
                    this->rounding);
}

TEST(GlobalPool, RefusesTheLargestOfNothing) {
  Case node("GlobalMaxPool", 1);
  node.input<float>({1, 2, 0}, {});
  EXPECT_EQ(node.output<float>({1, 2, 1}, {0, 0}).failure().reason(), SY_REASON_LIMIT);
}

TEST(TransposedConvolution, RefusesASumOfNothing) {
  Case node("ConvTranspose", 11);
  node.input<float>({1, 1, 0}, {}).input<float>({1, 1, 2}, {1, 2});
  EXPECT_EQ(node.output<float>({1, 1, 1}, {0}).failure().reason(), SY_REASON_LIMIT);
}

// A graph finds the extents of its input by those of its result.
TEST(TransposedConvolution, RefusesAnOutputPaddingOfAStride) {
  Case node("ConvTranspose", 11);
  node.attribute("output_padding", std::vector<int64_t>{1});
  node.input<float>({1, 1, 3}, {1, 2, 3}).input<float>({1, 1, 2}, {1, 2});
  EXPECT_EQ(node.output<float>({1, 1, 5}, {1, 4, 7, 6, 0}).failure().reason(), SY_REASON_ATTRIBUTE);
}

// ceil_mode leaves out windows that would begin in the padding behind.
TEST(Pools, TakePaddingThatNoWindowBeginsIn) {
  Case node("MaxPool", 12);
  node.attribute("kernel_shape", std::vector<int64_t>{2}).attribute("ceil_mode", 1);
  node.attribute("pads", std::vector<int64_t>{0, 1}).attribute("strides", std::vector<int64_t>{1});
  node.input<float>({1, 1, 4}, {1, 2, 3, 4}).expect<float>({1, 1, 4}, {2, 3, 4, 4});
  Case wide("MaxPool", 12);
  wide.attribute("kernel_shape", std::vector<int64_t>{2}).attribute("ceil_mode", 1);
  wide.attribute("pads", std::vector<int64_t>{0, 2});
  wide.input<float>({1, 1, 4}, {1, 2, 3, 4}).expect<float>({1, 1, 4}, {2, 3, 4, 4});
}

TEST(Pools, RefuseWindowsThatTakeForEver) {
  Case node("AveragePool", 11);
  node.attribute("kernel_shape", std::vector<int64_t>{1 << 30}).attribute("auto_pad", "SAME_LOWER");
  node.input<float>({1, 2, 3}, Floats(6));
  EXPECT_EQ(node.output<float>({1, 2, 3}, Floats(6)).failure().status(), SY_UNSUPPORTED);
}

// 32 bits hold no position of the last taps, nor the padding that SAME asks for.
TEST(Pools, RefuseWindowsThatSpanTooMuch) {
  for (const Shape& leading : {Shape{}, Shape{1, 1}}) {
    Shape shape{1, 1}, kernel = leading, dilations = leading;
    shape.insert(shape.end(), leading.begin(), leading.end());
    shape.push_back(3);
    kernel.push_back(257);
    dilations.push_back(1 << 24);
    Case node("MaxPool", 12);
    node.attribute("kernel_shape", kernel).attribute("dilations", dilations);
    node.attribute("auto_pad", "SAME_UPPER").input<float>(shape, Floats(3));
    EXPECT_EQ(node.output<float>(shape, Floats(3)).failure().status(), SY_UNSUPPORTED);
  }
}

// No graph takes them, and none is made: nothing runs.
TEST(Windows, OfImagesWithoutElementsMakeNothing) {
  Case forward("Conv", 11);
  forward.attribute("auto_pad", "SAME_LOWER").attribute("strides", std::vector<int64_t>{2, 2});
  forward.input<float>({1, 1, 0, 5}, {}).input<float>({1, 1, 3, 3}, Floats(9));
  forward.expect<float>({1, 1, 0, 3}, {});
  Case transposed("ConvTranspose", 11);
  transposed.attribute("dilations", std::vector<int64_t>{2, 2});
  transposed.input<float>({1, 1, 0, 0}, {}).input<float>({1, 1, 1, 2}, {1, 2});
  transposed.expect<float>({1, 1, 0, 2}, {});
  Case pool("AveragePool", 11);
  pool.attribute("kernel_shape", std::vector<int64_t>{2, 2});
  pool.input<float>({1, 1, 1, 5}, Floats(5)).expect<float>({1, 1, 0, 4}, {});
}

TEST(WindowGradients, RefuseWhatNoGraphSums) {
  Case empty("ConvWeightGradient", 1);
  empty.domain("switchyard").input<float>({0, 1, 3}, {}).input<float>({0, 1, 2}, {});
  empty.host<int64_t>({3}, {1, 1, 2});
  EXPECT_EQ(empty.output<float>({1, 1, 2}, Floats(2)).failure().reason(), SY_REASON_LIMIT);
  Case deep("ConvInputGradient", 1);
  deep.domain("switchyard").input<float>({1, 1, 1, 1, 1}, {1}).input<float>({1, 1, 1, 1, 1}, {1});
  deep.host<int64_t>({5}, {1, 1, 1, 1, 1});
  EXPECT_EQ(deep.output<float>({1, 1, 1, 1, 1}, {1}).failure().reason(), SY_REASON_RANK);
}

TYPED_TEST(WindowOf, Pools) {
  const Shape shape{2, 3, 6, 5};
  const auto x = numbers<TypeParam>(count_of(shape));
  for (const Window& window : {windows[0], windows[1], windows[2]}) {
    const Shape result{2, 3, window.result(0, 6), window.result(1, 5)};
    const auto largest = made_by<TypeParam>(result, [&](const Shape& at) {
      double most = -INFINITY;
      window.each(shape, at[2], at[3], [&](int64_t, int64_t, int64_t row, int64_t column) {
        most = std::max(most, wide_at(x, shape, {at[0], at[1], row, column}));
      });
      return most;
    });
    Case most("MaxPool", 12);
    window.describe(most).input(shape, x).expect(result, largest);
    if (window.dilations[1] != 1) continue;
    const auto mean = made_by<TypeParam>(result, [&](const Shape& at) {
      double sum = 0, count = 0;
      window.each(shape, at[2], at[3], [&](int64_t, int64_t, int64_t row, int64_t column) {
        sum += wide_at(x, shape, {at[0], at[1], row, column});
        ++count;
      });
      return sum / count;
    });
    Case("AveragePool", 7)
        .attribute("kernel_shape", Numbers{window.size[0], window.size[1]})
        .attribute("strides", Numbers{window.strides[0], window.strides[1]})
        .attribute("pads", Numbers(window.pads, window.pads + 4))
        .input(shape, x)
        .expect(result, mean, this->rounding);
  }
}

TYPED_TEST(WindowOf, AlongOneAxis) {
  const Shape shape{2, 3, 9}, weight_shape{4, 3, 3}, result{2, 4, 9};
  const auto x = numbers<TypeParam>(54), w = numbers<TypeParam>(36, 2);
  const auto expected = made_by<TypeParam>(result, [&](const Shape& at) {
    double sum = 0;
    each_position({3, 3}, [&](const Shape& of) {
      const int64_t position = at[2] + of[1] - 1;
      if (position < 0 || position >= 9) return;
      sum += wide_at(x, shape, {at[0], of[0], position}) *
             wide_at(w, weight_shape, {at[1], of[0], of[1]});
    });
    return sum;
  });
  Case("Conv", 11)
      .attribute("pads", Numbers{1, 1})
      .input(shape, x)
      .input(weight_shape, w)
      .expect(result, expected, this->rounding);
}

TYPED_TEST(WindowOf, ChannelsNormalized) {
  const Shape shape{2, 3, 2, 4};
  const auto x = numbers<TypeParam>(48);
  const std::vector<TypeParam> scale = {1.5f, -2.0f, 0.5f}, bias = {0.25f, 1.0f, -3.0f},
                               mean = {0.5f, -1.0f, 2.0f}, variance = {4.0f, 0.25f, 1.0f};
  const auto expected = made_by<TypeParam>(shape, [&](const Shape& at) {
    const auto c = static_cast<size_t>(at[1]);
    const auto number = [&](const std::vector<TypeParam>& of) {
      return static_cast<double>(static_cast<float>(of[c]));
    };
    return (wide_at(x, shape, at) - number(mean)) / std::sqrt(number(variance) + 1e-5) *
               number(scale) +
           number(bias);
  });
  Case("BatchNormalization", 15)
      .attribute("epsilon", 1e-5)
      .input(shape, x)
      .template input<TypeParam>({3}, scale)
      .template input<TypeParam>({3}, bias)
      .template input<TypeParam>({3}, mean)
      .template input<TypeParam>({3}, variance)
      .expect(shape, expected, std::is_same_v<TypeParam, float> ? 1e-5 : 0x1.1p-7);
}

// What graphs do not take is another device's, and no failure of this one.
TEST(BatchNormalization, RefusesStatisticsOfAnotherType) {
  Case node("BatchNormalization", 15);
  node.input<float>({1, 1, 2}, {1, 2}).input<half>({1}, {1}).input<half>({1}, {1});
  node.input<float>({1}, {0}).input<float>({1}, {1});
  EXPECT_EQ(node.output<float>({1, 1, 2}, {1, 2}).failure().status(), SY_UNSUPPORTED);
}

TEST(BatchNormalization, RefusesAnEpsilonBelowZero) {
  for (const double epsilon : {-1e-3, static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    Case node("BatchNormalization", 15);
    node.attribute("epsilon", epsilon).input<float>({1, 1, 2}, {1, 2});
    for (int i = 0; i < 4; ++i) node.input<float>({1}, {1});
    EXPECT_EQ(node.output<float>({1, 1, 2}, Floats(2)).failure().reason(), SY_REASON_ATTRIBUTE);
  }
}

// Of more rows and columns than small products have.
TYPED_TEST(WindowOf, Products) {
  const int64_t rows = 9, columns = 11, depth = 7;
  for (const int turned : {0, 1, 2, 3}) {
    const bool left = turned % 2 == 1, right = turned / 2 == 1;
    const Shape a_shape = left ? Shape{depth, rows} : Shape{rows, depth};
    const Shape b_shape = right ? Shape{columns, depth} : Shape{depth, columns};
    const auto a = numbers<TypeParam>(rows * depth), b = numbers<TypeParam>(depth * columns, 2);
    const auto c = numbers<TypeParam>(columns, 3);
    const auto expected = made_by<TypeParam>({rows, columns}, [&](const Shape& at) {
      double sum = 0;
      for (int64_t k = 0; k < depth; ++k) {
        sum += wide_at(a, a_shape, left ? Shape{k, at[0]} : Shape{at[0], k}) *
               wide_at(b, b_shape, right ? Shape{at[1], k} : Shape{k, at[1]});
      }
      return sum + static_cast<double>(static_cast<float>(c[static_cast<size_t>(at[1])]));
    });
    Case("Gemm", 13)
        .attribute("transA", left ? 1 : 0)
        .attribute("transB", right ? 1 : 0)
        .input(a_shape, a)
        .input(b_shape, b)
        .template input<TypeParam>({columns}, c)
        .expect({rows, columns}, expected, std::is_same_v<TypeParam, float> ? 1e-5 : 0x1.1p-8);
  }
}

}  // namespace
}  // namespace mps::op_tests
