#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "ops/data.hpp"

namespace mps::op_tests {
namespace {

// What updates are joined as: a half is rounded after the last of them.
template <typename T>
using Wide = std::conditional_t<std::is_integral_v<T>, T, float>;

// The updates of a position in their order.
template <typename T>
T joined(const std::string& reduction, T old, T update) {
  if (reduction == "add") return static_cast<T>(old + update);
  if (reduction == "mul") return static_cast<T>(old * update);
  if (old != old || update != update) return old != old ? old : update;
  if (reduction == "min") return old < update ? old : update;
  if (reduction == "max") return old < update ? update : old;
  return update;
}

template <typename T>
std::vector<T> rounded(const std::vector<Wide<T>>& sums) {
  std::vector<T> made;
  for (const Wide<T> sum : sums) made.push_back(static_cast<T>(sum));
  return made;
}

constexpr const char* reductions[] = {"none", "add", "mul", "min", "max"};

template <typename T>
class ScatterOf : public testing::Test {};
using ScatterTypes = testing::Types<float, half, uint8_t, int16_t, int32_t, int64_t>;
TYPED_TEST_SUITE(ScatterOf, ScatterTypes);

// Few positions, so that most are named several times.
TYPED_TEST(ScatterOf, Elements) {
  const Shape shape{3, 4, 5}, updates_shape{2, 9, 5};
  const auto x = numbers<TypeParam>(60);
  const auto updates = numbers<TypeParam>(90, 2);
  auto indices = below<int64_t>(4, 90, 3);
  for (size_t i = 0; i < indices.size(); i += 5) indices[i] -= 4;
  for (const std::string reduction : reductions) {
    std::vector<Wide<TypeParam>> sums(x.begin(), x.end());
    each_position(updates_shape, [&](const Shape& at) {
      const int64_t index = indices[flat(updates_shape, at)];
      Wide<TypeParam>& position = sums[flat(shape, {at[0], index < 0 ? index + 4 : index, at[2]})];
      const Wide<TypeParam> update = updates[flat(updates_shape, at)];
      position = reduction == "none" ? update : joined(reduction, position, update);
    });
    Case("ScatterElements", 18)
        .attribute("axis", 1)
        .attribute("reduction", reduction.c_str())
        .input(shape, x)
        .input(updates_shape, indices)
        .input(updates_shape, updates)
        .expect(shape, rounded<TypeParam>(sums), 1e-6);
  }
}

TYPED_TEST(ScatterOf, Tuples) {
  const Shape shape{3, 4, 5}, index_shape{11, 2}, updates_shape{11, 5};
  const auto x = numbers<TypeParam>(60);
  const auto updates = numbers<TypeParam>(55, 2);
  const auto indices = below<int64_t>(3, 22, 3);
  for (const std::string reduction : reductions) {
    std::vector<Wide<TypeParam>> sums(x.begin(), x.end());
    each_position(updates_shape, [&](const Shape& at) {
      const size_t tuple = flat(index_shape, {at[0], 0});
      Wide<TypeParam>& position = sums[flat(shape, {indices[tuple], indices[tuple + 1], at[1]})];
      const Wide<TypeParam> update = updates[flat(updates_shape, at)];
      position = reduction == "none" ? update : joined(reduction, position, update);
    });
    Case("ScatterND", 18)
        .attribute("reduction", reduction.c_str())
        .input(shape, x)
        .input(index_shape, indices)
        .input(updates_shape, updates)
        .expect(shape, rounded<TypeParam>(sums), 1e-6);
  }
}

// Lines of so many updates that the kernels look for positions in another way, in several groups at
// last, and as many lines as the indices have; one line where they are repeated over the others.
TYPED_TEST(ScatterOf, LongLines) {
  constexpr bool is_whole = std::is_integral_v<TypeParam>;
  for (const int64_t length : {64, 65, 300, 4097}) {
    const Shape shape{3, 40, 2}, updates_shape{2, length, 2};
    const auto x = numbers<TypeParam>(240);
    const auto updates = numbers<TypeParam>(4 * length, 2);
    auto indices = below<int64_t>(40, 4 * length, 3);
    for (const bool repeats : {false, true}) {
      if (repeats) {
        each_position(updates_shape, [&](const Shape& at) {
          indices[flat(updates_shape, at)] = indices[flat(updates_shape, {0, at[1], 0})];
        });
      }
      for (const std::string reduction : {"add", "mul", "min", "max"}) {
        // Too many factors for integers without wrapping.
        if (is_whole && reduction == "mul") continue;
        std::vector<Wide<TypeParam>> sums(x.begin(), x.end());
        each_position(updates_shape, [&](const Shape& at) {
          const size_t from = flat(updates_shape, at);
          Wide<TypeParam>& position = sums[flat(shape, {at[0], indices[from], at[2]})];
          position = joined(reduction, position, static_cast<Wide<TypeParam>>(updates[from]));
        });
        Case made("ScatterElements", 18);
        made.attribute("axis", 1).attribute("reduction", reduction.c_str()).input(shape, x);
        if (repeats) {
          made.input_in(runtime_tests::repeated(updates_shape, {0, 2}), indices);
        } else {
          made.input(updates_shape, indices);
        }
        made.input(updates_shape, updates).output(shape, rounded<TypeParam>(sums), 1e-6);
        length < 1000 ? made.check() : made.check_once();
      }
    }
  }
}

// Rounded after each, so that any other order gives other bits.
TEST(Scatter, SumsKeepTheirDigits) {
  for (const int64_t count : {50, 1000, 5000}) {
    Floats updates;
    std::vector<double> sums(5);
    Numbers indices;
    for (int64_t i = 0; i < count; ++i) {
      updates.push_back(std::sin(static_cast<float>(i)) *
                        std::pow(10.0f, static_cast<float>(i % 7)));
      indices.push_back(i * 7 % 5);
      sums[static_cast<size_t>(indices.back())] += static_cast<double>(updates.back());
    }
    Case("ScatterND", 18)
        .attribute("reduction", "add")
        .input<float>({5}, Floats(5))
        .input<int64_t>({count, 1}, indices)
        .input<float>({count}, updates)
        .output<float>({5}, Floats(sums.begin(), sums.end()), 5e-5)
        .check_once();
  }
}

// The gradient of an embedding: rows of one position meet, their elements do not.
TEST(Scatter, RowsOfLongLines) {
  constexpr int64_t tokens = 500, depth = 24, words = 70;
  const auto gradient = numbers<float>(tokens * depth, 4);
  const auto indices = below<int64_t>(words, tokens, 5);
  Floats expected(words * depth);
  for (int64_t i = 0; i < tokens * depth; ++i) {
    const int64_t word = indices[static_cast<size_t>(i / depth)];
    expected[static_cast<size_t>(word * depth + i % depth)] += gradient[static_cast<size_t>(i)];
  }
  Case("ScatterND", 18)
      .attribute("reduction", "add")
      .input<float>({words, depth}, Floats(words * depth))
      .input<int64_t>({tokens, 1}, indices)
      .input<float>({tokens, depth}, gradient)
      .expect<float>({words, depth}, expected);
}

TEST(Scatter, ExtremesKeepNaN) {
  constexpr float nan = NAN;
  for (const char* reduction : {"min", "max"}) {
    Case("ScatterElements", 18)
        .attribute("axis", 0)
        .attribute("reduction", reduction)
        .input<float>({3}, {nan, 1, 2})
        .input<int32_t>({4}, {0, 1, 1, 2})
        .input<float>({4}, {5, nan, 7, 2})
        .expect<float>({3}, {nan, nan, 2});
  }
}

// So long a line that a last update must be found among many threads.
TEST(Scatter, TheLastUpdateCounts) {
  std::vector<int64_t> updates(5000), indices(5000);
  for (int64_t i = 0; i < 5000; ++i) {
    updates[static_cast<size_t>(i)] = i;
    indices[static_cast<size_t>(i)] = i % 7;
  }
  Numbers expected;
  for (int64_t position = 0; position < 7; ++position)
    expected.push_back(4999 - (4999 - position) % 7);
  Case("ScatterElements", 18)
      .attribute("axis", 0)
      .attribute("reduction", "none")
      .input<int64_t>({7}, Numbers(7))
      .input<int64_t>({5000}, indices)
      .input<int64_t>({5000}, updates)
      .expect<int64_t>({7}, expected);
}

TEST(Scatter, NoUpdates) {
  const auto x = numbers<float>(4);
  Case("ScatterElements", 18)
      .attribute("axis", 0)
      .attribute("reduction", "none")
      .input<float>({4}, x)
      .input<int64_t>({0}, {})
      .input<float>({0}, {})
      .expect<float>({4}, x);
  Case("ScatterND", 18)
      .attribute("reduction", "add")
      .input<float>({4}, x)
      .input<int64_t>({0, 1}, {})
      .input<float>({0}, {})
      .expect<float>({4}, x);
}

TEST(Scatter, IndicesOutOfRange) {
  for (const char* reduction : {"none", "add"}) {
    EXPECT_EQ(Case("ScatterElements", 18)
                  .attribute("axis", 0)
                  .attribute("reduction", reduction)
                  .input<float>({2}, {1, 2})
                  .input<int64_t>({1}, {2})
                  .input<float>({1}, {3})
                  .output<float>({2}, {1, 2})
                  .failure()
                  .status(),
              SY_INVALID);
  }
}

TEST(Scatter, RefusesOtherReductionsAndSumsOfBooleans) {
  EXPECT_EQ(Case("ScatterND", 18)
                .attribute("reduction", "mean")
                .input<float>({1}, {1})
                .input<int64_t>({1, 1}, {0})
                .input<float>({1}, {3})
                .output<float>({1}, {1})
                .failure()
                .reason(),
            SY_REASON_ATTRIBUTE);
  EXPECT_EQ(Case("ScatterND", 18)
                .attribute("reduction", "add")
                .input<Truth>({1}, {Truth::no})
                .input<int64_t>({1, 1}, {0})
                .input<Truth>({1}, {Truth::yes})
                .output<Truth>({1}, {Truth::no})
                .failure()
                .reason(),
            SY_REASON_DTYPE);
}

}  // namespace
}  // namespace mps::op_tests
