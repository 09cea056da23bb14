// Decoders and whole transformers with parameters that PyTorch gave them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "functions/thrown.hpp"
#include "nn/golden.hpp"

namespace switchyard {
namespace {

using testing::AllOf;
using testing::HasSubstr;

template <typename Layer, typename How>
void expect_transformed(const std::string& name, Layer layer, const char* first, const char* second,
                        How (*masks)(const GoldenCase&)) {
  SCOPED_TRACE(name);
  const GoldenCase golden(name, "nn/transformer_golden.safetensors");
  layer.load_state_dict(golden.below("state"));
  layer.zero_grad();
  Tensor a = golden[first], b = golden[second];
  a.requires_grad_();
  b.requires_grad_();
  expect_gradients(golden, layer(a, b, masks(golden)), layer);
  expect_close(a.grad(), golden[std::string(first) + "_grad"], first);
  expect_close(b.grad(), golden[std::string(second) + "_grad"], second);
}

nn::TransformerDecoderForwardOptions decoder_masks(const GoldenCase& golden) {
  return {.memory_key_padding_mask = golden["memory_key_padding_mask"],
          .memory_mask = golden["memory_mask"],
          .tgt_key_padding_mask = golden["tgt_key_padding_mask"],
          .tgt_mask = golden["tgt_mask"]};
}

nn::TransformerForwardOptions masks_of_both(const GoldenCase& golden) {
  return {.memory_key_padding_mask = golden["memory_key_padding_mask"],
          .memory_mask = golden["memory_mask"],
          .src_key_padding_mask = golden["src_key_padding_mask"],
          .src_mask = golden["src_mask"],
          .tgt_key_padding_mask = golden["tgt_key_padding_mask"],
          .tgt_mask = golden["tgt_mask"]};
}

TEST(TransformerDecoder, DecodesAsPyTorchDoes) {
  const nn::TransformerDecoderLayer layer(8, 2, {.dim_feedforward = 12, .dropout = 0});
  expect_transformed("decoder_layer", layer, "tgt", "memory", decoder_masks);
  expect_transformed("decoder_layer_masked", layer, "tgt", "memory", decoder_masks);
  expect_transformed("decoder_layer_first",
                     nn::TransformerDecoderLayer(8, 2,
                                                 {.activation = nn::Activation::gelu,
                                                  .batch_first = true,
                                                  .dim_feedforward = 12,
                                                  .dropout = 0,
                                                  .norm_first = true}),
                     "tgt", "memory", decoder_masks);
  expect_transformed("decoder", nn::TransformerDecoder(layer, 2, nn::LayerNorm({8})), "tgt",
                     "memory", decoder_masks);
}

TEST(Transformer, TransformsAsPyTorchDoes) {
  expect_transformed(
      "transformer",
      nn::Transformer(
          8, 2,
          {.dim_feedforward = 12, .dropout = 0, .num_decoder_layers = 2, .num_encoder_layers = 1}),
      "src", "tgt", masks_of_both);
  expect_transformed(
      "transformer_single",
      nn::Transformer(
          8, 2,
          {.dim_feedforward = 12, .dropout = 0, .num_decoder_layers = 1, .num_encoder_layers = 1}),
      "src", "tgt", masks_of_both);
}

TEST(Transformer, IsAsLargeAsPyTorchsUnlessItIsTold) {
  std::int64_t count = 0;
  for (const Tensor& parameter : nn::Transformer(64, 8).parameters()) count += parameter.size();
  EXPECT_EQ(count, 3474688);  // of nn.Transformer(64, 8)
}

TEST(Transformer, ClonesWhatIsFrozenAndTheModesOfItsLayers) {
  nn::TransformerEncoderLayer layer(4, 2);
  layer.requires_grad_(false);
  layer.linear1.requires_grad_(true);
  layer.dropout.eval();
  nn::TransformerEncoderLayer copy = layer.clone();
  EXPECT_FALSE(copy.norm1.weight.requires_grad());
  EXPECT_TRUE(copy.linear1.weight.requires_grad());
  EXPECT_FALSE(copy.dropout.is_training());
  EXPECT_TRUE(copy.is_training());
}

TEST(Transformer, StartsEachLayerByItself) {
  const nn::Transformer net(8, 2, {.dim_feedforward = 12});
  const StateDict state = net.state_dict();
  const auto weight = [&](int layer) {
    return state.at("decoder.layers." + std::to_string(layer) + ".linear1.weight");
  };
  EXPECT_FALSE(equal(weight(0), weight(1)));
  EXPECT_LE(amax(abs(weight(0))).item(), std::sqrt(6. / 20));
}

TEST(Transformer, MasksWhatComesLater) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(equal(nn::Transformer::generate_square_subsequent_mask(3),
                    tensor({{0., -inf, -inf}, {0., 0., -inf}, {0., 0., 0.}})));
}

TEST(Transformer, RefusesSequencesThatDoNotGoTogether) {
  nn::Transformer net(8, 2, {.dim_feedforward = 12, .num_decoder_layers = 1});
  EXPECT_THAT(thrown([&] {
                return net(zeros({5, 2, 8}), zeros({4, 3, 8}));
              }),
              AllOf(HasSubstr("[Transformer]"), HasSubstr("[4, 3, 8]")));
  EXPECT_THAT(thrown([&] { return net(zeros({5, 8}), zeros({4, 1, 8})); }), HasSubstr("one rank"));
  EXPECT_THAT(thrown([&] {
                return net(zeros({5, 2, 6}), zeros({4, 2, 6}));
              }),
              HasSubstr("8 features"));
  EXPECT_THAT(thrown([&] { return net(Tensor(), zeros({4, 2, 6})); }), HasSubstr("got none"));
}

}  // namespace
}  // namespace switchyard
