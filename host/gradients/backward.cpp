#include "gradients/backward.hpp"

#include <algorithm>
#include <queue>
#include <switchyard/autocast.hpp>
#include <switchyard/autograd.hpp>
#include <unordered_map>
#include <unordered_set>

#include "gradients/accumulate.hpp"
#include "gradients/formulas.hpp"

namespace switchyard {
namespace {

/// The steps that have gradients, the highest sequence number first: a step comes after all those
/// that lead to it, so its gradients are complete.
class ReadyQueue {
 public:
  void add(const Edge& edge, const Tensor& gradient) {
    if (!edge || !gradient.defined()) return;
    auto [entry, is_new] = grad_outputs_.try_emplace(edge.step.get());
    if (is_new) {
      entry->second.resize(edge.step->output_count());
      queue_.push(edge.step);
    }
    Tensor& sum = entry->second[edge.output];
    sum = add_gradients(std::move(sum), gradient);
  }

  bool empty() const { return queue_.empty(); }

  std::pair<StepRef, Gradients> next() {
    StepRef step = queue_.top();
    queue_.pop();
    auto found = grad_outputs_.find(step.get());
    Gradients gradients = std::move(found->second);
    grad_outputs_.erase(found);
    return {std::move(step), std::move(gradients)};
  }

 private:
  struct IsEarlier {
    bool operator()(const StepRef& a, const StepRef& b) const {
      return a->sequence_number() < b->sequence_number();
    }
  };
  std::priority_queue<StepRef, std::vector<StepRef>, IsEarlier> queue_;
  std::unordered_map<BackwardStep*, Gradients> grad_outputs_;
};

/// All steps from which a target is reached.
class NeededSteps {
 public:
  NeededSteps(std::span<const Edge> roots, std::span<const Edge> targets) {
    std::vector<BackwardStep*> order = reachable(roots);
    // What a step leads to is judged before the step.
    std::sort(order.begin(), order.end(), [](BackwardStep* a, BackwardStep* b) {
      return a->sequence_number() < b->sequence_number();
    });
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

void BackwardPass::run() {
  const Autocast off(DType::float32, false);
  const GradMode mode(create_graph);
  ReadyQueue ready;
  for (std::size_t i = 0; i < roots.size(); ++i) ready.add(roots[i], gradients[i]);
  gradients.clear();
  while (!ready.empty()) {
    auto [step, grad_outputs] = ready.next();
    step->call_hooks(grad_outputs);
    step->put_retained(grad_outputs);
    Gradients grad_inputs = step->apply(backward_formulas(), std::move(grad_outputs));
    if (!retain_graph) step->release();
    for (std::size_t i = 0; i < grad_inputs.size(); ++i) ready.add(step->edges[i], grad_inputs[i]);
  }
}

std::vector<Tensor> BackwardPass::run_to(std::span<const Edge> targets) {
  const Autocast off(DType::float32, false);
  const GradMode mode(create_graph);
  const NeededSteps needed(roots, targets);
  std::vector<Tensor> results(targets.size());
  ReadyQueue ready;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (needed.contains(roots[i])) ready.add(roots[i], gradients[i]);
  }
  gradients.clear();
  while (!ready.empty()) {
    auto [step, grad_outputs] = ready.next();
    step->call_hooks(grad_outputs);
    step->put_retained(grad_outputs);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (targets[i].step == step) results[i] = grad_outputs[targets[i].output];
    }
    const bool leads_on = std::any_of(step->edges.begin(), step->edges.end(),
                                      [&](const Edge& edge) { return needed.contains(edge); });
    if (!leads_on) continue;
    Gradients grad_inputs = step->apply(backward_formulas(), std::move(grad_outputs));
    if (!retain_graph) step->release();
    for (std::size_t i = 0; i < grad_inputs.size(); ++i) {
      if (needed.contains(step->edges[i])) ready.add(step->edges[i], grad_inputs[i]);
    }
  }
  return results;
}

}  // namespace switchyard
