#include "graph/programs/join.hpp"

#include <fmt/format.h>

#include <memory>

#include "device/open_device.hpp"
#include "graph/programs/assignment.hpp"
#include "graph/programs/graph_program.hpp"
#include "graph/programs/partition.hpp"
#include "graph/programs/program_plan.hpp"
#include "trace/log.hpp"

namespace switchyard {
namespace {

struct Joined {
  std::vector<Assignment> assignments;
  std::vector<Part> parts;
};

Joined find_joined(const GraphPlan& plan) {
  Joined joined;
  joined.assignments = assign_whole(plan);
  const bool whole = !joined.assignments.empty();
  if (!whole) joined.assignments = assign_nodes(plan);
  joined.parts = partition(*plan.graph, joined.assignments, whole);
  return joined;
}

void plan_outputs(const GraphPlan& plan, ProgramPlan& program) {
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    const Value& value = plan.graph->values[program.outputs[i]];
    const ValueInfo info{value.dtype, value.shape, nullptr, false};
    const OutputPlan& output = program.run.kernel->outputs()[i];
    const std::string_view error = plan_error(output, info);
    if (!error.empty()) {
      throw Error(ErrorKind::plugin, fmt::format("for output {} it {}", i, error));
    }
    program.run.outputs.push_back(routed_output(info, output));
    program.run.output_positions.push_back(static_cast<std::uint32_t>(i));
  }
}

void plan_inputs(const GraphPlan& plan, const GraphProgram& made, ProgramPlan& program) {
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    program.run.input_positions.push_back(static_cast<std::uint32_t>(i));
    if (!made.is_host_input(i)) continue;
    program.literals.resize(program.inputs.size());
    program.literals[i] = *plan.graph->values[program.inputs[i]].constant;
  }
  program.run.unneeded_inputs = program.run.kernel->unneeded_constants();
  program.run.make_contiguous = UINT64_MAX;  // kernels are prepared for contiguous inputs
}

/// Prepares the nodes as one program; null if the device does not take it.
std::unique_ptr<ProgramPlan> prepare(const GraphPlan& plan, OpenDevice& device,
                                     std::span<const NodePlan* const> nodes) {
  const GraphProgram made(plan, nodes);
  auto program = std::make_unique<ProgramPlan>();
  program->inputs = made.inputs();
  program->outputs = made.outputs();
  program->run.device = &device;
  try {
    program->run.kernel = std::make_shared<const Kernel>(device, made.get());
    plan_inputs(plan, made, *program);
    plan_outputs(plan, *program);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::invalid_argument) throw;
    trace::warn("{} runs {} nodes one by one, which it could not prepare as a program: {}",
                device.name(), nodes.size(), error.what());
    return nullptr;
  }
  return program;
}

/// Fallbacks are reported, or denied, as if each node were routed by itself.
void record_fallback(Router& router, const NodePlan& node, const Assignment& assignment,
                     ProgramPlan& program) {
  if (assignment.trail.empty()) return;
  LedgerEntry* const fallback =
      router.record_fallback(node.site, *assignment.device, assignment.trail);
  if (fallback) program.fallbacks.push_back(fallback);
}

/// The plans of a part: its program, or its nodes as they were.
void add_part(GraphPlan& plan, const Part& part, std::span<const Assignment> assignments,
              std::unique_ptr<ProgramPlan> program, std::vector<NodePlan>& planned) {
  if (!program) {
    for (const std::size_t n : part.nodes) planned.push_back(std::move(plan.nodes[n]));
    return;
  }
  for (const std::size_t n : part.nodes) {
    record_fallback(plan.router, plan.nodes[n], assignments[n], *program);
    program->nodes.push_back(std::move(plan.nodes[n]));
    if (assignments[n].is_view) ++program->views;
  }
  planned.emplace_back().program = std::move(program);
}

}  // namespace

bool ProgramPlan::is_current() const {
  return !run.device->quarantined() && run.kernel->generation() == run.device->generation();
}

std::vector<Part> find_parts(const GraphPlan& plan) { return find_joined(plan).parts; }

void join_programs(GraphPlan& plan) {
  const auto [assignments, parts] = find_joined(plan);
  // All programs are made before any node moves: each looks at all nodes for who uses its values.
  std::vector<std::unique_ptr<ProgramPlan>> programs(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (!parts[p].device) continue;
    std::vector<const NodePlan*> nodes;
    for (const std::size_t n : parts[p].nodes) nodes.push_back(&plan.nodes[n]);
    programs[p] = prepare(plan, *parts[p].device, nodes);
  }
  std::vector<NodePlan> planned;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    add_part(plan, parts[p], assignments, std::move(programs[p]), planned);
  }
  plan.nodes = std::move(planned);
}

}  // namespace switchyard
