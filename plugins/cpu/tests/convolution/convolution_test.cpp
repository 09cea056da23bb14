#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "convolution/convolution_case.hpp"
#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/products.hpp"
#include "harness/windows.hpp"
#include "machine/parallel.hpp"

namespace cpu::testing {
namespace {

std::vector<double> convolution_reference(const ConvolutionCase& c, const Value& x,
                                          const Value& weights, const std::vector<double>& bias) {
  const std::vector<double> from = as_doubles(x), w = as_doubles(weights);
  const Shape y = c.y(), wshape = c.weights();
  const Shape extents(c.x.begin() + 2, c.x.end());
  std::vector<double> made;
  for_each_index(y, [&](const Shape& index) {
    double sum = bias.empty() ? 0 : bias[static_cast<size_t>(index[1])];
    const int64_t group = index[1] / (c.outputs / c.groups);
    const Shape position(index.begin() + 2, index.end());
    for_each_tap(c.window, extents, position, [&](const Shape& tap, const Shape& at, bool inside) {
      if (!inside) return;
      for (int64_t channel = 0; channel < wshape[1]; ++channel) {
        Shape xi = {index[0], group * wshape[1] + channel};
        Shape wi = {index[1], channel};
        xi.insert(xi.end(), at.begin(), at.end());
        wi.insert(wi.end(), tap.begin(), tap.end());
        sum += from[static_cast<size_t>(flat(c.x, xi))] * w[static_cast<size_t>(flat(wshape, wi))];
      }
    });
    made.push_back(sum);
  });
  return made;
}

const std::vector<ConvolutionCase>& convolution_cases() {
  constexpr int64_t far = int64_t{1} << 30;
  static const std::vector<ConvolutionCase> all = {
      {{1, 1, 5, 5}, 1, 1, {{3, 3}}},
      {{2, 3, 9, 8}, 5, 1, {{3, 3}, {}, {}, {1, 1, 1, 1}}},
      {{1, 16, 7, 7}, 32, 1, {{1, 1}}},
      {{2, 5, 7, 6}, 7, 1, {{1, 1}, {2, 2}}},
      {{1, 3, 13, 11}, 4, 1, {{5, 3}, {2, 3}, {}, {2, 0, 1, 3}}},
      {{1, 4, 12, 12}, 6, 2, {{3, 3}, {}, {2, 2}, {2, 2, 2, 2}}},
      {{2, 6, 9, 9}, 6, 6, {{3, 3}, {}, {}, {1, 1, 1, 1}}},
      {{1, 20, 9, 10}, 20, 20, {{3, 3}, {2, 2}, {}, {1, 1, 1, 1}}},
      {{1, 8, 9, 9}, 16, 8, {{3, 3}}},
      {{1, 6, 8, 8}, 9, 3, {{2, 2}, {}, {}, {0, 0, 1, 1}}},
      {{1, 3, 10, 9}, 4, 1, {{3, 3}, {2, 2}, {}, {}, "SAME_UPPER"}},
      {{1, 3, 10, 9}, 4, 1, {{3, 3}, {2, 2}, {}, {}, "SAME_LOWER"}},
      {{1, 3, 10, 9}, 4, 1, {{4, 2}, {3, 1}, {}, {}, "VALID"}},
      {{2, 4, 17}, 6, 1, {{3}, {2}, {}, {1, 1}}},
      {{1, 6, 15}, 6, 6, {{3}, {}, {2}, {2, 2}}},
      {{1, 1, 40}, 8, 1, {{8}, {4}}},
      {{1, 2, 5, 6, 7}, 4, 1, {{2, 3, 2}, {1, 2, 1}, {}, {0, 1, 1, 1, 0, 0}}},
      {{1, 4, 4, 5, 6}, 4, 2, {{3, 3, 3}, {}, {}, {1, 1, 1, 1, 1, 1}}},
      {{1, 70, 6, 6}, 40, 1, {{3, 3}, {}, {}, {1, 1, 1, 1}}},
      {{1, 2, 3, 3}, 4, 1, {{3, 3}, {far, 1}, {}, {far, 1, 1, 1}}},
      {{1, 2, 3, 3}, 4, 1, {{3, 1}, {}, {far, 1}, {far, 0, far, 0}}},
      {{1, 2, 3, 3}, 4, 1, {{3, 1}, {}, {far, 1}, {}, "SAME_UPPER"}},
  };
  return all;
}

OneNode convolution_node(const ConvolutionCase& c) {
  OneNode node("Conv", 11);
  c.window.describe(node).attribute("group", c.groups);
  return node;
}

TEST(Conv, EveryCaseAndDtype) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16}) {
    for (const ConvolutionCase& c : convolution_cases()) {
      SCOPED_TRACE(sy::text(sy::dtype_name(dtype), " ", c.name()));
      const Value x = whole(dtype, c.x, 1), w = whole(dtype, c.weights(), 2);
      const Value bias = whole(dtype, {c.outputs}, 3);
      const double units = dtype == SY_BFLOAT16 || dtype == SY_FLOAT16 ? 0.51 : 0;
      OneNode plain = convolution_node(c);
      plain.input(x).input(w).output(dtype, c.y());
      expect_near(plain.run(), convolution_reference(c, x, w, {}), units);
      OneNode biased = convolution_node(c);
      biased.input(x).input(w).input(bias).output(dtype, c.y()).accept_strides();
      expect_near(biased.run(), convolution_reference(c, x, w, as_doubles(bias)), units);
    }
  }
}

TEST(Conv, ConstantsAndUnknownShapes) {
  static uint64_t id = 20000;
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16}) {
    for (const ConvolutionCase& c : convolution_cases()) {
      SCOPED_TRACE(sy::text(sy::dtype_name(dtype), " ", c.name()));
      const Value x = whole(dtype, c.x, 1), w = whole(dtype, c.weights(), 2);
      const Value bias = whole(dtype, {c.outputs}, 3);
      const double units = dtype == SY_BFLOAT16 || dtype == SY_FLOAT16 ? 0.51 : 0;
      for (const bool hidden : {false, true}) {
        OneNode node = convolution_node(c);
        id += 2;
        node.input(x).constant(w, id).constant(bias, id + 1).output(dtype, c.y()).accept_strides();
        if (hidden) node.hide_shapes();
        expect_near(node.run(), convolution_reference(c, x, w, as_doubles(bias)), units);
      }
    }
  }
}

std::vector<size_t> channels_last_order(size_t rank) {
  std::vector<size_t> order = {0};
  for (size_t i = 2; i < rank; ++i) order.push_back(i);
  order.push_back(1);
  return order;
}

TEST(Conv, EveryLayout) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_BFLOAT16}) {
    for (const ConvolutionCase& c : convolution_cases()) {
      SCOPED_TRACE(sy::text(sy::dtype_name(dtype), " ", c.name()));
      const Value x = whole(dtype, c.x, 1), w = whole(dtype, c.weights(), 2);
      const auto expected = convolution_reference(c, x, w, {});
      const double units = dtype == SY_BFLOAT16 ? 0.51 : 0;
      std::vector<Value> layouts = layouts_of(x);
      layouts.push_back(transposed(x, channels_last_order(c.x.size())));
      for (const Value& laid : layouts) {
        OneNode node = convolution_node(c);
        node.input(laid).input(reversed(w)).output(dtype, c.y()).accept_strides();
        expect_near(node.run(), expected, units);
      }
      const Value y = blank(dtype, c.y());
      for (const Value& laid : layouts_of(y)) {
        OneNode node = convolution_node(c);
        node.input(layouts.back()).input(w).output(dtype, c.y(), laid.strides, laid.offset);
        expect_near(node.run(), expected, units);
      }
    }
  }
}

TEST(Conv, ProposesChannelsLastWithOneDnn) {
#ifndef SWITCHYARD_CPU_ONEDNN
  GTEST_SKIP() << "the plain kernel writes contiguous outputs";
#endif
  const ConvolutionCase c{{1, 8, 6, 6}, 16, 1, {{3, 3}}};
  OneNode node = convolution_node(c);
  node.input(whole(SY_FLOAT32, c.x, 1)).input(whole(SY_FLOAT32, c.weights(), 2));
  const Value y = node.output(SY_FLOAT32, c.y()).accept_strides().run();
  EXPECT_EQ(y.actual_strides(), (Shape{256, 1, 64, 16}));
}

TEST(Conv, EmptyBatchAndChannels) {
  ConvolutionCase none{{0, 3, 5, 5}, 4, 1, {{3, 3}}};
  OneNode batch = convolution_node(none);
  batch.input(blank(SY_FLOAT32, none.x)).input(whole(SY_FLOAT32, none.weights(), 1));
  EXPECT_EQ(batch.output(SY_FLOAT32, none.y()).run().size(), 0);
  ConvolutionCase hollow{{1, 0, 5, 5}, 4, 1, {{3, 3}}};
  OneNode channels = convolution_node(hollow);
  channels.input(blank(SY_FLOAT32, hollow.x)).input(blank(SY_FLOAT32, hollow.weights()));
  const Value y = channels.output(SY_FLOAT32, hollow.y()).run();
  EXPECT_EQ(as_doubles(y), std::vector<double>(36, 0.0));
}

TEST(Conv, LargeOnTwoThreadsAtOnce) {
  const ConvolutionCase c{{2, 24, 19, 17}, 24, 1, {{3, 3}, {}, {}, {1, 1, 1, 1}}};
  const Value x = random(SY_FLOAT32, c.x, 1), w = random(SY_FLOAT32, c.weights(), 2);
  const auto expected = convolution_reference(c, x, w, {});
  static uint64_t id = 90000;
  const uint64_t shared = ++id;
  const auto work = [&] {
    for (int i = 0; i < 5; ++i) {
      OneNode node = convolution_node(c);
      node.input(x).constant(w, shared).output(SY_FLOAT32, c.y()).accept_strides();
      expect_near(node.run(), expected, 0, 1e-4);
      node.run_again();
    }
  };
  std::thread other(work);
  work();
  other.join();
}

// While `body` runs, other threads find the team busy.
template <typename Body>
void while_the_team_is_busy(const Body& body) {
  std::promise<void> taken, done;
  std::thread holder([&] {
    set_thread_count(4);
    const TeamTurn turn(true);
    taken.set_value();
    done.get_future().wait();
  });
  taken.get_future().wait();
  body();
  done.set_value();
  holder.join();
}

// oneDNN may want other layouts of the weights for one thread than for the team.
TEST(Conv, AloneGivesTheBitsOfTheTeam) {
  const std::vector<ConvolutionCase> large = {
      {{1, 960, 7, 7}, 160, 1, {{1, 1}}},
      {{1, 96, 14, 14}, 576, 1, {{1, 1}}},
      {{1, 512, 7, 7}, 512, 1, {{3, 3}, {}, {}, {1, 1, 1, 1}}},
      {{1, 40, 28, 28}, 120, 1, {{1, 1}}}};
  uint64_t id = 95000;
  for (const ConvolutionCase& c : large) {
    const Value x = random(SY_FLOAT32, c.x, 1), w = random(SY_FLOAT32, c.weights(), 2);
    OneNode node = convolution_node(c);
    node.input(x).constant(w, ++id).output(SY_FLOAT32, c.y()).accept_strides();
    const Value on_team = node.run();
    while_the_team_is_busy([&] {
      EXPECT_EQ(node.run().bytes, on_team.bytes) << id;
      EXPECT_EQ(node.run().bytes, on_team.bytes) << id;
    });
  }
}

}  // namespace
}  // namespace cpu::testing
