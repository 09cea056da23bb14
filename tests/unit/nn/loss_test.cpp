// Losses as modules: values and gradients are PyTorch's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "nn/golden.hpp"

namespace switchyard {
namespace {

void expect_loss(const std::string& name, nn::Loss& loss) {
  SCOPED_TRACE(name);
  const GoldenCase golden(name);
  loss.load_state_dict(golden.below("state"));
  Tensor input = golden["input"];
  input.requires_grad_();
  const Tensor value = loss(input, golden["target"]);
  expect_close(value, golden["output"], "the loss");
  value.backward();
  expect_close(input.grad(), golden["input_grad"], "the gradient");
}

template <typename L>
void expect_loss(const std::string& name, L&& loss) {
  expect_loss(name, static_cast<nn::Loss&>(loss));
}

TEST(Losses, OfClassesAreThoseOfPyTorch) {
  expect_loss("cross_entropy", nn::CrossEntropyLoss());
  expect_loss(
      "cross_entropy_smooth",
      nn::CrossEntropyLoss({.ignore_index = 0, .label_smoothing = 0.1, .weight = ones({5})}));
  expect_loss("cross_entropy_soft", nn::CrossEntropyLoss({.reduction = Reduction::sum}));
  expect_loss("nll", nn::NLLLoss({.weight = ones({5})}));
  expect_loss("kl_div", nn::KLDivLoss());
}

TEST(Losses, OfNumbersAreThoseOfPyTorch) {
  expect_loss("bce_with_logits", nn::BCEWithLogitsLoss({.pos_weight = ones({5})}));
  expect_loss("bce", nn::BCELoss({.weight = ones({5})}));
  expect_loss("mse", nn::MSELoss());
  expect_loss("l1", nn::L1Loss({.reduction = Reduction::sum}));
  expect_loss("huber", nn::HuberLoss({.delta = 0.7}));
  expect_loss("smooth_l1", nn::SmoothL1Loss({.beta = 0.7}));
}

void expect_labelled(const std::string& name, nn::CTCLoss loss) {
  SCOPED_TRACE(name);
  const GoldenCase golden(name);
  Tensor input = golden["input"];
  input.requires_grad_();
  const Tensor value = loss(log_softmax(input, -1), golden["targets"], golden["input_lengths"],
                            golden["target_lengths"]);
  expect_close(value, golden["output"], "the loss");
  value.sum().backward();
  expect_close(input.grad(), golden["input_grad"], "the gradient");
}

TEST(Losses, OfLabelsAreThoseOfPyTorch) {
  expect_labelled("ctc", nn::CTCLoss());
  expect_labelled("ctc_line", nn::CTCLoss({.reduction = Reduction::sum}));
  expect_labelled("ctc_blank", nn::CTCLoss({.blank = 4, .reduction = Reduction::none}));
  expect_labelled("ctc_infinite", nn::CTCLoss({.zero_infinity = true}));
  expect_labelled("ctc_single", nn::CTCLoss());
}

TEST(Losses, OfLabelsAreInfiniteWhereTheyDoNotFit) {
  const Tensor logits = randn({2, 1, 3}).requires_grad_();
  nn::CTCLoss loss;
  const Tensor value = loss(log_softmax(logits, -1), tensor({{1, 1}}), tensor({2}), tensor({2}));
  EXPECT_EQ(value.item(), std::numeric_limits<double>::infinity());
}

TEST(Losses, OfTripletsTakeThree) {
  const Tensor anchor = tensor({{0., 0.}}), positive = tensor({{3., 4.}});
  nn::TripletMarginLoss criterion({.margin = 2});
  EXPECT_NEAR(criterion(anchor, positive, tensor({{6., 0.}})).item(), 1, 1e-5);
  EXPECT_EQ(criterion(anchor, positive, tensor({{9., 0.}})).item(), 0);
}

}  // namespace
}  // namespace switchyard
