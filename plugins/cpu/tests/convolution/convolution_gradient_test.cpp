// The gradients of convolution against sums in double, and as adjoints of Conv.
#include <gtest/gtest.h>

#include "convolution/convolution_case.hpp"
#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/products.hpp"
#include "harness/windows.hpp"
#include "machine/parallel.hpp"

namespace cpu::testing {
namespace {

OneNode gradient_node(const ConvolutionCase& c, const char* op) {
  OneNode made(op, 1, switchyard_domain);
  made.attribute("group", c.groups);
  if (!c.window.strides.empty()) made.attribute("strides", c.window.strides);
  if (!c.window.dilations.empty()) made.attribute("dilations", c.window.dilations);
  if (!c.window.pads.empty()) made.attribute("pads", c.window.pads);
  return made;
}

OneNode input_gradient(const ConvolutionCase& c, const Value& dy, const Value& w) {
  OneNode made = gradient_node(c, "ConvInputGradient");
  made.input(dy).input(w).host_input(integers(c.x));
  return made;
}

OneNode weight_gradient(const ConvolutionCase& c, const Value& from, const Value& dy) {
  OneNode made = gradient_node(c, "ConvWeightGradient");
  made.input(from).input(dy).host_input(integers(c.weights()));
  return made;
}

struct Gradients {
  std::vector<double> x, weights;
};

Gradients convolution_gradients(const ConvolutionCase& c, const Value& x, const Value& weights,
                                const Value& dy) {
  const std::vector<double> from = as_doubles(x), w = as_doubles(weights), g = as_doubles(dy);
  const Shape wshape = c.weights();
  const Shape extents(c.x.begin() + 2, c.x.end());
  Gradients made{std::vector<double>(from.size()), std::vector<double>(w.size())};
  size_t element = 0;
  for_each_index(c.y(), [&](const Shape& index) {
    const double grad = g[element++];
    const int64_t group = index[1] / (c.outputs / c.groups);
    const Shape position(index.begin() + 2, index.end());
    for_each_tap(c.window, extents, position, [&](const Shape& tap, const Shape& at, bool inside) {
      if (!inside) return;
      for (int64_t channel = 0; channel < wshape[1]; ++channel) {
        Shape xi = {index[0], group * wshape[1] + channel};
        Shape wi = {index[1], channel};
        xi.insert(xi.end(), at.begin(), at.end());
        wi.insert(wi.end(), tap.begin(), tap.end());
        const auto to_x = static_cast<size_t>(flat(c.x, xi));
        const auto to_w = static_cast<size_t>(flat(wshape, wi));
        made.x[to_x] += grad * w[to_w];
        made.weights[to_w] += grad * from[to_x];
      }
    });
  });
  return made;
}

// Random shapes that fit: every window takes at least one position on each axis.
std::vector<ConvolutionCase> random_cases(int count) {
  uint32_t state = 4242;
  const auto below = [&state](int64_t end) {
    state = state * 1664525u + 1013904223u;
    return static_cast<int64_t>(state >> 8) % end;
  };
  std::vector<ConvolutionCase> made;
  while (static_cast<int>(made.size()) < count) {
    const int64_t spatial = 1 + below(3);
    const int64_t groups = below(3) == 0 ? 1 + below(4) : 1;
    ConvolutionCase c{{1 + below(3), groups * (1 + below(4))}, groups * (1 + below(4)), groups, {}};
    Shape after;
    bool fits = true;
    for (int64_t axis = 0; axis < spatial; ++axis) {
      c.x.push_back(2 + below(9));
      c.window.kernel.push_back(1 + below(4));
      c.window.strides.push_back(1 + below(3));
      c.window.dilations.push_back(1 + below(2));
      const int64_t span = (c.window.kernel.back() - 1) * c.window.dilations.back() + 1;
      c.window.pads.push_back(below(span));
      after.push_back(below(span));
      fits = fits && c.x.back() + c.window.pads.back() + after.back() >= span;
    }
    c.window.pads.insert(c.window.pads.end(), after.begin(), after.end());
    if (fits) made.push_back(c);
  }
  return made;
}

const std::vector<ConvolutionCase>& convolution_gradient_cases() {
  static const std::vector<ConvolutionCase> all = [] {
    std::vector<ConvolutionCase> made = {
        {{1, 1, 5, 5}, 1, 1, {{3, 3}}},
        {{4, 1, 28, 28}, 6, 1, {{5, 5}, {}, {}, {2, 2, 2, 2}}},
        {{3, 6, 14, 14}, 16, 1, {{5, 5}}},
        {{2, 5, 7, 6}, 7, 1, {{1, 1}, {2, 2}}},
        {{1, 3, 13, 11}, 4, 1, {{5, 3}, {2, 3}, {}, {2, 0, 1, 3}}},
        {{2, 6, 9, 9}, 6, 6, {{3, 3}, {}, {}, {1, 1, 1, 1}}},
        {{1, 20, 9, 10}, 20, 20, {{3, 3}, {2, 2}, {}, {1, 1, 1, 1}}},
        {{2, 4, 17}, 6, 1, {{3}, {2}, {}, {1, 1}}},
        {{1, 4, 4, 5, 6}, 4, 2, {{3, 3, 3}, {}, {}, {1, 1, 1, 1, 1, 1}}},
        {{1, 34, 6, 6}, 40, 1, {{3, 3}, {}, {}, {1, 1, 1, 1}}},
        {{1, 1, 2, 2, 2}, 2, 1, {{2, 2, 2}, {2, 2, 2}, {}, {1, 1, 1, 1, 1, 1}}},
        {{2, 32, 2, 5, 5}, 32, 1, {{2, 1, 2}, {2, 1, 2}, {}, {1, 0, 0, 1, 0, 0}}},
    };
    for (ConvolutionCase& c : random_cases(40)) made.push_back(std::move(c));
    return made;
  }();
  return all;
}

TEST(ConvGradients, EveryCaseAndDtype) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16}) {
    for (const ConvolutionCase& c : convolution_gradient_cases()) {
      SCOPED_TRACE(sy::text(sy::dtype_name(dtype), " ", c.name()));
      const Value x = whole(dtype, c.x, 1), w = whole(dtype, c.weights(), 2);
      const Value dy = whole(dtype, c.y(), 3);
      const Gradients expected = convolution_gradients(c, x, w, dy);
      for (const bool hidden : {false, true}) {
        OneNode to_x = input_gradient(c, dy, w), to_w = weight_gradient(c, x, dy);
        to_x.output(dtype, c.x).accept_strides();
        to_w.output(dtype, c.weights()).accept_strides();
        if (hidden) to_x.hide_shapes(), to_w.hide_shapes();
        expect_near(to_x.run(), expected.x, units_for(dtype));
        expect_near(to_w.run(), expected.weights, units_for(dtype));
      }
    }
  }
}

TEST(ConvGradients, EveryLayout) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_BFLOAT16}) {
    for (size_t i = 0; i < convolution_gradient_cases().size(); i += 3) {
      const ConvolutionCase& c = convolution_gradient_cases()[i];
      SCOPED_TRACE(sy::text(sy::dtype_name(dtype), " ", c.name()));
      const Value x = whole(dtype, c.x, 1), w = whole(dtype, c.weights(), 2);
      const Value dy = whole(dtype, c.y(), 3);
      const Gradients expected = convolution_gradients(c, x, w, dy);
      const std::vector<Value> xs = layouts_of(x), ws = layouts_of(w), dys = layouts_of(dy);
      for (size_t k = 0; k < xs.size(); ++k) {
        const Value& other = dys[(k + 1) % dys.size()];
        OneNode to_x = input_gradient(c, dys[k], ws[(k + 1) % ws.size()]);
        to_x.output(dtype, c.x, xs[k].strides, xs[k].offset);
        expect_near(to_x.run(), expected.x, units_for(dtype));
        OneNode to_w = weight_gradient(c, xs[k], other);
        to_w.output(dtype, c.weights(), ws[k].strides, ws[k].offset);
        expect_near(to_w.run(), expected.weights, units_for(dtype));
      }
    }
  }
}

// Sums over so many images that they are cut into parts, one for each thread. What is computed in
// double knows no parts; the sums are exact.
TEST(ConvGradients, WeightsDoNotDependOnTheNumberOfThreadsIfTheyMustNot) {
  const int usual = thread_count();
  const std::vector<ConvolutionCase> cases = {{{2, 64, 20, 20}, 64, 1, {{3, 3}}},
                                              {{8, 16, 24, 24}, 32, 1, {{3, 3}}},
                                              {{48, 6, 14, 14}, 16, 1, {{5, 5}}}};
  for (const sy_dtype dtype : {SY_FLOAT32, SY_BFLOAT16}) {
    for (const ConvolutionCase& c : cases) {
      const Value x = random(dtype, c.x, 1), dy = random(dtype, c.y(), 3);
      std::vector<double> first;
      for (const int threads : {1, 2, 3, 16}) {
        set_thread_count(threads);
        OneNode node = weight_gradient(c, x, dy);
        node.math_flags(SY_MATH_DETERMINISTIC).output(dtype, c.weights());
        const std::vector<double> got = as_doubles(node.run());
        if (first.empty()) first = got;
        EXPECT_EQ(got, first) << c.name() << " on " << threads;
      }
    }
  }
  set_thread_count(usual);
}

TEST(ConvGradients, WeightsOfManyImages) {
  const std::vector<ConvolutionCase> many = {
      {{48, 6, 14, 14}, 16, 1, {{5, 5}}},
      {{128, 1, 28, 28}, 6, 1, {{5, 5}, {}, {}, {2, 2, 2, 2}}},
      {{45, 16, 20, 20}, 32, 2, {{3, 3}, {}, {}, {1, 1, 1, 1}}},
      {{32, 64, 28, 28}, 64, 64, {{3, 3}, {}, {}, {1, 1, 1, 1}}},
      {{47, 12, 16, 16}, 24, 1, {{3, 3}, {2, 1}}},
      {{40, 32, 60}, 48, 1, {{5}, {}, {2}}},
      {{64, 40, 50, 1}, 30, 1, {{3, 1}}},
      {{8, 8, 8, 8, 8}, 16, 1, {{3, 3, 3}, {}, {}, {1, 1, 1, 1, 1, 1}}},
  };
  for (const ConvolutionCase& c : many) {
    SCOPED_TRACE(c.name());
    const Value x = whole(SY_FLOAT64, c.x, 1), dy = whole(SY_FLOAT64, c.y(), 3);
    const Value expected = weight_gradient(c, x, dy).output(SY_FLOAT64, c.weights()).run();
    const Value narrow_x = from_doubles(SY_FLOAT32, c.x, as_doubles(x));
    const Value narrow_dy = from_doubles(SY_FLOAT32, c.y(), as_doubles(dy));
    for (const bool last : {false, true}) {
      const Value w =
          last ? channels_last(blank(SY_FLOAT32, c.weights())) : blank(SY_FLOAT32, c.weights());
      OneNode node = weight_gradient(c, last ? channels_last(narrow_x) : narrow_x,
                                     last ? channels_last(narrow_dy) : narrow_dy);
      node.output(SY_FLOAT32, c.weights(), w.strides);
      expect_near(node.run(), as_doubles(expected), 0);
    }
  }
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

TEST(ConvGradients, AreTheAdjointsOfConv) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64}) {
    for (const ConvolutionCase& c : convolution_gradient_cases()) {
      SCOPED_TRACE(sy::text(sy::dtype_name(dtype), " ", c.name()));
      const Value x = random(dtype, c.x, 1), w = random(dtype, c.weights(), 2);
      const Value dy = random(dtype, c.y(), 3);
      OneNode forward("Conv", 11);
      c.window.describe(forward).attribute("group", c.groups);
      forward.input(x).input(w).output(dtype, c.y());
      const double product = dot(as_doubles(forward.run()), as_doubles(dy));
      const double near = dtype == SY_FLOAT64 ? 1e-10 : 2e-2;
      const Value dx = input_gradient(c, dy, w).output(dtype, c.x).run();
      EXPECT_NEAR(dot(as_doubles(x), as_doubles(dx)), product, near);
      const Value dw = weight_gradient(c, x, dy).output(dtype, c.weights()).run();
      EXPECT_NEAR(dot(as_doubles(w), as_doubles(dw)), product, near);
    }
  }
}

TEST(ConvGradients, OfNothing) {
  const ConvolutionCase c{{0, 3, 6, 6}, 4, 1, {{3, 3}}};
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64}) {
    const Value x = blank(dtype, c.x), w = whole(dtype, c.weights(), 2), dy = blank(dtype, c.y());
    EXPECT_EQ(input_gradient(c, dy, w).output(dtype, c.x).run().size(), 0);
    const Value dw = weight_gradient(c, x, dy).output(dtype, c.weights()).run();
    expect_near(dw, std::vector<double>(4 * 3 * 3 * 3, 0.0), 0);
  }
}

}  // namespace
}  // namespace cpu::testing
