#include "autograd/backward_step.hpp"

#include <algorithm>

namespace switchyard {
namespace {

/// Of this thread's steps. Counted apart in each thread, as long as the step is younger than those
/// of others that it leads to.
thread_local std::uint64_t youngest = 0;

using Waiting = boost::container::small_vector<StepRef, 8>;

/// Steps whose destruction waits for the one under way, so that a chain does not nest. A mere
/// pointer: static tensors, with what made them, outlive the main thread's objects.
thread_local Waiting* farewell = nullptr;

}  // namespace

void BackwardStep::be_youngest() {
  for (const Edge& edge : edges) {
    if (edge) youngest = std::max(youngest, edge.step->age_);
  }
  age_ = ++youngest;
}

void BackwardStep::keep(std::uint32_t output, std::shared_ptr<Tensor> place) {
  if (!kept_) kept_ = std::make_unique<Kept>();
  kept_->emplace_back(output, std::move(place));
}

void BackwardStep::copy_to_kept(const Gradients& arrived) const {
  for (const auto& [output, place] : *kept_) *place = arrived[output];
}

BackwardStep::~BackwardStep() {
  Waiting own;
  Waiting& waiting = farewell ? *farewell : own;
  for (Edge& edge : edges) {
    if (edge.step && edge.step->has_one_reference()) waiting.push_back(std::move(edge.step));
  }
  if (farewell || own.empty()) return;
  farewell = &own;
  while (!own.empty()) {
    const StepRef next = std::move(own.back());
    own.pop_back();
  }
  farewell = nullptr;
}

}  // namespace switchyard
