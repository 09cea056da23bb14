#include "software/interpreter/rules.hpp"

namespace mps::software::interpreter {

void check_matrix_product(const Inspection& node) {
  node.demand_same_elements();
  const Shape& x = node.operand(0).shape;
  const Shape& y = node.operand(1).shape;
  node.demand(x.size() >= 2 && y.size() >= 2, "an operand has a rank below 2");
  node.demand(x.end()[-1] == y.end()[-2], "the columns of x are not as many as the rows of y");
  std::optional<Shape> shape = broadcast_shape({x.begin(), x.end() - 2}, {y.begin(), y.end() - 2});
  node.demand(shape.has_value(), "the leading extents do not broadcast");
  shape->push_back(x.end()[-2]);
  shape->push_back(y.end()[-1]);
  node.demand_type(node.operand(0).element, *shape);
}

}  // namespace mps::software::interpreter
