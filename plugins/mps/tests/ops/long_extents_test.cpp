// Extents beyond 2^15 and 2^16, each in a role of its own. Small numbers, whose sums are exact.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "ops/data.hpp"

namespace mps::op_tests {
namespace {

using runtime_tests::gapped;
using runtime_tests::permuted;

constexpr int64_t long_extent = 66'001;

Floats small(int64_t count, unsigned seed = 1) {
  Floats made;
  for (const int64_t number : below<int64_t>(5, count, seed)) {
    made.push_back(static_cast<float>(number - 2));
  }
  return made;
}

// One run, and not one a layout.
class LongCase {
 public:
  explicit LongCase(const char* op, uint32_t version = 13) : node_(op, version) {}
  template <typename T>
  LongCase& input(const View& view, const std::vector<T>& elements) {
    node_.input_in(view, elements);
    return *this;
  }
  Case& node() { return node_; }
  template <typename T>
  void expect(const Shape& shape, const std::vector<T>& expected, double tolerance = 0) {
    node_.output(shape, expected, tolerance).check_once();
  }

 private:
  Case node_;
};

struct Product {
  int64_t rows, columns, depth;
};

class LongProducts : public testing::TestWithParam<Product> {};

// Few rows or columns go to our own kernel, others to a graph.
INSTANTIATE_TEST_SUITE_P(Of, LongProducts,
                         testing::Values(Product{2, long_extent, 3}, Product{long_extent, 2, 3},
                                         Product{9, 33'001, 2}, Product{33'001, 9, 2},
                                         Product{2, 3, 32'000}, Product{3, 2, long_extent}));

TEST_P(LongProducts, AreWhole) {
  const auto [rows, columns, depth] = GetParam();
  const Floats a = small(rows * depth), b = small(depth * columns, 2);
  Floats expected;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      float sum = 0;
      for (int64_t k = 0; k < depth; ++k) {
        sum +=
            a[static_cast<size_t>(row * depth + k)] * b[static_cast<size_t>(k * columns + column)];
      }
      expected.push_back(sum);
    }
  }
  LongCase("MatMul")
      .input(gapped({rows, depth}), a)
      .input(permuted({depth, columns}), b)
      .expect({rows, columns}, expected);
}

TEST(LongExtents, OfAConvolutionsBatch) {
  const Floats x = small(long_extent * 4), w = small(4, 2);
  Floats expected;
  for (size_t i = 0; i < x.size(); i += 4) {
    expected.push_back(
        std::inner_product(w.begin(), w.end(), x.begin() + static_cast<int>(i), 0.0f));
  }
  LongCase conv("Conv", 11);
  conv.input(permuted({long_extent, 1, 2, 2}), x).input(permuted({1, 1, 2, 2}), w);
  conv.expect({long_extent, 1, 1, 1}, expected);
}

TEST(LongExtents, OfAConvolutionsChannels) {
  const Floats x = small(2), w = small(long_extent, 2);
  Floats expected;
  for (const float weight : w) {
    for (const float one : x) expected.push_back(weight * one);
  }
  LongCase out("Conv", 11);
  out.input(permuted({1, 1, 1, 2}), x).input(permuted({long_extent, 1, 1, 1}), w);
  out.expect({1, long_extent, 1, 2}, expected);
  LongCase in("Conv", 11);
  in.input(gapped({1, long_extent, 1, 1}), w).input(permuted({1, long_extent, 1, 1}), w);
  in.expect({1, 1, 1, 1}, Floats{std::inner_product(w.begin(), w.end(), w.begin(), 0.0f)});
}

TEST(LongExtents, OfAPoolsBatchAndWindow) {
  const Floats x = small(long_extent * 2);
  Floats pairs;
  for (size_t i = 0; i < x.size(); i += 2) pairs.push_back(std::max(x[i], x[i + 1]));
  LongCase most("MaxPool", 12);
  most.node().attribute("kernel_shape", Numbers{1, 2});
  most.input(permuted({long_extent, 1, 1, 2}), x).expect({long_extent, 1, 1, 1}, pairs);
  LongCase mean("GlobalAveragePool", 1);
  mean.input(gapped({1, 2, 1, long_extent}), x);
  const auto half_way = x.begin() + long_extent;
  mean.expect({1, 2, 1, 1},
              Floats{std::accumulate(x.begin(), half_way, 0.0f) / long_extent,
                     std::accumulate(half_way, x.end(), 0.0f) / long_extent},
              1e-5);
}

TEST(LongExtents, OfReducedAndOfKeptAxes) {
  const Shape shape{2, long_extent};
  auto x = numbers<int64_t>(count_of(shape));
  x[long_extent - 1] = 1000;
  x.back() = -1000;
  for (const size_t axis : {0, 1}) {
    Shape result = shape;
    result[axis] = 1;
    const auto sum = by_line<int64_t>(shape, x, axis, [](const Numbers& line) {
      return Numbers{std::accumulate(line.begin(), line.end(), int64_t{0})};
    });
    LongCase whole("ReduceSum");
    whole.input(permuted(shape), x).node().host<int64_t>({1}, {static_cast<int64_t>(axis)});
    whole.expect(result, sum);
    const Floats y(x.begin(), x.end());
    LongCase most("ArgMax");
    most.node().attribute("axis", static_cast<int64_t>(axis));
    most.input(permuted(shape), y);
    most.expect(result, by_line<int64_t>(shape, y, axis, [](const Floats& line) {
                  return Numbers{std::max_element(line.begin(), line.end()) - line.begin()};
                }));
  }
}

TEST(LongExtents, OfRunningSumsAndNorms) {
  const Floats x = small(long_extent);
  Floats sums(x.size());
  std::partial_sum(x.begin(), x.end(), sums.begin());
  LongCase running("CumSum", 14);
  running.input(permuted({1, long_extent}), x).node().host<int64_t>({}, {1});
  running.expect({1, long_extent}, sums);
  // Each line of two becomes one of 1 and -1, or of zeros.
  const Floats pairs = small(2 * long_extent);
  Floats expected;
  for (size_t i = 0; i < pairs.size(); i += 2) {
    const float sign = pairs[i] > pairs[i + 1] ? 1.0f : pairs[i] < pairs[i + 1] ? -1.0f : 0.0f;
    expected.push_back(sign);
    expected.push_back(-sign);
  }
  LongCase norm("LayerNormalization", 17);
  norm.node().attribute("axis", 1).attribute("epsilon", 1e-9);
  norm.input(gapped({long_extent, 2}), pairs).input(permuted({2}), Floats{1, 1});
  norm.expect({long_extent, 2}, expected, 1e-5);
}

TEST(LongExtents, OfSortedLines) {
  Numbers order(long_extent);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(4));
  Numbers position(order.size());
  std::vector<int32_t> x(order.size()), largest;
  for (size_t i = 0; i < order.size(); ++i) {
    x[i] = static_cast<int32_t>(order[i]);
    position[static_cast<size_t>(long_extent - 1 - order[i])] = static_cast<int64_t>(i);
    largest.push_back(static_cast<int32_t>(long_extent - 1 - static_cast<int64_t>(i)));
  }
  constexpr int64_t wanted = 65'537;
  largest.resize(wanted);
  position.resize(wanted);
  LongCase top("TopK", 11);
  top.input(permuted({long_extent}), x).node().host<int64_t>({1}, {wanted});
  top.node().output(Shape{wanted}, largest);
  top.expect({wanted}, position);
}

TEST(LongExtents, OfJoinedChosenAndScatteredElements) {
  const Floats x = small(long_extent), y = small(3, 2);
  Floats joined = x;
  joined.insert(joined.end(), y.begin(), y.end());
  LongCase concat("Concat");
  concat.node().attribute("axis", 0);
  concat.input(gapped({long_extent}), x).input(permuted({3}), y).expect({long_extent + 3}, joined);

  std::vector<Truth> when;
  Floats chosen;
  for (size_t i = 0; i < x.size(); ++i) {
    when.push_back(i % 3 == 0 ? Truth::yes : Truth::no);
    chosen.push_back(i % 3 == 0 ? x[i] : y[0]);
  }
  LongCase where("Where", 16);
  where.input(gapped({long_extent}), when).input(permuted({long_extent}), x);
  where.input(permuted({1}), Floats{y[0]}).expect({long_extent}, chosen);

  Numbers indices;
  Floats placed(x.size());
  for (int64_t i = 0; i < long_extent; ++i) {
    indices.push_back(-1 - i);
    placed[static_cast<size_t>(long_extent - 1 - i)] = x[static_cast<size_t>(i)];
  }
  LongCase scatter("ScatterElements", 18);
  scatter.node().attribute("axis", 0);
  scatter.input(permuted({long_extent}), Floats(x.size())).input(gapped({long_extent}), indices);
  scatter.input(gapped({long_extent}), x).expect({long_extent}, placed);
}

}  // namespace
}  // namespace mps::op_tests
