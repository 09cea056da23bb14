#include "autograd/backward_step.hpp"

#include <algorithm>

namespace switchyard {
namespace {

/// Of this thread's steps. Each thread counts for itself, beyond the numbers of the steps of other
/// threads that its own lead to.
thread_local std::uint64_t latest_number = 0;

using Waiting = boost::container::small_vector<StepRef, 8>;

/// Steps whose destruction waits for the one under way, so that a chain does not nest. A mere
/// pointer: static tensors, with what made them, outlive the main thread's objects.
thread_local Waiting* awaiting_destruction = nullptr;

}  // namespace

void BackwardStep::assign_sequence_number() {
  for (const Edge& edge : edges) {
    if (edge) latest_number = std::max(latest_number, edge.step->sequence_number_);
  }
  sequence_number_ = ++latest_number;
}

std::shared_ptr<GradientHooks> BackwardStep::hooks_of(std::uint32_t output) {
  hooks_.resize(output_count_);
  if (!hooks_[output]) hooks_[output] = std::make_shared<GradientHooks>();
  return hooks_[output];
}

void BackwardStep::call_each_hook(Gradients& grad_outputs) const {
  for (std::size_t i = 0; i < hooks_.size(); ++i) {
    if (hooks_[i] && grad_outputs[i].defined()) switchyard::call_hooks(*hooks_[i], grad_outputs[i]);
  }
}

void BackwardStep::retain_grad(std::uint32_t output, std::shared_ptr<Tensor> retained) {
  if (!retained_) retained_ = std::make_unique<Retained>();
  retained_->emplace_back(output, std::move(retained));
}

void BackwardStep::copy_to_retained(const Gradients& grad_outputs) const {
  for (const auto& [output, retained] : *retained_) *retained = grad_outputs[output];
}

BackwardStep::~BackwardStep() {
  Waiting own;
  Waiting& waiting = awaiting_destruction ? *awaiting_destruction : own;
  for (Edge& edge : edges) {
    if (edge.step && edge.step->has_one_reference()) waiting.push_back(std::move(edge.step));
  }
  if (awaiting_destruction || own.empty()) return;
  awaiting_destruction = &own;
  while (!own.empty()) {
    const StepRef next = std::move(own.back());
    own.pop_back();
  }
  awaiting_destruction = nullptr;
}

}  // namespace switchyard
