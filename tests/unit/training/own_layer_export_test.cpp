// Layers of one's own that write themselves as ONNX.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/autograd.hpp>
#include <switchyard/defaults.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/model.hpp>
#include <switchyard/nn.hpp>
#include <switchyard/onnx_export.hpp>
#include <switchyard/register_op.hpp>

#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

/// x + scale * linear(x), with a layer of the library inside.
struct Residual : nn::Module {
  explicit Residual(std::int64_t width)
      : linear(register_module("linear", nn::Linear(width, width))),
        scale(register_parameter("scale", full({width}, 0.5))) {}

  Tensor forward(const Tensor& x) override { return add(x, mul(linear(x), scale)); }

  bool write_onnx(OnnxLayer& layer) const override {
    const std::string inner = layer.module("linear", linear, layer.input(), layer.example());
    const std::string scaled = layer.node("Mul", {inner, layer.constant("scale", scale)});
    layer.node("Add", {layer.input(), scaled});
    return true;
  }

  nn::Linear linear;
  Tensor scale;
};

/// The larger half of two, by a node with two outputs.
struct LargerHalf : nn::Module {
  Tensor forward(const Tensor& x) override {
    const std::vector<Tensor> halves = chunk(x, 2, 1);
    return maximum(halves[0], halves[1]);
  }
  bool write_onnx(OnnxLayer& layer) const override {
    if (layer.example().shape()[1] % 2 != 0) layer.refuse("its halves differ");
    const std::vector<std::string> halves =
        layer.node_of_many("Split", {layer.input()}, 2, {{"axis", std::int64_t{1}}});
    layer.node("Max", halves);
    return true;
  }
};

/// A layer that is an op of one's own domain.
struct Doubled : nn::Module {
  Tensor forward(const Tensor& x) override { return mul(x, 2); }
  bool write_onnx(OnnxLayer& layer) const override {
    layer.node("ExportedDouble", {layer.input()}, {}, "com.example");
    return true;
  }
};

struct Unwritten : nn::Module {
  Tensor forward(const Tensor& x) override { return x; }
};

Tensor result_of_model(const nn::Sequential& net, const Tensor& example, const Tensor& input) {
  const Model model = Model::from_bytes(current_runtime(), onnx_bytes(net, example));
  return model.run({{"input", input}})[0].tensor;
}

TEST(OwnLayerExport, ComputesWhatTheNetworkDoes) {
  const NoGrad no_grad;
  nn::Sequential net(Residual(6), nn::ReLU(), Residual(6), LargerHalf());
  const Tensor input = randn({5, 6});
  const Tensor output = result_of_model(net, input.narrow(0, 0, 1), input);
  EXPECT_TRUE(allclose(output, net(input).to(output.device()), 1e-5, 1e-6));
  EXPECT_EQ(output.shape(), (Dims{5, 3}));
}

TEST(OwnLayerExport, WritesOpsOfADomainOfOnesOwn) {
  register_op({.domain = "com.example",
               .name = "ExportedDouble",
               .version = 2,
               .signature = "x:T -> y:T",
               .types = "T=float",
               .shape = [](const OpCall& call) { return std::vector{call.input_shape(0)}; },
               .body = "y = Add (x, x)"});
  const nn::Sequential net{nn::ReLU(), Doubled()};
  const Tensor input = tensor({-1.0F, 2.0F}).reshape({1, 2});
  EXPECT_EQ(result_of_model(net, input, input).to_vector<float>(), (Floats{0, 4}));
}

TEST(OwnLayerExport, SaysWhatCannotBeWritten) {
  const auto refusal = [](const nn::Sequential& net, const Tensor& example) {
    return std::string(error_of([&] { onnx_bytes(net, example); }).what());
  };
  EXPECT_THAT(refusal(nn::Sequential(Unwritten()), zeros({1, 2})),
              testing::HasSubstr("override Module::write_onnx"));
  EXPECT_THAT(refusal(nn::Sequential(LargerHalf()), zeros({1, 3})),
              testing::HasSubstr("'0' cannot be written as ONNX: its halves differ"));
}

}  // namespace
}  // namespace switchyard
