#pragma once

#include <cstdint>
#include <optional>

#include <switchyard/functions/indexing.hpp>
#include <switchyard/nn/module.hpp>
#include <switchyard/number.hpp>

namespace switchyard::nn {

/// Of Embedding.
struct EmbeddingOptions {
  std::optional<std::int64_t> padding_idx = {};  ///< a row of zeros that is not learned
};

/// Integers [...] to their rows of the weight, as embedding(): [..., embedding_dim]. Rows start
/// normal.
class SWITCHYARD_API Embedding : public Module {
 public:
  using Options = EmbeddingOptions;
  /// Rows on the current device, as float32. Throws Error(invalid_argument) for a padding_idx that
  /// is no row.
  Embedding(Int num_embeddings, Int embedding_dim, const EmbeddingOptions& options = {});
  /// With rows that were learned before; they are learned on unless `freeze`.
  static Embedding from_pretrained(const Tensor& weight, Flag freeze = true,
                                   const EmbeddingOptions& options = {});
  Tensor forward(const Tensor& indices) override;
  std::string extra_repr() const override;

  Tensor weight;  ///< [num_embeddings, embedding_dim]
  EmbeddingOptions options;

 private:
  Embedding(const Tensor& weight, Flag freeze, const EmbeddingOptions& options);
};

/// Rows of the weight, one of each bag of indices, as the function embedding_bag(): bags are the
/// rows of [B, L], or begin at offsets of [L]. Rows start normal, that of the padding_idx as zeros.
class SWITCHYARD_API EmbeddingBag : public Module {
 public:
  using Options = EmbeddingBagOptions;
  /// Rows on the current device, as float32. Throws Error(invalid_argument) for a padding_idx that
  /// is no row.
  EmbeddingBag(Int num_embeddings, Int embedding_dim, const EmbeddingBagOptions& options = {});
  /// With rows that were learned before; they are learned on unless `freeze`.
  static EmbeddingBag from_pretrained(const Tensor& weight, Flag freeze = true,
                                      const EmbeddingBagOptions& options = {});

  /// embedding_bag() of the rows: its shapes, dtypes, gradients and errors.
  Tensor operator()(const Tensor& indices, const Tensor& offsets = {},
                    const Tensor& per_sample_weights = {});
  Tensor forward(const Tensor& indices) override { return (*this)(indices); }
  std::string extra_repr() const override;

  Tensor weight;  ///< [num_embeddings, embedding_dim]
  EmbeddingBagOptions options;

 private:
  EmbeddingBag(const Tensor& weight, Flag freeze, const EmbeddingBagOptions& options);
};

}  // namespace switchyard::nn
