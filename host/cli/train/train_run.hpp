#pragma once

#include <functional>
#include <string>

#include <switchyard/checkpoint.hpp>
#include <switchyard/data.hpp>
#include <switchyard/device.hpp>
#include <switchyard/nn.hpp>
#include <switchyard/optim.hpp>
#include <switchyard/progress.hpp>

#include "cli/train/train_history.hpp"
#include "cli/train/train_settings.hpp"

namespace switchyard::cli {

/// A network that learns Fashion-MNIST on the current device.
class FashionRun {
 public:
  /// Reads the pictures from `folder`, or from where fashion_mnist() finds them if it is empty.
  FashionRun(const TrainSettings& settings, const std::string& folder, int workers);

  /// Goes on where the checkpoint was saved.
  void resume(const std::string& checkpoint);
  void save(const std::string& checkpoint);

  /// Trains the epoch at hand to its end, and tests. False if `stops` said so after a step; the run
  /// can be saved then, too.
  bool train_epoch(TrainingProgress& progress, const std::function<bool()>& stops);

  /// Writes the network: images [N, 1, 28, 28] of 0 to 1 in, logits [N, 10] out.
  void write_model(const std::string& file) const;

  std::int64_t epoch() const;  // the one at hand, counted from 0; epochs if all are over
  std::int64_t parameter_count() const;
  const TrainSettings& settings() const { return settings_; }
  const TrainHistory& history() const { return history_; }
  DataLoader& loader() { return loader_; }

 private:
  double train_step(const Batch& batch);
  double accuracy();
  TrainingState state();
  void check_epochs(const std::string& checkpoint) const;

  TrainSettings settings_;
  Device device_;
  nn::Sequential net_;
  DataLoader loader_, tests_;
  optim::AdamW optimizer_;
  optim::OneCycleLR schedule_;
  optim::GradScaler scaler_;
  TrainHistory history_;
};

}  // namespace switchyard::cli
