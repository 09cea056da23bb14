#include <fmt/format.h>

#include <switchyard/nn/embedding.hpp>

#include <switchyard/functions/indexing.hpp>

#include "functions/calls/require.hpp"
#include "nn/new_parameter.hpp"
#include "nn/python_text.hpp"

namespace switchyard::nn {
namespace {

Tensor new_table(const char* layer, std::int64_t rows, std::int64_t columns,
                 const std::optional<std::int64_t>& padding_row) {
  require_at_least(layer, "num_embeddings", rows, 0);
  require_at_least(layer, "embedding_dim", columns, 0);
  if (padding_row) {
    require_within(layer, "padding_idx", static_cast<double>(*padding_row),
                   -static_cast<double>(rows), static_cast<double>(rows - 1));
  }
  Tensor table = new_parameter({rows, columns});
  init::normal_(table);
  if (padding_row) table.select(0, *padding_row).zero_();
  return table;
}

}  // namespace

Embedding::Embedding(Int num_embeddings, Int embedding_dim, const EmbeddingOptions& options)
    : weight(register_parameter(
          "weight", new_table("Embedding", num_embeddings, embedding_dim, options.padding_idx))),
      options(options) {}

Embedding::Embedding(const Tensor& weight, Flag freeze, const EmbeddingOptions& options)
    : weight(register_parameter("weight", weight, !freeze)), options(options) {}

Embedding Embedding::from_pretrained(const Tensor& weight, Flag freeze,
                                     const EmbeddingOptions& options) {
  return Embedding(weight, freeze, options);
}

Tensor Embedding::forward(const Tensor& indices) {
  return embedding(indices, weight, options.padding_idx);
}

std::string Embedding::extra_repr() const {
  const std::string shape = fmt::format("{}, {}", weight.size(0), weight.size(1));
  return options.padding_idx ? fmt::format("{}, padding_idx={}", shape, *options.padding_idx)
                             : shape;
}

EmbeddingBag::EmbeddingBag(Int num_embeddings, Int embedding_dim,
                           const EmbeddingBagOptions& options)
    : weight(register_parameter(
          "weight", new_table("EmbeddingBag", num_embeddings, embedding_dim, options.padding_idx))),
      options(options) {}

EmbeddingBag::EmbeddingBag(const Tensor& weight, Flag freeze, const EmbeddingBagOptions& options)
    : weight(register_parameter("weight", weight, !freeze)), options(options) {}

EmbeddingBag EmbeddingBag::from_pretrained(const Tensor& weight, Flag freeze,
                                           const EmbeddingBagOptions& options) {
  return EmbeddingBag(weight, freeze, options);
}

Tensor EmbeddingBag::operator()(const Tensor& indices, const Tensor& offsets,
                                const Tensor& per_sample_weights) {
  return embedding_bag(indices, weight, offsets, per_sample_weights, options);
}

std::string EmbeddingBag::extra_repr() const {
  const char* mode = options.mode == EmbeddingBagMode::mean  ? "mean"
                     : options.mode == EmbeddingBagMode::max ? "max"
                                                             : "sum";
  const std::string text = fmt::format("{}, {}, mode={}", weight.size(0), weight.size(1), mode);
  return options.padding_idx ? fmt::format("{}, padding_idx={}", text, *options.padding_idx) : text;
}

}  // namespace switchyard::nn
