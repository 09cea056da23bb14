#include <algorithm>
#include <string>

#include "software/interpreter/element.hpp"
#include "software/interpreter/inspection.hpp"
#include "software/interpreter/interpreter.hpp"
#include "software/interpreter/row.hpp"

namespace mps::software {

using interpreter::Inspection;
using interpreter::OperationRow;
using seam::Graph;
using seam::Operation;

namespace {

constexpr size_t most_rank = 4;  // what MPSGraph computes rightly throughout
constexpr int64_t most_elements = INT32_MAX;

void check_type(const Inspection& node) {
  const seam::TensorType& type = node.type();
  node.demand(type.element <= seam::ElementType::boolean, "its element type is unknown");
  node.demand(type.shape.size() <= most_rank, "its rank is over 4");
  // Extents of 0 count as 1, so that strides do not overflow either.
  int64_t count = 1;
  for (const int64_t extent : type.shape) {
    node.demand(extent >= 0, "an extent is negative");
    node.demand(extent == 0 || count <= INT64_MAX / extent, "its extents overflow");
    count *= std::max<int64_t>(extent, 1);
  }
  node.support(count <= most_elements, "it has more than 2^31 - 1 elements");
}

void check_node(const Graph& graph, uint32_t number) {
  const Inspection node(graph, number);
  const OperationRow* row = interpreter::row_of(node.node().operation);
  node.demand(row != nullptr, "its operation is unknown");
  check_type(node);
  node.demand(row->operands == interpreter::any_number ? node.operand_count() > 0
                                                       : node.operand_count() == row->operands,
              "it has not as many operands as the operation takes");
  for (const uint32_t operand : node.node().operands) {
    node.demand(operand < number, "an operand is not an earlier node");
  }
  node.demand(node.node().attributes.index() == static_cast<size_t>(row->attributes),
              "its attributes are of another operation");
  node.demand(node.node().data.empty() || node.node().operation == Operation::constant,
              "it has data, but is not a constant");
  if (node.operand_count() > 0) {
    node.support((row->elements & interpreter::bit_of(node.operand(0).element)) != 0,
                 "the operation does not take the element type of its first operand");
  }
  row->rule(node);
}

void check_inputs(const Graph& graph) {
  std::vector<size_t> listed(graph.nodes.size(), 0);
  for (const uint32_t number : graph.inputs) {
    if (number >= graph.nodes.size()) {
      throw seam::Failure(seam::Fault::invalid,
                          "graph: input " + std::to_string(number) + " is not a node");
    }
    ++listed[number];
  }
  for (uint32_t number = 0; number < graph.nodes.size(); ++number) {
    const bool is_input = graph.nodes[number].operation == Operation::input;
    const Inspection node(graph, number);
    node.demand(is_input || listed[number] == 0, "it is listed as an input, but is none");
    node.demand(!is_input || listed[number] == 1, "it is not listed once as an input");
  }
}

void check_outputs(const Graph& graph) {
  if (graph.outputs.empty()) {
    throw seam::Failure(seam::Fault::invalid, "graph: it has no output");
  }
  for (const uint32_t number : graph.outputs) {
    if (number >= graph.nodes.size()) {
      throw seam::Failure(seam::Fault::invalid,
                          "graph: output " + std::to_string(number) + " is not a node");
    }
    const Operation operation = graph.nodes[number].operation;
    Inspection(graph, number)
        .demand(operation != Operation::input && operation != Operation::constant,
                "an output is an input or a constant; copy it instead");
  }
}

}  // namespace

void check_graph(const Graph& graph) {
  if (graph.nodes.size() > UINT32_MAX) {
    throw seam::Failure(seam::Fault::invalid, "graph: it has 2^32 nodes or more");
  }
  for (uint32_t number = 0; number < graph.nodes.size(); ++number) check_node(graph, number);
  check_inputs(graph);
  check_outputs(graph);
}

}  // namespace mps::software
