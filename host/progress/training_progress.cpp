#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string_view>
#include <switchyard/error.hpp>
#include <switchyard/progress.hpp>

#include "progress/progress_line.hpp"

namespace switchyard {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr auto kPlainLine = std::chrono::seconds(10);

/// Of the terminal behind `stream`; 0 if it is none.
std::size_t columns_of(std::FILE* stream) {
  if (isatty(fileno(stream)) != 1) return 0;
  winsize size = {};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

}  // namespace

struct TrainingProgress::Impl {
  std::FILE* stream = nullptr;  // null: the callback is told
  TrainingCallback callback = {};
  ProgressFacts facts;
  std::int64_t done_before = 0;  // batches of the epoch that an earlier run did
  std::int64_t examples = 0;
  double loss_sum = 0;  // over examples
  Clock::time_point began = Clock::now();
  Clock::time_point shown = {};
  bool has_open_line = false;

  /// What cannot be written is lost: training goes on.
  void write(std::string_view text) const {
    std::fwrite(text.data(), 1, text.size(), stream);
    std::fflush(stream);
  }

  void measure() {
    const double taken = seconds_since(began);
    const auto batches = static_cast<double>(facts.done - done_before);
    const auto left = static_cast<double>(facts.total - facts.done);
    facts.loss = examples > 0 ? loss_sum / static_cast<double>(examples) : 0;
    facts.rate = taken > 0 ? static_cast<double>(examples) / taken : 0;
    facts.seconds = facts.is_over || batches <= 0 ? taken : taken / batches * left;
  }

  void tell() {
    measure();
    callback({.epoch = facts.epoch - 1,
              .epochs = facts.epochs,
              .batch = facts.done,
              .batches = facts.total,
              .loss = facts.loss,
              .examples_per_second = facts.rate,
              .seconds = facts.seconds,
              .is_over = facts.is_over,
              .remark = facts.remark});
  }

  void show() {
    if (callback) return tell();
    measure();
    shown = Clock::now();
    const std::size_t columns = columns_of(stream);
    const bool is_terminal = columns > 0;
    write(fmt::format("{}{}{}", is_terminal ? "\r" : "", progress_line(facts, columns),
                      is_terminal ? "\x1b[K" : "\n"));
    has_open_line = is_terminal;
  }

  void end_line() {
    if (has_open_line) write("\n");
    has_open_line = false;
  }
};

TrainingProgress::TrainingProgress(std::int64_t epochs, std::int64_t batches, std::FILE* stream)
    : impl_(std::make_unique<Impl>()) {
  impl_->stream = stream;
  impl_->facts.epochs = epochs;
  impl_->facts.total = batches;
}

TrainingProgress::TrainingProgress(std::int64_t epochs, std::int64_t batches,
                                   TrainingCallback callback)
    : TrainingProgress(epochs, batches, static_cast<std::FILE*>(nullptr)) {
  if (!callback) {
    throw Error(ErrorKind::invalid_argument,
                "[TrainingProgress] the callback is empty; give it a function, or give a stream");
  }
  impl_->callback = std::move(callback);
}

TrainingProgress::~TrainingProgress() { impl_->end_line(); }

void TrainingProgress::begin_epoch(std::int64_t epoch, std::int64_t batches_done) {
  impl_->end_line();
  impl_->facts.epoch = epoch + 1;
  impl_->facts.done = batches_done;
  impl_->facts.is_over = false;
  impl_->facts.remark.clear();
  impl_->done_before = batches_done;
  impl_->examples = 0;
  impl_->loss_sum = 0;
  impl_->began = impl_->shown = Clock::now();
}

void TrainingProgress::advance(std::int64_t examples, double loss) {
  ++impl_->facts.done;
  impl_->examples += examples;
  impl_->loss_sum += loss * static_cast<double>(examples);
  if (impl_->callback) return impl_->tell();
  const bool is_terminal = columns_of(impl_->stream) > 0;
  const Clock::duration pause =
      is_terminal ? Clock::duration(kRedraw) : Clock::duration(kPlainLine);
  if (Clock::now() - impl_->shown >= pause) impl_->show();
}

void TrainingProgress::end_epoch(const std::string& remark) {
  impl_->facts.is_over = true;
  impl_->facts.remark = remark;
  impl_->show();
  impl_->end_line();
}

}  // namespace switchyard
