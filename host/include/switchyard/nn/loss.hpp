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
  explicit CrossEntropyLoss(const CrossEntropyOptions& options = {});
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  CrossEntropyOptions options;
};

struct NllLossOptions {
  Tensor weight = {};  // of each class
  std::int64_t ignore_index = -100;
  Reduction reduction = Reduction::mean;
};
class SWITCHYARD_API NLLLoss : public Loss {
 public:
  explicit NLLLoss(const NllLossOptions& options = {});
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  NllLossOptions options;
};

struct BceOptions {
  Tensor weight = {};  // of each element
  Reduction reduction = Reduction::mean;
};
/// Of probabilities, as a Sigmoid gives them.
class SWITCHYARD_API BCELoss : public Loss {
 public:
  explicit BCELoss(const BceOptions& options = {});
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  BceOptions options;
};

struct BceWithLogitsOptions {
  Tensor weight = {};      // of each element
  Tensor pos_weight = {};  // of targets that are 1
  Reduction reduction = Reduction::mean;
};
class SWITCHYARD_API BCEWithLogitsLoss : public Loss {
 public:
  explicit BCEWithLogitsLoss(const BceWithLogitsOptions& options = {});
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  BceWithLogitsOptions options;
};

struct LossOptions {
  Reduction reduction = Reduction::mean;
};
class SWITCHYARD_API MSELoss : public Loss {
 public:
  explicit MSELoss(const LossOptions& options = {}) : options(options) {}
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  LossOptions options;
};
class SWITCHYARD_API L1Loss : public Loss {
 public:
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
  explicit SmoothL1Loss(const SmoothL1LossOptions& options = {}) : options(options) {}
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  SmoothL1LossOptions options;
};

struct KlDivLossOptions {
  Reduction reduction = Reduction::mean;
  bool log_target = false;
};
class SWITCHYARD_API KLDivLoss : public Loss {
 public:
  explicit KLDivLoss(const KlDivLossOptions& options = {}) : options(options) {}
  Tensor operator()(const Tensor& input, const Tensor& target) override;

  KlDivLossOptions options;
};

/// Of three: `criterion(anchor, positive, negative)`.
class SWITCHYARD_API TripletMarginLoss : public Module {
 public:
  explicit TripletMarginLoss(const TripletMarginOptions& options = {}) : options(options) {}
  Tensor operator()(const Tensor& anchor, const Tensor& positive, const Tensor& negative);

  TripletMarginOptions options;
};

}  // namespace switchyard::nn
