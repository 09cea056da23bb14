// The gradients of pooling against sums in double, and as adjoints of the forward ops.
#include <gtest/gtest.h>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/products.hpp"
#include "harness/windows.hpp"

namespace cpu::testing {
namespace {

struct PoolingGradientCase {
  Shape x;
  WindowCase window;

  Shape y() const { return window.slid(x); }
  std::string name() const {
    return sy::text("x", x, " kernel", window.kernel, " strides", window.strides, " dilations",
                    window.dilations, " pads", window.pads, " ceil ", window.ceil ? 1 : 0);
  }
};

const std::vector<PoolingGradientCase>& pooling_gradient_cases() {
  static const std::vector<PoolingGradientCase> all = {
      {{1, 1, 4, 4}, {{2, 2}}},
      {{5, 6, 28, 28}, {{2, 2}, {2, 2}}},
      {{3, 130, 6, 5}, {{2, 3}, {2, 1}}},
      {{2, 3, 9, 8}, {{3, 3}, {2, 2}, {}, {1, 1, 1, 1}}},
      {{1, 5, 9, 41}, {{2, 3}, {1, 1}, {}, {0, 1, 1, 2}}},
      {{1, 2, 13, 12}, {{3, 2}, {2, 3}, {2, 2}, {1, 1, 1, 0}}},
      {{1, 2, 7, 7}, {{3, 3}, {3, 3}, {}, {}, "NOTSET", true}},
      {{1, 2, 7, 8}, {{3, 3}, {2, 2}, {}, {1, 0, 1, 1}, "NOTSET", true}},
      {{2, 4, 17}, {{3}, {2}, {}, {1, 1}}},
      {{1, 2, 5, 6, 7}, {{2, 3, 2}, {1, 2, 1}, {}, {0, 1, 1, 1, 0, 0}}},
  };
  return all;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// ---- MaxPool

struct Pooled {
  Value y, indices;
};

Pooled max_pool(const PoolingGradientCase& c, const Value& x) {
  OneNode node("MaxPool", 12);
  c.window.describe(node).attribute("ceil_mode", c.window.ceil ? 1 : 0);
  auto made = node.input(x).output(x.dtype, c.y()).output(SY_INT64, c.y()).run_all();
  return {std::move(made[0]), std::move(made[1])};
}

std::vector<double> scattered(const Value& dy, const Value& indices, const Shape& x) {
  std::vector<double> made(static_cast<size_t>(sy::element_count(x)));
  const std::vector<double> from = as_doubles(dy);
  const std::vector<int64_t> to = numbers<int64_t>(indices);
  for (size_t i = 0; i < from.size(); ++i) made[static_cast<size_t>(to[i])] += from[i];
  return made;
}

TEST(MaxPoolGradient, EveryCaseDtypeAndLayout) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16}) {
    for (const PoolingGradientCase& c : pooling_gradient_cases()) {
      SCOPED_TRACE(sy::text(sy::dtype_name(dtype), " ", c.name()));
      const Value indices = max_pool(c, random(dtype, c.x, 1)).indices;
      const Value dy = whole(dtype, c.y(), 2);
      const std::vector<double> expected = scattered(dy, indices, c.x);
      const std::vector<Value> dys = pool_layouts(dy), positions = pool_layouts(indices);
      const std::vector<Value> results = pool_layouts(blank(dtype, c.x));
      for (size_t i = 0; i < dys.size(); ++i) {
        for (size_t k = 0; k < positions.size(); ++k) {
          const Value& result = results[(i + 2 * k) % results.size()];
          OneNode node("MaxPoolGradient", 1, switchyard_domain);
          node.input(dys[i]).input(positions[k]).host_input(integers(c.x));
          node.output(dtype, c.x, result.strides, result.offset);
          expect_near(node.run(), expected, units_for(dtype));
          OneNode free("MaxPoolGradient", 1, switchyard_domain);
          free.input(dys[i]).input(positions[k]).host_input(integers(c.x)).output(dtype, c.x);
          expect_near(free.accept_strides().run(), expected, units_for(dtype));
        }
      }
    }
  }
}

TEST(MaxPoolGather, IsTheAdjointAndPicksWhatMaxPoolPicked) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16}) {
    for (const PoolingGradientCase& c : pooling_gradient_cases()) {
      SCOPED_TRACE(sy::text(sy::dtype_name(dtype), " ", c.name()));
      const Value x = random(dtype, c.x, 1);
      const Pooled pooled = max_pool(c, x);
      for (const Value& g : pool_layouts(x)) {
        for (const Value& positions : {reversed(pooled.indices), channels_last(pooled.indices)}) {
          for (const bool accept : {false, true}) {
            OneNode node("MaxPoolGather", 1, switchyard_domain);
            node.input(g).input(positions).output(dtype, c.y());
            if (accept) node.accept_strides();
            expect_near(node.run(), as_doubles(pooled.y), 0);
          }
        }
      }
      if (dtype != SY_FLOAT64) continue;
      const Value dy = random(dtype, c.y(), 2);
      OneNode back("MaxPoolGradient", 1, switchyard_domain);
      back.input(dy).input(pooled.indices).host_input(integers(c.x)).output(dtype, c.x);
      EXPECT_NEAR(dot(as_doubles(back.run()), as_doubles(x)),
                  dot(as_doubles(pooled.y), as_doubles(dy)), 1e-10);
    }
  }
}

// What arrives channels-last, or was pooled so, makes a gradient that lies so.
TEST(MaxPoolGradient, ProposesChannelsLast) {
  const PoolingGradientCase c{{2, 6, 8, 8}, {{2, 2}, {2, 2}}};
  const Shape last = {384, 1, 48, 6};
  const Value indices = max_pool(c, random(SY_FLOAT32, c.x, 1)).indices;
  const Value dy = random(SY_FLOAT32, c.y(), 2);
  const auto strides_of = [&](const Value& gradient, const Value& positions) {
    OneNode node("MaxPoolGradient", 1, switchyard_domain);
    node.input(gradient).input(positions).host_input(integers(c.x)).output(SY_FLOAT32, c.x);
    return node.accept_strides().run().strides;
  };
  EXPECT_EQ(strides_of(dy, indices), Shape{});
  EXPECT_EQ(strides_of(channels_last(dy), indices), last);
  EXPECT_EQ(strides_of(dy, channels_last(indices)), last);
  OneNode shared("AveragePoolGradient", 1, switchyard_domain);
  shared.attribute("kernel_shape", Shape{2, 2}).attribute("strides", Shape{2, 2});
  shared.input(channels_last(dy)).host_input(integers(c.x)).output(SY_FLOAT32, c.x);
  EXPECT_EQ(shared.accept_strides().run().strides, last);
}

TEST(MaxPoolGradient, IndicesOutsideOfChannelsLast) {
  for (const int64_t index : {-2, 4, 7, 100}) {
    std::vector<int64_t> indices = {0, 1, 2, 3, 4, 5, 6, 7};
    indices[2] = index;
    OneNode node("MaxPoolGradient", 1, switchyard_domain);
    node.input(channels_last(blank(SY_FLOAT32, {1, 2, 2, 2})));
    node.input(channels_last(value<int64_t>({1, 2, 2, 2}, indices)));
    node.host_input(integers({1, 2, 2, 2})).output(SY_FLOAT32, {1, 2, 2, 2});
    EXPECT_THROW(node.accept_strides().run(), sy::Failure) << index;
  }
}

TEST(MaxPoolGradient, IndicesOfNoElementAndOutside) {
  const auto gradient = [](const std::vector<int64_t>& indices) {
    return OneNode("MaxPoolGradient", 1, switchyard_domain)
        .input(value<float>({1, 2, 2}, {1, 2, 4, 8}))
        .input(value<int64_t>({1, 2, 2}, indices))
        .host_input(integers({1, 2, 3}))
        .output(SY_FLOAT32, {1, 2, 3})
        .run();
  };
  EXPECT_EQ(numbers<float>(gradient({0, 0, -1, 5})), (std::vector<float>{3, 0, 0, 0, 0, 8}));
  EXPECT_THROW(gradient({0, 3, 4, 5}), sy::Failure);  // the second plane's
  EXPECT_THROW(gradient({0, 1, 4, 6}), sy::Failure);
  EXPECT_THROW(gradient({-2, 1, 4, 5}), sy::Failure);

  const auto gather = [](const std::vector<int64_t>& indices) {
    return OneNode("MaxPoolGather", 1, switchyard_domain)
        .input(value<float>({1, 1, 3}, {1, 2, 4}))
        .input(value<int64_t>({1, 1, 2}, indices))
        .output(SY_FLOAT32, {1, 1, 2})
        .run();
  };
  EXPECT_EQ(numbers<float>(gather({2, -1})), (std::vector<float>{4, 0}));
  EXPECT_THROW(gather({0, 3}), sy::Failure);
  EXPECT_THROW(gather({-2, 0}), sy::Failure);
}

TEST(MaxPoolGradient, OfNothing) {
  OneNode node("MaxPoolGradient", 1, switchyard_domain);
  node.input(blank(SY_FLOAT32, {0, 3, 2})).input(blank(SY_INT64, {0, 3, 2}));
  node.host_input(integers({0, 3, 4})).output(SY_FLOAT32, {0, 3, 4});
  EXPECT_EQ(node.run().size(), 0);
}

// ---- AveragePool

std::vector<double> shared(const PoolingGradientCase& c, const Value& dy, bool counts_padding) {
  const Shape extents(c.x.begin() + 2, c.x.end());
  const std::vector<double> from = as_doubles(dy);
  std::vector<double> made(static_cast<size_t>(sy::element_count(c.x)));
  size_t element = 0;
  for_each_index(c.y(), [&](const Shape& index) {
    const double grad = from[element++];
    const Shape position(index.begin() + 2, index.end());
    std::vector<size_t> seen;
    double joined = 0;
    for_each_tap(c.window, extents, position, [&](const Shape&, const Shape& at, bool inside) {
      bool in_padding = true;
      for (size_t i = 0; i < at.size(); ++i) {
        in_padding = in_padding && at[i] < extents[i] + c.window.pad_after(i, extents[i]);
      }
      if (inside || (counts_padding && in_padding)) ++joined;
      if (!inside) return;
      Shape xi = {index[0], index[1]};
      xi.insert(xi.end(), at.begin(), at.end());
      seen.push_back(static_cast<size_t>(flat(c.x, xi)));
    });
    for (const size_t at : seen) made[at] += grad / joined;
  });
  return made;
}

OneNode average_gradient(const PoolingGradientCase& c, const Value& dy, bool counts_padding) {
  OneNode node("AveragePoolGradient", 1, switchyard_domain);
  node.attribute("kernel_shape", c.window.kernel);
  if (!c.window.strides.empty()) node.attribute("strides", c.window.strides);
  if (!c.window.dilations.empty()) node.attribute("dilations", c.window.dilations);
  if (!c.window.pads.empty()) node.attribute("pads", c.window.pads);
  node.attribute("ceil_mode", c.window.ceil ? 1 : 0);
  node.attribute("count_include_pad", counts_padding ? 1 : 0);
  node.input(dy).host_input(integers(c.x));
  return node;
}

TEST(AveragePoolGradient, EveryCaseDtypeAndLayout) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16}) {
    for (const PoolingGradientCase& c : pooling_gradient_cases()) {
      for (const bool counts_padding : {false, true}) {
        SCOPED_TRACE(sy::text(sy::dtype_name(dtype), " ", c.name(), " ", counts_padding ? 1 : 0));
        const Value dy = whole(dtype, c.y(), 2);
        const std::vector<double> expected = shared(c, dy, counts_padding);
        const std::vector<Value> results = pool_layouts(blank(dtype, c.x));
        const double near = dtype == SY_FLOAT64 ? 1e-13 : 1e-5;
        for (const Value& laid : pool_layouts(dy)) {
          for (const Value& result : results) {
            OneNode node = average_gradient(c, laid, counts_padding);
            node.output(dtype, c.x, result.strides, result.offset);
            expect_near(node.run(), expected, 1, near);
          }
          OneNode free = average_gradient(c, laid, counts_padding);
          expect_near(free.output(dtype, c.x).accept_strides().run(), expected, 1, near);
        }
      }
    }
  }
}

TEST(AveragePoolGradient, IsTheAdjointOfAveragePool) {
  for (const PoolingGradientCase& c : pooling_gradient_cases()) {
    for (const bool counts_padding : {false, true}) {
      SCOPED_TRACE(sy::text(c.name(), " ", counts_padding ? 1 : 0));
      const Value x = random(SY_FLOAT64, c.x, 1), dy = random(SY_FLOAT64, c.y(), 2);
      OneNode forward("AveragePool", 19);
      c.window.describe(forward).attribute("ceil_mode", c.window.ceil ? 1 : 0);
      forward.attribute("count_include_pad", counts_padding ? 1 : 0);
      const Value y = forward.input(x).output(SY_FLOAT64, c.y()).run();
      const Value dx = average_gradient(c, dy, counts_padding).output(SY_FLOAT64, c.x).run();
      EXPECT_NEAR(dot(as_doubles(y), as_doubles(dy)), dot(as_doubles(x), as_doubles(dx)), 1e-10);
    }
  }
}

}  // namespace
}  // namespace cpu::testing
