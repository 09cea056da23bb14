#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "cli/conform/kernels/op_call.hpp"
#include "cli/conform/kernels/reference.hpp"
#include "routing/program_attributes.hpp"

namespace switchyard::cli::conform {

/// A program of several nodes, with the values of its inputs and what each node makes of them: the
/// reference computes it node by node.
class TestProgram {
 public:
  using Value = std::uint32_t;

  /// `what` names it in messages.
  TestProgram(std::string what, const Reference& reference)
      : what_(std::move(what)), reference_(reference) {}
  TestProgram(const TestProgram&) = delete;
  TestProgram& operator=(const TestProgram&) = delete;

  Value add_input(const Literal& value);
  /// An input that is a constant of this id.
  Value add_constant(const Literal& value, std::uint64_t id);
  /// The node's output. Throws CaseSkipped where the reference does not compute it.
  Value add_node(const OpCall& op, const std::vector<Value>& inputs);
  void add_output(Value value);

  /// In the ABI's form: valid as long as this, until a part is added.
  const sy_program& get();

  const std::string& what() const { return what_; }
  const std::vector<Value>& inputs() const { return inputs_; }
  const std::vector<Value>& outputs() const { return outputs_; }
  const Literal& value(Value value) const { return values_[value].literal; }
  bool is_constant(Value value) const { return values_[value].constant_id != 0; }

 private:
  struct Known {
    Literal literal;
    std::uint64_t constant_id = 0;
  };
  struct Node {
    Node(OpCall given, std::vector<Value> from, Value to)
        : call(std::move(given)),
          attributes(call.attributes),
          inputs(std::move(from)),
          output(to) {}
    OpCall call;
    ProgramAttributes attributes;  // of the call's
    std::vector<Value> inputs;
    Value output;
  };

  Value add(const Literal& value, std::uint64_t constant_id);
  static sy_value abi_value(const Known& known);
  static sy_node abi_node(const Node& node);

  const std::string what_;
  const Reference& reference_;
  std::deque<Known> values_;
  std::deque<Node> nodes_;
  std::vector<Value> inputs_, outputs_;
  std::vector<sy_value> abi_values_;
  std::vector<sy_node> abi_nodes_;
  sy_program program_{};
};

}  // namespace switchyard::cli::conform
