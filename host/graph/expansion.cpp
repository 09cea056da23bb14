#include "graph/expansion.hpp"

#include "graph/plan.hpp"

namespace switchyard {
namespace {

/// Types and ranks alone: extents may differ from run to run, and a body must serve them all.
std::vector<Value> values_of(std::span<const TensorRef> inputs) {
  std::vector<Value> values(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i]) continue;
    values[i].dtype = inputs[i]->dtype;
    values[i].shape = Dims::filled(inputs[i]->shape.size(), kUnknown);
  }
  return values;
}

bool agree(const std::vector<Value>& left, const std::vector<Value>& right) {
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i].dtype != right[i].dtype || left[i].shape != right[i].shape) return false;
  }
  return true;
}

constinit ExpandBody the_expansion = nullptr;

}  // namespace

void set_body_expansion(ExpandBody expand) { the_expansion = expand; }
ExpandBody body_expansion() { return the_expansion; }

struct Expansions::Expansion {
  std::vector<Value> inputs;
  Graph graph;
  std::unique_ptr<GraphPlan> plan;
};

Expansions::Expansions() = default;
Expansions::~Expansions() = default;

const GraphPlan& Expansions::find(const Node& node, std::span<const TensorRef> inputs,
                                  ExpandBody expand, Router& router, OpenDevice* placement) {
  std::vector<Value> values = values_of(inputs);
  const std::scoped_lock lock(guard_);
  for (const auto& known : made_) {
    if (agree(known->inputs, values)) return *known->plan;
  }
  auto made = std::make_unique<Expansion>();
  made->graph = expand(node, values);
  made->inputs = std::move(values);
  made->plan = plan_graph(made->graph, router, placement);
  return *made_.emplace_back(std::move(made))->plan;
}

void Expansions::release_copies() {
  const std::scoped_lock lock(guard_);
  for (const auto& made : made_) made->plan->release_copies();
}

}  // namespace switchyard
