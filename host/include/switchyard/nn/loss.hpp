/// @file
/// The losses of <switchyard/functions/loss.hpp> as modules. The functions say which shapes and
/// dtypes they take, what gradients they have, and what is an error; constructors check nothing.
#pragma once

#include <switchyard/functions/loss.hpp>
#include <switchyard/nn/module.hpp>

namespace switchyard::nn {

/// How far an input is from what it should be: `nn::CrossEntropyLoss criterion;` and then
/// `criterion(net(x), target)`. The functions of these names say what each takes.
class SWITCHYARD_API Loss : public Module {
 public:
  /// The loss of the input: of rank 0, but for Reduction::none.
  virtual Tensor operator()(const Tensor& input, const Tensor& target) = 0;
};

/// Of logits and classes, or probabilities. The options' weight becomes a buffer, "weight".
class SWITCHYARD_API CrossEntropyLoss : public Loss {
 public:
  using Options = CrossEntropyOptions;
  /// The weight stays the tensor given, on the current device if it is a host value.
  explicit CrossEntropyLoss(const CrossEntropyOptions& options = {});
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  CrossEntropyOptions options;
};

/// Of NLLLoss, as the arguments of nll_loss().
struct NLLLossOptions {
  std::int64_t ignore_index = -100;       ///< classes of this number count for nothing
  Reduction reduction = Reduction::mean;  ///< the mean is by the weights of targets that count
  Tensor weight = {};                     ///< of each class
};
/// nll_loss() of log-probabilities and classes. The options' weight becomes a buffer, "weight".
class SWITCHYARD_API NLLLoss : public Loss {
 public:
  using Options = NLLLossOptions;
  /// The weight as that of CrossEntropyLoss.
  explicit NLLLoss(const NLLLossOptions& options = {});
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  NLLLossOptions options;
};

/// Of BCELoss, as the arguments of binary_cross_entropy().
struct BCELossOptions {
  Reduction reduction = Reduction::mean;  ///< of the losses of all elements
  Tensor weight = {};                     ///< of each element
};
/// binary_cross_entropy() of probabilities, as a Sigmoid gives them. The weight becomes a buffer.
class SWITCHYARD_API BCELoss : public Loss {
 public:
  using Options = BCELossOptions;
  /// The weight as that of CrossEntropyLoss.
  explicit BCELoss(const BCELossOptions& options = {});
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  BCELossOptions options;
};

/// Of BCEWithLogitsLoss, as the arguments of binary_cross_entropy_with_logits().
struct BCEWithLogitsLossOptions {
  Tensor pos_weight = {};                 ///< of targets that are 1
  Reduction reduction = Reduction::mean;  ///< of the losses of all elements
  Tensor weight = {};                     ///< of each element
};
/// binary_cross_entropy_with_logits(): a Sigmoid and a BCELoss in one, without its loss of digits.
class SWITCHYARD_API BCEWithLogitsLoss : public Loss {
 public:
  using Options = BCEWithLogitsLossOptions;
  /// Both weights become buffers, "weight" and "pos_weight".
  explicit BCEWithLogitsLoss(const BCEWithLogitsLossOptions& options = {});
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  BCEWithLogitsLossOptions options;
};

/// Of losses that have no others.
struct LossOptions {
  Reduction reduction = Reduction::mean;  ///< of the losses of all elements
};
/// mse_loss(): (input - target)^2.
class SWITCHYARD_API MSELoss : public Loss {
 public:
  using Options = LossOptions;
  /// Their mean unless the options say otherwise.
  explicit MSELoss(const LossOptions& options = {}) : options(options) {}
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  LossOptions options;
};
/// l1_loss(): |input - target|.
class SWITCHYARD_API L1Loss : public Loss {
 public:
  using Options = LossOptions;
  /// Their mean unless the options say otherwise.
  explicit L1Loss(const LossOptions& options = {}) : options(options) {}
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  LossOptions options;
};

/// Of HuberLoss, as the arguments of huber_loss().
struct HuberLossOptions {
  double delta = 1;                       ///< up to which differences are squared; above 0
  Reduction reduction = Reduction::mean;  ///< of the losses of all elements
};
/// huber_loss(): squares of small differences, multiples of large ones.
class SWITCHYARD_API HuberLoss : public Loss {
 public:
  using Options = HuberLossOptions;
  /// A `delta` that is not above 0 is found by the first call.
  explicit HuberLoss(const HuberLossOptions& options = {}) : options(options) {}
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  HuberLossOptions options;
};

/// Of SmoothL1Loss, as the arguments of smooth_l1_loss().
struct SmoothL1LossOptions {
  double beta = 1;                        ///< up to which differences are squared; not negative
  Reduction reduction = Reduction::mean;  ///< of the losses of all elements
};
/// smooth_l1_loss(): a HuberLoss over beta.
class SWITCHYARD_API SmoothL1Loss : public Loss {
 public:
  using Options = SmoothL1LossOptions;
  /// A negative `beta` is found by the first call.
  explicit SmoothL1Loss(const SmoothL1LossOptions& options = {}) : options(options) {}
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  SmoothL1LossOptions options;
};

/// Of KLDivLoss, as the arguments of kl_div().
struct KLDivLossOptions {
  bool log_target = false;                ///< targets are logarithms, too
  Reduction reduction = Reduction::mean;  ///< the mean is over all elements
};
/// kl_div(): how far target probabilities are from the log-probabilities given.
class SWITCHYARD_API KLDivLoss : public Loss {
 public:
  using Options = KLDivLossOptions;
  /// The mean over all elements unless the options say otherwise.
  explicit KLDivLoss(const KLDivLossOptions& options = {}) : options(options) {}
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  KLDivLossOptions options;
};

/// triplet_margin_loss(), of three: `criterion(anchor, positive, negative)`.
class SWITCHYARD_API TripletMarginLoss : public Module {
 public:
  using Options = TripletMarginOptions;
  /// What fits is found by the first call.
  explicit TripletMarginLoss(const TripletMarginOptions& options = {}) : options(options) {}
  /// triplet_margin_loss() of [N, D] or [D]: its dtypes, gradients and errors.
  Tensor operator()(const Tensor& anchor, const Tensor& positive, const Tensor& negative);

  TripletMarginOptions options;
};

/// ctc_loss(), of four: `criterion(log_probs, targets, input_lengths, target_lengths)`.
class SWITCHYARD_API CTCLoss : public Module {
 public:
  using Options = CTCLossOptions;
  /// What fits is found by the first call.
  explicit CTCLoss(const CTCLossOptions& options = {}) : options(options) {}
  /// ctc_loss() of these: its shapes, dtypes, gradients and errors. Waits for targets and lengths.
  Tensor operator()(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                    const Tensor& target_lengths);

  CTCLossOptions options;
};

}  // namespace switchyard::nn
