#include <fmt/format.h>

#include <limits>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/nn/container.hpp>
#include <switchyard/nn/init.hpp>
#include <switchyard/nn/transformer.hpp>

#include "functions/calls/require.hpp"
#include "nn/copied_layer.hpp"
#include "types/describe.hpp"

namespace switchyard::nn {

TransformerDecoderLayer::TransformerDecoderLayer(Int d_model, Int nhead,
                                                 const TransformerDecoderLayerOptions& options)
    : options(options),
      self_attn(d_model, nhead, {.batch_first = options.batch_first, .dropout = options.dropout}),
      multihead_attn(d_model, nhead,
                     {.batch_first = options.batch_first, .dropout = options.dropout}),
      linear1(d_model, options.dim_feedforward),
      dropout(options.dropout),
      linear2(options.dim_feedforward, d_model),
      norm1({d_model}, {.eps = options.layer_norm_eps}),
      norm2({d_model}, {.eps = options.layer_norm_eps}),
      norm3({d_model}, {.eps = options.layer_norm_eps}),
      dropout1(options.dropout),
      dropout2(options.dropout),
      dropout3(options.dropout) {
  register_module("self_attn", self_attn);
  register_module("multihead_attn", multihead_attn);
  register_module("linear1", linear1);
  register_module("dropout", dropout);
  register_module("linear2", linear2);
  register_module("norm1", norm1);
  register_module("norm2", norm2);
  register_module("norm3", norm3);
  register_module("dropout1", dropout1);
  register_module("dropout2", dropout2);
  register_module("dropout3", dropout3);
}

TransformerDecoderLayer TransformerDecoderLayer::clone() const {
  TransformerDecoderLayer copy(self_attn.embed_dim, self_attn.num_heads, options);
  copy_parameters(*this, copy);
  return copy;
}

Tensor TransformerDecoderLayer::attend(const Tensor& x,
                                       const TransformerDecoderForwardOptions& how) {
  return dropout1(self_attn(x, x, x,
                            {.attn_mask = how.tgt_mask,
                             .key_padding_mask = how.tgt_key_padding_mask,
                             .need_weights = false})
                      .output);
}

Tensor TransformerDecoderLayer::attend_to(const Tensor& x, const Tensor& memory,
                                          const TransformerDecoderForwardOptions& how) {
  return dropout2(multihead_attn(x, memory, memory,
                                 {.attn_mask = how.memory_mask,
                                  .key_padding_mask = how.memory_key_padding_mask,
                                  .need_weights = false})
                      .output);
}

Tensor TransformerDecoderLayer::feed(const Tensor& x) {
  const Tensor inner = linear1(x);
  return dropout3(
      linear2(dropout(options.activation == Activation::gelu ? gelu(inner) : relu(inner))));
}

Tensor TransformerDecoderLayer::operator()(const Tensor& tgt, const Tensor& memory,
                                           const TransformerDecoderForwardOptions& how) {
  if (options.norm_first) {
    Tensor x = tgt + attend(norm1(tgt), how);
    x = x + attend_to(norm2(x), memory, how);
    return x + feed(norm3(x));
  }
  Tensor x = norm1(tgt + attend(tgt, how));
  x = norm2(x + attend_to(x, memory, how));
  return norm3(x + feed(x));
}

TransformerDecoder::TransformerDecoder(const TransformerDecoderLayer& layer, Int num_layers,
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

Tensor TransformerDecoder::operator()(const Tensor& tgt, const Tensor& memory,
                                      const TransformerDecoderForwardOptions& how) {
  Tensor x = tgt;
  for (TransformerDecoderLayer& layer : layers_) x = layer(x, memory, how);
  return norm_ ? (*norm_)(x) : x;
}

namespace {

TransformerEncoder encoder_of(std::int64_t d_model, std::int64_t nhead,
                              const TransformerOptions& options) {
  const TransformerEncoderLayer layer(d_model, nhead,
                                      {.activation = options.activation,
                                       .batch_first = options.batch_first,
                                       .dim_feedforward = options.dim_feedforward,
                                       .dropout = options.dropout,
                                       .layer_norm_eps = options.layer_norm_eps,
                                       .norm_first = options.norm_first});
  return {layer, options.num_encoder_layers, LayerNorm({d_model}, {.eps = options.layer_norm_eps})};
}

TransformerDecoder decoder_of(std::int64_t d_model, std::int64_t nhead,
                              const TransformerOptions& options) {
  const TransformerDecoderLayer layer(d_model, nhead,
                                      {.activation = options.activation,
                                       .batch_first = options.batch_first,
                                       .dim_feedforward = options.dim_feedforward,
                                       .dropout = options.dropout,
                                       .layer_norm_eps = options.layer_norm_eps,
                                       .norm_first = options.norm_first});
  return {layer, options.num_decoder_layers, LayerNorm({d_model}, {.eps = options.layer_norm_eps})};
}

}  // namespace

Transformer::Transformer(Int d_model, Int nhead, const TransformerOptions& options)
    : d_model(d_model),
      nhead(nhead),
      batch_first(options.batch_first),
      encoder(encoder_of(d_model, nhead, options)),
      decoder(decoder_of(d_model, nhead, options)) {
  register_module("encoder", encoder);
  register_module("decoder", decoder);
  for (const Tensor& parameter : parameters()) {
    if (parameter.dim() > 1) init::xavier_uniform_(parameter);
  }
}

Tensor Transformer::operator()(const Tensor& src, const Tensor& tgt,
                               const TransformerForwardOptions& how) {
  require_rank("Transformer", src, 2, 3);
  require_rank("Transformer", tgt, 2, 3);
  const std::int64_t batch = batch_first ? 0 : 1;
  const bool go_together =
      src.dim() == tgt.dim() && (src.dim() == 2 || src.size(batch) == tgt.size(batch));
  if (!go_together || src.size(-1) != d_model || tgt.size(-1) != d_model) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[Transformer] src {} and tgt {} must have one rank, one batch and {} "
                            "features",
                            describe(src.shape()), describe(tgt.shape()), d_model));
  }
  const Tensor memory = encoder(src, how.src_mask, how.src_key_padding_mask);
  return decoder(tgt, memory,
                 {.memory_key_padding_mask = how.memory_key_padding_mask,
                  .memory_mask = how.memory_mask,
                  .tgt_key_padding_mask = how.tgt_key_padding_mask,
                  .tgt_mask = how.tgt_mask});
}

Tensor Transformer::generate_square_subsequent_mask(Int size) {
  return triu(full({size, size}, -std::numeric_limits<double>::infinity()), 1);
}

}  // namespace switchyard::nn
