#include <switchyard/functions/neural.hpp>
#include <switchyard/functions/pointwise.hpp>
#include <switchyard/nn/attention.hpp>
#include <switchyard/nn/container.hpp>

#include "nn/copied_layer.hpp"

namespace switchyard::nn {

TransformerEncoderLayer::TransformerEncoderLayer(Int d_model, Int nhead,
                                                 const TransformerEncoderLayerOptions& options)
    : options(options),
      self_attn(d_model, nhead, {.batch_first = options.batch_first, .dropout = options.dropout}),
      linear1(d_model, options.dim_feedforward),
      dropout(options.dropout),
      linear2(options.dim_feedforward, d_model),
      norm1({d_model}, {.eps = options.layer_norm_eps}),
      norm2({d_model}, {.eps = options.layer_norm_eps}),
      dropout1(options.dropout),
      dropout2(options.dropout) {
  register_module("self_attn", self_attn);
  register_module("linear1", linear1);
  register_module("dropout", dropout);
  register_module("linear2", linear2);
  register_module("norm1", norm1);
  register_module("norm2", norm2);
  register_module("dropout1", dropout1);
  register_module("dropout2", dropout2);
}

TransformerEncoderLayer TransformerEncoderLayer::clone() const {
  TransformerEncoderLayer copy(self_attn.embed_dim, self_attn.num_heads, options);
  copy_parameters(*this, copy);
  return copy;
}

Tensor TransformerEncoderLayer::attend(const Tensor& x, const Tensor& mask,
                                       const Tensor& key_padding_mask) {
  const AttentionOutput attended = self_attn(
      x, x, x, {.attn_mask = mask, .key_padding_mask = key_padding_mask, .need_weights = false});
  return dropout1(attended.output);
}

Tensor TransformerEncoderLayer::feed(const Tensor& x) {
  const Tensor inner = linear1(x);
  return dropout2(
      linear2(dropout(options.activation == Activation::gelu ? gelu(inner) : relu(inner))));
}

Tensor TransformerEncoderLayer::operator()(const Tensor& src, const Tensor& src_mask,
                                           const Tensor& src_key_padding_mask) {
  if (options.norm_first) {
    const Tensor x = src + attend(norm1(src), src_mask, src_key_padding_mask);
    return x + feed(norm2(x));
  }
  const Tensor x = norm1(src + attend(src, src_mask, src_key_padding_mask));
  return norm2(x + feed(x));
}

TransformerEncoder::TransformerEncoder(const TransformerEncoderLayer& layer, Int num_layers,
                                       const std::optional<LayerNorm>& norm)
    : norm_(norm) {
  ModuleList list;
  for (std::int64_t i = 0; i < num_layers; ++i) {
    layers_.push_back(layer.clone());
    list.append(layers_.back());
  }
  register_module("layers", list);
  if (norm_) register_module("norm", *norm_);
}

Tensor TransformerEncoder::operator()(const Tensor& src, const Tensor& mask,
                                      const Tensor& src_key_padding_mask) {
  Tensor x = src;
  for (TransformerEncoderLayer& layer : layers_) x = layer(x, mask, src_key_padding_mask);
  return norm_ ? (*norm_)(x) : x;
}

}  // namespace switchyard::nn
