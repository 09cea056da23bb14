/// @file
/// What a training run shows of itself: a bar while it runs, a picture of its curves afterwards.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <switchyard/export.hpp>

namespace switchyard {

/// How far training is, as a program of windows or pages shows it.
struct TrainingStatus {
  std::int64_t epoch = 0;          ///< counted from 0
  std::int64_t epochs = 0;         ///< in all
  std::int64_t batch = 0;          ///< batches of the epoch that are done
  std::int64_t batches = 0;        ///< of an epoch
  double loss = 0;                 ///< the mean over the epoch's examples so far
  double examples_per_second = 0;  ///< since the epoch began
  double seconds = 0;              ///< left of the epoch, as it goes; what it took if it is over
  bool is_over = false;            ///< the epoch
  std::string remark = {};         ///< what end_epoch() was given
};

/// Told of training, on the thread that trains. What it throws, `advance` or `end_epoch` throws.
using TrainingCallback = std::function<void(const TrainingStatus&)>;

/// How far training has come. On a terminal one line an epoch that renews itself,
///
///   epoch 3/10 █████████████▌                45% loss 0.31 1234/s 00:12 left
///
/// and elsewhere plain lines, one at the end of each epoch and one every ten seconds of a long one.
/// The loss is the mean over the examples of the epoch so far; the rate is in examples; the time
/// left is the epoch's. For one thread.
class SWITCHYARD_API TrainingProgress {
 public:
  /// `batches` are those of an epoch. `stream` stays the caller's.
  TrainingProgress(std::int64_t epochs, std::int64_t batches, std::FILE* stream = stderr);
  /// Writes nothing: calls `callback` at each batch and at the end of each epoch. Throws
  /// Error(invalid_argument) for an empty one.
  TrainingProgress(std::int64_t epochs, std::int64_t batches, TrainingCallback callback);
  /// Ends the line that is shown.
  ~TrainingProgress();
  TrainingProgress(const TrainingProgress&) = delete;
  TrainingProgress& operator=(const TrainingProgress&) = delete;

  /// Begins epoch `epoch`, counted from 0, of which `batches_done` were done in an earlier run.
  void begin_epoch(std::int64_t epoch, std::int64_t batches_done = 0);

  /// One batch more is done: of so many examples, with this mean loss.
  void advance(std::int64_t examples, double loss);

  /// Ends the epoch's line, with a remark behind it: "accuracy 0.91".
  void end_epoch(const std::string& remark = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// One line of a learning curve.
struct CurveSeries {
  std::string name;            ///< for the legend
  std::vector<double> values;  ///< what is not a finite number leaves a gap
  std::vector<double> x = {};  ///< along the other axis; if empty: 1, 2, 3, ...
};

/// What stands around a learning curve.
struct CurveLabels {
  std::string title;        ///< above the picture; none if it is empty
  std::string x = "epoch";  ///< below it
  std::string y = "loss";   ///< beside it
};

/// Draws the series as an SVG picture with axes and a legend; the file is replaced whole or not at
/// all. Throws Error(invalid_argument) for a series whose `x` and `values` differ in number, and
/// Error(io) or Error(not_found) for a file that cannot be written.
SWITCHYARD_API void save_curve(const std::filesystem::path& path,
                               const std::vector<CurveSeries>& series,
                               const CurveLabels& labels = {});

}  // namespace switchyard
