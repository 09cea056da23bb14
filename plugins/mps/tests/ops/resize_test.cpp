// Resize against ONNX's formulas, element by element.
#include <gtest/gtest.h>

#include <algorithm>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"

namespace mps::op_tests {
namespace {

struct Axis {
  int64_t input, output;
  double scale;
};

// The nearest element is found in float.
template <typename T = double>
T source_of(const std::string& mode, int64_t position, const Axis& axis) {
  const auto x = static_cast<T>(position), in = static_cast<T>(axis.input);
  const auto scale = static_cast<T>(axis.scale), half = T(0.5);
  const T out = in * scale;
  if (mode == "asymmetric") return x / scale;
  if (mode == "align_corners") return out == 1 ? 0 : x * (in - 1) / (out - 1);
  if (mode == "pytorch_half_pixel" && axis.output <= 1) return 0;
  return (x + half) / scale - half;
}

int64_t nearest(const std::string& rounding, double x) {
  const double down = std::floor(x), rest = x - down;
  if (rounding == "floor") return static_cast<int64_t>(down);
  if (rounding == "ceil") return static_cast<int64_t>(rest > 0 ? down + 1 : down);
  if (rest == 0.5) return static_cast<int64_t>(rounding == "round_prefer_ceil" ? down + 1 : down);
  return static_cast<int64_t>(rest > 0.5 ? down + 1 : down);
}

double weight(const std::string& mode, double distance) {
  const double x = std::fabs(distance);
  if (mode == "linear") return x < 1 ? 1 - x : 0;
  constexpr double a = -0.5;
  if (x <= 1) return (a + 2) * x * x * x - (a + 3) * x * x + 1;
  return x < 2 ? a * x * x * x - 5 * a * x * x + 8 * a * x - 4 * a : 0;
}

// The picture [h, w] at a position, every element of it weighed.
double sampled(const std::string& mode, const Shape& shape, const std::vector<double>& x,
               double row, double column) {
  double sum = 0;
  for (int64_t i = -3; i < shape[0] + 3; ++i) {
    for (int64_t k = -3; k < shape[1] + 3; ++k) {
      const double share = weight(mode, static_cast<double>(i) - row) *
                           weight(mode, static_cast<double>(k) - column);
      if (share == 0) continue;
      const int64_t at = std::clamp<int64_t>(i, 0, shape[0] - 1);
      sum += share * x[flat(shape, {at, std::clamp<int64_t>(k, 0, shape[1] - 1)})];
    }
  }
  return sum;
}

Case resize(const char* mode, const char* coordinate) {
  Case made("Resize", 19);
  made.attribute("mode", mode).attribute("coordinate_transformation_mode", coordinate);
  made.attribute("cubic_coeff_a", -0.5);
  return made;
}

const std::vector<const char*> coordinates = {"half_pixel", "pytorch_half_pixel", "align_corners",
                                              "asymmetric"};
const std::vector<std::vector<float>> scales = {
    {2, 3}, {0.5f, 0.7f}, {1, 2.5f}, {0.3f, 1.5f}, {1.3333334f, 1.2f}};

template <typename T>
class ResizeOf : public testing::Test {};
using ResizeTypes = testing::Types<float, half, uint8_t, int64_t>;
TYPED_TEST_SUITE(ResizeOf, ResizeTypes);

TYPED_TEST(ResizeOf, Nearest) {
  const Shape shape{4, 5};
  const auto x = wild<TypeParam>(20);
  for (const std::string coordinate : coordinates) {
    for (const char* rounding : {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}) {
      for (const auto& scale : scales) {
        const Axis rows{4, static_cast<int64_t>(4 * scale[0]), scale[0]};
        const Axis columns{5, static_cast<int64_t>(5 * scale[1]), scale[1]};
        const Shape result{rows.output, columns.output};
        resize("nearest", coordinate.c_str())
            .attribute("nearest_mode", rounding)
            .input(shape, x)
            .no_input()
            .template host<float>({2}, scale)
            .expect(
                result, made_by<TypeParam>(result, [&](const Shape& at) {
                  const int64_t row = nearest(rounding, source_of<float>(coordinate, at[0], rows));
                  const int64_t column =
                      nearest(rounding, source_of<float>(coordinate, at[1], columns));
                  return x[flat(
                      shape, {std::clamp<int64_t>(row, 0, 3), std::clamp<int64_t>(column, 0, 4)})];
                }));
      }
    }
  }
}

template <typename T>
class WeighedResizeOf : public testing::Test {};
TYPED_TEST_SUITE(WeighedResizeOf, FloatAndHalf);

TYPED_TEST(WeighedResizeOf, OfImages) {
  const Shape shape{2, 1, 4, 5};
  const auto x = numbers<TypeParam>(40);
  for (const char* mode : {"linear", "cubic"}) {
    for (const std::string coordinate : coordinates) {
      for (const auto& scale : scales) {
        const Axis rows{4, static_cast<int64_t>(4 * scale[0]), scale[0]};
        const Axis columns{5, static_cast<int64_t>(5 * scale[1]), scale[1]};
        const Shape result{2, 1, rows.output, columns.output};
        const auto expected = made_by<TypeParam>(result, [&](const Shape& at) {
          const auto begin = x.begin() + at[0] * 20;
          return sampled(mode, {4, 5}, std::vector<double>(begin, begin + 20),
                         source_of(coordinate, at[2], rows), source_of(coordinate, at[3], columns));
        });
        resize(mode, coordinate.c_str())
            .input(shape, x)
            .no_input()
            .template host<float>({4}, {1, 1, scale[0], scale[1]})
            .expect(result, expected, sizeof(TypeParam) == 4 ? 1e-5 : 2e-3);
      }
    }
  }
}

// half_pixel_symmetric takes the middle from the middle, though no float is exact on the way.
TEST(Resize, SymmetricCoordinatesKeepTheMiddle) {
  constexpr float scale = 1.55299616f;
  std::vector<float> x, expected;
  for (int i = 0; i < 33; ++i) x.push_back(static_cast<float>(i));
  for (int i = 0; i < 51; ++i) {
    const double at = 16 + (i - 25) / double{scale};
    expected.push_back(static_cast<float>(std::clamp(std::floor(at), 0.0, 32.0)));
  }
  Case node = resize("nearest", "half_pixel_symmetric");
  node.attribute("nearest_mode", "floor").input<float>({33}, x).no_input();
  node.host<float>({1}, {scale}).expect<float>({51}, expected);
}

TEST(Resize, ToSizesOfSomeAxes) {
  const auto x = numbers<float>(12);
  resize("nearest", "half_pixel")
      .attribute("axes", Numbers{-1})
      .input<float>({2, 6}, x)
      .no_input()
      .no_input()
      .host<int64_t>({1}, {3})
      .expect<float>({2, 3}, {x[0], x[2], x[4], x[6], x[8], x[10]});
}

TEST(Resize, CropsAndExtrapolates) {
  // Positions -1 to 3 of an axis of 3: one before it and one behind.
  resize("linear", "tf_crop_and_resize")
      .attribute("extrapolation_value", 10.0)
      .input<float>({3}, {1, 2, 3})
      .host<float>({2}, {-0.5f, 1.5f})
      .no_input()
      .host<int64_t>({1}, {5})
      .expect<float>({5}, {10, 1, 2, 3, 10});
}

TEST(Resize, InfinitiesStayWhereTheyAre) {
  resize("linear", "align_corners")
      .input<float>({3}, {1, INFINITY, 3})
      .no_input()
      .no_input()
      .host<int64_t>({1}, {5})
      .expect<float>({5}, {1, INFINITY, INFINITY, INFINITY, 3});
}

// The first axis leaves no element to be made of those that the second lacks.
TEST(Resize, OfNoElementsToNone) {
  resize("nearest", "half_pixel")
      .input<float>({2, 0}, {})
      .no_input()
      .no_input()
      .host<int64_t>({2}, {0, 1 << 30})
      .expect<float>({0, 1 << 30}, {});
}

TEST(Resize, NothingToDo) {
  const auto x = wild<int32_t>(6);
  resize("nearest", "half_pixel")
      .input<int32_t>({2, 3}, x)
      .no_input()
      .host<float>({2}, {1, 1})
      .expect<int32_t>({2, 3}, x);
}

TEST(Resize, Refusals) {
  EXPECT_EQ(resize("linear", "half_pixel")
                .input<int32_t>({2}, {1, 2})
                .no_input()
                .host<float>({1}, {2})
                .output<int32_t>({4}, {1, 1, 1, 1})
                .failure()
                .reason(),
            SY_REASON_DTYPE);
  EXPECT_EQ(resize("lanczos", "half_pixel")
                .input<float>({2}, {1, 2})
                .no_input()
                .host<float>({1}, {2})
                .output<float>({4}, Floats(4))
                .failure()
                .reason(),
            SY_REASON_ATTRIBUTE);
}

}  // namespace
}  // namespace mps::op_tests
