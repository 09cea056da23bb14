#include <fmt/format.h>

#include <atomic>
#include <functional>
#include <memory>
#include <switchyard/context.hpp>
#include <switchyard/error.hpp>
#include <switchyard/run.hpp>
#include <utility>

#include "onnx/model_inputs.hpp"
#include "onnx/run/deadlines.hpp"
#include "onnx/run/model_run.hpp"
#include "onnx/run/run_thread.hpp"
#include "tensor/engine.hpp"

namespace switchyard {

namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

struct Run::State {
  explicit State(const Model& of)
      : model(of), inputs(of.inputs().size()), targets(of.outputs().size()) {}

  /// What it is about. In a callback of its own it may be used, but by no other thread.
  enum class Phase { idle, queued, executing, calling_back };

  void execute();
  /// Throws Error(invalid_argument) while it is executed, also for what is called meanwhile.
  void require_idle() const {
    if (thread.is_lost()) refuse_in_child();
    const Phase now = phase.load();
    if (now == Phase::idle || (now == Phase::calling_back && thread.is_current())) return;
    throw Error(ErrorKind::invalid_argument,
                "[Run] it is being executed; use it afterwards, or another Run");
  }
  [[noreturn]] static void refuse_in_child() {
    throw Error(ErrorKind::invalid_argument,
                "[Run] it was being executed when this process was forked, and the child has not "
                "the thread that did; make another Run");
  }
  /// Starts `task` on the thread; the phase stays as it was if there is none.
  void start(std::function<std::function<void()>()> task) {
    const Phase before = phase.exchange(Phase::queued);
    try {
      thread.start(std::move(task));
    } catch (...) {
      phase = before;
      throw;
    }
  }

  Model model;
  std::vector<std::optional<NamedValue>> inputs;
  std::vector<Tensor> targets;
  std::shared_ptr<OpenDevice> device;
  std::optional<Clock::time_point> deadline;
  std::optional<Clock::duration> timeout;
  std::shared_ptr<const CancellationToken> token;
  bool counts_ops = false, profiles = false;
  std::optional<std::vector<NamedValue>> outputs;  // of the last execution, if it did not fail
  RunReport report;
  std::atomic<Phase> phase{Phase::idle};
  RunThread thread;
};

void Run::State::execute() {
  struct Executing {
    explicit Executing(std::atomic<Phase>& of) : phase(of), before(of.exchange(Phase::executing)) {}
    Executing(const Executing&) = delete;
    Executing& operator=(const Executing&) = delete;
    ~Executing() { phase = before; }
    std::atomic<Phase>& phase;
    const Phase before;
  };
  const Executing executing(phase);
  outputs.reset();
  if (counts_ops || profiles) report = {};
  ModelCall call{.inputs = {},
                 .targets = targets,
                 .device = device,
                 .options = {.cancellation = token.get(),
                             .count_ops = counts_ops,
                             .deadline = timeout ? deadline_after(*timeout) : deadline,
                             .profile = profiles,
                             .report = counts_ops || profiles ? &report : nullptr}};
  for (const std::optional<NamedValue>& input : inputs) {
    if (input) call.inputs.push_back(*input);
  }
  outputs = run_model(*model.state(), std::move(call));
}

Run::Run(const Model& model) : state_(std::make_shared<State>(model)) {}
Run::~Run() {
  if (state_) state_->thread.wait();
}
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&& other) noexcept {
  if (this == &other) return *this;
  if (state_) state_->thread.wait();
  state_ = std::move(other.state_);
  return *this;
}

Run::State& Run::state() const {
  if (state_) return *state_;
  throw Error(ErrorKind::invalid_argument,
              "[Run] it was moved to another Run, which has its inputs and outputs; use that one");
}

Run& Run::set_input(std::size_t position, const Tensor& value) {
  state().require_idle();
  check_position(state().model.inputs(), "input", position);
  std::optional<NamedValue>& input = state().inputs[position];
  input.reset();
  if (value.defined()) input = NamedValue{state().model.inputs()[position].name, value};
  return *this;
}

Run& Run::set_input(Text name, const Tensor& value) {
  return set_input(position_of(state().model.inputs(), "input", name), value);
}

Run& Run::set_input(std::size_t position, std::vector<Tensor> sequence) {
  state().require_idle();
  check_position(state().model.inputs(), "input", position);
  state().inputs[position] =
      NamedValue{state().model.inputs()[position].name, {}, std::move(sequence), true};
  return *this;
}

Run& Run::set_input(Text name, std::vector<Tensor> sequence) {
  return set_input(position_of(state().model.inputs(), "input", name), std::move(sequence));
}

Run& Run::set_output(std::size_t position, const Tensor& target) {
  state().require_idle();
  check_position(state().model.outputs(), "output", position);
  state().targets[position] = target;
  return *this;
}

Run& Run::set_output(Text name, const Tensor& target) {
  return set_output(position_of(state().model.outputs(), "output", name), target);
}

Run& Run::set_device(const std::optional<Device>& device) {
  state().require_idle();
  if (!device) {
    state().device = nullptr;
    return *this;
  }
  const std::shared_ptr<OpenDevice>& open = device->open();
  if (open->engine() != state().model.state()->engine.get()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[Run] {} is of another runtime than the model; ask the model's "
                            "runtime for its device, or load the model there",
                            device->name()));
  }
  state().device = open;
  return *this;
}

Run& Run::set_deadline(std::optional<Clock::time_point> deadline) {
  state().require_idle();
  state().deadline = deadline;
  state().timeout.reset();
  return *this;
}

Run& Run::set_timeout(std::optional<Clock::duration> timeout) {
  state().require_idle();
  state().timeout = timeout;
  state().deadline.reset();
  return *this;
}

Run& Run::set_cancellation(std::shared_ptr<const CancellationToken> token) {
  state().require_idle();
  state().token = std::move(token);
  return *this;
}

Run& Run::set_report(Flag count_ops, Flag profile) {
  state().require_idle();
  state().counts_ops = count_ops;
  state().profiles = profile;
  return *this;
}

namespace {

/// What an execution on a thread of its own throws, or null: with what the caller's scopes say.
std::exception_ptr failure_of(Run::State& state, const Context& context) {
  try {
    const ContextScope scope(context);
    state.execute();
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

void Run::execute() {
  state().require_idle();
  const std::shared_ptr<State> kept = state_;  // what is called meanwhile may destroy the Run
  kept->execute();
}

std::future<void> Run::execute_async() {
  state().require_idle();
  auto promise = std::make_shared<std::promise<void>>();
  std::future<void> result = promise->get_future();
  state().start([state = state_, promise, context = Context::current()] {
    const std::exception_ptr failure = failure_of(*state, context);
    state->phase = State::Phase::idle;
    return std::function<void()>(
        [promise, failure] { failure ? promise->set_exception(failure) : promise->set_value(); });
  });
  return result;
}

void Run::execute_async(std::function<void(std::exception_ptr failure)> done) {
  state().require_idle();
  if (!done) {
    throw Error(ErrorKind::invalid_argument, "[execute_async] the callback is empty; give one");
  }
  // The callback may destroy the Run, and start it anew before: each execution keeps the state.
  state().start([state = state_, done = std::move(done), context = Context::current()]() noexcept {
    const std::exception_ptr failure = failure_of(*state, context);
    state->phase = State::Phase::calling_back;
    done(failure);
    State::Phase over = State::Phase::calling_back;
    state->phase.compare_exchange_strong(over, State::Phase::idle);
    return std::function<void()>();
  });
}

void Run::wait() const { state().thread.wait(); }
bool Run::is_running() const { return state().thread.is_running(); }

const std::vector<NamedValue>& Run::outputs() const {
  state().require_idle();
  if (state().outputs) return *state().outputs;
  throw Error(ErrorKind::invalid_argument,
              "[Run] it has no outputs: it was not executed yet, or that failed");
}

Tensor Run::output(std::size_t position) const {
  check_position(state().model.outputs(), "output", position);
  const NamedValue& value = outputs()[position];
  if (!value.is_sequence) return value.tensor;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[Run] output '{}' is a sequence; take it from outputs()", value.name));
}

Tensor Run::output(Text name) const {
  return output(position_of(state().model.outputs(), "output", name));
}

const RunReport& Run::report() const {
  state().require_idle();
  return state().report;
}

const Model& Run::model() const { return state().model; }

}  // namespace switchyard
