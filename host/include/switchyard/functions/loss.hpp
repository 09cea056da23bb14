#pragma once

#include <cstdint>

#include <switchyard/tensor.hpp>

namespace switchyard {

enum class Reduction { none, mean, sum };

struct CrossEntropyOptions {
  Tensor weight = {};  // of each class
  std::int64_t ignore_index = -100;
  Reduction reduction = Reduction::mean;
  double label_smoothing = 0;
};
/// Of logits [N, C, ...] and classes [N, ...] (integers), or probabilities [N, C, ...].
SWITCHYARD_API Tensor cross_entropy(const Tensor& input, const Tensor& target,
                                    const CrossEntropyOptions& options = {});
/// Of log-probabilities [N, C, ...] and classes [N, ...].
SWITCHYARD_API Tensor nll_loss(const Tensor& input, const Tensor& target, const Tensor& weight = {},
                               std::int64_t ignore_index = -100,
                               Reduction reduction = Reduction::mean);
SWITCHYARD_API Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target,
                                                       const Tensor& weight = {},
                                                       const Tensor& pos_weight = {},
                                                       Reduction reduction = Reduction::mean);
SWITCHYARD_API Tensor mse_loss(const Tensor& input, const Tensor& target,
                               Reduction reduction = Reduction::mean);
SWITCHYARD_API Tensor l1_loss(const Tensor& input, const Tensor& target,
                              Reduction reduction = Reduction::mean);
SWITCHYARD_API Tensor huber_loss(const Tensor& input, const Tensor& target, double delta = 1,
                                 Reduction reduction = Reduction::mean);
SWITCHYARD_API Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, double beta = 1,
                                     Reduction reduction = Reduction::mean);
/// target (log target - input), of log-probabilities; the mean is over all elements.
SWITCHYARD_API Tensor kl_div(const Tensor& input, const Tensor& target,
                             Reduction reduction = Reduction::mean, bool log_target = false);

}  // namespace switchyard
