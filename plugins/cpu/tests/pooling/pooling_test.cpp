#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/products.hpp"
#include "harness/windows.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {
namespace {

struct PoolingCase {
  Shape x;
  WindowCase window;

  std::string name() const {
    return sy::text("x", x, " kernel", window.kernel, " strides", window.strides, " dilations",
                    window.dilations, " pads", window.pads, " ", window.auto_pad, " ceil ",
                    window.ceil ? 1 : 0);
  }
};

const std::vector<PoolingCase>& pooling_cases() {
  static const std::vector<PoolingCase> all = {
      {{1, 1, 4, 4}, {{2, 2}}},
      {{2, 3, 9, 8}, {{3, 3}, {2, 2}, {}, {1, 1, 1, 1}}},
      {{1, 17, 11, 40}, {{3, 3}, {2, 2}}},
      {{2, 6, 10, 8}, {{2, 2}, {2, 2}}},
      {{2, 37, 5, 6}, {{3, 2}, {2, 1}, {}, {1, 1, 0, 0}}},
      {{1, 5, 9, 41}, {{2, 3}, {1, 1}, {}, {0, 1, 1, 2}}},
      {{1, 2, 13, 12}, {{3, 2}, {2, 3}, {2, 2}, {1, 1, 1, 0}}},
      {{1, 2, 7, 7}, {{3, 3}, {3, 3}, {}, {}, "NOTSET", true}},
      {{1, 2, 7, 8}, {{3, 3}, {2, 2}, {}, {1, 0, 1, 1}, "NOTSET", true}},
      {{1, 3, 10, 9}, {{3, 3}, {2, 2}, {}, {}, "SAME_UPPER"}},
      {{1, 3, 10, 9}, {{4, 4}, {3, 3}, {}, {}, "SAME_LOWER"}},
      {{1, 3, 10, 9}, {{3, 2}, {3, 1}, {}, {}, "VALID"}},
      {{2, 4, 17}, {{3}, {2}, {}, {1, 1}}},
      {{2, 4, 5}, {{7}, {3}}},
      {{1, 3, 4, 9}, {{8, 3}, {5, 2}, {}, {1, 0, 1, 1}, "NOTSET", true}},
      {{2, 20, 3, 4}, {{4, 3}, {7, 4}, {2, 3}, {1, 1, 0, 1}}},
      {{2, 4, 90}, {{5}}},
      {{1, 2, 5, 6, 7}, {{2, 3, 2}, {1, 2, 1}, {}, {0, 1, 1, 1, 0, 0}}},
  };
  return all;
}

// Joins what a window sees; `padded` counts the elements that lie in the padding.
using PoolingJoin = std::function<double(const std::vector<double>& seen, int64_t padded)>;

std::vector<double> pooling_reference(const PoolingCase& c, const Value& x,
                                      const PoolingJoin& join) {
  const std::vector<double> from = as_doubles(x);
  const Shape extents(c.x.begin() + 2, c.x.end());
  std::vector<double> made;
  for_each_index(c.window.slid(c.x), [&](const Shape& index) {
    std::vector<double> seen;
    int64_t padded = 0;
    const Shape position(index.begin() + 2, index.end());
    for_each_tap(c.window, extents, position, [&](const Shape&, const Shape& at, bool inside) {
      if (inside) {
        Shape xi = {index[0], index[1]};
        xi.insert(xi.end(), at.begin(), at.end());
        seen.push_back(from[static_cast<size_t>(flat(c.x, xi))]);
        return;
      }
      bool in_padding = true;
      for (size_t i = 0; i < at.size(); ++i) {
        in_padding = in_padding && at[i] < extents[i] + c.window.pad_after(i, extents[i]);
      }
      padded += in_padding ? 1 : 0;
    });
    made.push_back(join(seen, padded));
  });
  return made;
}

double largest(const std::vector<double>& seen, int64_t) {
  double best = -std::numeric_limits<double>::infinity();
  for (const double x : seen) best = std::max(best, x);
  return best;
}

double mean(const std::vector<double>& seen, int64_t) {
  double sum = 0;
  for (const double x : seen) sum += x;
  return seen.empty() ? 0 : sum / static_cast<double>(seen.size());
}

double padded_mean(const std::vector<double>& seen, int64_t padded) {
  return mean(seen, 0) * static_cast<double>(seen.size()) /
         static_cast<double>(static_cast<int64_t>(seen.size()) + padded);
}

double norm(const std::vector<double>& seen, double p) {
  double sum = 0;
  for (const double x : seen) sum += std::pow(std::abs(x), p);
  return std::pow(sum, 1 / p);
}

OneNode pooling_node(const std::string& op, const PoolingCase& c) {
  OneNode node(op, op == "AveragePool" ? 19 : op == "LpPool" ? 18 : 12);
  c.window.describe(node).attribute("ceil_mode", c.window.ceil ? 1 : 0);
  return node;
}

void expect_pool(const std::string& op, sy_dtype dtype, const PoolingCase& c,
                 const std::function<void(OneNode&)>& attributes, const PoolingJoin& join,
                 double units) {
  SCOPED_TRACE(sy::text(op, " ", sy::dtype_name(dtype), " ", c.name()));
  const Value x = random(dtype, c.x, 1);
  const auto expected = pooling_reference(c, x, join);
  for (const Value& laid : pool_layouts(x)) {
    for (const bool accept : {false, true}) {
      OneNode node = pooling_node(op, c);
      attributes(node);
      node.input(laid).output(dtype, c.window.slid(c.x));
      if (accept) node.accept_strides();
      expect_near(node.run(), expected, units, 1e-6);
    }
  }
  OneNode hidden = pooling_node(op, c);
  attributes(hidden);
  hidden.input(pool_layouts(x).back()).output(dtype, c.window.slid(c.x)).hide_shapes();
  expect_near(hidden.run(), expected, units, 1e-6);
}

TEST(MaxPool, EveryCaseLayoutAndDtype) {
  for (const PoolingCase& c : pooling_cases()) {
    for (const sy_dtype dtype : float_dtypes)
      expect_pool(
          "MaxPool", dtype, c, [](OneNode&) {}, largest, 0);
  }
}

TEST(AveragePool, EveryCaseLayoutAndDtype) {
  for (const PoolingCase& c : pooling_cases()) {
    for (const sy_dtype dtype : float_dtypes) {
      for (const int counts : {0, 1}) {
        const auto set = [counts](OneNode& node) { node.attribute("count_include_pad", counts); };
        expect_pool("AveragePool", dtype, c, set, counts != 0 ? padded_mean : mean, 4);
      }
    }
  }
}

TEST(LpPool, EveryCaseAndPower) {
  for (const PoolingCase& c : pooling_cases()) {
    for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_BFLOAT16}) {
      for (const int p : {1, 2, 3}) {
        const auto set = [p](OneNode& node) { node.attribute("p", p); };
        expect_pool(
            "LpPool", dtype, c, set,
            [p](const std::vector<double>& seen, int64_t) { return norm(seen, p); }, 8);
      }
    }
  }
}

TEST(MaxPool, Bytes) {
  for (const sy_dtype dtype : {SY_INT8, SY_UINT8}) {
    for (const PoolingCase& c : pooling_cases()) {
      const Value x = whole(dtype, c.x, 5);
      const auto expected = pooling_reference(c, x, largest);
      for (const Value& laid : pool_layouts(x)) {
        OneNode node = pooling_node("MaxPool", c);
        expect_near(node.input(laid).output(dtype, c.window.slid(c.x)).run(), expected, 0);
      }
    }
  }
}

TEST(MaxPool, InfinityAndNan) {
  const double low = -std::numeric_limits<double>::infinity(), nan = std::nan("");
  const PoolingCase c{{1, 1, 1, 40}, {{1, 2}, {1, 2}}};
  std::vector<double> elements(40, low);
  elements[2] = nan;
  elements[3] = 1;
  elements[5] = nan;
  elements[37] = -3;
  const Value x = from_doubles(SY_FLOAT32, c.x, elements);
  const auto y =
      as_doubles(pooling_node("MaxPool", c).input(x).output(SY_FLOAT32, {1, 1, 1, 20}).run());
  EXPECT_EQ(y[0], low);
  EXPECT_TRUE(std::isnan(y[1]));
  EXPECT_TRUE(std::isnan(y[2]));
  EXPECT_EQ(y[18], -3);
}

// Indices by the definition: the first of the largest, in the unpadded input.
std::vector<int64_t> index_reference(const PoolingCase& c, const Value& x, bool columns_first) {
  const std::vector<double> from = as_doubles(x);
  const Shape extents(c.x.begin() + 2, c.x.end());
  std::vector<int64_t> made;
  for_each_index(c.window.slid(c.x), [&](const Shape& index) {
    double best = -std::numeric_limits<double>::infinity();
    int64_t found = -1;
    const Shape position(index.begin() + 2, index.end());
    for_each_tap(c.window, extents, position, [&](const Shape&, const Shape& at, bool inside) {
      if (!inside) return;
      Shape xi = {index[0], index[1]};
      xi.insert(xi.end(), at.begin(), at.end());
      const double element = from[static_cast<size_t>(flat(c.x, xi))];
      if (found >= 0 && element <= best) return;
      best = element;
      Shape order = extents, turned = at;
      if (columns_first) std::reverse(order.begin(), order.end());
      if (columns_first) std::reverse(turned.begin(), turned.end());
      found = (index[0] * c.x[1] + index[1]) * sy::element_count(extents) + flat(order, turned);
    });
    made.push_back(found);
  });
  return made;
}

// How the outputs of a node with indices lie.
enum class Outputs { contiguous, as_proposed, hidden, spaced };

void expect_indices(sy_dtype dtype, const PoolingCase& c, int order, Outputs outputs) {
  const Value x = whole(dtype, c.x, 3);
  const Shape y = c.window.slid(c.x);
  const std::vector<double> values = pooling_reference(c, x, largest);
  const std::vector<int64_t> indices = index_reference(c, x, order != 0);
  for (const Value& laid : pool_layouts(x)) {
    OneNode node = pooling_node("MaxPool", c);
    node.attribute("storage_order", order).input(laid);
    const bool apart = outputs == Outputs::spaced;
    const Value like = apart ? spaced(blank(dtype, y)) : blank(dtype, y);
    node.output(dtype, y, like.strides, like.offset).output(SY_INT64, y, like.strides, like.offset);
    if (outputs == Outputs::as_proposed) node.accept_strides();
    if (outputs == Outputs::hidden) node.hide_shapes();
    const std::vector<Value> made = node.run_all();
    expect_near(made[0], values, 0);
    EXPECT_EQ(numbers<int64_t>(made[1]), indices);
  }
}

TEST(MaxPool, Indices) {
  for (const PoolingCase& c : pooling_cases()) {
    for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16, SY_INT8}) {
      SCOPED_TRACE(sy::text(sy::dtype_name(dtype), " ", c.name()));
      for (const int order : {0, 1}) {
        for (const Outputs outputs :
             {Outputs::contiguous, Outputs::as_proposed, Outputs::hidden, Outputs::spaced}) {
          expect_indices(dtype, c, order, outputs);
        }
      }
    }
  }
}

TEST(MaxPool, IndicesAreProposedChannelsLastWhereTheInputLiesSo) {
  const PoolingCase c{{2, 6, 8, 8}, {{2, 2}, {2, 2}}};
  const Shape y = {2, 6, 4, 4}, last = {96, 1, 24, 6};
  const Value x = random(SY_FLOAT32, c.x, 1);
  for (const bool has_channels_last : {false, true}) {
    OneNode node = pooling_node("MaxPool", c);
    node.input(has_channels_last ? channels_last(x) : x).output(SY_FLOAT32, y).output(SY_INT64, y);
    const std::vector<Value> made = node.accept_strides().run_all();
    for (const Value& output : made) EXPECT_EQ(output.strides, has_channels_last ? last : Shape{});
  }
}

// Fewer channels than a vector has, as many, and more; threads share the positions.
TEST(MaxPool, IndicesOfChannelsWithNansInfinitiesAndTies) {
  const double low = -std::numeric_limits<double>::infinity();
  for (const int64_t channels : {2, 6, 8, 16, 19, 32, 45}) {
    for (const int64_t batch : {1, 60}) {
      SCOPED_TRACE(sy::text(batch, " of ", channels));
      const PoolingCase c{{batch, channels, 9, 14}, {{3, 2}, {2, 2}, {}, {1, 0, 1, 0}}};
      std::vector<double> elements = small_integers(sy::element_count(c.x), 7);
      for (size_t i = 0; i < elements.size(); ++i) {
        if (i % 5 < 2) elements[i] = low;
        if (i % 29 == 3) elements[i] = std::nan("");
      }
      for (const sy_dtype dtype : float_dtypes) {
        const Value x = from_doubles(dtype, c.x, elements);
        const Shape y = c.window.slid(c.x);
        const auto run = [&](const Value& laid) {
          OneNode node = pooling_node("MaxPool", c);
          return node.input(laid).output(dtype, y).output(SY_INT64, y).accept_strides().run_all();
        };
        const std::vector<Value> plain = run(x), last = run(channels_last(x));
        EXPECT_EQ(numbers<int64_t>(plain[1]), numbers<int64_t>(last[1]));
        expect_near(last[0], as_doubles(plain[0]), 0);
      }
    }
  }
}

// A window that lies in the padding alone sees nothing.
TEST(MaxPool, IndicesOfWindowsThatSeeNothing) {
  const PoolingCase c{{1, 3, 2, 2}, {{1, 1}, {1, 1}, {}, {1, 1, 1, 1}}};
  const Value x = random(SY_FLOAT32, c.x, 1);
  const Shape y = c.window.slid(c.x);
  for (const Value& laid : pool_layouts(x)) {
    OneNode node = pooling_node("MaxPool", c);
    node.input(laid).output(SY_FLOAT32, y).output(SY_INT64, y).accept_strides();
    const std::vector<Value> made = node.run_all();
    EXPECT_EQ(numbers<int64_t>(made[1])[0], -1);
    EXPECT_EQ(numbers<float>(made[0])[0], -std::numeric_limits<float>::infinity());
    EXPECT_EQ(numbers<int64_t>(made[1])[5], 0);
  }
}

// Rows of more and less than a vector, at every step, with what no number is larger than.
TEST(MaxPool, IndicesOfLongRowsWithNansAndInfinities) {
  const double low = -std::numeric_limits<double>::infinity();
  for (const int64_t width : {14, 31, 67, 130}) {
    for (const int64_t stride : {1, 2, 3}) {
      const int64_t positions = (width - 2) / stride + 1;
      std::vector<double> x, y;
      std::vector<int64_t> indices;
      for (int64_t i = 0; i < width; ++i) {
        const double number = i % 7 < 3 ? low : static_cast<double>((i * 5) % 9);
        x.push_back(i % 11 == 3 ? std::nan("") : number);
      }
      for (int64_t p = 0; p < positions; ++p) {
        const int64_t at = p * stride;
        const double left = x[static_cast<size_t>(at)], right = x[static_cast<size_t>(at) + 1];
        const bool takes_right = !std::isnan(left) && !(right <= left);
        indices.push_back(takes_right ? at + 1 : at);
        y.push_back(takes_right ? right : left);
      }
      const PoolingCase c{{1, 1, 1, width}, {.kernel = {1, 2}, .strides = {1, stride}}};
      OneNode node = pooling_node("MaxPool", c);
      const Shape shape = {1, 1, 1, positions};
      node.input(from_doubles(SY_FLOAT32, c.x, x))
          .output(SY_FLOAT32, shape)
          .output(SY_INT64, shape);
      const std::vector<Value> made = node.run_all();
      EXPECT_EQ(numbers<int64_t>(made[1]), indices) << width << " by " << stride;
      expect_near(made[0], y, 0);
    }
  }
}

TEST(Pooling, NothingToDo) {
  const PoolingCase c{{0, 3, 5, 5}, {{2, 2}}};
  const Value x = blank(SY_FLOAT32, c.x);
  EXPECT_EQ(pooling_node("MaxPool", c).input(x).output(SY_FLOAT32, {0, 3, 4, 4}).run().size(), 0);
}

TEST(GlobalPooling, EveryLayoutAndDtype) {
  for (const Shape& shape : {Shape{2, 3, 5, 7}, Shape{1, 40, 7, 7}, Shape{2, 5}, Shape{2, 3, 200},
                             Shape{1, 2, 3, 4, 5}}) {
    Shape y(shape.size(), 1);
    y[0] = shape[0];
    y[1] = shape[1];
    WindowCase window{Shape(shape.begin() + 2, shape.end())};
    const PoolingCase c{shape, window};
    for (const sy_dtype dtype : float_dtypes) {
      const Value x = random(dtype, shape, 4);
      for (const Value& laid : shape.size() > 2 ? pool_layouts(x) : layouts_of(x)) {
        const auto run = [&](const std::string& op, int p) {
          OneNode node(op, 1);
          if (p > 0) node.attribute("p", p);
          return node.input(laid).output(dtype, y).run();
        };
        expect_near(run("GlobalMaxPool", 0), pooling_reference(c, x, largest), 0);
        expect_near(run("GlobalAveragePool", 0), pooling_reference(c, x, mean), 2, 1e-7);
        for (const int p : {1, 2, 3}) {
          const auto expected = pooling_reference(
              c, x, [p](const std::vector<double>& seen, int64_t) { return norm(seen, p); });
          expect_near(run("GlobalLpPool", p), expected, 2, 1e-7);
        }
      }
    }
  }
}

}  // namespace
}  // namespace cpu::testing
