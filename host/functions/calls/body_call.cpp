#include "functions/calls/body_call.hpp"

#include <algorithm>
#include <mutex>
#include <switchyard/autograd.hpp>
#include <switchyard/tensor.hpp>
#include <unordered_map>
#include <vector>

#include "device/open_device.hpp"
#include "graph/execution.hpp"
#include "graph/expansion.hpp"
#include "graph/plan.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {

/// The bodies of an engine's calls: one for all sites that call an op alike, as a program may make
/// sites without end.
class FunctionBodies {
 public:
  Expansions& of(Engine& engine, const CallSite& site) {
    const std::uint64_t alike =
        engine.sites.find(*site.op, site.attributes, site.placement, site.math_flags)->number;
    const std::scoped_lock lock(guard_);
    std::unique_ptr<Expansions>& known = by_site_[alike];
    if (!known) known = std::make_unique<Expansions>();
    return *known;
  }

 private:
  trace::QuietMutex guard_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Expansions>> by_site_;
};

namespace {

FunctionBodies& bodies_of(Engine& engine) {
  std::call_once(engine.bodies_made, [&] { engine.bodies = std::make_shared<FunctionBodies>(); });
  return *engine.bodies;
}

/// The call as a node of a graph that has nothing but its inputs.
Node node_of(const CallSite& site, std::span<const TensorRef> inputs, std::size_t output_count) {
  Node node;
  node.op = site.op;
  node.name = std::string(site.op->name());
  node.attributes = site.attributes;
  ValueId next = 0;
  for (const TensorRef& input : inputs) node.inputs.push_back(input ? next++ : kAbsent);
  for (std::size_t i = 0; i < output_count; ++i) node.outputs.push_back(next++);
  return node;
}

/// The engine keeps the plan, so the plan must keep nothing that keeps the engine.
class RunOfKeptPlan {
 public:
  explicit RunOfKeptPlan(const GraphPlan& plan) : plan_(plan) {}
  ~RunOfKeptPlan() { plan_.release_copies(); }
  RunOfKeptPlan(const RunOfKeptPlan&) = delete;
  RunOfKeptPlan& operator=(const RunOfKeptPlan&) = delete;

 private:
  const GraphPlan& plan_;
};

bool shares_memory(const TensorRef& result, std::span<const TensorRef> others) {
  if (result->storage && result->storage->is_shared()) return true;
  return std::ranges::any_of(others,
                             [&](const TensorRef& other) { return result.may_overlap(other); });
}

}  // namespace

bool has_body(const CallSite& site) { return !site.op->row->body.empty() && body_expansion(); }

void run_body(Engine& engine, const CallSite& site, std::span<const TensorRef> inputs,
              std::span<TensorRef> outputs) {
  const GraphPlan& plan = bodies_of(engine)
                              .of(engine, site)
                              .find(node_of(site, inputs, outputs.size()), inputs, body_expansion(),
                                    *engine.router, site.placement);
  const NoGrad no_grad;  // the call itself is recorded
  const RunOfKeptPlan run(plan);
  Execution execution(*engine.dispatcher,
                      {.expand = body_expansion(), .iterations = engine.config.limits.iterations});
  std::vector<Cell> cells(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) cells[i].tensor = inputs[i];
  std::vector<Cell> made = execution.run(plan, cells);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Tensor result(made[i].tensor.get());
    if (site.placement) result = result.to(Device(site.placement->shared_from_this()));
    TensorRef own(result.impl());
    if (shares_memory(own, inputs) || shares_memory(own, outputs.first(i))) {
      own = TensorRef(result.clone().impl());
    }
    outputs[i] = std::move(own);
  }
  check_body_results(site, inputs, outputs);
}

}  // namespace switchyard
