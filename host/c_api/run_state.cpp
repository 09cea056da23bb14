#include "c_api/run_state.hpp"

#include <fmt/format.h>
#include <switchyard/switchyard.h>

#include <algorithm>
#include <switchyard/error.hpp>
#include <utility>

#include "c_api/model.hpp"

namespace switchyard::c_api {

RunState::RunState(const Model& model) : model_(model), inputs_(model.inputs().size()) {}
RunState::~RunState() { release(token_); }

void RunState::set_input(std::size_t index, const Tensor& tensor) {
  port_at(model_.inputs(), "input", index);
  inputs_[index] = tensor;
}

void RunState::set_input(std::string_view name, const Tensor& tensor) {
  const std::vector<Port>& ports = model_.inputs();
  const auto port = std::find_if(ports.begin(), ports.end(),
                                 [&](const Port& candidate) { return candidate.name == name; });
  if (port == ports.end()) {
    throw Error(ErrorKind::usage, fmt::format("the model has no input '{}'", name));
  }
  inputs_[static_cast<std::size_t>(port - ports.begin())] = tensor;
}

void RunState::set_deadline(std::int64_t milliseconds) {
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::milliseconds;
  if (milliseconds < 0 && milliseconds != SWY_NO_DEADLINE) {
    throw Error(ErrorKind::usage, fmt::format("argument 'milliseconds' is {}; a deadline is at "
                                              "least 0 ms from now, "
                                              "or SWY_NO_DEADLINE",
                                              milliseconds));
  }
  deadline_.reset();
  const Clock::time_point now = Clock::now();
  // One beyond the end of the clock is none.
  const auto most = std::chrono::duration_cast<Milliseconds>(Clock::time_point::max() - now);
  if (milliseconds != SWY_NO_DEADLINE && milliseconds < most.count()) {
    deadline_ = now + Milliseconds(milliseconds);
  }
}

void RunState::set_token(swy_cancellation_token* token) {
  retain(token);
  release(std::exchange(token_, token));
}

void RunState::execute() {
  outputs_.reset();
  std::vector<NamedValue> given;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].defined()) given.push_back({model_.inputs()[i].name, inputs_[i]});
  }
  Model::RunOptions options;
  options.cancellation = token_ ? &token_->value : nullptr;
  options.deadline = deadline_;
  outputs_ = model_.run(std::move(given), options);
}

const NamedValue& RunState::output(std::size_t index) const {
  port_at(model_.outputs(), "output", index);
  if (outputs_) return (*outputs_)[index];
  throw Error(ErrorKind::usage, "the run has no outputs: it was not executed yet, or it failed");
}

}  // namespace switchyard::c_api
