// Gradients of ops that no device of the tests computes, or computes in float64, written by hand
// here; and of optimizer steps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <switchyard/autograd.hpp>

#include "functions/calls/call.hpp"
#include "functions/thrown.hpp"
#include "gradients/by_hand.hpp"
#include "gradients/gradcheck.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using In = std::span<const Tensor>;
using Ints = std::vector<std::int64_t>;

// ---- Col2Im

/// Blocks of 2 x 2, a row apart, a stride of 1 down and 2 across, on 4 x 5 with margins.
std::vector<Tensor> images_of_blocks(In in) {
  constexpr std::int64_t kRows = 4, kColumns = 5, kDown = 3, kAcross = 3;
  const Numbers blocks = numbers_of(in[0]);
  Numbers images(static_cast<std::size_t>(2 * kRows * kColumns), 0.0);
  for (std::int64_t c = 0; c < 2; ++c) {
    for (std::int64_t i = 0; i < 4 * kDown * kAcross; ++i) {
      const std::int64_t element = i / (kDown * kAcross), position = i % (kDown * kAcross);
      const std::int64_t row = position / kAcross + element / 2 * 2 - 1;     // padded by 1 above
      const std::int64_t column = position % kAcross * 2 + element % 2 - 1;  // and on the left
      if (row < 0 || row >= kRows || column < 0 || column >= kColumns) continue;
      images[static_cast<std::size_t>((c * kRows + row) * kColumns + column)] +=
          blocks[static_cast<std::size_t>(c * 4 * kDown * kAcross + i)];
    }
  }
  return {host_tensor({1, 2, kRows, kColumns}, images)};
}

TEST(WrittenRules, OfBlocksAddedToImages) {
  const Attributes given =
      attributes({{"dilations", Ints{2, 1}}, {"pads", Ints{1, 1, 0, 0}}, {"strides", Ints{1, 2}}});
  CHECK_GRADIENTS(
      [&](In in) {
        const std::vector<Tensor> all = {in[0], int64s(Dims{4, 5}), int64s(Dims{2, 2})};
        return square(by_hand("Col2Im", images_of_blocks, all, given)[0]);
      },
      {strided(scattered({1, 8, 9}))});
}

// ---- Upsample

/// Rows of 3 as rows of 7: elements at i * 3 / 7, linear or the one before.
std::vector<Tensor> longer_rows(In in, bool linear) {
  const Numbers from = numbers_of(in[0]);
  Numbers to;
  for (std::size_t row = 0; row < from.size() / 3; ++row) {
    for (std::size_t i = 0; i < 7; ++i) {
      const double at = static_cast<double>(i) / static_cast<double>(2.5F);
      const auto low = static_cast<std::size_t>(at);
      const std::size_t high = std::min<std::size_t>(low + 1, 2);
      const double t = linear ? at - static_cast<double>(low) : 0;
      to.push_back(from[row * 3 + low] * (1 - t) + from[row * 3 + high] * t);
    }
  }
  return {host_tensor({1, 2, 7}, to)};
}

TEST(WrittenRules, OfUpsampling) {
  const Tensor scales = tensor({1., 1., 2.5}, {.dtype = DType::float32});
  for (const char* mode : {"nearest", "linear"}) {
    const bool linear = std::string_view(mode) == "linear";
    const ByHand forward = [&](In in) { return longer_rows(in, linear); };
    CHECK_GRADIENTS(
        [&](In in) {
          const std::vector<Tensor> all = {in[0], scales};
          return square(
              by_hand("Upsample", forward, all, attributes({{"mode", std::string(mode)}}))[0]);
        },
        {strided(scattered({1, 2, 3}))});
  }
}

// ---- Dropout

Tensor training(bool is) { return host_scalar(is); }

TEST(WrittenRules, OfDropoutInTraining) {
  const Tensor mask = gt(scattered({2, 5}), 0);
  const ByHand forward = [&](In in) {
    const double kept = 1 - in[1].item();
    return std::vector<Tensor>{where(mask, in[0].detach() / kept, 0), mask};
  };
  CHECK_GRADIENTS(
      [&](In in) {
        const std::vector<Tensor> all = {in[0], in[1], training(true)};
        return square(by_hand("Dropout", forward, all)[0]);
      },
      {strided(scattered({2, 5}, -1, 1, 1)), host_scalar(0.3)});
}

TEST(WrittenRules, OfDropoutThatDropsAll) {
  const Tensor x = scattered({3}).requires_grad_();
  const ByHand nothing = [](In in) {
    return std::vector<Tensor>{zeros_like(in[0].detach()), zeros({3}, {.dtype = DType::bool_})};
  };
  const std::vector<Tensor> all = {x, host_scalar(1.0), training(true)};
  sum(by_hand("Dropout", nothing, all)[0]).backward();
  EXPECT_EQ(x.grad().to_vector<double>(), Numbers(3, 0.0));
}

TEST(WrittenRules, OfDropoutOutsideOfTraining) {
  constinit static const EagerOp kDropout("Dropout");
  CHECK_GRADIENTS([](In in) { return square(kDropout({in[0]})); }, {strided(scattered({2, 3}))});
  CHECK_GRADIENTS(
      [](In in) {
        return square(kDropout({in[0], host_scalar(0.25), training(false)}));
      },
      {scattered({4})});
}

TEST(WrittenRules, OfDropoutNeedTheMask) {
  const ByHand forward = [](In in) { return std::vector<Tensor>{in[0].detach().clone()}; };
  const std::vector<Tensor> all = {scattered({3}).requires_grad_(), Tensor(), training(true)};
  const Tensor y = by_hand("Dropout", forward, all)[0];
  EXPECT_THAT(thrown([&] { sum(y).backward(); }), testing::HasSubstr("its mask is asked for"));
}

// ---- quantized numbers

/// (x - zero) * scale, where `owner` names the scale of each element.
void check_dequantize(const Tensor& x, const Tensor& zero, const Tensor& scales, const Ints& owners,
                      const Attributes& given) {
  const ByHand forward = [&](In in) {
    Numbers numbers = numbers_of(in[0]);
    const Numbers each = numbers_of(in[1]);
    const Numbers zeros = in.size() > 2 ? numbers_of(in[2]) : Numbers(each.size(), 0.0);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto owner = static_cast<std::size_t>(owners[i]);
      numbers[i] = (numbers[i] - zeros[owner]) * each[owner];
    }
    return std::vector<Tensor>{host_tensor(in[0].shape(), numbers)};
  };
  CHECK_GRADIENTS(
      [&](In in) {
        std::vector<Tensor> all = {x, in[0]};
        if (zero.defined()) all.push_back(zero);
        return square(by_hand("DequantizeLinear", forward, all, given)[0]);
      },
      {scales}, {.spread = false});  // zero points show as 0
}

TEST(WrittenRules, OfScales) {
  const Tensor x =
      tensor({-7, 3, 5, 100, -128, 2, 9, 0, 11, -4, 6, 1}, {.dtype = DType::int8}).reshape({2, 6});
  const auto zero = [](std::initializer_list<int> values) {
    return tensor(values, {.dtype = DType::int8});
  };
  check_dequantize(x, {}, host_scalar(0.5), Ints(12, 0), {});
  check_dequantize(x, zero({3}).reshape({}), host_scalar(0.5), Ints(12, 0), {});
  check_dequantize(x, zero({3, -2}), scattered({2}, 0.5, 1), {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1},
                   attributes({{"axis", std::int64_t{0}}}));
  check_dequantize(x, {}, scattered({2, 2}, 0.5, 1), {0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3},
                   attributes({{"axis", std::int64_t{-1}}, {"block_size", std::int64_t{4}}}));
}

TEST(WrittenRules, OfTheScaleThatIsFound) {
  const ByHand forward = [](In in) {
    const Numbers numbers = numbers_of(in[0]);
    double least = 0, most = 0;
    for (const double x : numbers) {
      least = std::min(least, x);
      most = std::max(most, x);
    }
    const Tensor none = zeros({1}, {.dtype = DType::uint8});
    return std::vector<Tensor>{none, host_scalar((most - least) / 255), none};
  };
  for (const double low : {-1.0, 0.5}) {
    CHECK_GRADIENTS(
        [&](In in) { return square(by_hand("DynamicQuantizeLinear", forward, in)[1] * 100); },
        {strided(scattered({2, 3}, low, 2))});
  }
}

// ---- optimizer steps

std::vector<Tensor> rates(std::initializer_list<double> values) {
  std::vector<Tensor> made;
  for (const double value : values) made.push_back(host_scalar(value));
  return made;
}

/// `tensors` of one shape, the last one positive, and scalars; all results in one row.
void check_step(const EagerOp& op, std::size_t tensors, const std::vector<Tensor>& scalars,
                const Attributes& given) {
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < tensors; ++i) {
    const double low = i == 3 ? 0.25 : -1;
    inputs.push_back(strided(scattered({2, 3}, low, 1, static_cast<int>(i))));
  }
  inputs.insert(inputs.end(), scalars.begin(), scalars.end());
  CHECK_GRADIENTS([&](In in) { return cat(op.outputs(tensors - 1, in, given)); }, inputs);
}

TEST(WrittenRules, OfOptimizerSteps) {
  constinit static const EagerOp kSgd("SgdStep", "switchyard"),
      kMomentum("MomentumStep", "switchyard"), kAdam("AdamStep", "switchyard");
  check_step(kSgd, 2, rates({0.25}), {});
  check_step(kSgd, 2, rates({0.25}), attributes({{"weight_decay", 0.5F}}));
  for (const std::int64_t nesterov : {0, 1}) {
    check_step(kMomentum, 3, rates({0.25, 0.125}),
               attributes({{"momentum", 0.75F}, {"nesterov", nesterov}, {"weight_decay", 0.5F}}));
  }
  for (const std::int64_t decoupled : {0, 1}) {
    check_step(kAdam, 4, rates({0.25, 0.5, 0.75}),
               attributes({{"decoupled", decoupled},
                           {"epsilon", 0.125F},
                           {"gain1", 0.25F},
                           {"gain2", 0.125F},
                           {"weight_decay", 0.5F}}));
  }
}

/// A step taken on the way to a loss, as in learning a rate.
TEST(WrittenRules, OfARateThatIsLearnt) {
  constinit static const EagerOp kAdam("AdamStep", "switchyard");
  const std::vector<Tensor> scalars = rates({0.5, 0.75});
  CHECK_GRADIENTS(
      [&](In in) {
        const Tensor nothing = zeros({3}, {.dtype = DType::float64});
        const Tensor gradient = mul(in[0], 2);
        return kAdam.outputs(3,
                             {in[0], gradient, nothing, nothing, in[1], scalars[0], scalars[1]})[0];
      },
      {scattered({3}, 0.5, 1), host_scalar(0.25)});
}

TEST(WrittenRules, OfStepsFromStandstill) {
  constinit static const EagerOp kAdam("AdamStep", "switchyard");
  const Tensor gradient = zeros({2}, {.dtype = DType::float64}).requires_grad_();
  const Tensor nothing = zeros({2}, {.dtype = DType::float64});
  const std::vector<Tensor> scalars = rates({0.1, 0.5, 0.5});
  const std::vector<Tensor> all = {nothing,    gradient,   nothing,   nothing,
                                   scalars[0], scalars[1], scalars[2]};
  sum(kAdam.outputs(3, all)[0]).backward();
  for (const double x : gradient.grad().to_vector<double>()) EXPECT_TRUE(std::isfinite(x)) << x;
}

// ---- statistics that layers give beside their result

TEST(WrittenRules, OfStatistics) {
  const ByHand layer = [](In in) {
    const Tensor x = in[0].detach(), m = mean(x, {1}, true);
    const Tensor factor = rsqrt(add(mean(square(sub(x, m)), {1}, true), 0.125));
    const Tensor y = add(mul(mul(sub(x, m), factor), in[1].detach()), in[2].detach());
    return std::vector<Tensor>{y, m, factor};
  };
  const Attributes epsilon = attributes({{"epsilon", 0.125F}});
  const std::vector<Tensor> inputs = {strided(scattered({2, 4})), scattered({4}),
                                      scattered({4}, -1, 1, 1)};
  for (std::size_t first = 0; first < 3; ++first) {
    CHECK_GRADIENTS(
        [&](In in) {
          const std::vector<Tensor> made = by_hand("LayerNormalization", layer, in, epsilon);
          std::vector<Tensor> rows;
          for (std::size_t i = first; i < 3; ++i) rows.push_back(reshape(made[i], {-1}));
          return cat(rows);
        },
        inputs);
  }
}

TEST(WrittenRules, OfRunningStatistics) {
  constinit static const EagerOp kBatch("BatchNormalization");
  const Attributes given =
      attributes({{"epsilon", 0.125F}, {"momentum", 0.75F}, {"training_mode", std::int64_t{1}}});
  const std::vector<Tensor> inputs = {strided(scattered({3, 2, 2})), scattered({2}),
                                      scattered({2}, -1, 1, 1), scattered({2}, -1, 1, 2),
                                      scattered({2}, 0.5, 1, 3)};
  for (std::size_t first = 0; first < 3; ++first) {
    CHECK_GRADIENTS(
        [&](In in) {
          const std::vector<Tensor> made = kBatch.outputs(3, in, given);
          std::vector<Tensor> rows;
          for (std::size_t i = first; i < 3; ++i) rows.push_back(reshape(made[i], {-1}));
          return cat(rows);
        },
        inputs);
  }
}

TEST(WrittenRules, OfWeightsOfClasses) {
  constinit static const EagerOp kLikelihood("NegativeLogLikelihoodLoss"),
      kEntropy("SoftmaxCrossEntropyLoss");
  const Tensor labels = tensor({{2., 0.}, {1., 2.}, {1., 1.}}).to(DType::int64);
  for (const char* reduction : {"none", "mean", "sum"}) {
    for (const bool ignores : {false, true}) {
      Attributes given = attributes({{"reduction", std::string(reduction)}});
      if (ignores) given.set("ignore_index", std::int64_t{1});
      const std::vector<Tensor> inputs = {strided(scattered({3, 3, 2})), scattered({3}, 0.5, 2, 1)};
      CHECK_GRADIENTS([&](In in) { return kLikelihood({in[0], labels, in[1]}, given); }, inputs);
      CHECK_GRADIENTS(
          [&](In in) {
            return kEntropy.outputs(2, {in[0], labels, in[1]}, given)[0];
          },
          inputs);
    }
  }
}

// ---- forms of pools and of resizing

TEST(WrittenRules, OfIndicesColumnByColumn) {
  constinit static const EagerOp kMaxPool("MaxPool");
  const Attributes given = attributes({{"kernel_shape", Ints{2, 3}},
                                       {"pads", Ints{1, 0, 0, 1}},
                                       {"storage_order", std::int64_t{1}},
                                       {"strides", Ints{2, 1}}});
  CHECK_GRADIENTS([&](In in) { return square(kMaxPool.outputs(2, {in[0]}, given)[0]); },
                  {strided(scattered({2, 2, 4, 5}))});
  const Tensor x = scattered({1, 1, 4, 4}).requires_grad_();
  const Tensor y = kMaxPool({x}, attributes({{"kernel_shape", Ints{2, 2}}}));
  EXPECT_THAT(thrown([&] { sum(y).backward(); }), testing::HasSubstr("[MaxPool] has a gradient"));
}

TEST(WrittenRules, OfNormsOverWindowsBeyondTheEdge) {
  constinit static const EagerOp kLp("LpPool");
  for (const std::int64_t p : {1, 2, 3}) {
    const Attributes given = attributes({{"ceil_mode", std::int64_t{1}},
                                         {"dilations", Ints{1, 2}},
                                         {"kernel_shape", Ints{3, 2}},
                                         {"p", p},
                                         {"pads", Ints{0, 1, 0, 0}},
                                         {"strides", Ints{2, 2}}});
    CHECK_GRADIENTS([&](In in) { return kLp({in[0]}, given); }, {strided(scattered({1, 2, 4, 6}))});
  }
}

TEST(WrittenRules, OfResizingThatKeepsProportions) {
  constinit static const EagerOp kResize("Resize");
  for (const char* policy : {"not_larger", "not_smaller"}) {
    for (const char* mode : {"nearest", "linear", "cubic"}) {
      const Attributes given = attributes({{"axes", Ints{2, 3}},
                                           {"keep_aspect_ratio_policy", std::string(policy)},
                                           {"mode", std::string(mode)}});
      for (const Dims& sizes : {Dims{5, 5}, Dims{7, 6}}) {
        CHECK_GRADIENTS(
            [&](In in) {
              return square(kResize({in[0], {}, {}, int64s(sizes)}, given));
            },
            {strided(scattered({1, 2, 3, 4}))});
      }
    }
  }
}

}  // namespace
}  // namespace switchyard
