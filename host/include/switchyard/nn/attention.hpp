/// @file
/// Attention and encoders. Floating-point tensors of one dtype, which the results have. Gradient:
/// to the inputs, to masks of numbers, and to the parameters. Errors: Error(shape_mismatch) for
/// shapes that do not fit, Error(invalid_argument) for options that do not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <switchyard/nn/dropout.hpp>
#include <switchyard/nn/linear.hpp>
#include <switchyard/nn/normalization.hpp>
#include <switchyard/number.hpp>

namespace switchyard::nn {

/// Of MultiheadAttention.
struct MultiheadAttentionOptions {
  bool batch_first = false;  ///< [N, L, E] in place of [L, N, E]
  bool bias = true;          ///< of all projections
  double dropout = 0;        ///< of the weights, in training
  std::int64_t kdim = 0;     ///< features of the keys and values; embed_dim, if 0
  std::int64_t vdim = 0;     ///< features of the values; embed_dim, if 0
};

/// How one call attends. Masks of bools are true where not to look; those of numbers are added.
struct MultiheadAttentionForwardOptions {
  Tensor attn_mask = {};             ///< [L, S] or [N heads, L, S]
  bool average_attn_weights = true;  ///< over the heads
  Tensor key_padding_mask = {};      ///< [N, S], or [S] without a batch
  bool need_weights = true;          ///< false is faster
};

/// What a call of MultiheadAttention gives.
struct AttentionOutput {
  Tensor output;   ///< of the shape of the queries
  Tensor weights;  ///< [N, L, S], or [N, heads, L, S] if not averaged; no tensor if not needed
};

/// Attention in several heads. Queries are [L, N, E] (or [N, L, E] with batch_first, or [L, E]),
/// keys and values [S, N, ...].
class SWITCHYARD_API MultiheadAttention : public Module {
 public:
  using Options = MultiheadAttentionOptions;
  /// Starts xavier_uniform, biases as zeros. Throws Error(invalid_argument) for heads that do not
  /// divide embed_dim.
  MultiheadAttention(Int embed_dim, Int num_heads, const MultiheadAttentionOptions& options = {});

  /// Queries look at keys, and get shares of values. A query that a mask leaves nothing gets 0.
  AttentionOutput operator()(const Tensor& query, const Tensor& key, const Tensor& value,
                             const MultiheadAttentionForwardOptions& how = {});
  using Module::operator();
  /// Of a tensor to itself, without the weights.
  Tensor forward(const Tensor& x) override;

  Tensor in_proj_weight;                               ///< [3 E, E] where kdim and vdim are E, else
  Tensor q_proj_weight, k_proj_weight, v_proj_weight;  ///< [E, E], [E, kdim], [E, vdim]
  Tensor in_proj_bias;                                 ///< [3 E]
  /// Of the heads beside each other, [E, E].
  Linear out_proj;
  std::int64_t embed_dim, num_heads;
  MultiheadAttentionOptions options;

 private:
  struct Heads;
  Heads project(const Tensor& query, const Tensor& key, const Tensor& value) const;
  [[nodiscard]] AttentionOutput attend(const Tensor& query, const Tensor& key, const Tensor& value,
                                       const MultiheadAttentionForwardOptions& how);
};

/// What stands between the two layers of a block.
enum class Activation { relu, gelu };

/// Of TransformerEncoderLayer.
struct TransformerEncoderLayerOptions {
  Activation activation = Activation::relu;  ///< between the two layers
  bool batch_first = false;                  ///< [N, L, E] in place of [L, N, E]
  std::int64_t dim_feedforward = 2048;       ///< features between the two layers
  double dropout = 0.1;                      ///< in training, of each block
  double layer_norm_eps = 1e-5;              ///< added to variances
  bool norm_first = false;  ///< normalize what goes into a block, not what comes out
};

/// Self-attention and a network of two layers, each added to what goes in and normalized.
class SWITCHYARD_API TransformerEncoderLayer : public Module {
 public:
  using Options = TransformerEncoderLayerOptions;
  /// Throws Error(invalid_argument) for heads that do not divide d_model.
  TransformerEncoderLayer(Int d_model, Int nhead,
                          const TransformerEncoderLayerOptions& options = {});

  /// [L, N, E] to the same; batch first or without a batch as attention, and masks as those of it.
  Tensor operator()(const Tensor& src, const Tensor& src_mask = {},
                    const Tensor& src_key_padding_mask = {});
  Tensor forward(const Tensor& src) override { return (*this)(src); }

  /// Another layer with parameters of its own, of the same values.
  TransformerEncoderLayer clone() const;

  TransformerEncoderLayerOptions options;
  /// The parts that a call runs, named as in PyTorch.
  /// @{
  MultiheadAttention self_attn;
  Linear linear1;
  Dropout dropout;
  Linear linear2;
  LayerNorm norm1, norm2;
  Dropout dropout1, dropout2;
  /// @}

 private:
  [[nodiscard]] Tensor attend(const Tensor& x, const Tensor& mask, const Tensor& key_padding_mask);
  [[nodiscard]] Tensor feed(const Tensor& x);
};

/// Layers one after the other: clones of `layer`. `norm`, if it is given, comes last.
class SWITCHYARD_API TransformerEncoder : public Module {
 public:
  /// Copies all parameters. No layers give what goes in.
  TransformerEncoder(const TransformerEncoderLayer& layer, Int num_layers,
                     const std::optional<LayerNorm>& norm = {});

  /// The layers in their order, all with these masks: [L, N, E] to the same.
  Tensor operator()(const Tensor& src, const Tensor& mask = {},
                    const Tensor& src_key_padding_mask = {});
  Tensor forward(const Tensor& src) override { return (*this)(src); }

 private:
  std::vector<TransformerEncoderLayer> layers_;
  std::optional<LayerNorm> norm_;
};

}  // namespace switchyard::nn
