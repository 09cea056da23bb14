/// @file
/// One run of a model at a time, with all that a server needs to say about it.
#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include <switchyard/cancellation.hpp>
#include <switchyard/device.hpp>
#include <switchyard/export.hpp>
#include <switchyard/model.hpp>
#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>
#include <switchyard/text.hpp>

namespace switchyard {

/// Inputs, outputs and limits of a run of a model, which may be executed again and again:
///
///   Run run(model);
///   run.set_input(0, picture).set_timeout(50ms);
///   run.execute();
///   const Tensor scores = run.output("scores");
///
/// Several runs of one model may be executed at once: it has its weights once. One thread at a time
/// uses a Run: what a second one calls while `execute` is under way is undefined. While it is
/// executed, all but `model`, `wait`, `is_running`, moving it and destroying it are
/// Error(invalid_argument) for kernels, hooks and sinks that are called meanwhile and, where the
/// execution is asynchronous, for any one thread.
///
/// The thread of a Run, which its first asynchronous execution makes, stays until the Run is
/// destroyed: servers keep a few Runs and reuse them. In a child of fork() it is made anew. An
/// execution that was under way at the fork, its callback included, is lost to the child: its
/// future and its callback never come, `wait` returns at once, and all else but `model`,
/// `is_running`, moving and destroying is Error(invalid_argument).
///
/// When `execute` returns, or an asynchronous execution ends, all ops were run or enqueued: a
/// device that works asynchronously may still compute the outputs. Whoever reads elements waits for
/// them; functions on such tensors do not. Memory that `from_dlpack` borrowed is given back when
/// the device has read it and no tensor holds it any more.
class SWITCHYARD_API Run {
 public:
  /// A run without inputs yet.
  explicit Run(const Model& model);
  /// Waits for an asynchronous execution to end. Within its callback it does not wait.
  ~Run();
  /// A Run that was moved from can be destroyed and assigned to; all else is
  /// Error(invalid_argument).
  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;

  /// The input at this position or of this name; it stays for further executions, and nothing is
  /// copied. A tensor that holds nothing takes one away. Wrong dtypes and shapes are found when the
  /// run is executed. Throws Error(invalid_argument) for a position, and Error(not_found) for a
  /// name, that the model does not have.
  /// @{
  Run& set_input(std::size_t position, const Tensor& value);
  Run& set_input(Text name, const Tensor& value);
  /// @}
  /// The same for an input that is a sequence.
  /// @{
  Run& set_input(std::size_t position, std::vector<Tensor> sequence);
  Run& set_input(Text name, std::vector<Tensor> sequence);
  /// @}

  /// Where an output is to be written: over the elements of `target`, which `output` then gives. It
  /// lies on a device and has the output's dtype and shape; it may be a view, but may share memory
  /// neither with an input nor with another target. That is judged by the memory from its first
  /// element to its last, not by element: views between each other's elements share memory, too.
  /// Where the last op runs on its device and `target` is contiguous, the op writes there; else the
  /// output is copied there. What it holds is undefined after an execution that failed. One that
  /// holds nothing takes a target away. Errors as of set_input.
  /// @{
  Run& set_output(std::size_t position, const Tensor& target);
  Run& set_output(Text name, const Tensor& target);
  /// @}

  /// The device that every op asks for first, of the model's runtime; what it refuses falls back as
  /// the configuration has it. Weights that two devices can read are not copied. Ops are then run
  /// one by one: programs of several nodes are not used. Without it, ops go where the device order
  /// says.
  Run& set_device(const std::optional<Device>& device);

  /// Ends executions with Error(deadline) at this time, or, for a timeout, so long after each has
  /// begun. It is looked at when a run begins and before each node: see Model::RunOptions. The
  /// later call counts; nullopt is none, and so is a time beyond the end of the clock. A negative
  /// timeout has passed already.
  /// @{
  Run& set_deadline(std::optional<std::chrono::steady_clock::time_point> deadline);
  Run& set_timeout(std::optional<std::chrono::steady_clock::duration> timeout);
  /// @}
  /// Ends executions with Error(cancelled) once the token is cancelled. Null is none.
  Run& set_cancellation(std::shared_ptr<const CancellationToken> token);
  /// Fills `report()` from the next execution on: without times, or with `profile` with the time of
  /// each op, waiting after each.
  Run& set_report(Flag count_ops, Flag profile = false);

  /// Runs the model. Errors as of Model::run. The outputs of the execution before are gone, also
  /// where this one fails; a run that failed may be executed again.
  void execute();

  /// The same on a thread of this Run's own, which is made once and waits for further executions,
  /// within what the caller's scopes say. The future has what `execute` would have thrown.
  [[nodiscard]] std::future<void> execute_async();
  /// Calls `done` on that thread instead, with what was thrown, or null. It may use and execute
  /// this Run again, and may destroy it. What it throws ends the program, as in any thread.
  void execute_async(std::function<void(std::exception_ptr failure)> done);
  /// Until no asynchronous execution is under way; its failure is the future's or the callback's.
  /// @{
  void wait() const;
  [[nodiscard]] bool is_running() const;
  /// @}

  /// An output of the last execution; one that holds nothing where the model left an optional one
  /// out. Throws Error(invalid_argument) if there was no execution or it failed, if there is no
  /// such position, and for sequences; Error(not_found) for an unknown name.
  /// @{
  [[nodiscard]] Tensor output(std::size_t position) const;
  [[nodiscard]] Tensor output(Text name) const;
  /// @}
  /// All of them, in the model's order.
  [[nodiscard]] const std::vector<NamedValue>& outputs() const;
  /// Of the last execution that was to be reported; of one that failed, nothing.
  [[nodiscard]] const RunReport& report() const;

  /// The model that it runs.
  [[nodiscard]] const Model& model() const;

  struct State;

 private:
  State& state() const;

  std::shared_ptr<State> state_;
};

}  // namespace switchyard
