// Convolutions that MPSGraph computes wrongly are given to it in other forms.
#include <gtest/gtest.h>

#include <algorithm>

#include "ops/data.hpp"
#include "runtime/forwarding_device.hpp"
#include "runtime/software_device.hpp"

namespace mps::op_tests {
namespace {

using seam::Operation;

bool is_convolution(Operation operation) {
  return operation == Operation::convolution || operation == Operation::transposed_convolution ||
         operation == Operation::convolution_weight_gradient;
}

// Fails the test for a convolution with which MPSGraph is known to be wrong.
class StrictDevice final : public runtime_tests::ForwardingDevice {
 public:
  using ForwardingDevice::ForwardingDevice;
  seam::Ref<seam::Executable> compile(const seam::Graph& graph) override {
    for (const seam::Node& node : graph.nodes) {
      if (!is_convolution(node.operation)) continue;
      const auto& window = std::get<seam::Window>(node.attributes);
      const int64_t batch = graph.nodes[node.operands.front()].type.shape[0];
      const int64_t longest = std::max(window.size[0], window.size[1]);
      EXPECT_FALSE(window.groups > 1 && batch > 1 && longest >= 256) << "pytorch#188335";
      EXPECT_FALSE(node.operation == Operation::convolution_weight_gradient && batch > 65535)
          << "pytorch#96225";
    }
    return ForwardingDevice::compile(graph);
  }
};

class ConvolutionGuards : public testing::Test {
 protected:
  ConvolutionGuards() {
    runtime_tests::OpenDevice::stand_in = [] {
      return seam::Ref<seam::Device>(
          std::make_shared<StrictDevice>(runtime_tests::open_software()));
    };
  }
  ~ConvolutionGuards() override { runtime_tests::OpenDevice::stand_in = nullptr; }
};

// x [n, 2, h, w], weights [4, 1, kh, 1] in two groups, as in a spatial convolution of EEGNet.
struct Grouped {
  Shape x_shape{3, 2, 258, 2}, w_shape{4, 1, 256, 1}, y_shape{3, 4, 3, 2};
  Floats x = numbers<float>(count_of(x_shape)), w = numbers<float>(count_of(w_shape), 2),
         y = numbers<float>(count_of(y_shape), 3);

  // Calls visit(positions in x, w and y) for each product.
  template <typename Visit>
  void each(Visit&& visit) const {
    each_position(y_shape, [&](const Shape& at) {
      for (int64_t i = 0; i < w_shape[2]; ++i) {
        visit(flat(x_shape, {at[0], at[1] / 2, at[2] + i, at[3]}), flat(w_shape, {at[1], 0, i, 0}),
              flat(y_shape, at));
      }
    });
  }
  static Case& described(Case& node) {
    return node.attribute("group", 2)
        .attribute("kernel_shape", Numbers{256, 1})
        .attribute("strides", Numbers{1, 1})
        .attribute("dilations", Numbers{1, 1})
        .attribute("pads", Numbers{0, 0, 0, 0});
  }
};

Floats rounded(const std::vector<double>& sums) { return {sums.begin(), sums.end()}; }

TEST_F(ConvolutionGuards, GroupsOfLongWindowsHaveABatchOfOne) {
  const Grouped of;
  std::vector<double> sums(of.y.size());
  of.each([&](size_t x, size_t w, size_t y) { sums[y] += double{of.x[x]} * double{of.w[w]}; });
  Case node("Conv", 11);
  Grouped::described(node).input(of.x_shape, of.x).input(of.w_shape, of.w);
  node.expect(of.y_shape, rounded(sums), 1e-5);
}

TEST_F(ConvolutionGuards, TheirGradientsToo) {
  const Grouped of;
  std::vector<double> of_x(of.x.size()), of_w(of.w.size());
  of.each([&](size_t x, size_t w, size_t y) {
    of_x[x] += double{of.y[y]} * double{of.w[w]};
    of_w[w] += double{of.y[y]} * double{of.x[x]};
  });
  Case by_input("ConvInputGradient", 1), by_weights("ConvWeightGradient", 1);
  Grouped::described(by_input.domain("switchyard")).input(of.y_shape, of.y);
  by_input.input(of.w_shape, of.w).expect(of.x_shape, rounded(of_x), 1e-5);
  Grouped::described(by_weights.domain("switchyard")).input(of.x_shape, of.x);
  by_weights.input(of.y_shape, of.y).expect(of.w_shape, rounded(of_w), 1e-5);
  Case transposed("ConvTranspose", 11);
  Grouped::described(transposed).input(of.y_shape, of.y).input(of.w_shape, of.w);
  transposed.expect(of.x_shape, rounded(of_x), 1e-5);
}

// Integers, whose sums are exact in float32.
TEST_F(ConvolutionGuards, GradientsByWeightsCountTheBatchInParts) {
  const int64_t batch = 65'536 * 2 + 3;
  Floats x, y;
  double sum[2] = {};
  for (int64_t i = 0; i < batch; ++i) {
    x.push_back(static_cast<float>(i % 5 - 2));
    x.push_back(static_cast<float>(i % 3));
    y.push_back(static_cast<float>(i % 7 - 3));
    for (size_t k = 0; k < 2; ++k) {
      sum[k] += double{x[static_cast<size_t>(2 * i) + k]} * double{y.back()};
    }
  }
  Case node("ConvWeightGradient", 1);
  node.domain("switchyard")
      .attribute("kernel_shape", Numbers{2})
      .attribute("strides", Numbers{1})
      .attribute("dilations", Numbers{1})
      .attribute("pads", Numbers{0, 0})
      .attribute("group", 1);
  node.input_in(runtime_tests::contiguous({batch, 1, 2}), x)
      .input_in(runtime_tests::contiguous({batch, 1, 1}), y);
  node.output({1, 1, 2}, Floats{static_cast<float>(sum[0]), static_cast<float>(sum[1])})
      .check_once();
}

}  // namespace
}  // namespace mps::op_tests
