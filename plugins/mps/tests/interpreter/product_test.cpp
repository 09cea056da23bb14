#include "tests/interpreter/one_node.hpp"

namespace mps::software::interpreter_tests {
namespace {

using seam::Window;

TEST(InterpreterMatrixProduct, OfTwoMatrices) {
  const Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor y = floats({3, 2}, {7, 8, 9, 10, 11, 12});
  expect_same(floats_of(run(Operation::matrix_product, float32({2, 2}), {x, y})),
              {58, 64, 139, 154});
}

TEST(InterpreterMatrixProduct, LeadingExtentsBroadcast) {
  const Tensor x = whole_floats({2, 1, 3, 4}, 1);
  const Tensor y = whole_floats({5, 4, 2}, 2);
  const auto xs = floats_of(x);
  const auto ys = floats_of(y);
  std::vector<float> expected;
  for (size_t a = 0; a < 2; ++a) {
    for (size_t b = 0; b < 5; ++b) {
      for (size_t i = 0; i < 3; ++i) {
        for (size_t j = 0; j < 2; ++j) {
          float sum = 0;
          for (size_t k = 0; k < 4; ++k) sum += xs[(a * 3 + i) * 4 + k] * ys[(b * 4 + k) * 2 + j];
          expected.push_back(sum);
        }
      }
    }
  }
  expect_same(floats_of(run(Operation::matrix_product, float32({2, 5, 3, 2}), {x, y})), expected);
}

TEST(InterpreterMatrixProduct, SpecialNumbersAndEmptySums) {
  const Tensor zero = floats({1, 2}, {0, 1});
  const Tensor special = floats({2, 2}, {nan, infinity, 1, 1});
  expect_same(floats_of(run(Operation::matrix_product, float32({1, 2}), {zero, special})),
              {nan, nan});
  expect_same(floats_of(run(Operation::matrix_product, float32({2, 1}),
                            {floats({2, 0}, {}), floats({0, 1}, {})})),
              {0, 0});
  EXPECT_TRUE(run(Operation::matrix_product, float32({0, 2, 2}),
                  {floats({0, 2, 1}, {}), floats({1, 2}, {1, 2})})
                  .bytes.empty());
}

TEST(InterpreterMatrixProduct, ShortFloatsAreRoundedAtTheEnd) {
  // 2048 + 1 + 1: gathered in float16, each 1 would be lost.
  const Tensor x = halves({1, 3}, {0x6800, 0x3c00, 0x3c00});
  const Tensor y = halves({3, 1}, {0x3c00, 0x3c00, 0x3c00});
  EXPECT_EQ(
      elements_of<uint16_t>(run(Operation::matrix_product, {ElementType::float16, {1, 1}}, {x, y})),
      std::vector<uint16_t>{0x6801});
  const Tensor b = bfloats({1, 2}, {0x4380, 0x3f80});  // 256, 1
  const Tensor ones = bfloats({2, 1}, {0x3f80, 0x3f80});
  EXPECT_EQ(elements_of<uint16_t>(
                run(Operation::matrix_product, {ElementType::bfloat16, {1, 1}}, {b, ones})),
            std::vector<uint16_t>{0x4380});
}

struct Image {
  Shape shape;
  std::vector<float> numbers;
  // 0 outside.
  float at(int64_t n, int64_t c, int64_t y, int64_t x) const {
    if (y < 0 || y >= shape[2] || x < 0 || x >= shape[3]) return 0;
    return numbers[static_cast<size_t>(((n * shape[1] + c) * shape[2] + y) * shape[3] + x)];
  }
  float& at(int64_t n, int64_t c, int64_t y, int64_t x) {
    return numbers[static_cast<size_t>(((n * shape[1] + c) * shape[2] + y) * shape[3] + x)];
  }
};

Image image(const Tensor& tensor) { return {tensor.type.shape, floats_of(tensor)}; }

// The definition, for each element of the result by itself.
std::vector<float> convolved(const Image& x, const Image& weights, const Window& window,
                             const Shape& result) {
  Image sums{result, std::vector<float>(count_of(result), 0)};
  const int64_t in_group = x.shape[1] / window.groups;
  const int64_t out_group = result[1] / window.groups;
  for (int64_t n = 0; n < result[0]; ++n) {
    for (int64_t o = 0; o < result[1]; ++o) {
      for (int64_t y = 0; y < result[2]; ++y) {
        for (int64_t i = 0; i < result[3]; ++i) {
          for (int64_t c = 0; c < in_group; ++c) {
            for (int64_t ky = 0; ky < weights.shape[2]; ++ky) {
              for (int64_t kx = 0; kx < weights.shape[3]; ++kx) {
                const int64_t row =
                    y * window.strides[0] + ky * window.dilations[0] - window.padding_before[0];
                const int64_t column =
                    i * window.strides[1] + kx * window.dilations[1] - window.padding_before[1];
                sums.at(n, o, y, i) +=
                    x.at(n, o / out_group * in_group + c, row, column) * weights.at(o, c, ky, kx);
              }
            }
          }
        }
      }
    }
  }
  return sums.numbers;
}

void expect_convolved(const Shape& x_shape, const Shape& weights_shape, const Window& window,
                      const Shape& result) {
  const Tensor x = whole_floats(x_shape, 3);
  const Tensor weights = whole_floats(weights_shape, 4);
  expect_same(floats_of(run(Operation::convolution, float32(result), {x, weights}, window)),
              convolved(image(x), image(weights), window, result));
}

TEST(InterpreterConvolution, ByHand) {
  const Tensor x = floats({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const Tensor weights = floats({1, 1, 2, 2}, {1, 0, 0, -1});
  Window window;
  window.size = {2, 2};
  expect_same(floats_of(run(Operation::convolution, float32({1, 1, 2, 2}), {x, weights}, window)),
              {-4, -4, -4, -4});
}

TEST(InterpreterConvolution, StridesDilationsAndPaddingOfEachSide) {
  Window window;
  window.size = {3, 2};
  window.strides = {2, 3};
  window.dilations = {2, 1};
  window.padding_before = {1, 2};
  window.padding_after = {3, 0};
  expect_convolved({2, 3, 7, 8}, {4, 3, 3, 2}, window, {2, 4, 4, 3});
}

TEST(InterpreterConvolution, GroupsAndDepthwise) {
  Window window;
  window.size = {3, 3};
  window.padding_before = window.padding_after = {1, 1};
  window.groups = 2;
  expect_convolved({1, 4, 5, 5}, {6, 2, 3, 3}, window, {1, 6, 5, 5});
  window.groups = 4;
  expect_convolved({2, 4, 5, 5}, {8, 1, 3, 3}, window, {2, 8, 5, 5});
}

TEST(InterpreterConvolution, PaddingWiderThanTheImage) {
  Window window;
  window.size = {1, 2};
  window.strides = {2, 1};
  window.padding_before = {4, 3};
  window.padding_after = {0, 5};
  expect_convolved({1, 1, 2, 1}, {1, 1, 1, 2}, window, {1, 1, 3, 8});
}

TEST(InterpreterConvolution, ZeroSizes) {
  Window window;
  window.size = {2, 2};
  EXPECT_TRUE(run(Operation::convolution, float32({0, 2, 1, 1}),
                  {floats({0, 1, 2, 2}, {}), whole_floats({2, 1, 2, 2}, 1)}, window)
                  .bytes.empty());
  expect_same(floats_of(run(Operation::convolution, float32({1, 2, 1, 1}),
                            {floats({1, 0, 2, 2}, {}), floats({2, 0, 2, 2}, {})}, window)),
              {0, 0});
}

TEST(InterpreterConvolution, Float16IsRoundedAtTheEnd) {
  const Tensor x = halves({1, 3, 1, 1}, {0x6800, 0x3c00, 0x3c00});
  const Tensor weights = halves({1, 3, 1, 1}, {0x3c00, 0x3c00, 0x3c00});
  EXPECT_EQ(elements_of<uint16_t>(run(Operation::convolution, {ElementType::float16, {1, 1, 1, 1}},
                                      {x, weights}, Window{})),
            std::vector<uint16_t>{0x6801});
}

// The definition: each element of x is spread over the result.
std::vector<float> spread(const Image& x, const Image& weights, const Window& window,
                          const Shape& result) {
  Image sums{result, std::vector<float>(count_of(result), 0)};
  const int64_t in_group = x.shape[1] / window.groups;
  const int64_t out_group = result[1] / window.groups;
  for (int64_t n = 0; n < x.shape[0]; ++n) {
    for (int64_t c = 0; c < x.shape[1]; ++c) {
      for (int64_t o = 0; o < out_group; ++o) {
        for (int64_t tap = 0; tap < weights.shape[2] * weights.shape[3]; ++tap) {
          const int64_t ky = tap / weights.shape[3];
          const int64_t kx = tap % weights.shape[3];
          for (int64_t position = 0; position < x.shape[2] * x.shape[3]; ++position) {
            const int64_t y = position / x.shape[3];
            const int64_t i = position % x.shape[3];
            const int64_t row =
                y * window.strides[0] + ky * window.dilations[0] - window.padding_before[0];
            const int64_t column =
                i * window.strides[1] + kx * window.dilations[1] - window.padding_before[1];
            if (row < 0 || row >= result[2] || column < 0 || column >= result[3]) continue;
            sums.at(n, c / in_group * out_group + o, row, column) +=
                x.at(n, c, y, i) * weights.at(c, o, ky, kx);
          }
        }
      }
    }
  }
  return sums.numbers;
}

void expect_spread(const Shape& x_shape, const Shape& weights_shape, const Window& window,
                   const Shape& result) {
  const Tensor x = whole_floats(x_shape, 5);
  const Tensor weights = whole_floats(weights_shape, 6);
  expect_same(
      floats_of(run(Operation::transposed_convolution, float32(result), {x, weights}, window)),
      spread(image(x), image(weights), window, result));
}

TEST(InterpreterTransposedConvolution, ByHand) {
  const Tensor x = floats({1, 1, 1, 2}, {1, 10});
  const Tensor weights = floats({1, 1, 1, 3}, {1, 2, 3});
  Window window;
  window.size = {1, 3};
  window.strides = {1, 2};
  expect_same(floats_of(run(Operation::transposed_convolution, float32({1, 1, 1, 5}), {x, weights},
                            window)),
              {1, 2, 13, 20, 30});
  // One more column at the end, which nothing reaches.
  expect_same(floats_of(run(Operation::transposed_convolution, float32({1, 1, 1, 6}), {x, weights},
                            window)),
              {1, 2, 13, 20, 30, 0});
}

TEST(InterpreterTransposedConvolution, PaddingWithAndWithoutOutputPadding) {
  Window window;
  window.size = {3, 3};
  window.strides = {2, 2};
  window.padding_before = window.padding_after = {1, 1};
  expect_spread({1, 2, 3, 4}, {2, 3, 3, 3}, window, {1, 3, 5, 7});
  expect_spread({1, 2, 3, 4}, {2, 3, 3, 3}, window, {1, 3, 6, 8});
  expect_spread({1, 2, 3, 4}, {2, 3, 3, 3}, window, {1, 3, 6, 7});
}

TEST(InterpreterTransposedConvolution, GroupsDilationsAndUnequalPadding) {
  Window window;
  window.size = {2, 3};
  window.strides = {3, 1};
  window.dilations = {2, 2};
  window.padding_before = {0, 1};
  window.padding_after = {2, 3};
  window.groups = 2;
  expect_spread({2, 4, 3, 5}, {4, 3, 2, 3}, window, {2, 6, 7, 5});
}

// <convolution(x), y> == <x, transposed convolution(y)>.
TEST(InterpreterTransposedConvolution, IsTheTransposeOfTheConvolution) {
  Window window;
  window.size = {3, 2};
  window.strides = {2, 3};
  window.dilations = {1, 2};
  window.padding_before = {2, 0};
  window.padding_after = {1, 1};
  window.groups = 3;
  const Tensor x = whole_floats({2, 6, 8, 9}, 7);
  const Tensor weights = whole_floats({9, 2, 3, 2}, 8);
  const Tensor y = whole_floats({2, 9, 5, 3}, 9);
  const auto forth = floats_of(run(Operation::convolution, y.type, {x, weights}, window));
  const auto back = floats_of(run(Operation::transposed_convolution, x.type, {y, weights}, window));
  const auto xs = floats_of(x);
  const auto ys = floats_of(y);
  double one = 0;
  double other = 0;
  for (size_t i = 0; i < ys.size(); ++i) one += double{forth[i]} * ys[i];
  for (size_t i = 0; i < xs.size(); ++i) other += double{back[i]} * xs[i];
  EXPECT_NE(one, 0);
  EXPECT_EQ(one, other);
}

// What each weight met, by the definition of the convolution.
std::vector<float> met(const Image& x, const Image& gradient, const Window& window,
                       const Shape& result) {
  Image sums{result, std::vector<float>(count_of(result), 0)};
  const int64_t out_group = result[0] / window.groups;
  for (int64_t n = 0; n < gradient.shape[0]; ++n) {
    for (int64_t o = 0; o < result[0]; ++o) {
      for (int64_t position = 0; position < gradient.shape[2] * gradient.shape[3]; ++position) {
        const int64_t y = position / gradient.shape[3];
        const int64_t i = position % gradient.shape[3];
        for (int64_t c = 0; c < result[1]; ++c) {
          for (int64_t tap = 0; tap < result[2] * result[3]; ++tap) {
            const int64_t ky = tap / result[3];
            const int64_t kx = tap % result[3];
            const int64_t row =
                y * window.strides[0] + ky * window.dilations[0] - window.padding_before[0];
            const int64_t column =
                i * window.strides[1] + kx * window.dilations[1] - window.padding_before[1];
            sums.at(o, c, ky, kx) +=
                x.at(n, o / out_group * result[1] + c, row, column) * gradient.at(n, o, y, i);
          }
        }
      }
    }
  }
  return sums.numbers;
}

TEST(InterpreterConvolutionWeightGradient, ByHand) {
  const Tensor x = floats({1, 1, 1, 4}, {1, 2, 3, 4});
  const Tensor gradient = floats({1, 1, 1, 3}, {1, 10, 100});
  Window window;
  window.size = {1, 2};
  expect_same(floats_of(run(Operation::convolution_weight_gradient, float32({1, 1, 1, 2}),
                            {x, gradient}, window)),
              {321, 432});
}

TEST(InterpreterConvolutionWeightGradient, StridesDilationsPaddingAndGroups) {
  Window window;
  window.size = {3, 2};
  window.strides = {2, 3};
  window.dilations = {2, 1};
  window.padding_before = {1, 2};
  window.padding_after = {3, 0};
  for (const int64_t groups : {1, 2}) {
    window.groups = groups;
    const Shape result{6, 4 / groups, 3, 2};
    const Tensor x = whole_floats({2, 4, 7, 8}, 3);
    const Tensor gradient = whole_floats({2, 6, 4, 3}, 4);
    expect_same(floats_of(run(Operation::convolution_weight_gradient, float32(result),
                              {x, gradient}, window)),
                met(image(x), image(gradient), window, result));
  }
}

}  // namespace
}  // namespace mps::software::interpreter_tests
