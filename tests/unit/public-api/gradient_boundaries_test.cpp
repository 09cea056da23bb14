// No gradient is lost without a word: an operation keeps it, and a model refuses it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/switchyard.hpp>

#include "functions/thrown.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

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
