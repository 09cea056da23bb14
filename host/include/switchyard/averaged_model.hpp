/// @file
/// Averages of the parameters that a network has had, which often generalize better than the last:
///
///   optim::AveragedModel average(net, Net(), {.avg_fn = optim::get_ema_avg_fn(0.999)});
///   ... after each optimizer.step(): average.update_parameters(net);
///   optim::update_bn(loader, average);
///   average.eval();
///   const Tensor y = average(x);
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>

#include <switchyard/data/loader.hpp>
#include <switchyard/export.hpp>
#include <switchyard/nn/module.hpp>
#include <switchyard/number.hpp>

namespace switchyard::optim {

/// The new average of a tensor, from the old one, the model's now, and how many it is an average
/// of. Called without recording gradients.
using AverageFunction =
    std::function<Tensor(const Tensor& averaged, const Tensor& current, std::int64_t num_averaged)>;

/// The average of all (SWA: Izmailov and others, 2018).
[[nodiscard]] SWITCHYARD_API AverageFunction get_swa_avg_fn();
/// The exponential moving average, decay averaged + (1 - decay) current. Throws
/// Error(invalid_argument) unless the decay lies in [0, 1].
[[nodiscard]] SWITCHYARD_API AverageFunction get_ema_avg_fn(Real decay = 0.999);

/// Of AveragedModel.
struct AveragedModelOptions {
  AverageFunction avg_fn = {};  ///< else get_swa_avg_fn()
  bool use_buffers = false;     ///< average floating-point buffers too; others are copied always
};

/// A network whose parameters are averages of another's: "module.fc1.weight" in its state_dict(),
/// beside "n_averaged". It computes as that network does, in eval() or train() of its own.
class SWITCHYARD_API AveragedModel : public nn::Module {
 public:
  using Options = AveragedModelOptions;

  /// `own` is a network of the same class and options as `model`, made anew: a copy of `model`
  /// would share its parameters. It takes over the device, the parameters and the buffers of
  /// `model`, and holds the averages from then on; modules that take several arguments are called
  /// through it. Throws Error(invalid_argument) for a network of other parameters, or one that
  /// shares them.
  template <std::derived_from<nn::Module> M>
  AveragedModel(const nn::Module& model, const M& own, const AveragedModelOptions& options = {})
      : options_(options) {
    register_module("module", own);
    begin(model);
  }

  Tensor forward(const Tensor& x) override;

  /// Takes the parameters of `model` into the average; the first time they are copied. Buffers are
  /// copied each time, unless they are averaged. Throws Error(invalid_argument) for a network of
  /// other parameters or buffers.
  void update_parameters(const nn::Module& model);
  /// How often the parameters were taken in. Waits for the device.
  [[nodiscard]] std::int64_t n_averaged() const;

 private:
  void begin(const nn::Module& model);
  void update(const Tensor& own, const Tensor& current, std::int64_t count, bool averages) const;

  AveragedModelOptions options_;
  Tensor n_averaged_;
};

/// Computes anew the running statistics of all BatchNorm modules of `model`: averages over the
/// batches of one pass of the loader, whatever their momentum. `input_of` gives what the model is
/// called with, in place of the batch's first tensor on the device of the statistics. Records no
/// gradients; leaves the model in the mode in which it was. Does nothing for a model without such
/// modules.
SWITCHYARD_API void update_bn(DataLoader& loader, nn::Module& model,
                              const std::function<Tensor(const Batch&)>& input_of = {});

}  // namespace switchyard::optim
