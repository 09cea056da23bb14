#include <array>
#include <string_view>

#include "ops/elementwise/elementwise_graph.hpp"

namespace mps {
namespace {

using Do = seam::Operation;

// A function of kernels/unary.metal that one operation is.
struct SimpleUnary {
  std::string_view op;
  Do operation;
};
// Exact in every type.
constexpr std::array exact = {SimpleUnary{"Abs", Do::absolute}, SimpleUnary{"Ceil", Do::ceiling},
                              SimpleUnary{"Floor", Do::floor}, SimpleUnary{"Neg", Do::negative},
                              SimpleUnary{"Round", Do::round_to_even}};
constexpr std::array rounded = {
    SimpleUnary{"Cos", Do::cosine},       SimpleUnary{"Erf", Do::error_function},
    SimpleUnary{"Exp", Do::exponential},  SimpleUnary{"Log", Do::logarithm},
    SimpleUnary{"Sigmoid", Do::sigmoid},  SimpleUnary{"Sin", Do::sine},
    SimpleUnary{"Sqrt", Do::square_root}, SimpleUnary{"Tanh", Do::hyperbolic_tangent}};

// Formulas over float32.
class Formula {
 public:
  explicit Formula(GraphBuilder& graph) : graph_(graph) {}

  uint32_t number(double value) { return graph_.number(value, seam::ElementType::float32); }
  uint32_t of(Do operation, uint32_t x) { return add_unary(graph_, operation, x); }
  uint32_t of(Do operation, uint32_t x, uint32_t y) { return add_binary(graph_, operation, x, y); }
  uint32_t of(Do operation, uint32_t x, double y) { return of(operation, x, number(y)); }
  uint32_t bounded(uint32_t x, double least, double most) {
    return of(Do::minimum, of(Do::maximum, x, least), most);
  }
  uint32_t choose(uint32_t condition, uint32_t x, uint32_t y) {
    return graph_.add(Do::select, graph_.type(x), {condition, x, y});
  }
  uint32_t exponential_less_one(uint32_t x) {
    return of(Do::subtract, of(Do::exponential, x), 1.0);
  }
  uint32_t logarithm_of_one_more(uint32_t x) {
    const uint32_t y = of(Do::add, x, 1.0);
    const uint32_t rounding = of(Do::divide, x, of(Do::subtract, y, 1.0));
    return choose(of(Do::equal, y, 1.0), x, of(Do::multiply, of(Do::logarithm, y), rounding));
  }
  uint32_t softplus(uint32_t x) {
    const uint32_t tail = of(Do::exponential, of(Do::negative, of(Do::absolute, x)));
    return of(Do::add, of(Do::maximum, x, 0.0), logarithm_of_one_more(tail));
  }

 private:
  GraphBuilder& graph_;
};

// As kernels/unary.metal has them.
uint32_t gelu(Formula& f, uint32_t x, bool by_tanh) {
  const uint32_t half = f.of(Do::multiply, x, 0.5);
  if (!by_tanh) {
    const uint32_t error = f.of(Do::error_function, f.of(Do::multiply, x, 0.70710678118));
    return f.of(Do::multiply, half, f.of(Do::add, error, 1.0));
  }
  const uint32_t cube = f.of(Do::multiply, f.of(Do::multiply, x, x), x);
  const uint32_t sum = f.of(Do::add, x, f.of(Do::multiply, cube, 0.044715));
  const uint32_t bend = f.of(Do::hyperbolic_tangent, f.of(Do::multiply, sum, 0.7978845608));
  return f.of(Do::multiply, half, f.of(Do::add, bend, 1.0));
}

uint32_t formula(Formula& f, const sy::Node& node, uint32_t x) {
  const std::string_view op = node.op();
  const auto alpha = [&] { return static_cast<double>(node.real("alpha")); };
  if (op == "Relu") return f.of(Do::maximum, x, 0.0);
  if (op == "Reciprocal") return f.of(Do::divide, f.number(1), x);
  if (op == "Gelu") return gelu(f, x, node.text("approximate", "none") == "tanh");
  if (op == "HardSigmoid") {
    const uint32_t line = f.of(Do::multiply, x, alpha());
    return f.bounded(f.of(Do::add, line, static_cast<double>(node.real("beta"))), 0, 1);
  }
  if (op == "HardSwish") {
    const uint32_t line = f.of(Do::add, f.of(Do::divide, x, 6.0), 0.5);
    return f.of(Do::multiply, x, f.bounded(line, 0, 1));
  }
  if (op == "LeakyRelu") {
    return f.choose(f.of(Do::greater_equal, x, 0.0), x, f.of(Do::multiply, x, alpha()));
  }
  if (op == "Elu") {
    const uint32_t below = f.of(Do::multiply, f.exponential_less_one(x), alpha());
    return f.choose(f.of(Do::greater_equal, x, 0.0), x, below);
  }
  if (op == "Softplus") return f.softplus(x);
  if (op == "Mish") return f.of(Do::multiply, x, f.of(Do::hyperbolic_tangent, f.softplus(x)));
  if (op == "Softsign") {
    return f.of(Do::divide, x, f.of(Do::add, f.of(Do::absolute, x), 1.0));
  }
  throw sy::unsupported(SY_REASON_OP, op, " has no graph's form");
}

}  // namespace

uint32_t widened_input(GraphBuilder& graph, const sy::Node& node, uint32_t index) {
  return graph.cast(graph.input(node, index), seam::ElementType::float32);
}

uint32_t as_output(GraphBuilder& graph, const sy::Node& node, uint32_t result) {
  return graph.cast(result, element_type(node.required_output(0).dtype));
}

uint32_t add_unary(GraphBuilder& graph, seam::Operation operation, uint32_t operand) {
  return graph.add(operation, graph.shape(operand), {operand});
}

uint32_t lower_unary(GraphBuilder& graph, const sy::Node& node) {
  for (const SimpleUnary& simple : exact) {
    if (node.op() == simple.op) return add_unary(graph, simple.operation, graph.input(node, 0));
  }
  const uint32_t x = widened_input(graph, node);
  for (const SimpleUnary& simple : rounded) {
    if (node.op() != simple.op) continue;
    return as_output(graph, node, add_unary(graph, simple.operation, x));
  }
  Formula f(graph);
  return as_output(graph, node, formula(f, node, x));
}

uint32_t lower_is_nan(GraphBuilder& graph, const sy::Node& node) {
  const uint32_t x = graph.input(node, 0);
  return graph.add(Do::is_nan, seam::TensorType{seam::ElementType::boolean, graph.shape(x)}, {x});
}

uint32_t lower_not(GraphBuilder& graph, const sy::Node& node) {
  return add_unary(graph, Do::logical_not, graph.input(node, 0));
}

}  // namespace mps
