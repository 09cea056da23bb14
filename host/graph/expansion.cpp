#include "graph/expansion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <switchyard/error.hpp>

#include "graph/plan.hpp"
#include "ops/row.hpp"
#include "tensor/placement.hpp"
#include "types/describe.hpp"

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
  return std::ranges::equal(left, right, [](const Value& a, const Value& b) {
    return a.dtype == b.dtype && a.shape == b.shape;
  });
}

/// What the op's signature and shape rule tell of a call's outputs.
std::vector<ValueInfo> told_results(const CallSite& site, std::span<const TensorRef> inputs,
                                    std::size_t count) {
  std::vector<ValueInfo> known(inputs.size()), told(count);
  std::vector<Literal> literals(inputs.size());
  CopyCount copies;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i]) continue;
    known[i] = {.dtype = inputs[i]->dtype, .shape = inputs[i]->shape};
    if (!site.op->is_host_input(i)) continue;
    literals[i] = read_to_host(inputs[i], copies);
    known[i].literal = &literals[i];
  }
  Inference inference(site.op->name(), site.attributes, known, told);
  infer(*site.op, inference);
  return told;
}

bool agrees(const ValueInfo& told, const TensorImpl& result) {
  return told.dtype == result.dtype &&
         (!told.shape || std::ranges::equal(*told.shape, result.shape, [](auto known, auto extent) {
           return known < 0 || known == extent;
         }));
}

constinit ExpandBody the_expansion = nullptr;

}  // namespace

void set_body_expansion(ExpandBody expand) { the_expansion = expand; }
ExpandBody body_expansion() { return the_expansion; }

void check_body_results(const CallSite& site, std::span<const TensorRef> inputs,
                        std::span<const TensorRef> results) {
  if (!site.op->registered) return;
  const std::vector<ValueInfo> told = told_results(site, inputs, results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i] || agrees(told[i], *results[i])) continue;
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[{}] its function body makes output {} {}, its signature and shape "
                            "rule tell {}",
                            site.op->name(), i, describe(results[i]->dtype, results[i]->shape),
                            describe(told[i].dtype, told[i].shape.value_or(Dims{}))));
  }
}

struct Expansions::Expansion {
  std::vector<Value> inputs;
  std::size_t outputs = 0;
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
    const bool is_of_call = known->outputs == node.outputs.size() && agree(known->inputs, values);
    if (is_of_call) return *known->plan;
  }
  auto made = std::make_unique<Expansion>();
  made->graph = expand(node, values);
  made->inputs = std::move(values);
  made->outputs = node.outputs.size();
  made->plan = plan_graph(made->graph, router, placement);
  return *made_.emplace_back(std::move(made))->plan;
}

void Expansions::release_copies() {
  const std::scoped_lock lock(guard_);
  for (const auto& made : made_) made->plan->release_copies();
}

}  // namespace switchyard
