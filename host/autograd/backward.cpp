#include "autograd/backward.hpp"

#include <algorithm>
#include <queue>
#include <switchyard/autocast.hpp>
#include <switchyard/autograd.hpp>
#include <unordered_map>
#include <unordered_set>

#include "autograd/accumulate.hpp"
#include "autograd/variable.hpp"

namespace switchyard {
namespace {

/// Nodes of the way back in the order of their turn: a node is younger than all that it leads to,
/// so every gradient has arrived when its turn comes.
class Turns {
 public:
  void arrive(const Edge& edge, const Tensor& gradient) {
    if (!edge || !gradient) return;
    auto [place, is_new] = arrived_.try_emplace(edge.node.get());
    if (is_new) {
      place->second.resize(edge.node->output_count());
      queue_.push(edge.node);
    }
    Tensor& sum = place->second[edge.output];
    sum = add_gradients(std::move(sum), gradient);
  }

  bool empty() const { return queue_.empty(); }

  std::pair<std::shared_ptr<Node>, Gradients> next() {
    std::shared_ptr<Node> node = queue_.top();
    queue_.pop();
    auto found = arrived_.find(node.get());
    Gradients gradients = std::move(found->second);
    arrived_.erase(found);
    return {std::move(node), std::move(gradients)};
  }

 private:
  struct IsOlder {
    bool operator()(const std::shared_ptr<Node>& a, const std::shared_ptr<Node>& b) const {
      return a->age() < b->age();
    }
  };
  std::priority_queue<std::shared_ptr<Node>, std::vector<std::shared_ptr<Node>>, IsOlder> queue_;
  std::unordered_map<Node*, Gradients> arrived_;
};

/// All nodes from which a target is reached.
class Reaching {
 public:
  Reaching(std::span<const Edge> roots, std::span<const Edge> targets) {
    std::vector<Node*> order = reachable(roots);
    // Oldest first: what a node leads to is judged before the node.
    std::sort(order.begin(), order.end(), [](Node* a, Node* b) { return a->age() < b->age(); });
    for (const Edge& target : targets) {
      if (target) nodes_.insert(target.node.get());
    }
    for (Node* node : order) {
      const bool leads = std::any_of(node->edges.begin(), node->edges.end(), [&](const Edge& edge) {
        return edge && nodes_.count(edge.node.get()) > 0;
      });
      if (leads) nodes_.insert(node);
    }
  }
  bool contains(const Edge& edge) const { return edge && nodes_.count(edge.node.get()) > 0; }

 private:
  static std::vector<Node*> reachable(std::span<const Edge> roots) {
    std::vector<Node*> found, open;
    std::unordered_set<Node*> seen;
    const auto visit = [&](const Edge& edge) {
      if (edge && seen.insert(edge.node.get()).second) open.push_back(edge.node.get());
    };
    for (const Edge& root : roots) visit(root);
    while (!open.empty()) {
      Node* node = open.back();
      open.pop_back();
      found.push_back(node);
      for (const Edge& edge : node->edges) visit(edge);
    }
    return found;
  }

  std::unordered_set<Node*> nodes_;
};

}  // namespace

void WayBack::run() {
  const Autocast off(DType::float32, false);
  const GradMode mode(create_graph);
  Turns turns;
  for (std::size_t i = 0; i < roots.size(); ++i) turns.arrive(roots[i], gradients[i]);
  gradients.clear();
  while (!turns.empty()) {
    auto [node, arrived] = turns.next();
    node->keep_arrived(arrived);
    Gradients given = node->apply(std::move(arrived));
    if (!retain_graph) node->release();
    for (std::size_t i = 0; i < given.size(); ++i) turns.arrive(node->edges[i], given[i]);
  }
}

std::vector<Tensor> WayBack::run_to(std::span<const Edge> targets) {
  const Autocast off(DType::float32, false);
  const GradMode mode(create_graph);
  const Reaching reaching(roots, targets);
  std::vector<Tensor> results(targets.size());
  Turns turns;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (reaching.contains(roots[i])) turns.arrive(roots[i], gradients[i]);
  }
  gradients.clear();
  while (!turns.empty()) {
    auto [node, arrived] = turns.next();
    node->keep_arrived(arrived);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (targets[i].node == node) results[i] = arrived[targets[i].output];
    }
    const bool goes_on = std::any_of(node->edges.begin(), node->edges.end(),
                                     [&](const Edge& edge) { return reaching.contains(edge); });
    if (!goes_on) continue;
    Gradients given = node->apply(std::move(arrived));
    if (!retain_graph) node->release();
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (reaching.contains(node->edges[i])) turns.arrive(node->edges[i], given[i]);
    }
  }
  return results;
}

}  // namespace switchyard
