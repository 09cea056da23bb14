// No gradient is lost without a word: an operation keeps it, and a model refuses it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <span>
#include <switchyard/switchyard.hpp>
#include <vector>

#include "functions/thrown.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Models, CutTheHistoryOfATarget) {
  const std::vector<std::byte> bytes = onnx_bytes(nn::Sequential(nn::ReLU()), ones({1, 2}));
  const Tensor y = ones({1, 2}).requires_grad_();
  const Tensor target = y * 2;
  switchyard::Run run(Model::from_bytes(current_runtime(), bytes));
  run.set_input(0, ones({1, 2})).set_output(0, target).execute();
  EXPECT_FALSE(target.requires_grad());
  EXPECT_THROW(target.sum().backward(), Error);
}

TEST(CustomFunctions, GiveNoWayToWriteToALeaf) {
  const CustomFunction passing{"Passing",
                               [](FunctionContext&, std::span<const Tensor> in) {
                                 return std::vector{in[0], in[0].view({1, 2})};
                               },
                               [](FunctionContext&, std::span<const Tensor> gradients) {
                                 return std::vector{gradients[0] + gradients[1].view({2})};
                               }};
  const Tensor x = tensor({1., 2.}, {.requires_grad = true});
  const std::vector<Tensor> made = passing(std::array{x});
  for (const Tensor& y : made) y.add_(1);
  EXPECT_THAT(x.to_vector<float>(), ElementsAre(1, 2));
  (made[0].sum() + made[1].sum()).backward();
  EXPECT_THAT(x.grad().to_vector<float>(), ElementsAre(2, 2));
}

TEST(Gradients, FitTheDeviceOfTheirTensor) {
  const Runtime runtime = start({{"cpu", "template"}});
  const Tensor x = ones({2}, {.device = runtime.device("cpu"), .requires_grad = true});
  const Tensor elsewhere = ones({2}, {.device = runtime.device("template")});
  EXPECT_THAT(thrown([&] { x.set_grad(elsewhere); }), HasSubstr("template:0"));
  EXPECT_THAT(thrown([&] { (x * 2).backward(elsewhere); }), HasSubstr("template:0"));
}

TEST(Operations, KeepGradients) {
  const Operation mul = current_runtime().operation("Mul");
  const Tensor x = tensor({1., 2.}, {.requires_grad = true});
  (mul(x, x) + x).sum().backward();
  EXPECT_THAT(x.grad().to_vector<float>(), ElementsAre(3, 5));
}

TEST(Operations, OfSeveralInputsAndOutputsKeepGradients) {
  const Operation largest = current_runtime().operation("TopK");
  const Tensor x = tensor({1., 4., 3., 2.}, {.requires_grad = true});
  const std::vector<Tensor> found = largest(std::vector<Tensor>{x, tensor({2})});
  ASSERT_EQ(found.size(), 2u);
  (found[0] * found[0]).sum().backward();
  EXPECT_THAT(x.grad().to_vector<float>(), ElementsAre(0, 8, 6, 0));
}

TEST(Operations, PlacedElsewhereBringTheGradientBack) {
  const Runtime runtime = start({{"cpu", "template"}});
  const Operation add = runtime.operation_on(runtime.device("template"), "Add");
  const Tensor x = tensor({1., 2.}, {.device = runtime.device("cpu"), .requires_grad = true});
  const Tensor y = add(x, x);
  EXPECT_EQ(y.device(), runtime.device("template"));
  y.sum().backward();
  EXPECT_EQ(x.grad().device(), runtime.device("cpu"));
  EXPECT_THAT(x.grad().to_vector<float>(), ElementsAre(2, 2));
}

TEST(Operations, PlacedElsewhereTakeHostInputsFromDevices) {
  const Runtime runtime = start({{"cpu", "template"}});
  const Operation reshape = runtime.operation_on(runtime.device("template"), "Reshape");
  const Device cpu = runtime.device("cpu");
  const Tensor x = tensor({1., 2.}, {.device = cpu, .requires_grad = true});
  const Tensor y = reshape(x, tensor({2, 1}, {.device = cpu}));
  EXPECT_EQ(y.shape(), Dims(2, 1));
  y.sum().backward();
  EXPECT_THAT(x.grad().to_vector<float>(), ElementsAre(1, 1));
}

TEST(Operations, ComputeInOneTypeWithAndWithoutGradients) {
  const Operation product = current_runtime().operation("MatMul");
  const Tensor x = ones({2, 2}, {.requires_grad = true});
  const Autocast half(DType::float16);
  EXPECT_EQ(product(x, x).dtype(), DType::float32);
  EXPECT_EQ(product(x.detach(), x.detach()).dtype(), DType::float32);
}

TEST(Operations, OfHostValuesRecordInTheirOwnRuntime) {
  const Runtime runtime = start({{"cpu"}});
  const Tensor x = tensor({1., 2.}).to(Device::host()).requires_grad_();
  const Tensor y = runtime.operation("Exp")(x);
  EXPECT_EQ(y.device(), runtime.device("cpu"));
  y.sum().backward();
  EXPECT_TRUE(x.grad().defined());
}

TEST(Operations, ThatGiveViewsRecordWhatIsWrittenThroughThem) {
  const Operation reshape = current_runtime().operation("Reshape");
  const Tensor x = tensor({1., 2.}), w = tensor({3., 5.}, {.requires_grad = true});
  reshape(x, tensor({2, 1})).mul_(w.reshape({2, 1}));
  x.sum().backward();
  EXPECT_THAT(w.grad().to_vector<float>(), ElementsAre(1, 2));
}

TEST(Operations, RecordNothingUnderNoGrad) {
  const NoGrad off;
  const Operation relu = current_runtime().operation("Relu");
  EXPECT_FALSE(relu(tensor({1.}, {.requires_grad = true})).requires_grad());
}

TEST(Models, RefuseInputsThatRequireAGradient) {
  const auto bytes =
      onnx_bytes(nn::Sequential(nn::Linear(2, 1)), zeros({1, 2}), {.input = "x", .output = "y"});
  const Model model = Model::from_bytes(current_runtime(), bytes);
  const Tensor x = ones({1, 2}, {.requires_grad = true});
  EXPECT_THAT(thrown([&] {
                return model.run({{"x", x}}).size();
              }),
              testing::AllOf(HasSubstr("input 'x'"), HasSubstr("requires a gradient"),
                             HasSubstr("detach()")));
  EXPECT_EQ(model.run({{"x", x.detach()}}).size(), 1u);
  const NoGrad off;
  EXPECT_EQ(model.run({{"x", x}}).size(), 1u);
}

}  // namespace
}  // namespace switchyard
