#include <gtest/gtest.h>

#include "ops/data.hpp"

namespace mps::op_tests {
namespace {

template <typename T>
class GeneratedOf : public testing::Test {};
using GeneratedTypes = testing::Types<float, half, uint8_t, int16_t, int32_t, int64_t>;
TYPED_TEST_SUITE(GeneratedOf, GeneratedTypes);

TYPED_TEST(GeneratedOf, Triangles) {
  const Shape shape{2, 4, 3};
  const auto x = wild<TypeParam>(24);
  for (const bool upper : {true, false}) {
    for (const int64_t diagonal : {0, 1, -2, 9, -9}) {
      const auto expected = made_by<TypeParam>(shape, [&](const Shape& at) {
        const int64_t distance = at[2] - at[1];
        const bool keeps = upper ? distance >= diagonal : distance <= diagonal;
        return keeps ? x[flat(shape, at)] : TypeParam(0);
      });
      Case("Trilu", 14)
          .attribute("upper", upper ? 1 : 0)
          .input(shape, x)
          .template input<int64_t>({}, {diagonal})
          .expect(shape, expected);
      if (diagonal != 0) continue;
      Case("Trilu", 14).attribute("upper", upper ? 1 : 0).input(shape, x).expect(shape, expected);
    }
  }
}

TYPED_TEST(GeneratedOf, Diagonals) {
  const Shape shape{3, 5};
  for (const int64_t diagonal : {0, 2, -1, 7}) {
    Case("EyeLike", 9)
        .attribute("k", diagonal)
        .template input<int32_t>(shape, std::vector<int32_t>(15))
        .expect(shape, made_by<TypeParam>(shape, [&](const Shape& at) {
                  return at[1] - at[0] == diagonal ? 1 : 0;
                }));
  }
}

TYPED_TEST(GeneratedOf, Constants) {
  Case("ConstantOfShape")
      .tensor_attribute("value", TypeParam(5))
      .template host<int64_t>({2}, {2, 3})
      .expect({2, 3}, std::vector<TypeParam>(6, TypeParam(5)));
}

// The type of the indices.
TYPED_TEST(GeneratedOf, OneHots) {
  std::vector<TypeParam> indices;
  for (const int one : {0, 2, 3, 1, 4, 3}) indices.push_back(static_cast<TypeParam>(one));
  if (!std::is_unsigned_v<TypeParam>) indices[1] = static_cast<TypeParam>(-1);
  if (!std::is_unsigned_v<TypeParam>) indices[3] = static_cast<TypeParam>(-5);
  for (const int64_t axis : {0, 1, -1}) {
    const size_t position = axis < 0 ? 2 : static_cast<size_t>(axis);
    Shape shape{2, 3};
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(position), 4);
    Case("OneHot", 11)
        .attribute("axis", axis)
        .input({2, 3}, indices)
        .template host<int64_t>({}, {4})
        .template input<float>({2}, {-1, 7})
        .expect(shape, made_by<float>(shape, [&](Shape at) {
                  const int64_t along = at[position];
                  at.erase(at.begin() + static_cast<std::ptrdiff_t>(position));
                  const auto index = static_cast<double>(indices[flat({2, 3}, at)]);
                  return (index < 0 ? index + 4 : index) == static_cast<double>(along) ? 7 : -1;
                }));
  }
}

TEST(Generated, OneHotsOfWildIndices) {
  Case("OneHot", 11)
      .attribute("axis", -1)
      .input<float>({4}, {NAN, INFINITY, -INFINITY, 1.5f})
      .host<int64_t>({1}, {2})
      .input<int64_t>({2}, {3, 9})
      .expect<int64_t>({4, 2}, {3, 3, 3, 3, 3, 3, 3, 9});
}

TEST(Generated, ZerosOfShapeWithoutValue) {
  Case("ConstantOfShape").host<int64_t>({1}, {3}).expect<float>({3}, {0, 0, 0});
  Case("ConstantOfShape").host<int64_t>({0}, {}).expect<float>({}, {0});
  Case("ConstantOfShape").host<int64_t>({2}, {0, 3}).expect<float>({0, 3}, {});
}

template <typename T>
void expect_range(T start, T limit, T delta) {
  std::vector<T> expected;
  for (int i = 0; delta > 0 ? start + i * delta < limit : start + i * delta > limit; ++i) {
    expected.push_back(static_cast<T>(start + i * delta));
  }
  const auto count = static_cast<int64_t>(expected.size());
  Case("Range", 11)
      .host<T>({}, {start})
      .template host<T>({}, {limit})
      .template host<T>({}, {delta})
      .expect({count}, expected, 1e-6);
}

TEST(Generated, Ranges) {
  expect_range<float>(0.5f, 9.25f, 0.375f);
  expect_range<float>(3, -4, -0.5f);
  expect_range<int16_t>(-5, 900, 7);
  expect_range<int32_t>(10, -300, -1);
  expect_range<int64_t>(int64_t{1} << 40, (int64_t{1} << 40) + 9, 2);
  expect_range<int64_t>(3, 3, 1);
}

TEST(Generated, RefusesFloat64) {
  EXPECT_EQ(Case("EyeLike", 9)
                .attribute("k", 0)
                .input<float>({1, 1}, {0})
                .output<double>({1, 1}, {1})
                .failure()
                .reason(),
            SY_REASON_DTYPE);
}

}  // namespace
}  // namespace mps::op_tests
