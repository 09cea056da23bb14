// Gradients of layers, pools, norms, losses and images: of the functions, and of ops that functions
// call in one form alone.
#include <gtest/gtest.h>

#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>

#include "functions/calls/call.hpp"
#include "gradients/gradcheck.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using In = std::span<const Tensor>;

/// An op, of all inputs.
Differentiable of_op(const EagerOp& op, Attributes given = {}) {
  return [&op, given](In in) { return op(in, given); };
}

using Ints = std::vector<std::int64_t>;

TEST(NeuralRules, OfActivations) {
  const Tensor x = strided(scattered({2, 3}, -2.7, 2.7));
  for (auto* f : {relu, relu6, selu, silu, mish, softplus, softsign, logsigmoid, hardsigmoid,
                  hardswish, sigmoid}) {
    CHECK_GRADIENTS(of_one(f), {x});
  }
  CHECK_GRADIENTS([](In in) { return leaky_relu(in[0], 0.2); }, {x});
  CHECK_GRADIENTS([](In in) { return leaky_relu(in[0], 0.25); }, {x});
  CHECK_GRADIENTS([](In in) { return elu(in[0], 1.5); }, {x});
  CHECK_GRADIENTS([](In in) { return elu(in[0], 1.3); }, {x});
  CHECK_GRADIENTS([](In in) { return gelu(in[0]); }, {x});
  CHECK_GRADIENTS([](In in) { return gelu(in[0], GeluApproximation::tanh); }, {x});
  CHECK_GRADIENTS([](In in) { return hardtanh(in[0], -0.5, 0.7); }, {x});
  CHECK_GRADIENTS([](In in) { return prelu(in[0], in[1]); }, {x, scattered({3})});
  CHECK_GRADIENTS([](In in) { return prelu(in[0], in[1]); }, {x, scattered({1})});
  constinit static const EagerOp kCelu("Celu"), kThresholded("ThresholdedRelu"), kShrink("Shrink"),
      kHardSigmoid("HardSigmoid"), kHardSwish("HardSwish");
  CHECK_GRADIENTS(of_op(kCelu, attributes({{"alpha", 0.5F}})), {x});
  CHECK_GRADIENTS(of_op(kThresholded, attributes({{"alpha", 0.5F}})), {x});
  CHECK_GRADIENTS(of_op(kShrink, attributes({{"bias", 0.25F}, {"lambd", 0.5F}})), {x});
  CHECK_GRADIENTS(of_op(kHardSigmoid, attributes({{"alpha", 0.25F}, {"beta", 0.5F}})), {x});
  CHECK_GRADIENTS(of_op(kHardSwish), {x});
}

/// Weights are multiplied by the zeros that pad the image, too.
const GradcheckOptions kPadded = {.spread = false};

TEST(NeuralRules, OfConvolutions) {
  CHECK_GRADIENTS(
      [](In in) { return conv1d(in[0], in[1], in[2], {.padding = {1}, .stride = {2}}); },
      {strided(scattered({2, 2, 5})), strided(scattered({2, 2, 3})), scattered({2})}, kPadded);
  CHECK_GRADIENTS(
      [](In in) {
        return conv2d(in[0], in[1], {}, {.dilation = {2, 1}, .padding = {1, 0}, .stride = {1, 2}});
      },
      {scattered({1, 2, 4, 3}), scattered({2, 2, 2, 2})}, kPadded);
  CHECK_GRADIENTS([](In in) { return conv2d(in[0], in[1], in[2], {.groups = 2, .padding = {1}}); },
                  {scattered({4, 3, 2}), scattered({2, 2, 2, 2}), scattered({2})}, kPadded);
  const Tensor weight = scattered({2, 2, 2, 2});
  CHECK_GRADIENTS([&](In in) { return conv2d(in[0], weight, in[1], {.padding = {1}}); },
                  {scattered({2, 3, 2}), scattered({2})});
  CHECK_GRADIENTS([](In in) { return conv2d(in[0], in[1], {}, {.stride = {2}}); },
                  {scattered({1, 2, 4, 5}), weight});
  constinit static const EagerOp kConv("Conv"), kTransposed("ConvTranspose");
  for (const char* automatic : {"SAME_UPPER", "SAME_LOWER", "VALID"}) {
    const Attributes given =
        attributes({{"auto_pad", std::string(automatic)}, {"strides", Ints{2}}});
    CHECK_GRADIENTS(of_op(kConv, given), {scattered({1, 2, 6}), scattered({2, 2, 3})}, kPadded);
  }
  const std::vector<Tensor> maps = {scattered({1, 2, 3}), scattered({2, 2, 3}), scattered({2})};
  CHECK_GRADIENTS(of_op(kTransposed), maps);
  CHECK_GRADIENTS(of_op(kTransposed, attributes({{"pads", Ints{1, 0}}, {"strides", Ints{2}}})),
                  maps);
  CHECK_GRADIENTS(
      of_op(kTransposed, attributes({{"output_padding", Ints{1}}, {"strides", Ints{2}}})), maps);
  CHECK_GRADIENTS(of_op(kTransposed, attributes({{"output_shape", Ints{6}}, {"strides", Ints{2}}})),
                  maps);
  for (const char* automatic : {"SAME_UPPER", "SAME_LOWER"}) {
    const Attributes given = attributes(
        {{"auto_pad", std::string(automatic)}, {"output_padding", Ints{1}}, {"strides", Ints{2}}});
    CHECK_GRADIENTS(of_op(kTransposed, given), maps);
  }
  CHECK_GRADIENTS(
      of_op(kTransposed, attributes({{"dilations", Ints{2}}, {"group", std::int64_t{2}}})),
      {scattered({1, 2, 3}), scattered({2, 1, 2})});
}

TEST(NeuralRules, OfPools) {
  const Tensor image = strided(scattered({1, 2, 4, 5}));
  CHECK_GRADIENTS([](In in) { return max_pool2d(in[0], {2}); }, {image});
  CHECK_GRADIENTS(
      [](In in) {
        return square(max_pool2d(in[0], {3}, {.ceil_mode = true, .padding = {1}, .stride = {1}}));
      },
      {image});
  CHECK_GRADIENTS([](In in) { return square(max_pool1d(in[0], {2}, {.dilation = {2}})); },
                  {scattered({2, 5})});
  CHECK_GRADIENTS(
      [](In in) {
        return square(
            avg_pool2d(in[0], {3, 2}, {.ceil_mode = true, .padding = {1}, .stride = {2}}));
      },
      {image});
  CHECK_GRADIENTS(
      [](In in) {
        return square(avg_pool1d(in[0], {3}, {.count_include_pad = false, .padding = {1}}));
      },
      {scattered({1, 2, 5})});
  CHECK_GRADIENTS([](In in) { return square(adaptive_avg_pool2d(in[0], {3, 2})); }, {image});
  CHECK_GRADIENTS([](In in) { return square(adaptive_avg_pool2d(in[0], {1})); }, {image});
  constinit static const EagerOp kGlobalMax("GlobalMaxPool"), kGlobalLp("GlobalLpPool"),
      kLp("LpPool");
  CHECK_GRADIENTS(of_op(kGlobalMax), {image});
  for (const std::int64_t p : {1, 2, 3}) {
    CHECK_GRADIENTS(of_op(kGlobalLp, attributes({{"p", p}})), {image});
    CHECK_GRADIENTS(of_op(kLp, attributes({{"kernel_shape", Ints{2, 3}},
                                           {"p", p},
                                           {"pads", Ints{1, 0, 0, 1}},
                                           {"strides", Ints{2, 1}}})),
                    {image});
  }
}

TEST(NeuralRules, OfPoolsWithWindowsLargerThanTheInput) {
  const Tensor image = strided(scattered({1, 2, 4, 5}));
  constinit static const EagerOp kMax("MaxPool"), kAverage("AveragePool"), kLp("LpPool");
  const auto window = [](Ints kernel, Ints strides, Ints pads) {
    return attributes({{"kernel_shape", kernel}, {"strides", strides}, {"pads", pads}});
  };
  for (const Attributes& given :
       {window({6, 2}, {3, 1}, {0, 0, 0, 1}), window({3, 9}, {1, 4}, {1, 1, 1, 0}),
        window({5, 2}, {1, 1}, {0, 0, 0, 0})}) {
    CHECK_GRADIENTS([&](In in) { return square(kMax.outputs(2, {in[0]}, given)[0]); }, {image});
    CHECK_GRADIENTS(of_op(kLp, given), {image});
    for (const std::int64_t counts : {0, 1}) {
      Attributes average = given;
      average.set("count_include_pad", counts);
      CHECK_GRADIENTS(of_op(kAverage, average), {image});
    }
  }
  CHECK_GRADIENTS(of_op(kAverage, attributes({{"kernel_shape", Ints{2, 2}},
                                              {"strides", Ints{3, 2}},
                                              {"auto_pad", std::string("VALID")},
                                              {"ceil_mode", std::int64_t{1}}})),
                  {image});
}

TEST(NeuralRules, OfNorms) {
  const Tensor x = strided(scattered({2, 4, 3}));
  CHECK_GRADIENTS([](In in) { return batch_norm(in[0], {}, {}, in[1], in[2], true, 0.1, 0.125); },
                  {x, scattered({4}), scattered({4}, 0, 1, 2)});
  CHECK_GRADIENTS([](In in) { return batch_norm(in[0], in[1], in[2], in[3], in[4]); },
                  {x, scattered({4}, -1, 1, 6), scattered({4}, 0.5, 2), scattered({4}, -1, 1, 3),
                   scattered({4}, -1, 1, 4)});
  CHECK_GRADIENTS(
      [](In in) {
        return layer_norm(in[0], {4, 3}, in[1], in[2], 0.125);
      },
      {x, scattered({4, 3}), scattered({4, 3}, -1, 1, 5)});
  CHECK_GRADIENTS([](In in) { return layer_norm(in[0], {3}, {}, {}, 0.125); }, {x});
  CHECK_GRADIENTS([](In in) { return group_norm(in[0], 2, in[1], in[2], 0.125); },
                  {x, scattered({4}), scattered({4}, -1, 1, 6)});
  CHECK_GRADIENTS([](In in) { return rms_norm(in[0], {3}, in[1], 0.1); }, {x, scattered({3})});
  constinit static const EagerOp kInstance("InstanceNormalization"), kLp("LpNormalization"),
      kMeanVariance("MeanVarianceNormalization"), kLrn("LRN");
  CHECK_GRADIENTS(of_op(kInstance, attributes({{"epsilon", 0.125F}})),
                  {x, scattered({4}), scattered({4})});
  for (const std::int64_t p : {1, 2}) {
    CHECK_GRADIENTS(of_op(kLp, attributes({{"axis", std::int64_t{1}}, {"p", p}})), {x});
  }
  CHECK_GRADIENTS(of_op(kMeanVariance, attributes({{"axes", Ints{0, 2}}})), {x});
  for (const std::int64_t size : {2, 3}) {
    CHECK_GRADIENTS(of_op(kLrn, attributes({{"alpha", 0.5F}, {"beta", 0.75F}, {"size", size}})),
                    {x});
  }
}

TEST(NeuralRules, OfAttention) {
  const std::vector<Tensor> in = {scattered({2, 3, 4}), strided(scattered({2, 5, 4})),
                                  scattered({2, 5, 2}, -1, 1, 7)};
  CHECK_GRADIENTS([](In x) { return scaled_dot_product_attention(x[0], x[1], x[2]); }, in);
  CHECK_GRADIENTS(
      [](In x) { return scaled_dot_product_attention(x[0], x[1], x[2], {.causal = true}); }, in,
      {.spread = false});  // values are multiplied by weights of 0
  std::vector<Tensor> masked = in;
  masked.push_back(scattered({3, 5}, -1, 1, 8));
  CHECK_GRADIENTS(
      [](In x) { return scaled_dot_product_attention(x[0], x[1], x[2], {.mask = x[3]}); }, masked);
}

TEST(NeuralRules, OfLossesOfClasses) {
  const Tensor logits = strided(scattered({4, 3, 2}, -2, 2));
  const Tensor labels = tensor({{2., 0.}, {1., 2.}, {-100., 1.}, {0., 2.}}).to(DType::int64);
  const Tensor weight = scattered({3}, 0.5, 2);
  for (const Reduction reduction : {Reduction::none, Reduction::mean, Reduction::sum}) {
    const auto plain = [&](In in) {
      return cross_entropy(in[0], labels, {.reduction = reduction});
    };
    const auto smooth = [&](In in) {
      return cross_entropy(in[0], labels,
                           {.label_smoothing = 0.2, .reduction = reduction, .weight = weight});
    };
    CHECK_GRADIENTS(plain, {logits});
    const Tensor valid = clamp(labels, 0);
    CHECK_GRADIENTS(
        [&](In in) {
          return cross_entropy(in[0], valid.to(DType::int32),
                               {.ignore_index = 1, .reduction = reduction, .weight = weight});
        },
        {logits});
    CHECK_GRADIENTS(smooth, {logits});
    CHECK_GRADIENTS([&](In in) { return nll_loss(in[0], labels, weight, -100, reduction); },
                    {logits});
  }
  CHECK_GRADIENTS([](In in) { return cross_entropy(in[0], in[1]); },
                  {scattered({3, 4}), scattered({3, 4}, 0, 1, 2)});
}

TEST(NeuralRules, OfLossesOfNumbers) {
  const std::vector<Tensor> in = {scattered({3, 4}, -2, 2), scattered({3, 4}, 0.1, 0.9, 3)};
  CHECK_GRADIENTS([](In x) { return mse_loss(x[0], x[1]); }, in);
  CHECK_GRADIENTS([](In x) { return l1_loss(x[0], x[1]); }, in);
  CHECK_GRADIENTS([](In x) { return huber_loss(x[0], x[1], 0.7); }, in);
  CHECK_GRADIENTS([](In x) { return smooth_l1_loss(x[0], x[1], 0.7, Reduction::none); }, in);
  CHECK_GRADIENTS([](In x) { return kl_div(x[0], x[1]); }, in);
  CHECK_GRADIENTS([](In x) { return kl_div(x[0], x[1], Reduction::sum, true); }, in);
  CHECK_GRADIENTS([](In x) { return binary_cross_entropy_with_logits(x[0], x[1]); }, in);
  CHECK_GRADIENTS([](In x) { return binary_cross_entropy(sigmoid(x[0]), x[1]); }, in);
  const Tensor weight = scattered({4}, 0.5, 2);
  CHECK_GRADIENTS(
      [&](In x) { return binary_cross_entropy_with_logits(x[0], x[1], weight, weight); }, in);
}

TEST(NeuralRules, OfImages) {
  const Tensor x = strided(scattered({1, 2, 3, 4}));
  CHECK_GRADIENTS(
      [](In in) {
        return square(pad(in[0], {1, 2, -1, 1}, PaddingMode::constant, in[1]));
      },
      {x, scattered({})});
  for (const auto mode : {PaddingMode::reflect, PaddingMode::replicate, PaddingMode::circular}) {
    CHECK_GRADIENTS([&](In in) { return square(pad(in[0], {2, 1, 1, 0}, mode)); }, {x});
    CHECK_GRADIENTS([&](In in) { return square(pad(in[0], {2, -1, -1, 1}, mode)); }, {x});
  }
  for (const auto mode :
       {InterpolationMode::nearest, InterpolationMode::bilinear, InterpolationMode::bicubic}) {
    CHECK_GRADIENTS(
        [&](In in) {
          return square(interpolate(in[0], {.mode = mode, .size = {5, 3}}));
        },
        {x});
    CHECK_GRADIENTS(
        [&](In in) { return square(interpolate(in[0], {.mode = mode, .scale_factor = 1.7})); },
        {x});
  }
  CHECK_GRADIENTS(
      [](In in) {
        return square(interpolate(
            in[0], {.align_corners = true, .mode = InterpolationMode::bilinear, .size = {2, 6}}));
      },
      {x});
  constinit static const EagerOp kResize("Resize");
  const Attributes antialias = attributes(
      {{"antialias", std::int64_t{1}}, {"axes", Ints{2, 3}}, {"mode", std::string("linear")}});
  CHECK_GRADIENTS(
      [&](In in) {
        return square(kResize({in[0], {}, {}, int64s({2, 3})}, antialias));
      },
      {x});
  const Attributes crop =
      attributes({{"axes", Ints{3}},
                  {"coordinate_transformation_mode", std::string("tf_crop_and_resize")},
                  {"extrapolation_value", 2.0F},
                  {"mode", std::string("linear")}});
  const Tensor roi = host_tensor({2}, std::vector<double>{-0.2, 0.8});
  CHECK_GRADIENTS([&](In in) { return square(kResize({in[0], roi, {}, int64s({5})}, crop)); }, {x});
}

TEST(NeuralRules, OfEinsums) {
  const Tensor a = scattered({2, 3}), b = scattered({3, 4}, -1, 1, 2);
  const auto equation = [](std::string_view text) {
    return [text](In in) { return einsum(text, in); };
  };
  CHECK_GRADIENTS(equation("ij,jk->ik"), {strided(a), b});
  CHECK_GRADIENTS(equation("ij,jk"), {a, b});
  CHECK_GRADIENTS(equation("ij->j"), {a});
  CHECK_GRADIENTS(equation("ij,kl->il"), {a, b});
  CHECK_GRADIENTS(equation("ii->i"), {scattered({3, 3})});
  CHECK_GRADIENTS(equation("iji,j->"), {scattered({2, 3, 2}), scattered({3}, -1, 1, 4)});
  CHECK_GRADIENTS(equation("...ij,...jk->...ik"), {scattered({5, 1, 2, 3}), scattered({4, 3, 2})});
  CHECK_GRADIENTS(equation("i,j,k->kij"), {scattered({2}), scattered({3}), scattered({2}, 0, 1)});
}

TEST(NeuralRules, DropoutsGradientDropsTheSame) {
  const Tensor x = scattered({50}).requires_grad_();
  const Tensor y = dropout(x, 0.3);
  const Tensor gradient = grad(sum(y), x);
  EXPECT_TRUE(equal(y.detach(), mul(x.detach(), gradient)));
}

}  // namespace
}  // namespace switchyard
