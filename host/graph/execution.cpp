#include "graph/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <switchyard/error.hpp>

#include "device/open_device.hpp"
#include "graph/control/control.hpp"
#include "graph/node_error.hpp"
#include "graph/programs/program_plan.hpp"
#include "memory/machine_memory.hpp"
#include "ops/op_error.hpp"
#include "tensor/kernel_run.hpp"

namespace switchyard {
std::vector<Cell> Execution::run(const GraphPlan& plan, std::span<Cell> inputs) {
  if (!options_.targets.empty() && !graph_of_targets_) graph_of_targets_ = plan.graph;
  Frame frame(plan);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ValueId input = plan.graph->inputs[i];
    if (input != kAbsent) frame.cell(input) = std::move(inputs[i]);
  }
  return run_frame(frame);
}

std::vector<Cell> Execution::run_body(const GraphPlan& plan, std::span<Cell> inputs, Frame& outer) {
  Frame frame(plan);
  for (const Capture& capture : plan.graph->captures) {
    frame.cell(capture.inner) = outer.cell(capture.outer);
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    frame.cell(plan.graph->inputs[i]) = std::move(inputs[i]);
  }
  return run_frame(frame);
}

std::vector<Cell> Execution::run_frame(Frame& frame) {
  for (const auto& [value, tensor] : frame.plan.constants) {
    if (frame.cell(value).empty()) frame.cell(value).tensor = tensor;
  }
  for (const NodePlan& node : frame.plan.nodes) run_step(node, frame);
  std::vector<Cell> outputs;
  outputs.reserve(frame.plan.graph->outputs.size());
  for (ValueId output : frame.plan.graph->outputs) {
    outputs.push_back(output == kAbsent ? Cell() : frame.cell(output));
  }
  return outputs;
}

void Execution::begin_iteration() {
  options_.interruption.check();
  if (iterations_++ < options_.iterations) return;
  throw Error(ErrorKind::model,
              fmt::format("this run has made {} iterations and goes on; raise limits.iterations if "
                          "it is meant to",
                          options_.iterations));
}

void Execution::begin_pieces(std::int64_t count) {
  if (count > options_.iterations - pieces_) {
    throw Error(ErrorKind::model,
                fmt::format("it cuts its tensor into {} more, and this run may make {} in all; cut "
                            "it into fewer, or raise limits.iterations if it is meant to",
                            count, options_.iterations));
  }
  pieces_ += count;
  begin_list_entries(count);
}

void Execution::begin_list_entries(std::int64_t count) {
  constexpr std::uint64_t kEntryBytes = 512;  // of a small tensor, which no device counts
  const std::uint64_t most = std::min<std::uint64_t>(options_.list_bytes / kEntryBytes, INT64_MAX);
  if (count > static_cast<std::int64_t>(most) - list_entries_) {
    throw Error(
        ErrorKind::model,
        fmt::format("it adds {} more tensors to lists, and this run may add {} in all; add "
                    "fewer, or give it more memory, by host.memory_limit or a larger machine",
                    count, most));
  }
  list_entries_ += count;
}

void Execution::run_step(const NodePlan& node, Frame& frame) {
  try {
    options_.interruption.check();
    run_node(node, frame);
  } catch (const RefusedPart&) {
    throw;
  } catch (const Error& error) {
    if (node.program) throw;
    rethrow_at(*node.node, error_of_given_inputs(error));
  }
  for (ValueId dead : node.dead_after) frame.cell(dead).clear();
}

void Execution::run_node(const NodePlan& node, Frame& frame) {
  const NodeScope here(node.program ? node.program->nodes.front().node->name : node.node->name);
  if (node.program) return run_program(*node.program, frame);
  if (node.site.op->row->runs_on == RunsOn::control) {
    ++statistics_.control;
    return run_control(*this, node, frame);
  }
  if (pass_on_list(node, frame)) return;
  call(node, frame);
}

bool Execution::pass_on_list(const NodePlan& node, Frame& frame) {
  if (node.site.op->name() != "Identity") return false;
  const Cell& given = frame.cell(node.node->inputs[0]);
  if (given.tensor) return false;
  frame.cell(node.node->outputs[0]) = given;
  ++statistics_.views;
  return true;
}

void Execution::call(const NodePlan& node, Frame& frame) {
  constexpr std::size_t kInline = 8;
  const auto& inputs = node.node->inputs;
  const auto& outputs = node.node->outputs;
  std::array<TensorRef, kInline> few_inputs, few_outputs;
  std::vector<TensorRef> many_inputs(inputs.size() > kInline ? inputs.size() : 0);
  std::vector<TensorRef> many_outputs(outputs.size() > kInline ? outputs.size() : 0);
  const std::span<TensorRef> in =
      many_inputs.empty() ? std::span(few_inputs.data(), inputs.size()) : std::span(many_inputs);
  const std::span<TensorRef> out = many_outputs.empty()
                                       ? std::span(few_outputs.data(), outputs.size())
                                       : std::span(many_outputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] != kAbsent) in[i] = frame.cell(inputs[i]).tensor;
  }
  // A value that dies here may give its memory to the result.
  for (ValueId dead : node.dead_after) {
    if (std::find(outputs.begin(), outputs.end(), dead) == outputs.end()) frame.cell(dead).clear();
  }
  if (frame.plan.graph == graph_of_targets_) set_targets(node, frame, out);
  try {
    dispatch(node, in, out);
  } catch (const NoDevice& error) {
    if (error.kind() != ErrorKind::unsupported || !options_.expand || !node.expansions) throw;
    run_expansion(node, in, out);
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i] != kAbsent) frame.cell(outputs[i]).tensor = std::move(out[i]);
  }
}

void Execution::set_targets(const NodePlan& node, const Frame& frame,
                            std::span<TensorRef> out) const {
  if (node.site.op->row->runs_on != RunsOn::device) return;
  const std::vector<ValueId>& results = frame.plan.graph->outputs;
  for (std::size_t t = 0; t < options_.targets.size(); ++t) {
    if (!options_.targets[t]) continue;
    const auto made = std::find(node.node->outputs.begin(), node.node->outputs.end(), results[t]);
    if (made == node.node->outputs.end() || *made == kAbsent) continue;
    out[static_cast<std::size_t>(made - node.node->outputs.begin())] = options_.targets[t];
  }
}

void Execution::run_program(const ProgramPlan& program, Frame& frame) {
  std::vector<TensorRef> in, out(program.outputs.size());
  in.reserve(program.inputs.size());
  for (const ValueId input : program.inputs) in.push_back(frame.cell(input).tensor);
  CopyCount count;
  try {
    switchyard::run_program(program.nodes.size(), program.run, in, program.literals, out, count);
  } catch (const NotEnqueued& failure) {
    trace_failover("program", *program.run.device, failure);
    in.clear();
    out.clear();
    for (const NodePlan& node : program.nodes) run_step(node, frame);
    return;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    frame.cell(program.outputs[i]).tensor = std::move(out[i]);
  }
  for (LedgerEntry* fallback : program.fallbacks) {
    dispatcher_.router().ledger().count(*fallback, 0, 0);
  }
  ++statistics_.programs;
  statistics_.views += program.views;
  record_placement(*program.run.device, program.nodes.size() - program.views);
  for (const NodePlan& node : program.nodes) add_to_profile(node, program.run.device->name(), 0);
}

void Execution::dispatch(const NodePlan& node, std::span<TensorRef> in, std::span<TensorRef> out) {
  if (!options_.profile) {
    return count(node, dispatcher_.call(node.site, in, out, node.wanted), 0);
  }
  const auto start = std::chrono::steady_clock::now();
  const CallOutcome outcome = dispatcher_.call(node.site, in, out, node.wanted);
  for (const TensorRef& made : out) {
    if (made && made->storage) made->storage->wait_until_idle();
  }
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  count(node, outcome, spent.count());
}

void Execution::run_expansion(const NodePlan& node, std::span<TensorRef> in,
                              std::span<TensorRef> out) {
  const GraphPlan& plan =
      node.expansions->find(*node.node, in, options_.expand, dispatcher_.router());
  std::vector<Cell> cells(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) cells[i].tensor = in[i];
  std::vector<Cell> made = run(plan, cells);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::move(made[i].tensor);
  check_body_results(node.site, in, out);
}

void Execution::record_placement(const OpenDevice& device, std::uint64_t ops) {
  const std::uint32_t ordinal = device.ordinal();
  if (by_device_.size() <= ordinal) by_device_.resize(ordinal + 1);
  if (!by_device_[ordinal]) by_device_[ordinal] = &statistics_.placement[device.name()];
  *by_device_[ordinal] += ops;
}

void Execution::count(const NodePlan& node, const CallOutcome& outcome, double milliseconds) {
  switch (outcome.worker) {
    case Worker::nobody: ++statistics_.views; return add_to_profile(node, "view", milliseconds);
    case Worker::host:
      ++statistics_.host_work;
      return add_to_profile(node, "host work", milliseconds);
    case Worker::device:
      record_placement(*outcome.device, 1);
      return add_to_profile(node, outcome.device->name(), milliseconds);
  }
}

void Execution::add_to_profile(const NodePlan& node, const std::string& where,
                               double milliseconds) {
  if (!options_.profile && !options_.count_ops) return;
  auto& line = statistics_.profile[{std::string(node.site.op->name()), where}];
  ++line.count;
  line.milliseconds += milliseconds;
}

}  // namespace switchyard
