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

/// Steps of the way back in the order of their turn: a step is younger than all that it leads to,
/// so every gradient has arrived when its turn comes.
class Turns {
 public:
  void arrive(const Edge& edge, const Tensor& gradient) {
    if (!edge || !gradient) return;
    auto [place, is_new] = arrived_.try_emplace(edge.step.get());
    if (is_new) {
      place->second.resize(edge.step->output_count());
      queue_.push(edge.step);
    }
    Tensor& sum = place->second[edge.output];
    sum = add_gradients(std::move(sum), gradient);
  }

  bool empty() const { return queue_.empty(); }

  std::pair<StepRef, Gradients> next() {
    StepRef step = queue_.top();
    queue_.pop();
    auto found = arrived_.find(step.get());
    Gradients gradients = std::move(found->second);
    arrived_.erase(found);
    return {std::move(step), std::move(gradients)};
  }

 private:
  struct IsOlder {
    bool operator()(const StepRef& a, const StepRef& b) const { return a->age() < b->age(); }
  };
  std::priority_queue<StepRef, std::vector<StepRef>, IsOlder> queue_;
  std::unordered_map<BackwardStep*, Gradients> arrived_;
};

/// All steps from which a target is reached.
class Reaching {
 public:
  Reaching(std::span<const Edge> roots, std::span<const Edge> targets) {
    std::vector<BackwardStep*> order = reachable(roots);
    // Oldest first: what a step leads to is judged before the step.
    std::sort(order.begin(), order.end(),
              [](BackwardStep* a, BackwardStep* b) { return a->age() < b->age(); });
    for (const Edge& target : targets) {
      if (target) steps_.insert(target.step.get());
    }
    for (BackwardStep* step : order) {
      const bool leads = std::any_of(step->edges.begin(), step->edges.end(), [&](const Edge& edge) {
        return edge && steps_.count(edge.step.get()) > 0;
      });
      if (leads) steps_.insert(step);
    }
  }
  bool contains(const Edge& edge) const { return edge && steps_.count(edge.step.get()) > 0; }

 private:
  static std::vector<BackwardStep*> reachable(std::span<const Edge> roots) {
    std::vector<BackwardStep*> found, open;
    std::unordered_set<BackwardStep*> seen;
    const auto visit = [&](const Edge& edge) {
      if (edge && seen.insert(edge.step.get()).second) open.push_back(edge.step.get());
    };
    for (const Edge& root : roots) visit(root);
    while (!open.empty()) {
      BackwardStep* step = open.back();
      open.pop_back();
      found.push_back(step);
      for (const Edge& edge : step->edges) visit(edge);
    }
    return found;
  }

  std::unordered_set<BackwardStep*> steps_;
};

}  // namespace

void WayBack::run() {
  const Autocast off(DType::float32, false);
  const GradMode mode(create_graph);
  Turns turns;
  for (std::size_t i = 0; i < roots.size(); ++i) turns.arrive(roots[i], gradients[i]);
  gradients.clear();
  while (!turns.empty()) {
    auto [step, arrived] = turns.next();
    step->keep_arrived(arrived);
    Gradients given = step->apply(std::move(arrived));
    if (!retain_graph) step->release();
    for (std::size_t i = 0; i < given.size(); ++i) turns.arrive(step->edges[i], given[i]);
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
    auto [step, arrived] = turns.next();
    step->keep_arrived(arrived);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (targets[i].step == step) results[i] = arrived[targets[i].output];
    }
    const bool goes_on = std::any_of(step->edges.begin(), step->edges.end(),
                                     [&](const Edge& edge) { return reaching.contains(edge); });
    if (!goes_on) continue;
    Gradients given = step->apply(std::move(arrived));
    if (!retain_graph) step->release();
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (reaching.contains(step->edges[i])) turns.arrive(step->edges[i], given[i]);
    }
  }
  return results;
}

}  // namespace switchyard
