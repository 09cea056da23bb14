#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "ops/building/host_values.hpp"
#include "ops/elementwise/elementwise_graph.hpp"

namespace mps {
namespace {

using Do = seam::Operation;
using Shape = GraphBuilder::Shape;

struct SimpleBinary {
  std::string_view op;
  Do operation;
};
constexpr std::array arithmetic = {
    SimpleBinary{"Add", Do::add},      SimpleBinary{"Sub", Do::subtract},
    SimpleBinary{"Mul", Do::multiply}, SimpleBinary{"Div", Do::divide},
    SimpleBinary{"Max", Do::maximum},  SimpleBinary{"Min", Do::minimum},
    SimpleBinary{"Sum", Do::add}};
constexpr std::array logic = {SimpleBinary{"And", Do::logical_and},
                              SimpleBinary{"Or", Do::logical_or},
                              SimpleBinary{"Xor", Do::logical_exclusive_or}};
constexpr std::array comparisons = {
    SimpleBinary{"Equal", Do::equal}, SimpleBinary{"Greater", Do::greater},
    SimpleBinary{"GreaterOrEqual", Do::greater_equal}, SimpleBinary{"Less", Do::less},
    SimpleBinary{"LessOrEqual", Do::less_equal}};

template <typename Table>
const SimpleBinary* find(const Table& table, std::string_view op) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const SimpleBinary& row) { return row.op == op; });
  return found == table.end() ? nullptr : &*found;
}

bool is_float(seam::ElementType element) {
  return element == seam::ElementType::float32 || element == seam::ElementType::float16;
}

Shape joint_shape(const Shape& left, const Shape& right) {
  const Shape& longer = left.size() >= right.size() ? left : right;
  const Shape& shorter = left.size() >= right.size() ? right : left;
  Shape joint = longer;
  const size_t added = longer.size() - shorter.size();
  for (size_t i = added; i < joint.size(); ++i) {
    joint[i] = joint[i] == 1 ? shorter[i - added] : joint[i];
  }
  return joint;
}

bool compares(Do operation) { return operation >= Do::equal && operation <= Do::greater_equal; }

[[noreturn]] void refuse(const sy::Node& node) {
  throw sy::unsupported(SY_REASON_DTYPE, node.op(), " has no graph's form here");
}

// A power that is known to be 2.
uint32_t lower_square(GraphBuilder& graph, const sy::Node& node) {
  const std::vector<double> exponent = host_reals(node, 1);
  if (exponent.size() != 1 || exponent[0] != 2) refuse(node);
  const uint32_t x = graph.input(node, 0);
  return graph.broadcast(add_binary(graph, Do::multiply, x, x),
                         type_of(node.required_output(0)).shape);
}

uint32_t lower_leak(GraphBuilder& graph, const sy::Node& node) {
  const uint32_t x = graph.input(node, 0);
  const uint32_t leaked = add_binary(graph, Do::multiply, x, graph.input(node, 1));
  const uint32_t is_below = add_binary(graph, Do::less, x, graph.number(0, graph.element(x)));
  return graph.add(Do::select, graph.type(leaked), {is_below, leaked, x});
}

// The quotient of narrow floats is rounded once.
uint32_t join(GraphBuilder& graph, Do operation, uint32_t left, uint32_t right) {
  const seam::ElementType element = graph.element(left);
  if (operation != Do::divide || element == seam::ElementType::float32) {
    return add_binary(graph, operation, left, right);
  }
  constexpr auto wide = seam::ElementType::float32;
  return graph.cast(add_binary(graph, operation, graph.cast(left, wide), graph.cast(right, wide)),
                    element);
}

}  // namespace

uint32_t add_binary(GraphBuilder& graph, seam::Operation operation, uint32_t left, uint32_t right) {
  const seam::ElementType element =
      compares(operation) ? seam::ElementType::boolean : graph.element(left);
  return graph.add(operation,
                   seam::TensorType{element, joint_shape(graph.shape(left), graph.shape(right))},
                   {left, right});
}

uint32_t lower_arithmetic(GraphBuilder& graph, const sy::Node& node) {
  if (!is_float(element_type(node.required_input(0).dtype))) refuse(node);
  if (node.op() == "Pow") return lower_square(graph, node);
  if (node.op() == "PRelu") return lower_leak(graph, node);
  const SimpleBinary* row = find(arithmetic, node.op());
  if (row == nullptr) refuse(node);
  uint32_t result = graph.input(node, 0);
  for (uint32_t i = 1; i < node.input_count(); ++i) {
    result = join(graph, row->operation, result, graph.input(node, i));
  }
  return result;
}

uint32_t lower_logic(GraphBuilder& graph, const sy::Node& node) {
  return add_binary(graph, find(logic, node.op())->operation, graph.input(node, 0),
                    graph.input(node, 1));
}

uint32_t lower_comparison(GraphBuilder& graph, const sy::Node& node) {
  const SimpleBinary* row = find(comparisons, node.op());
  const uint32_t left = graph.input(node, 0);
  if (graph.element(left) == seam::ElementType::boolean && row->operation != Do::equal) {
    refuse(node);
  }
  return add_binary(graph, row->operation, left, graph.input(node, 1));
}

uint32_t lower_where(GraphBuilder& graph, const sy::Node& node) {
  const uint32_t x = graph.input(node, 1);
  return graph.add(Do::select,
                   seam::TensorType{graph.element(x), type_of(node.required_output(0)).shape},
                   {graph.input(node, 0), x, graph.input(node, 2)});
}

// A bound that is NaN bounds nothing.
uint32_t bound_of(GraphBuilder& graph, const sy::Node& node, uint32_t input, double otherwise) {
  const uint32_t bound = graph.input(node, input);
  const uint32_t is_number = add_binary(graph, Do::equal, bound, bound);
  return graph.add(Do::select, graph.type(bound),
                   {is_number, bound, graph.number(otherwise, graph.element(bound))});
}

uint32_t lower_clip(GraphBuilder& graph, const sy::Node& node) {
  uint32_t result = graph.input(node, 0);
  if (!is_float(graph.element(result))) refuse(node);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (node.input(1) != nullptr) {
    result = add_binary(graph, Do::maximum, result, bound_of(graph, node, 1, -infinity));
  }
  if (node.input(2) != nullptr) {
    result = add_binary(graph, Do::minimum, result, bound_of(graph, node, 2, infinity));
  }
  return result;
}

// Those that are exact, or rounded in one way alone.
uint32_t lower_cast(GraphBuilder& graph, const sy::Node& node) {
  const uint32_t x = graph.input(node, 0);
  const seam::ElementType from = graph.element(x);
  const seam::ElementType to = element_type(node.required_output(0).dtype);
  const bool from_truth = from == seam::ElementType::boolean;
  const bool to_truth = to == seam::ElementType::boolean;
  if (from == to) return x;
  if (to_truth && is_float(from)) {
    return add_binary(graph, Do::not_equal, x, graph.number(0, from));
  }
  if (to_truth || !(from_truth || (is_float(from) && is_float(to)))) refuse(node);
  return graph.cast(x, to);
}

}  // namespace mps
