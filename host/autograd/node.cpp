#include "autograd/node.hpp"

#include <atomic>

namespace switchyard {
namespace {

std::uint64_t next_age() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

/// Nodes whose destruction waits for the one under way, so that a chain does not nest.
struct Farewell {
  bool under_way = false;
  std::vector<std::shared_ptr<Node>> waiting;
};
thread_local Farewell farewell;

}  // namespace

Node::Node(std::uint32_t output_count) : age_(next_age()), output_count_(output_count) {}

void Node::be_youngest() { age_ = next_age(); }

void Node::keep(std::uint32_t output, std::shared_ptr<Tensor> place) {
  if (!kept_) kept_ = std::make_unique<Kept>();
  kept_->emplace_back(output, std::move(place));
}

void Node::copy_to_kept(const Gradients& arrived) const {
  for (const auto& [output, place] : *kept_) *place = arrived[output];
}

Node::~Node() {
  Farewell& here = farewell;
  for (Edge& edge : edges) {
    if (edge.node && edge.node.use_count() == 1) here.waiting.push_back(std::move(edge.node));
  }
  if (here.under_way || here.waiting.empty()) return;
  here.under_way = true;
  while (!here.waiting.empty()) {
    const std::shared_ptr<Node> next = std::move(here.waiting.back());
    here.waiting.pop_back();
  }
  here.under_way = false;
}

}  // namespace switchyard
