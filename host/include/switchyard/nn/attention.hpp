#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <switchyard/nn/dropout.hpp>
#include <switchyard/nn/linear.hpp>
#include <switchyard/nn/normalization.hpp>

namespace switchyard::nn {

struct MultiheadAttentionOptions {
  bool batch_first = false;  ///< [N, L, E] in place of [L, N, E]
  bool bias = true;
  double dropout = 0;     ///< of the weights, in training
  std::int64_t kdim = 0;  ///< features of the keys and values; embed_dim, if 0
  std::int64_t vdim = 0;
};

/// How one call attends. Masks of bools are true where not to look; those of numbers are added.
struct MultiheadAttentionForwardOptions {
  Tensor attn_mask = {};  ///< [L, S] or [N heads, L, S]
  bool average_attn_weights = true;
  Tensor key_padding_mask = {};  ///< [N, S], or [S] without a batch
  bool need_weights = true;      ///< false is faster
};

struct AttentionOutput {
  Tensor output;
  Tensor weights;  ///< [N, L, S], or [N, heads, L, S] if not averaged; no tensor if not needed
};

/// Attention in several heads. Queries are [L, N, E] (or [N, L, E] with batch_first, or [L, E]),
/// keys and values [S, N, ...].
class SWITCHYARD_API MultiheadAttention : public Module {
 public:
  using Options = MultiheadAttentionOptions;
  MultiheadAttention(std::int64_t embed_dim, std::int64_t num_heads,
                     const MultiheadAttentionOptions& options = {});

  AttentionOutput operator()(const Tensor& query, const Tensor& key, const Tensor& value,
                             const MultiheadAttentionForwardOptions& how = {});
  using Module::operator();
  /// Of a tensor to itself, without the weights.
  Tensor forward(const Tensor& x) override;

  Tensor in_proj_weight;                               ///< [3 E, E] where kdim and vdim are E, else
  Tensor q_proj_weight, k_proj_weight, v_proj_weight;  ///< [E, E], [E, kdim], [E, vdim]
  Tensor in_proj_bias;                                 ///< [3 E]
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

struct TransformerEncoderLayerOptions {
  Activation activation = Activation::relu;
  bool batch_first = false;
  std::int64_t dim_feedforward = 2048;
  double dropout = 0.1;
  double layer_norm_eps = 1e-5;
  bool norm_first = false;  ///< normalize what goes into a block, not what comes out
};

/// Self-attention and a network of two layers, each added to what goes in and normalized.
class SWITCHYARD_API TransformerEncoderLayer : public Module {
 public:
  using Options = TransformerEncoderLayerOptions;
  TransformerEncoderLayer(std::int64_t d_model, std::int64_t nhead,
                          const TransformerEncoderLayerOptions& options = {});

  /// Masks as those of MultiheadAttention.
  Tensor operator()(const Tensor& src, const Tensor& src_mask = {},
                    const Tensor& src_key_padding_mask = {});
  Tensor forward(const Tensor& src) override { return (*this)(src); }

  /// Another layer with parameters of its own, of the same values.
  TransformerEncoderLayer clone() const;

  TransformerEncoderLayerOptions options;
  MultiheadAttention self_attn;
  Linear linear1;
  Dropout dropout;
  Linear linear2;
  LayerNorm norm1, norm2;
  Dropout dropout1, dropout2;

 private:
  [[nodiscard]] Tensor attend(const Tensor& x, const Tensor& mask, const Tensor& key_padding_mask);
  [[nodiscard]] Tensor feed(const Tensor& x);
};

/// Layers one after the other: clones of `layer`. `norm`, if it is given, comes last.
class SWITCHYARD_API TransformerEncoder : public Module {
 public:
  TransformerEncoder(const TransformerEncoderLayer& layer, std::int64_t num_layers,
                     const std::optional<LayerNorm>& norm = {});

  Tensor operator()(const Tensor& src, const Tensor& mask = {},
                    const Tensor& src_key_padding_mask = {});
  Tensor forward(const Tensor& src) override { return (*this)(src); }

 private:
  std::vector<TransformerEncoderLayer> layers_;
  std::optional<LayerNorm> norm_;
};

}  // namespace switchyard::nn
