#pragma once

#include <switchyard/functions/loss.hpp>
#include <switchyard/nn/module.hpp>

namespace switchyard::nn {

/// How far an input is from what it should be: `nn::CrossEntropyLoss criterion;` and then
/// `criterion(net(x), target)`. The functions of these names say what each takes.
class SWITCHYARD_API Loss : public Module {
 public:
  virtual Tensor operator()(const Tensor& input, const Tensor& target) = 0;
};

/// Of logits and classes, or probabilities. The options' weight becomes a buffer, "weight".
class SWITCHYARD_API CrossEntropyLoss : public Loss {
 public:
  using Options = CrossEntropyOptions;
  explicit CrossEntropyLoss(const CrossEntropyOptions& options = {});
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  CrossEntropyOptions options;
};

struct NLLLossOptions {
  std::int64_t ignore_index = -100;
  Reduction reduction = Reduction::mean;
  Tensor weight = {};  ///< of each class
};
class SWITCHYARD_API NLLLoss : public Loss {
 public:
  using Options = NLLLossOptions;
  explicit NLLLoss(const NLLLossOptions& options = {});
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  NLLLossOptions options;
};

struct BCELossOptions {
  Reduction reduction = Reduction::mean;
  Tensor weight = {};  ///< of each element
};
/// Of probabilities, as a Sigmoid gives them.
class SWITCHYARD_API BCELoss : public Loss {
 public:
  using Options = BCELossOptions;
  explicit BCELoss(const BCELossOptions& options = {});
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  BCELossOptions options;
};

struct BCEWithLogitsLossOptions {
  Tensor pos_weight = {};  ///< of targets that are 1
  Reduction reduction = Reduction::mean;
  Tensor weight = {};  ///< of each element
};
class SWITCHYARD_API BCEWithLogitsLoss : public Loss {
 public:
  using Options = BCEWithLogitsLossOptions;
  explicit BCEWithLogitsLoss(const BCEWithLogitsLossOptions& options = {});
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  BCEWithLogitsLossOptions options;
};

struct LossOptions {
  Reduction reduction = Reduction::mean;
};
class SWITCHYARD_API MSELoss : public Loss {
 public:
  using Options = LossOptions;
  explicit MSELoss(const LossOptions& options = {}) : options(options) {}
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  LossOptions options;
};
class SWITCHYARD_API L1Loss : public Loss {
 public:
  using Options = LossOptions;
  explicit L1Loss(const LossOptions& options = {}) : options(options) {}
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  LossOptions options;
};

struct HuberLossOptions {
  double delta = 1;
  Reduction reduction = Reduction::mean;
};
class SWITCHYARD_API HuberLoss : public Loss {
 public:
  using Options = HuberLossOptions;
  explicit HuberLoss(const HuberLossOptions& options = {}) : options(options) {}
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  HuberLossOptions options;
};

struct SmoothL1LossOptions {
  double beta = 1;
  Reduction reduction = Reduction::mean;
};
class SWITCHYARD_API SmoothL1Loss : public Loss {
 public:
  using Options = SmoothL1LossOptions;
  explicit SmoothL1Loss(const SmoothL1LossOptions& options = {}) : options(options) {}
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  SmoothL1LossOptions options;
};

struct KLDivLossOptions {
  bool log_target = false;
  Reduction reduction = Reduction::mean;
};
class SWITCHYARD_API KLDivLoss : public Loss {
 public:
  using Options = KLDivLossOptions;
  explicit KLDivLoss(const KLDivLossOptions& options = {}) : options(options) {}
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  KLDivLossOptions options;
};

/// Of three: `criterion(anchor, positive, negative)`.
class SWITCHYARD_API TripletMarginLoss : public Module {
 public:
  using Options = TripletMarginOptions;
  explicit TripletMarginLoss(const TripletMarginOptions& options = {}) : options(options) {}
  Tensor operator()(const Tensor& anchor, const Tensor& positive, const Tensor& negative);

  TripletMarginOptions options;
};

/// Of four: `criterion(log_probs, targets, input_lengths, target_lengths)`.
class SWITCHYARD_API CTCLoss : public Module {
 public:
  using Options = CTCLossOptions;
  explicit CTCLoss(const CTCLossOptions& options = {}) : options(options) {}
  Tensor operator()(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                    const Tensor& target_lengths);

  CTCLossOptions options;
};

}  // namespace switchyard::nn
