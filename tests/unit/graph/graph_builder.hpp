// Small graphs written in code, and what one run of them comes to.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "graph/execution.hpp"
#include "graph/shaped_plans.hpp"
#include "graph/specialise.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {

class GraphBuilder {
 public:
  ValueId input(const std::string& name, DType dtype = DType::float32, Dims shape = {},
                ValueKind kind = ValueKind::tensor) {
    const ValueId value = graph_.add_value({name, kind});
    graph_.values[value].dtype = dtype;
    if (!shape.empty()) graph_.values[value].shape = shape;
    graph_.inputs.push_back(value);
    return value;
  }

  ValueId constant(Literal literal) {
    const ValueId value = graph_.add_value({"constant_" + std::to_string(graph_.values.size())});
    graph_.values[value].dtype = literal.dtype();
    graph_.values[value].shape = literal.shape();
    graph_.values[value].constant = std::move(literal);
    return value;
  }
  ValueId constant(const Dims& shape, const Floats& values) {
    return constant(Literal::of<float>(DType::float32, shape, values));
  }
  ValueId numbers(const Integers& values) { return constant(Literal::int64s(values)); }
  ValueId number(std::int64_t value) { return constant(Literal::int64(value)); }

  // A value of the graph around this body.
  ValueId capture(ValueId outer, DType dtype = DType::float32, ValueKind kind = ValueKind::tensor) {
    const ValueId inner = graph_.add_value({"captured_" + std::to_string(outer), kind});
    graph_.values[inner].dtype = dtype;
    graph_.captures.push_back({outer, inner});
    return inner;
  }

  // The node's outputs; attributes that have defaults are set.
  std::vector<ValueId> nodes(const std::string& op, std::vector<ValueId> inputs, std::size_t count,
                             Attributes attributes = {}) {
    Node node;
    node.op = find_op("", op);
    if (!node.op) throw Error(ErrorKind::internal, "no op " + op);
    node.name = op + "_" + std::to_string(graph_.nodes.size());
    for (const AttributeSpec& spec : node.op->canonical.attributes) {
      if (spec.fallback && !attributes.has(spec.name)) attributes.set(spec.name, *spec.fallback);
    }
    node.attributes = std::move(attributes);
    node.inputs = std::move(inputs);
    for (std::size_t i = 0; i < count; ++i) {
      node.outputs.push_back(graph_.add_value({node.name + "_" + std::to_string(i)}));
    }
    graph_.nodes.push_back(std::move(node));
    return graph_.nodes.back().outputs;
  }
  ValueId node(const std::string& op, std::vector<ValueId> inputs, Attributes attributes = {}) {
    return nodes(op, std::move(inputs), 1, std::move(attributes))[0];
  }

  // Gives the node made last a body.
  GraphBuilder& body(const std::string& name, GraphBuilder& inner) {
    graph_.nodes.back().bodies.emplace_back(name, std::make_unique<Graph>(inner.take()));
    return *this;
  }
  void kind_of(ValueId value, ValueKind kind) { graph_.values[value].kind = kind; }

  GraphBuilder& output(ValueId value) {
    graph_.outputs.push_back(value);
    return *this;
  }

  Graph take() { return std::move(graph_); }
  const Graph& graph() const { return graph_; }

 private:
  Graph graph_;
};

inline Attributes attribute(const std::string& name, AttributeValue value) {
  Attributes attributes;
  attributes.set(name, std::move(value));
  return attributes;
}

inline std::vector<std::string> op_names(const Graph& graph) {
  std::vector<std::string> ops;
  for (const Node& node : graph.nodes) ops.emplace_back(node.op->name());
  return ops;
}

// Made once. The fake has few ops: cpu takes the others.
inline const Runtime& fallback_runtime() {
  static const Runtime shared = start({{"good", "cpu"}, "fallback = \"allow\""});
  return shared;
}

// A graph planned for a runtime, ready to run many times.
class PlannedGraph {
 public:
  PlannedGraph(const Runtime& runtime, GraphBuilder& builder)
      : runtime_(runtime), graph_(std::make_unique<Graph>(builder.take())) {
    plan_ = plan_graph(*graph_, *runtime.engine()->router);
  }

  std::vector<Cell> cells(std::vector<Cell> inputs, bool profile = false) {
    Execution execution(*runtime_.engine()->dispatcher, {profile, expand});
    std::vector<Cell> outputs = execution.run(*plan_, inputs);
    statistics = execution.statistics();
    return outputs;
  }
  std::vector<Tensor> operator()(std::vector<Tensor> inputs) {
    std::vector<Cell> given;
    for (Tensor& input : inputs) {
      given.push_back({TensorRef(input.impl()), nullptr});
      input = Tensor();
    }
    std::vector<Tensor> outputs;
    for (Cell& cell : cells(std::move(given))) outputs.emplace_back(cell.tensor.get());
    return outputs;
  }

  const GraphPlan& plan() const { return *plan_; }
  const Graph& graph() const { return *graph_; }
  ExpandBody expand = nullptr;  // for ops that no device takes
  RunStatistics statistics;     // of the last run

 private:
  Runtime runtime_;
  std::unique_ptr<Graph> graph_;
  std::unique_ptr<GraphPlan> plan_;
};

// A graph run as a model's is: by programs where there are any, else op by op.
class JoinedGraph {
 public:
  JoinedGraph(const Setup& setup, GraphBuilder& builder) : JoinedGraph(start(setup), builder) {}
  JoinedGraph(const Runtime& runtime, GraphBuilder& builder)
      : runtime_(runtime),
        graph_(builder.take()),
        plan_(plan_graph(graph_, *runtime_.engine()->router)),
        shaped_(*plan_, *runtime_.engine()->dispatcher, std::size_t{1} << 20) {}

  // Any thread may call it.
  std::vector<Tensor> run(const std::vector<Tensor>& inputs, RunStatistics& made) {
    std::vector<Cell> cells;
    for (const Tensor& input : inputs) cells.push_back({TensorRef(input.impl()), nullptr});
    const auto shaped = shaped_.find(cells);
    Execution execution(*runtime_.engine()->dispatcher, {});
    std::vector<Tensor> outputs;
    for (Cell& cell : execution.run(shaped ? *shaped->plan : *plan_, cells)) {
      outputs.emplace_back(cell.tensor.get());
    }
    made = execution.statistics();
    return outputs;
  }
  std::vector<Tensor> operator()(const std::vector<Tensor>& inputs) {
    return run(inputs, statistics);
  }

  Runtime& runtime() { return runtime_; }
  RunStatistics statistics;  // of the last call

 private:
  Runtime runtime_;
  Graph graph_;
  std::unique_ptr<GraphPlan> plan_;
  ShapedPlans shaped_;
};

}  // namespace switchyard
