/// @file
/// Decoders, and transformers of both. Dtypes, gradients and errors are those of
/// <switchyard/nn/attention.hpp>.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <switchyard/nn/attention.hpp>
#include <switchyard/number.hpp>

namespace switchyard::nn {

/// Of TransformerDecoderLayer.
struct TransformerDecoderLayerOptions {
  Activation activation = Activation::relu;  ///< between the two layers
  bool batch_first = false;                  ///< [N, T, E] in place of [T, N, E]
  std::int64_t dim_feedforward = 2048;       ///< features between the two layers
  double dropout = 0.1;                      ///< in training, of each block
  double layer_norm_eps = 1e-5;              ///< added to variances
  bool norm_first = false;  ///< normalize what goes into a block, not what comes out
};

/// What decoders are not to look at, as the masks of MultiheadAttention say it: `tgt` of the
/// sequence to itself, `memory` of the sequence to what was encoded.
struct TransformerDecoderForwardOptions {
  /// Masks; none where a tensor holds nothing.
  /// @{
  Tensor memory_key_padding_mask = {};
  Tensor memory_mask = {};
  Tensor tgt_key_padding_mask = {};
  Tensor tgt_mask = {};
  /// @}
};

/// Self-attention, attention to an encoder's output, and a network of two layers, each added to
/// what goes in and normalized: Vaswani and others, 2017.
class SWITCHYARD_API TransformerDecoderLayer : public Module {
 public:
  using Options = TransformerDecoderLayerOptions;
  /// Throws Error(invalid_argument) for heads that do not divide d_model.
  TransformerDecoderLayer(Int d_model, Int nhead,
                          const TransformerDecoderLayerOptions& options = {});

  /// tgt [T, N, E] and memory [S, N, E] to [T, N, E]; batch first or without a batch as attention.
  Tensor operator()(const Tensor& tgt, const Tensor& memory,
                    const TransformerDecoderForwardOptions& how = {});

  /// Another layer with parameters of its own, of the same values.
  TransformerDecoderLayer clone() const;

  TransformerDecoderLayerOptions options;
  /// The parts that a call runs, named as in PyTorch.
  /// @{
  MultiheadAttention self_attn, multihead_attn;
  Linear linear1;
  Dropout dropout;
  Linear linear2;
  LayerNorm norm1, norm2, norm3;
  Dropout dropout1, dropout2, dropout3;
  /// @}

 private:
  [[nodiscard]] Tensor attend(const Tensor& x, const TransformerDecoderForwardOptions& how);
  [[nodiscard]] Tensor attend_to(const Tensor& x, const Tensor& memory,
                                 const TransformerDecoderForwardOptions& how);
  [[nodiscard]] Tensor feed(const Tensor& x);
};

/// Layers one after the other: clones of `layer`. `norm`, if it is given, comes last.
class SWITCHYARD_API TransformerDecoder : public Module {
 public:
  /// Copies all parameters. No layers give what goes in.
  TransformerDecoder(const TransformerDecoderLayer& layer, Int num_layers,
                     const std::optional<LayerNorm>& norm = {});

  /// The layers in their order, all with these masks: tgt [T, N, E] and memory [S, N, E] to [T, N,
  /// E].
  Tensor operator()(const Tensor& tgt, const Tensor& memory,
                    const TransformerDecoderForwardOptions& how = {});

 private:
  std::vector<TransformerDecoderLayer> layers_;
  std::optional<LayerNorm> norm_;
};

/// Of Transformer: those of its layers, and how many there are.
struct TransformerOptions {
  Activation activation = Activation::relu;  ///< between the two layers of a block
  bool batch_first = false;                  ///< [N, L, E] in place of [L, N, E]
  std::int64_t dim_feedforward = 2048;       ///< features between the two layers
  double dropout = 0.1;                      ///< in training, of each block
  double layer_norm_eps = 1e-5;              ///< added to variances
  bool norm_first = false;              ///< normalize what goes into a block, not what comes out
  std::int64_t num_decoder_layers = 6;  ///< of the decoder
  std::int64_t num_encoder_layers = 6;  ///< of the encoder
};

/// The masks of both: those of the encoder are `src`.
struct TransformerForwardOptions {
  /// Masks; none where a tensor holds nothing.
  /// @{
  Tensor memory_key_padding_mask = {};
  Tensor memory_mask = {};
  Tensor src_key_padding_mask = {};
  Tensor src_mask = {};
  Tensor tgt_key_padding_mask = {};
  Tensor tgt_mask = {};
  /// @}
};

/// An encoder and a decoder, each with a LayerNorm at its end. Weights of two dimensions start
/// xavier_uniform.
///
///   nn::Transformer net(64, 4, {.num_decoder_layers = 2, .num_encoder_layers = 2});
///   auto y = net(src, tgt, {.tgt_mask = nn::Transformer::generate_square_subsequent_mask(T)});
class SWITCHYARD_API Transformer : public Module {
 public:
  using Options = TransformerOptions;
  /// Starts at random. Throws Error(invalid_argument) for heads that do not divide d_model.
  explicit Transformer(Int d_model = 512, Int nhead = 8, const TransformerOptions& options = {});

  /// src [S, N, E] and tgt [T, N, E] to [T, N, E]; batch first or without a batch as attention.
  /// Throws Error(shape_mismatch) for other ranks, and where ranks, batches or features differ.
  Tensor operator()(const Tensor& src, const Tensor& tgt,
                    const TransformerForwardOptions& how = {});

  /// [size, size]: -infinity above the diagonal, else 0, so that no element sees a later one.
  [[nodiscard]] static Tensor generate_square_subsequent_mask(Int size);

  std::int64_t d_model, nhead;
  bool batch_first;  ///< as the options say
  /// The two halves, which may be called by themselves.
  /// @{
  TransformerEncoder encoder;
  TransformerDecoder decoder;
  /// @}
};

}  // namespace switchyard::nn
