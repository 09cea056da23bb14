#include "autograd/backward_step.hpp"

#include <atomic>

namespace switchyard {
namespace {

std::uint64_t next_age() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

/// Steps whose destruction waits for the one under way, so that a chain does not nest.
struct Farewell {
  bool under_way = false;
  std::vector<StepRef> waiting;
};
thread_local Farewell farewell;

}  // namespace

void BackwardStep::be_youngest() { age_ = next_age(); }

void BackwardStep::keep(std::uint32_t output, std::shared_ptr<Tensor> place) {
  if (!kept_) kept_ = std::make_unique<Kept>();
  kept_->emplace_back(output, std::move(place));
}

void BackwardStep::copy_to_kept(const Gradients& arrived) const {
  for (const auto& [output, place] : *kept_) *place = arrived[output];
}

BackwardStep::~BackwardStep() {
  Farewell& here = farewell;
  for (Edge& edge : edges) {
    if (edge.step && edge.step->has_one_reference()) here.waiting.push_back(std::move(edge.step));
  }
  if (here.under_way || here.waiting.empty()) return;
  here.under_way = true;
  while (!here.waiting.empty()) {
    const StepRef next = std::move(here.waiting.back());
    here.waiting.pop_back();
  }
  here.under_way = false;
}

}  // namespace switchyard
