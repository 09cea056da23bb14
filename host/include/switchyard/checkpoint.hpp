/// @file
/// Checkpoints: all that a training run needs to go on exactly where it stopped, in one file.
///
///   const TrainingState state{.model = net, .optimizer = optimizer, .schedule = &schedule,
///                             .loader = &loader};
///   save_checkpoint("run.safetensors", state, {{"epoch", "3"}});
///   const auto metadata = load_checkpoint("run.safetensors", state);
///
/// Both wait for the work that the parts are part of; no other thread may train meanwhile.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <switchyard/data.hpp>
#include <switchyard/export.hpp>
#include <switchyard/nn/module.hpp>
#include <switchyard/optim/grad_scaler.hpp>
#include <switchyard/optim/optimizer.hpp>
#include <switchyard/optim/schedule.hpp>

namespace switchyard {

/// The parts of a training run. Those that are pointers may be left out.
struct TrainingState {
  nn::Module& model;                    ///< its state_dict()
  optim::Optimizer& optimizer;          ///< of that model
  optim::Schedule* schedule = nullptr;  ///< of that optimizer
  optim::GradScaler* scaler = nullptr;  ///< that scales its losses
  DataLoader* loader = nullptr;         ///< where the epoch stands
};

/// Texts of the caller by name: settings, the epoch, losses so far.
using CheckpointMetadata = std::map<std::string, std::string>;

/// Writes the parts, the stream of random numbers (random_state) and the caller's metadata. The
/// file is replaced whole or not at all. It is a safetensors file: tensors "model.0.weight",
/// "optimizer.state.0.exp_avg", "schedule.last_epoch"; the rest is its __metadata__. Throws
/// Error(io) or Error(not_found) where it cannot be written.
SWITCHYARD_API void save_checkpoint(const std::filesystem::path& path, const TrainingState& state,
                                    const CheckpointMetadata& metadata = {});

/// Only the metadata: for who makes the parts as it says. Throws Error(model) if it is not a
/// checkpoint, and Error(io) or Error(not_found) if it cannot be read.
[[nodiscard]] SWITCHYARD_API CheckpointMetadata
checkpoint_metadata(const std::filesystem::path& path);

/// Brings the parts and the stream of random numbers to where they were; gives the metadata. Throws
/// Error(io) or Error(not_found) for a file that cannot be read, Error(model) for one that is not a
/// checkpoint, and Error(invalid_argument) where the parts are not those that were saved; then the
/// parts are not to be used further.
SWITCHYARD_API CheckpointMetadata load_checkpoint(const std::filesystem::path& path,
                                                  const TrainingState& state);

}  // namespace switchyard
