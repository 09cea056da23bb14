// Attention and encoders with parameters that PyTorch gave them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nn/golden.hpp"

namespace switchyard {
namespace {

// Compares one call, with weights and without.
void expect_attention(const std::string& name, nn::MultiheadAttention layer, bool average = true) {
  SCOPED_TRACE(name);
  const GoldenCase golden(name);
  layer.load_state_dict(golden.below("state"));
  nn::MultiheadAttentionForwardOptions how{.attn_mask = golden["attn_mask"],
                                           .average_attn_weights = average,
                                           .key_padding_mask = golden["key_padding_mask"]};
  for (const bool need_weights : {true, false}) {
    layer.zero_grad();
    how.need_weights = need_weights;
    Tensor query = golden["query"];
    query.requires_grad_();
    const auto [output, weights] = layer(query, golden["key"], golden["value"], how);
    expect_gradients(golden, output, layer);
    expect_close(query.grad(), golden["query_grad"], "the gradient of the query");
    EXPECT_EQ(weights.defined(), need_weights);
    if (weights.defined()) expect_close(weights, golden["weights"], "the weights");
  }
}

TEST(MultiheadAttention, AttendsAsPyTorchDoes) {
  expect_attention("attention", nn::MultiheadAttention(8, 2));
  expect_attention("attention_masked", nn::MultiheadAttention(8, 2));
  expect_attention("attention_biased", nn::MultiheadAttention(8, 2, {.batch_first = true}), false);
  expect_attention("attention_widths",
                   nn::MultiheadAttention(8, 4, {.bias = false, .kdim = 3, .vdim = 5}));
  expect_attention("attention_single", nn::MultiheadAttention(8, 2));
}

TEST(MultiheadAttention, OfATensorToItselfIsTheSameInOneProduct) {
  nn::MultiheadAttention layer(8, 2);
  const Tensor x = randn({4, 2, 8});
  const Tensor apart = layer(x, x.clone(), x.clone()).output;
  expect_close(layer(x), apart, "self-attention", 1e-5);
}

TEST(MultiheadAttention, RefusesHeadsThatDoNotDivideTheFeatures) {
  EXPECT_THROW(nn::MultiheadAttention(8, 3), Error);
}

template <typename Encoder>
void expect_encoding(const std::string& name, Encoder encoder, const char* mask_name) {
  SCOPED_TRACE(name);
  const GoldenCase golden(name);
  encoder.load_state_dict(golden.below("state"));
  encoder.zero_grad();
  Tensor x = golden["input"];
  x.requires_grad_();
  expect_gradients(golden, encoder(x, golden[mask_name], golden["src_key_padding_mask"]), encoder);
  expect_close(x.grad(), golden["input_grad"], "the gradient of the input");
}

TEST(TransformerEncoder, EncodesAsPyTorchDoes) {
  const nn::TransformerEncoderLayer layer(8, 2, {.dim_feedforward = 16, .dropout = 0});
  expect_encoding("encoder_layer", layer, "src_mask");
  expect_encoding("encoder_layer_masked", layer, "src_mask");
  expect_encoding("encoder_layer_first",
                  nn::TransformerEncoderLayer(8, 2,
                                              {.activation = nn::Activation::gelu,
                                               .batch_first = true,
                                               .dim_feedforward = 16,
                                               .dropout = 0,
                                               .norm_first = true}),
                  "src_mask");
  expect_encoding("encoder", nn::TransformerEncoder(layer, 2, nn::LayerNorm({8})), "mask");
}

TEST(TransformerEncoder, HasLayersOfItsOwn) {
  const nn::TransformerEncoderLayer layer(8, 2, {.dim_feedforward = 16});
  const nn::TransformerEncoder encoder(layer, 2);
  const nn::NamedTensors parameters = encoder.named_parameters();
  ASSERT_EQ(parameters.size(), 24u);
  EXPECT_EQ(parameters[0].first, "layers.0.self_attn.in_proj_weight");
  EXPECT_TRUE(equal(parameters[0].second, parameters[12].second));  // they begin alike
  nn::init::zeros_(parameters[0].second);
  EXPECT_FALSE(equal(parameters[0].second, parameters[12].second));
  EXPECT_FALSE(equal(parameters[0].second, layer.parameters()[0]));
}

}  // namespace
}  // namespace switchyard
