// What made a tensor, by itself and in the tensor's text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/autograd.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/print.hpp>

#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

Tensor leaf() { return ones({2, 2}, {.requires_grad = true}); }

TEST(MadeBy, NamesTheOp) {
  const Tensor x = leaf();
  EXPECT_EQ(grad_fn_name(x + 1), "Add");
  EXPECT_EQ(grad_fn_name(matmul(x, x)), "MatMul");
  EXPECT_EQ(grad_fn_name(x.exp().log()), "Log");
}

TEST(MadeBy, IsNothingForLeavesAndWhatHasNoGradient) {
  EXPECT_EQ(grad_fn_name(leaf()), "");
  EXPECT_EQ(grad_fn_name(ones({2}) + 1), "");
  EXPECT_EQ(grad_fn_name((leaf() + 1).detach()), "");
  EXPECT_EQ(grad_fn_name(Tensor()), "");
  const NoGrad no_grad;
  EXPECT_EQ(grad_fn_name(leaf() + 1), "");
}

TEST(MadeBy, TellsSharedElementsWrittenTo) {
  const Tensor base = leaf() * 2;
  const Tensor row = base.select(0, 0);
  row.mul_(leaf().select(0, 0));
  EXPECT_EQ(grad_fn_name(base), "WriteToView");
  EXPECT_EQ(grad_fn_name(row), "View");
}

TEST(MadeBy, NamesAFunctionOfOnesOwn) {
  const CustomFunction twice{
      .name = "Twice",
      .forward = [](FunctionContext&,
                    std::span<const Tensor> in) { return std::vector{in[0] * 2}; },
      .backward = [](FunctionContext&,
                     std::span<const Tensor> in) { return std::vector{in[0] * 2}; }};
  const Tensor x = leaf();
  EXPECT_EQ(grad_fn_name(twice(std::span(&x, 1))[0]), "Twice");
}

TEST(MadeBy, IsPrintedLast) {
  EXPECT_THAT(to_string(leaf()), EndsWith(", requires_grad=True)"));
  EXPECT_THAT(to_string(leaf() + 1), EndsWith(", grad_fn=<AddBackward>)"));
  EXPECT_THAT(to_string((leaf() + 1).to(DType::float64) * 2),
              HasSubstr("dtype=float64, grad_fn=<MulBackward>"));
  EXPECT_THAT(to_string((leaf() + 1).detach()), Not(HasSubstr("grad")));
}

TEST(MadeBy, StandsWherePyTorchPutsIt) {
  Tensor many = host_tensor({30}, std::vector<float>(30, 1));
  EXPECT_EQ(to_string(many.requires_grad_()),
            "tensor([1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1.,\n"
            "        1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1.], requires_grad=True)");
  Tensor none = host_tensor({0, 3}, std::vector<float>());
  EXPECT_EQ(to_string(none.requires_grad_()), "tensor([], size=(0, 3), requires_grad=True)");
}

}  // namespace
}  // namespace switchyard
