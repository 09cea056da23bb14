#include <switchyard/nn/loss.hpp>

namespace switchyard::nn {

CrossEntropyLoss::CrossEntropyLoss(const CrossEntropyOptions& options) : options(options) {
  this->options.weight = register_buffer("weight", options.weight);
}
Tensor CrossEntropyLoss::operator()(const Tensor& input, const Tensor& target) {
  return cross_entropy(input, target, options);
}

NLLLoss::NLLLoss(const NLLLossOptions& options) : options(options) {
  this->options.weight = register_buffer("weight", options.weight);
}
Tensor NLLLoss::operator()(const Tensor& input, const Tensor& target) {
  return nll_loss(input, target, options.weight, options.ignore_index, options.reduction);
}

BCELoss::BCELoss(const BCELossOptions& options) : options(options) {
  this->options.weight = register_buffer("weight", options.weight);
}
Tensor BCELoss::operator()(const Tensor& input, const Tensor& target) {
  return binary_cross_entropy(input, target, options.weight, options.reduction);
}

BCEWithLogitsLoss::BCEWithLogitsLoss(const BCEWithLogitsLossOptions& options) : options(options) {
  this->options.weight = register_buffer("weight", options.weight);
  this->options.pos_weight = register_buffer("pos_weight", options.pos_weight);
}
Tensor BCEWithLogitsLoss::operator()(const Tensor& input, const Tensor& target) {
  return binary_cross_entropy_with_logits(input, target, options.weight, options.pos_weight,
                                          options.reduction);
}

Tensor MSELoss::operator()(const Tensor& input, const Tensor& target) {
  return mse_loss(input, target, options.reduction);
}
Tensor L1Loss::operator()(const Tensor& input, const Tensor& target) {
  return l1_loss(input, target, options.reduction);
}
Tensor HuberLoss::operator()(const Tensor& input, const Tensor& target) {
  return huber_loss(input, target, options.delta, options.reduction);
}
Tensor SmoothL1Loss::operator()(const Tensor& input, const Tensor& target) {
  return smooth_l1_loss(input, target, options.beta, options.reduction);
}
Tensor KLDivLoss::operator()(const Tensor& input, const Tensor& target) {
  return kl_div(input, target, options.reduction, options.log_target);
}

Tensor TripletMarginLoss::operator()(const Tensor& anchor, const Tensor& positive,
                                     const Tensor& negative) {
  return triplet_margin_loss(anchor, positive, negative, options);
}

Tensor CTCLoss::operator()(const Tensor& log_probs, const Tensor& targets,
                           const Tensor& input_lengths, const Tensor& target_lengths) {
  return ctc_loss(log_probs, targets, input_lengths, target_lengths, options);
}

}  // namespace switchyard::nn
