// Pools that our own kernels make, and the gradients of pools, against plain loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"

namespace mps::op_tests {
namespace {

// A window over as many axes as `size` has, as ONNX describes it.
struct Pool {
  Shape input, size, strides, dilations, pads;
  bool ceil = false;
  bool counts_padding = false;

  size_t rank() const { return size.size(); }
  Shape result() const {
    Shape made{input[0], input[1]};
    for (size_t i = 0; i < rank(); ++i) {
      const int64_t span = (size[i] - 1) * dilations[i] + 1;
      const int64_t room = input[2 + i] + pads[i] + pads[i + rank()] - span;
      int64_t positions = room / strides[i] + 1;
      const bool starts_inside = positions * strides[i] < input[2 + i] + pads[i];
      if (ceil && room > 0 && room % strides[i] != 0 && starts_inside) ++positions;
      made.push_back(positions);
    }
    return made;
  }
  Case& describe(Case& node) const {
    return node.attribute("kernel_shape", size)
        .attribute("strides", strides)
        .attribute("dilations", dilations)
        .attribute("pads", pads)
        .attribute("ceil_mode", ceil ? 1 : 0);
  }
  // Calls visit(index of the input) for what the window at `at` sees; returns how many elements a
  // mean divides by.
  template <typename Visit>
  int64_t each(const Shape& at, Visit&& visit) const {
    int64_t counted = 0;
    each_position(size, [&](const Shape& tap) {
      Shape index{at[0], at[1]};
      bool inside = true, padded = true;
      for (size_t i = 0; i < rank(); ++i) {
        const int64_t position = at[2 + i] * strides[i] - pads[i] + tap[i] * dilations[i];
        inside = inside && position >= 0 && position < input[2 + i];
        padded = padded && position < input[2 + i] + pads[i + rank()];
        index.push_back(position);
      }
      if (inside || (counts_padding && padded)) ++counted;
      if (inside) visit(index);
    });
    return counted;
  }
};

// Windows that overlap, that leave gaps, that see only padding, that reach beyond it, and that are
// larger than all of it.
const Pool pools[] = {{{2, 3, 6, 5}, {3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}},
                      {{2, 3, 7, 6}, {2, 3}, {2, 1}, {1, 2}, {0, 2, 1, 1}, false, true},
                      {{1, 2, 8, 8}, {2, 2}, {3, 3}, {1, 1}, {0, 0, 0, 0}, true},
                      {{2, 2, 8, 5}, {3, 2}, {2, 2}, {1, 1}, {1, 1, 1, 1}, true, true},
                      {{2, 2, 9}, {4}, {2}, {1}, {2, 2}, true},
                      {{1, 1, 3}, {1}, {1}, {1}, {2, 0}},
                      {{2, 2, 5}, {7}, {3}, {1}, {0, 0}},
                      {{1, 2, 4, 9}, {8, 3}, {5, 2}, {1, 1}, {1, 0, 1, 1}, false, true},
                      {{1, 2, 3, 4}, {4, 3}, {7, 4}, {2, 3}, {1, 1, 0, 1}, true},
                      {{1, 2, 4, 5, 3}, {2, 3, 2}, {1, 2, 1}, {2, 1, 1}, {1, 0, 0, 1, 1, 1}}};

template <typename T>
class PoolingOf : public testing::Test {
 protected:
  static constexpr double rounding = std::is_same_v<T, float>  ? 1e-6
                                     : std::is_same_v<T, half> ? 0x1.1p-10
                                                               : 0x1.1p-8;
};
TYPED_TEST_SUITE(PoolingOf, Floating);

// The first of equals; -1 where nothing is seen. A NaN wins, and the first of them stays.
template <typename T>
Numbers found(const Pool& pool, const std::vector<T>& x) {
  return made_by<int64_t>(pool.result(), [&](const Shape& at) {
    int64_t from = -1;
    double most = -INFINITY;
    pool.each(at, [&](const Shape& index) {
      const size_t position = flat(pool.input, index);
      const double value = wide(x[position]);
      if (from >= 0 && (value <= most || std::isnan(most))) return;
      most = value;
      from = static_cast<int64_t>(position);
    });
    return from;
  });
}

TYPED_TEST(PoolingOf, LargestAndTheirPositions) {
  for (const Pool& pool : pools) {
    for (const bool is_wild : {false, true}) {
      const int64_t count = count_of(pool.input);
      const auto x = is_wild ? wild<TypeParam>(count) : numbers<TypeParam>(count);
      const Numbers positions = found(pool, x);
      std::vector<TypeParam> largest;
      for (const int64_t position : positions) {
        largest.push_back(position < 0 ? static_cast<TypeParam>(-INFINITY)
                                       : x[static_cast<size_t>(position)]);
      }
      Case node("MaxPool", 12);
      pool.describe(node).input(pool.input, x).output(pool.result(), largest);
      node.expect(pool.result(), positions);
    }
  }
}

TYPED_TEST(PoolingOf, Means) {
  for (const Pool& pool : pools) {
    const auto x = numbers<TypeParam>(count_of(pool.input));
    const auto means = made_by<TypeParam>(pool.result(), [&](const Shape& at) {
      double sum = 0;
      const int64_t count =
          pool.each(at, [&](const Shape& index) { sum += wide_at(x, pool.input, index); });
      return count == 0 ? 0 : sum / static_cast<double>(count);
    });
    Case node("AveragePool", 19);
    pool.describe(node).attribute("count_include_pad", pool.counts_padding ? 1 : 0);
    node.input(pool.input, x).expect(pool.result(), means, this->rounding);
  }
}

TYPED_TEST(PoolingOf, GradientsOfTheLargest) {
  for (const Pool& pool : pools) {
    const auto x = numbers<TypeParam>(count_of(pool.input));
    const Numbers positions = found(pool, x);
    const Shape result = pool.result();
    const auto gradients = numbers<TypeParam>(count_of(result), 2);
    std::vector<float> sums(x.size());
    for (size_t i = 0; i < positions.size(); ++i) {
      if (positions[i] < 0) continue;
      sums[static_cast<size_t>(positions[i])] += static_cast<float>(gradients[i]);
    }
    Case("MaxPoolGradient", 1)
        .domain("switchyard")
        .input(result, gradients)
        .input(result, positions)
        .host({static_cast<int64_t>(pool.input.size())}, pool.input)
        .expect(pool.input, std::vector<TypeParam>(sums.begin(), sums.end()));
    std::vector<TypeParam> gathered;
    for (const int64_t position : positions) {
      gathered.push_back(position < 0 ? TypeParam(0) : x[static_cast<size_t>(position)]);
    }
    Case("MaxPoolGather", 1)
        .domain("switchyard")
        .input(pool.input, x)
        .input(result, positions)
        .expect(result, gathered);
  }
}

TYPED_TEST(PoolingOf, GradientsOfMeans) {
  for (const Pool& pool : pools) {
    const Shape result = pool.result();
    const auto gradients = numbers<TypeParam>(count_of(result), 2);
    std::vector<double> sums(static_cast<size_t>(count_of(pool.input)));
    each_position(result, [&](const Shape& at) {
      const int64_t count = pool.each(at, [](const Shape&) {});
      const double share = wide_at(gradients, result, at) / static_cast<double>(count);
      pool.each(at, [&](const Shape& index) { sums[flat(pool.input, index)] += share; });
    });
    Case node("AveragePoolGradient", 1);
    pool.describe(node.domain("switchyard"));
    node.attribute("count_include_pad", pool.counts_padding ? 1 : 0);
    node.input(result, gradients).host({static_cast<int64_t>(pool.input.size())}, pool.input);
    node.expect(pool.input, std::vector<TypeParam>(sums.begin(), sums.end()), this->rounding);
  }
}

// Sums of such numbers depend on their order, and the first pass comes in any.
TEST(Pooling, SumsOfGradientsThatMeetKeepTheirDigits) {
  constexpr int64_t positions = 3000;
  Floats gradients;
  for (int64_t i = 0; i < positions; ++i) {
    gradients.push_back(std::ldexp(1.0f + static_cast<float>(i) / 4096, static_cast<int>(i % 24)));
  }
  Numbers indices;
  std::vector<double> sums(40);
  for (int64_t i = 0; i < positions; ++i) {
    indices.push_back(i % 7 == 0 ? -1 : i * i % 40);
    if (indices.back() >= 0) {
      sums[static_cast<size_t>(indices.back())] +=
          static_cast<double>(gradients[static_cast<size_t>(i)]);
    }
  }
  Case("MaxPoolGradient", 1)
      .domain("switchyard")
      .input({1, 1, positions}, gradients)
      .input({1, 1, positions}, indices)
      .host<int64_t>({3}, {1, 1, 40})
      .expect({1, 1, 40}, Floats(sums.begin(), sums.end()), 1e-6);
}

std::string refused(const char* op, int64_t index) {
  Case node(op, 1);
  node.domain("switchyard");
  if (std::string(op) == "MaxPoolGather") {
    node.input<float>({1, 2, 3}, Floats(6)).input<int64_t>({1, 2, 1}, {0, index});
    return node.output<float>({1, 2, 1}, Floats(2)).failure().what();
  }
  node.input<float>({1, 2, 1}, {1, 2}).input<int64_t>({1, 2, 1}, {0, index});
  return node.host<int64_t>({3}, {1, 2, 3}).output<float>({1, 2, 3}, Floats(6)).failure().what();
}

TEST(Pooling, IndicesAreOfTheirPlane) {
  for (const int64_t index : {2, 6, -2}) {
    const std::string message =
        "an index is " + std::to_string(index) + ", which counts no element of its plane, number 1";
    EXPECT_NE(refused("MaxPoolGradient", index).find(message), std::string::npos)
        << refused("MaxPoolGradient", index);
  }
  for (const int64_t index : {6, -2}) {
    EXPECT_NE(refused("MaxPoolGather", index).find("but its axis has 6 elements"),
              std::string::npos)
        << refused("MaxPoolGather", index);
  }
}

TEST(Pooling, NothingWasPooled) {
  Case("MaxPoolGradient", 1)
      .domain("switchyard")
      .input<float>({1, 1, 0}, {})
      .input<int64_t>({1, 1, 0}, {})
      .host<int64_t>({3}, {1, 1, 2})
      .expect<float>({1, 1, 2}, {0, 0});
  Case("MaxPoolGather", 1)
      .domain("switchyard")
      .input<float>({1, 1, 0}, {})
      .input<int64_t>({1, 1, 2}, {-1, -1})
      .expect<float>({1, 1, 2}, {0, 0});
}

TEST(Pooling, RefusesWhatItDoesNotCount) {
  Case columns("MaxPool", 12);
  columns.attribute("kernel_shape", Numbers{2}).attribute("storage_order", 1);
  columns.input<float>({1, 1, 3}, Floats(3)).output<float>({1, 1, 2}, Floats(2));
  EXPECT_EQ(columns.output<int64_t>({1, 1, 2}, Numbers(2)).failure().reason(), SY_REASON_ATTRIBUTE);
}

}  // namespace
}  // namespace mps::op_tests
