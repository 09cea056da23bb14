// A training step as one program: the forward pass, the backward pass, and the step.
#include "nets.hpp"

namespace mps::program_tests {
namespace {

constexpr const char* own = "switchyard";

class Training : public testing::TestWithParam<const char*> {
 protected:
  const OpenDevice device_{{{"software.memory", GetParam()}}};
};

INSTANTIATE_TEST_SUITE_P(Memory, Training, testing::Values("unified", "discrete"),
                         [](const auto& info) { return std::string(info.param); });

// Both gradients of the convolution are one graph.
TEST_P(Training, OfAConvolutionIsOneProgram) {
  Model model;
  const Shape x_shape{2, 3, 8, 8}, w_shape{4, 3, 3, 3}, y_shape{2, 4, 8, 8}, pooled{2, 4, 4, 4};
  const Settings convolution = {{"pads", std::vector<int64_t>{1, 1, 1, 1}}, {"group", 1}};
  const Id x = model.input(contiguous(x_shape), numbers(x_shape));
  const Id w = model.input(contiguous(w_shape), numbers(w_shape, 2));
  const Id rate = model.input(contiguous({}), std::vector<float>{0.1f});
  const Id seed = model.input(contiguous({}), std::vector<int64_t>{7});
  const Id y = model.node("Conv", {x, w}, y_shape, convolution);
  const auto largest = model.node_of_many(
      "MaxPool", {y}, {pooled, pooled},
      {{"kernel_shape", std::vector<int64_t>{2, 2}}, {"strides", std::vector<int64_t>{2, 2}}},
      {SY_FLOAT32, SY_INT64});
  const Id gradient =
      model.node("PhiloxNormal", {model.host(pooled), seed, seed}, pooled, {}, SY_FLOAT32);
  model.in_domain(own);
  const Id at_y =
      model.node("MaxPoolGradient", {gradient, largest[1], model.host(y_shape)}, y_shape);
  model.in_domain(own);
  const Id at_x =
      model.node("ConvInputGradient", {at_y, w, model.host(x_shape)}, x_shape, convolution);
  model.in_domain(own);
  const Id at_w =
      model.node("ConvWeightGradient", {x, at_y, model.host(w_shape)}, w_shape, convolution);
  model.in_domain(own);
  model.output(model.node("SgdStep", {w, at_w, rate}, w_shape, {{"weight_decay", 0.01f}}));
  model.in_domain(own);
  model.output(at_x);
  model.output(largest[0]);
  EXPECT_EQ(model.pieces(device_), (Pieces{4, 2}));
  model.expect_same(device_, 1e-6);
}

}  // namespace
}  // namespace mps::program_tests
