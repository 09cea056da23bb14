// Functions of layers, losses and images against PyTorch's values and gradients.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "functions/golden/neural_golden.hpp"

namespace switchyard {
namespace {

using In = std::span<const Tensor>;
using Function = std::function<Tensor(In)>;

Function of_one(Tensor (*f)(const Tensor&)) {
  return [f](In in) { return f(in[0]); };
}

NeuralFunctions activations() {
  return {
      {"relu6", of_one(relu6)},
      {"leaky_relu", [](In in) { return leaky_relu(in[0], 0.2); }},
      {"elu", [](In in) { return elu(in[0], 1.3); }},
      {"elu_1", [](In in) { return elu(in[0]); }},
      {"selu", of_one(selu)},
      {"gelu", [](In in) { return gelu(in[0]); }},
      {"gelu_tanh", [](In in) { return gelu(in[0], GeluApproximation::tanh); }},
      {"silu", of_one(silu)},
      {"mish", of_one(mish)},
      {"softplus", of_one(softplus)},
      {"softsign", of_one(softsign)},
      {"logsigmoid", of_one(logsigmoid)},
      {"hardsigmoid", of_one(hardsigmoid)},
      {"hardswish", of_one(hardswish)},
      {"hardtanh", [](In in) { return hardtanh(in[0], -0.7, 1.9); }},
      {"softmax", [](In in) { return softmax(in[0], 0); }},
      {"log_softmax", [](In in) { return log_softmax(in[0], -1); }},
      {"prelu_one", [](In in) { return prelu(in[0], in[1]); }},
      {"prelu_channels", [](In in) { return prelu(in[0], in[1]); }},
  };
}

NeuralFunctions windows() {
  return {
      {"conv1d",
       [](In in) { return conv1d(in[0], in[1], in[2], {.padding = {1}, .stride = {2}}); }},
      {"conv1d_single", [](In in) { return conv1d(in[0], in[1]); }},
      {"conv2d", [](In in) { return conv2d(in[0], in[1], in[2]); }},
      {"conv2d_window",
       [](In in) {
         return conv2d(in[0], in[1], {}, {.dilation = {1, 2}, .padding = {1, 2}, .stride = {2, 1}});
       }},
      {"conv2d_groups",
       [](In in) { return conv2d(in[0], in[1], in[2], {.groups = 2, .padding = {1}}); }},
      {"conv_transpose1d",
       [](In in) { return conv_transpose1d(in[0], in[1], in[2], {.padding = 1, .stride = 2}); }},
      {"conv_transpose1d_single", [](In in) { return conv_transpose1d(in[0], in[1]); }},
      {"conv_transpose2d", [](In in) { return conv_transpose2d(in[0], in[1], in[2]); }},
      {"conv_transpose2d_window",
       [](In in) {
         return conv_transpose2d(
             in[0], in[1], {},
             {.dilation = {1, 2}, .output_padding = {1, 2}, .padding = {1, 0}, .stride = {2, 3}});
       }},
      {"conv_transpose2d_groups",
       [](In in) {
         return conv_transpose2d(in[0], in[1], in[2], {.groups = 2, .padding = 1, .stride = 2});
       }},
      {"max_pool1d", [](In in) { return max_pool1d(in[0], {3}, {.padding = {1}, .stride = {2}}); }},
      {"max_pool2d", [](In in) { return max_pool2d(in[0], {2}); }},
      {"max_pool2d_overlap",
       [](In in) {
         return max_pool2d(in[0], {3, 2}, {.ceil_mode = true, .padding = {1}, .stride = {2, 1}});
       }},
      {"max_pool2d_dilation",
       [](In in) { return max_pool2d(in[0], {2}, {.dilation = {2}, .stride = {1}}); }},
      {"avg_pool1d", [](In in) { return avg_pool1d(in[0], {2}); }},
      {"avg_pool2d", [](In in) { return avg_pool2d(in[0], {3}, {.padding = {1}, .stride = {2}}); }},
      {"avg_pool2d_ceil",
       [](In in) {
         return avg_pool2d(in[0], {3}, {.ceil_mode = true, .padding = {1}, .stride = {2}});
       }},
      {"avg_pool2d_without_padding",
       [](In in) {
         return avg_pool2d(
             in[0], {3},
             {.ceil_mode = true, .count_include_pad = false, .padding = {1}, .stride = {2}});
       }},
      {"adaptive_avg_pool2d",
       [](In in) {
         return adaptive_avg_pool2d(in[0], {3, 2});
       }},
      {"adaptive_avg_pool2d_even", [](In in) { return adaptive_avg_pool2d(in[0], {2}); }},
      {"adaptive_avg_pool2d_one", [](In in) { return adaptive_avg_pool2d(in[0], {1}); }},
  };
}

/// The result with the running statistics that the call left behind.
Tensor batch_norm_training(In in) {
  const Tensor running_mean = in[1].detach().clone(), running_var = in[2].detach().clone();
  const Tensor y = batch_norm(in[0], running_mean, running_var, in[3], in[4], true, 0.3, 1e-3);
  return cat({y.reshape({-1}), running_mean, running_var});
}

NeuralFunctions norms() {
  return {
      {"batch_norm_training", batch_norm_training},
      {"batch_norm_training_2d", [](In in) { return batch_norm(in[0], {}, {}, {}, {}, true); }},
      {"batch_norm", [](In in) { return batch_norm(in[0], in[1], in[2], in[3], in[4]); }},
      {"layer_norm",
       [](In in) {
         return layer_norm(in[0], {3, 2}, in[1], in[2]);
       }},
      {"layer_norm_plain", [](In in) { return layer_norm(in[0], {4}, {}, {}, 0.1); }},
      {"group_norm", [](In in) { return group_norm(in[0], 2, in[1], in[2]); }},
      {"rms_norm", [](In in) { return rms_norm(in[0], {4}, in[1], 1e-6); }},
  };
}

Function attention(AttentionOptions options, bool masked = false) {
  return [options, masked](In in) {
    AttentionOptions given = options;
    if (masked) given.mask = in[3];
    return scaled_dot_product_attention(in[0], in[1], in[2], given);
  };
}

NeuralFunctions attentions() {
  return {
      {"attention", attention({})},
      {"attention_causal", attention({.causal = true})},
      {"attention_scale", attention({.scale = 0.3})},
      {"attention_bool", attention({}, true)},
      {"attention_float", attention({}, true)},
  };
}

/// The weights of classes, as the script has them.
Tensor class_weight(DType dtype) { return tensor({0.7, 1.6, 0.4}, {.dtype = dtype}); }

NeuralFunctions losses_reduced(const std::string& word, Reduction reduction) {
  const auto entropy = [reduction](bool weighted, std::int64_t ignored, double smoothing) {
    return [=](In in) {
      CrossEntropyOptions options{
          .ignore_index = ignored, .label_smoothing = smoothing, .reduction = reduction};
      if (weighted) options.weight = class_weight(in[0].dtype());
      return cross_entropy(in[0], in[1], options);
    };
  };
  return {
      {"cross_entropy_" + word, entropy(false, -100, 0)},
      {"cross_entropy_weight_" + word, entropy(true, 1, 0)},
      {"cross_entropy_smooth_" + word, entropy(false, -100, 0.2)},
      {"cross_entropy_smooth_weight_" + word, entropy(true, -100, 0.2)},
      {"cross_entropy_planes_" + word, entropy(true, 1, 0)},
      {"cross_entropy_planes_smooth_" + word, entropy(true, 1, 0.1)},
      {"cross_entropy_shares_" + word, entropy(true, -100, 0.1)},
      {"nll_loss_" + word,
       [reduction](In in) {
         return nll_loss(in[0], in[1], class_weight(in[0].dtype()), -100, reduction);
       }},
      {"mse_loss_" + word, [reduction](In in) { return mse_loss(in[0], in[1], reduction); }},
      {"kl_div_" + word, [reduction](In in) { return kl_div(in[0], in[1], reduction); }},
  };
}

NeuralFunctions losses() {
  NeuralFunctions all = {
      {"cross_entropy_single", [](In in) { return cross_entropy(in[0], in[1]); }},
      {"cross_entropy_shares_plain", [](In in) { return cross_entropy(in[0], in[1]); }},
      {"kl_div_log", [](In in) { return kl_div(in[0], in[1], Reduction::mean, true); }},
      {"l1_loss", [](In in) { return l1_loss(in[0], in[1]); }},
      {"huber_loss", [](In in) { return huber_loss(in[0], in[1], 0.6); }},
      {"smooth_l1_loss", [](In in) { return smooth_l1_loss(in[0], in[1], 0.6); }},
      {"bce", [](In in) { return binary_cross_entropy(in[0], in[1]); }},
      {"bce_weights",
       [](In in) {
         const Tensor weight = class_weight(in[0].dtype());
         return binary_cross_entropy(in[0], in[1], weight, Reduction::sum);
       }},
      {"bce_logits", [](In in) { return binary_cross_entropy_with_logits(in[0], in[1]); }},
      {"bce_logits_weights",
       [](In in) {
         const Tensor weight = class_weight(in[0].dtype());
         return binary_cross_entropy_with_logits(in[0], in[1], weight, weight * 2, Reduction::sum);
       }},
  };
  all.merge(losses_reduced("mean", Reduction::mean));
  all.merge(losses_reduced("sum", Reduction::sum));
  all.merge(losses_reduced("none", Reduction::none));
  return all;
}

NeuralFunctions distances() {
  return {
      {"normalize", [](In in) { return normalize(in[0]); }},
      {"normalize_ones", [](In in) { return normalize(in[0], 1, 0); }},
      {"cosine_similarity", [](In in) { return cosine_similarity(in[0], in[1]); }},
      {"cosine_similarity_pairs",
       [](In in) { return cosine_similarity(in[0].unsqueeze(1), in[1], -1); }},
      {"pairwise_distance", [](In in) { return pairwise_distance(in[0], in[1]); }},
      {"pairwise_distance_cubes",
       [](In in) { return pairwise_distance(in[0], in[1], 3, 1e-6, true); }},
      {"margin_ranking_loss",
       [](In in) {
         return margin_ranking_loss(in[0].select(1, 0), in[1].select(1, 0), in[2], 0.5);
       }},
      {"cosine_embedding_loss",
       [](In in) { return cosine_embedding_loss(in[0], in[1], in[2], 0, Reduction::none); }},
      {"cosine_embedding_loss_margin",
       [](In in) { return cosine_embedding_loss(in[0], in[1], in[2], -0.5); }},
      {"triplet_margin_loss", [](In in) { return triplet_margin_loss(in[0], in[1], in[2]); }},
      {"triplet_margin_loss_swap",
       [](In in) {
         return triplet_margin_loss(
             in[0], in[1], in[2],
             {.margin = 2, .p = 3, .reduction = Reduction::none, .swap = true});
       }},
  };
}

Function resized(InterpolateOptions options) {
  return [options](In in) { return interpolate(in[0], options); };
}

NeuralFunctions images() {
  return {
      {"pad",
       [](In in) {
         return pad(in[0], {1, 2, 0, 1}, PaddingMode::constant, 0.5);
       }},
      {"pad_crop",
       [](In in) {
         return pad(in[0], {-1, 2, 1, -2});
       }},
      {"pad_reflect",
       [](In in) {
         return pad(in[0], {3, 1, 2, 0}, PaddingMode::reflect);
       }},
      {"pad_replicate",
       [](In in) {
         return pad(in[0], {2, 1, 0, 3}, PaddingMode::replicate);
       }},
      {"pad_circular",
       [](In in) {
         return pad(in[0], {2, 4, 1, 0}, PaddingMode::circular);
       }},
      {"nearest", resized({.size = {5, 3}})},
      {"nearest_scale", resized({.scale_factor = 2.5})},
      {"nearest_line", resized({.size = {3}})},
      {"linear", resized({.mode = InterpolationMode::linear, .size = {7}})},
      {"linear_corners",
       resized({.align_corners = true, .mode = InterpolationMode::linear, .size = {7}})},
      {"bilinear", resized({.mode = InterpolationMode::bilinear, .size = {5, 3}})},
      {"bilinear_scale", resized({.mode = InterpolationMode::bilinear, .scale_factor = 1.7})},
      {"bilinear_corners",
       resized({.align_corners = true, .mode = InterpolationMode::bilinear, .size = {2, 6}})},
      {"bicubic", resized({.mode = InterpolationMode::bicubic, .size = {5, 3}})},
      {"bicubic_corners",
       resized({.align_corners = true, .mode = InterpolationMode::bicubic, .scale_factor = 2.0})},
  };
}

NeuralFunctions volumes() {
  return {
      {"conv3d",
       [](In in) {
         return conv3d(in[0], in[1], in[2],
                       {.groups = 2, .padding = {1, 0, 1}, .stride = {1, 2, 1}});
       }},
      {"conv3d_single", [](In in) { return conv3d(in[0], in[1]); }},
      {"conv_transpose3d",
       [](In in) {
         return conv_transpose3d(in[0], in[1], {},
                                 {.output_padding = 1, .padding = 1, .stride = 2});
       }},
      {"max_pool3d", [](In in) { return max_pool3d(in[0], 2, {.padding = 1, .stride = 1}); }},
      {"avg_pool3d",
       [](In in) {
         return avg_pool3d(in[0], {1, 2, 3}, {.count_include_pad = false, .padding = {0, 1, 1}});
       }},
      {"adaptive_avg_pool1d", [](In in) { return adaptive_avg_pool1d(in[0], 3); }},
      {"adaptive_avg_pool1d_single", [](In in) { return adaptive_avg_pool1d(in[0], 2); }},
      {"adaptive_avg_pool3d",
       [](In in) {
         return adaptive_avg_pool3d(in[0], {2, 2, 1});
       }},
      {"adaptive_avg_pool3d_one", [](In in) { return adaptive_avg_pool3d(in[0], 1); }},
      {"adaptive_max_pool1d", [](In in) { return adaptive_max_pool1d(in[0], 5); }},
      {"adaptive_max_pool2d",
       [](In in) {
         return adaptive_max_pool2d(in[0], {3, 2});
       }},
      {"adaptive_max_pool2d_even",
       [](In in) {
         return adaptive_max_pool2d(in[0], {2, 3});
       }},
      {"adaptive_max_pool2d_larger",
       [](In in) {
         return adaptive_max_pool2d(in[0], {4, 5});
       }},
      {"adaptive_max_pool3d", [](In in) { return adaptive_max_pool3d(in[0], 2); }},
      {"instance_norm", [](In in) { return instance_norm(in[0]); }},
      {"instance_norm_running",
       [](In in) {
         const Tensor mean = in[1].detach().clone(), var = in[2].detach().clone();
         const Tensor y = instance_norm(in[0], mean, var, in[3], in[4], true, 0.3, 1e-3);
         return cat({flatten(y), mean, var});
       }},
  };
}

NeuralFunctions positions() {
  const UnfoldOptions window{.dilation = {2, 1}, .padding = {1, 2}, .stride = {1, 2}};
  return {
      {"glu", [](In in) { return glu(in[0]); }},
      {"glu_first", [](In in) { return glu(in[0], 0); }},
      {"pixel_shuffle", [](In in) { return pixel_shuffle(in[0], 2); }},
      {"pixel_unshuffle", [](In in) { return pixel_unshuffle(in[0], 3); }},
      {"unfold", [](In in) { return unfold(in[0], 2); }},
      {"unfold_window",
       [=](In in) {
         return unfold(in[0], {2, 3}, window);
       }},
      {"fold",
       [](In in) {
         return fold(in[0], {3, 4}, 2);
       }},
      {"fold_window",
       [=](In in) {
         return fold(in[0], {4, 3}, {2, 3}, window);
       }},
  };
}

NeuralFunctions bags() {
  return {
      {"embedding_bag", [](In in) { return embedding_bag(in[0], in[1]); }},
      {"embedding_bag_max",
       [](In in) { return embedding_bag(in[0], in[1], {}, {}, {.mode = EmbeddingBagMode::max}); }},
      {"embedding_bag_sum",
       [](In in) {
         return embedding_bag(in[0], in[1], in[2], in[3], {.mode = EmbeddingBagMode::sum});
       }},
      {"embedding_bag_mean",
       [](In in) { return embedding_bag(in[0], in[1], in[2], {}, {.padding_idx = 1}); }},
      {"embedding_bag_greatest",
       [](In in) {
         return embedding_bag(in[0], in[1], in[2], {}, {.mode = EmbeddingBagMode::max});
       }},
  };
}

Function labelled(const CTCLossOptions& options) {
  return [=](In in) { return ctc_loss(log_softmax(in[0], -1), in[1], in[2], in[3], options); };
}

NeuralFunctions labels() {
  return {
      {"ctc_loss", labelled({})},
      {"ctc_loss_line", labelled({.blank = 2, .reduction = Reduction::none})},
      {"ctc_loss_infinite", labelled({.zero_infinity = true})},
  };
}

TEST(NeuralFunctions, ActivationsAreThoseOfPyTorch) { check_neural_golden(activations()); }
TEST(NeuralFunctions, WindowsAreThoseOfPyTorch) { check_neural_golden(windows()); }
TEST(NeuralFunctions, NormsAreThoseOfPyTorch) { check_neural_golden(norms()); }
TEST(NeuralFunctions, AttentionIsThatOfPyTorch) { check_neural_golden(attentions()); }
TEST(NeuralFunctions, LossesAreThoseOfPyTorch) { check_neural_golden(losses()); }
TEST(NeuralFunctions, DistancesAreThoseOfPyTorch) { check_neural_golden(distances()); }
TEST(NeuralFunctions, ImagesAreThoseOfPyTorch) { check_neural_golden(images()); }
TEST(NeuralFunctions, VolumesAreThoseOfPyTorch) { check_neural_golden(volumes()); }
TEST(NeuralFunctions, PositionsAreThoseOfPyTorch) { check_neural_golden(positions()); }
TEST(NeuralFunctions, BagsAreThoseOfPyTorch) { check_neural_golden(bags()); }
TEST(NeuralFunctions, LabelsAreThoseOfPyTorch) { check_neural_golden(labels()); }

TEST(NeuralFunctions, EveryCaseHasAFunction) {
  NeuralFunctions all;
  for (auto* family : {activations, windows, norms, attentions, losses, distances, images, volumes,
                       positions, bags, labels}) {
    all.merge(family());
  }
  EXPECT_FALSE(neural_cases().empty());
  for (const std::string& name : neural_cases()) EXPECT_TRUE(all.count(name)) << name;
}

}  // namespace
}  // namespace switchyard
