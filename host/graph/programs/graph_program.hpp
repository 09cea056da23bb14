#pragma once

#include <switchyard/plugin.h>

#include <span>
#include <vector>

#include "graph/plan.hpp"
#include "routing/program_attributes.hpp"

namespace switchyard {

/// Nodes of a planned graph as one program in the ABI's form. Points into the plan and its graph.
/// Inputs are the values that the nodes use and do not make, constants among them; outputs are
/// those that they make and others use.
class GraphProgram {
 public:
  GraphProgram(const GraphPlan& plan, std::span<const NodePlan* const> nodes);
  GraphProgram(const GraphProgram&) = delete;
  GraphProgram& operator=(const GraphProgram&) = delete;

  const sy_program& get() const { return program_; }
  const std::vector<ValueId>& inputs() const { return inputs_; }
  const std::vector<ValueId>& outputs() const { return outputs_; }
  /// Inputs whose bytes the plugin reads in the host's memory.
  bool is_host_input(std::size_t input) const;

 private:
  struct NodeArrays {
    std::vector<std::uint32_t> inputs, outputs;
  };

  /// The number of a value; a value that shapes depend on has another number for that use.
  std::uint32_t number_of(ValueId id, bool host_input);
  void add_node(const NodePlan& node);
  void find_outputs(std::span<const NodePlan* const> nodes);

  const GraphPlan& plan_;
  std::vector<std::uint32_t> numbers_;  // of the graph's values in the program; kAbsent: not in it
  std::vector<std::uint32_t> host_numbers_;
  std::vector<sy_value> values_;
  std::vector<sy_node> nodes_;
  std::vector<NodeArrays> arrays_;
  std::vector<ProgramAttributes> attributes_;
  std::vector<bool> made_;  // by the program's nodes, by graph value
  std::vector<ValueId> inputs_, outputs_;
  std::vector<std::uint32_t> input_numbers_, output_numbers_;
  sy_program program_{};
};

}  // namespace switchyard
