#include <string>
#include <vector>

#include "software/interpreter/evaluate.hpp"
#include "software/interpreter/interpreter.hpp"
#include "software/interpreter/row.hpp"

namespace mps::software {

using interpreter::Value;
using seam::Graph;
using seam::Operation;

namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw seam::Failure(seam::Fault::invalid, "graph: " + message);
}

void check_tensor(const std::byte* data, const seam::TensorType& type, const std::string& name) {
  const size_t bytes = interpreter::element_bytes(type.element);
  if (data == nullptr && interpreter::count_of(type.shape) > 0) refuse(name + " is null");
  if (reinterpret_cast<uintptr_t>(data) % bytes != 0) {
    refuse(name + " is not aligned to " + std::to_string(bytes) + " bytes, its element");
  }
}

void check_tensors(const Graph& graph, std::span<const std::byte* const> inputs,
                   std::span<std::byte* const> outputs) {
  if (inputs.size() != graph.inputs.size() || outputs.size() != graph.outputs.size()) {
    refuse("a run with " + std::to_string(inputs.size()) + " inputs and " +
           std::to_string(outputs.size()) + " outputs, where it has " +
           std::to_string(graph.inputs.size()) + " and " + std::to_string(graph.outputs.size()));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    check_tensor(inputs[i], graph.nodes[graph.inputs[i]].type, "input " + std::to_string(i));
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    check_tensor(outputs[i], graph.nodes[graph.outputs[i]].type, "output " + std::to_string(i));
  }
}

// The values of one run. A value is let go once nothing will read it.
class Run {
 public:
  explicit Run(const Graph& graph) : graph_(graph), values_(graph.nodes.size()) {
    readers_.resize(graph.nodes.size(), 0);
    for (const uint32_t output : graph.outputs) ++readers_[output];
    for (size_t number = graph.nodes.size(); number-- > 0;) {
      if (readers_[number] == 0) continue;  // nothing that is computed reads it
      for (const uint32_t operand : graph.nodes[number].operands) ++readers_[operand];
    }
  }

  void put(uint32_t number, Value value) { values_[number] = std::move(value); }

  void compute(uint32_t number) {
    const seam::Node& node = graph_.nodes[number];
    if (readers_[number] == 0) return;
    std::vector<const Value*> operands;
    for (const uint32_t operand : node.operands) operands.push_back(&values_[operand]);
    try {
      values_[number] = interpreter::evaluate(node, operands);
    } catch (const seam::Failure& failure) {
      throw seam::Failure(failure.fault(),
                          interpreter::position_of(graph_, number) + ": " + failure.what());
    }
    for (const uint32_t operand : node.operands) release(operand);
  }

  void write(uint32_t number, std::byte* output) {
    interpreter::copy_bytes(output, values_[number].data(), values_[number].bytes());
    release(number);
  }

 private:
  void release(uint32_t number) {
    if (--readers_[number] == 0) values_[number] = Value();
  }

  const Graph& graph_;
  std::vector<Value> values_;
  std::vector<size_t> readers_;
};

}  // namespace

void interpret(const Graph& graph, std::span<const std::byte* const> inputs,
               std::span<std::byte* const> outputs) {
  check_tensors(graph, inputs, outputs);
  Run run(graph);
  for (size_t i = 0; i < inputs.size(); ++i) {
    run.put(graph.inputs[i], Value(graph.nodes[graph.inputs[i]].type, inputs[i]));
  }
  for (uint32_t number = 0; number < graph.nodes.size(); ++number) {
    if (graph.nodes[number].operation != Operation::input) run.compute(number);
  }
  for (size_t i = 0; i < outputs.size(); ++i) run.write(graph.outputs[i], outputs[i]);
}

}  // namespace mps::software
