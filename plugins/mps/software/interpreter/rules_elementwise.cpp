#include <cmath>

#include "software/interpreter/element.hpp"
#include "software/interpreter/rules.hpp"

namespace mps::software::interpreter {

using seam::ElementType;

namespace {

Shape joint_shape(const Inspection& node) {
  std::optional<Shape> shape = node.operand(0).shape;
  for (size_t i = 1; i < node.operand_count() && shape; ++i) {
    shape = broadcast_shape(*shape, node.operand(i).shape);
  }
  node.demand(shape.has_value(), "its operands do not broadcast to one shape");
  return *shape;
}

// Of x, to which the other operands broadcast.
void demand_type_of_first(const Inspection& node) {
  node.demand_same_elements();
  node.demand(joint_shape(node) == node.operand(0).shape,
              "its operands do not broadcast to the shape of x");
  node.demand_type(node.operand(0).element, node.operand(0).shape);
}

}  // namespace

void check_input(const Inspection&) {}

void check_constant(const Inspection& node) {
  const auto count = static_cast<size_t>(count_of(node.type().shape));
  node.demand(node.node().data.size() == count * element_bytes(node.type().element),
              "its data is not as many bytes as its type has");
}

void check_unary(const Inspection& node) {
  node.demand_type(node.operand(0).element, node.operand(0).shape);
}

void check_is_nan(const Inspection& node) {
  node.demand_type(ElementType::boolean, node.operand(0).shape);
}

void check_arithmetic(const Inspection& node) {
  node.demand_same_elements();
  node.demand_type(node.operand(0).element, joint_shape(node));
}

void check_relation(const Inspection& node) {
  node.demand_same_elements();
  node.demand_type(ElementType::boolean, joint_shape(node));
}

void check_select(const Inspection& node) {
  node.demand_same_elements(1);
  node.demand_type(node.operand(1).element, joint_shape(node));
}

void check_clamp(const Inspection& node) { demand_type_of_first(node); }

void check_cast(const Inspection& node) {
  node.demand_type(node.type().element, node.operand(0).shape);
}

void check_normalize(const Inspection& node) {
  demand_type_of_first(node);
  const double epsilon = node.attributes<seam::Normalization>().epsilon;
  node.demand(std::isfinite(epsilon) && epsilon >= 0, "its epsilon is negative or not finite");
}

}  // namespace mps::software::interpreter
