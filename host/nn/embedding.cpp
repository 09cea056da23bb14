#include <fmt/format.h>

#include <switchyard/nn/embedding.hpp>

#include <switchyard/autograd.hpp>
#include <switchyard/functions/indexing.hpp>

#include "nn/new_parameter.hpp"
#include "nn/python_text.hpp"

namespace switchyard::nn {

Embedding::Embedding(Int num_embeddings, Int embedding_dim, const EmbeddingOptions& options)
    : weight(register_parameter("weight", new_parameter({num_embeddings, embedding_dim}))),
      options(options) {
  init::normal_(weight);
  if (!options.padding_idx) return;
  const NoGrad no_grad;
  weight.select(0, *options.padding_idx).zero_();
}

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
    : weight(register_parameter("weight", new_parameter({num_embeddings, embedding_dim}))),
      options(options) {
  init::normal_(weight);
  if (!options.padding_idx) return;
  const NoGrad no_grad;
  weight.select(0, *options.padding_idx).zero_();
}

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
