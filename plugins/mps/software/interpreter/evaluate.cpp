#include "software/interpreter/evaluate.hpp"

#include <stdexcept>
#include <variant>

#include "software/interpreter/elementwise.hpp"
#include "software/interpreter/image.hpp"
#include "software/interpreter/movement.hpp"
#include "software/interpreter/product.hpp"
#include "software/interpreter/reduction.hpp"
#include "software/interpreter/row.hpp"

namespace mps::software::interpreter {

using seam::Node;
using seam::Operation;

namespace {

Value evaluate_form(const Node& node, const std::vector<const Value*>& operands) {
  const Value& x = *operands.front();
  const seam::Attributes& attributes = node.attributes;
  switch (node.operation) {
    case Operation::select: return select(x, *operands[1], *operands[2], node.type);
    case Operation::clamp: return clamp(x, *operands[1], *operands[2], node.type);
    case Operation::cast: return cast(x, node.type);
    case Operation::reshape: return x.as(node.type);
    case Operation::broadcast: return broadcast(x, node.type);
    case Operation::transpose: return transpose(x, std::get<seam::Axes>(attributes), node.type);
    case Operation::concatenate:
      return concatenate(operands, std::get<seam::Axes>(attributes), node.type);
    case Operation::slice: return slice(x, std::get<seam::Slice>(attributes), node.type);
    case Operation::pad: return pad(x, std::get<seam::Padding>(attributes), node.type);
    case Operation::gather:
      return gather(x, *operands[1], std::get<seam::Axes>(attributes), node.type);
    default: throw std::logic_error("the interpreter has no such operation of form");
  }
}

Value evaluate_window(const Node& node, const std::vector<const Value*>& operands) {
  const Value& x = *operands.front();
  const auto& window = std::get<seam::Window>(node.attributes);
  switch (node.operation) {
    case Operation::convolution: return convolution(x, *operands[1], window, node.type);
    case Operation::transposed_convolution:
      return transposed_convolution(x, *operands[1], window, node.type);
    case Operation::convolution_weight_gradient:
      return convolution_weight_gradient(x, *operands[1], window, node.type);
    case Operation::max_pool: return max_pool(x, window, node.type);
    case Operation::average_pool: return average_pool(x, window, node.type);
    default: throw std::logic_error("the interpreter has no such operation of windows");
  }
}

Value evaluate_normalize(const Node& node, const std::vector<const Value*>& operands) {
  return normalize(*operands[0], *operands[1], *operands[2], *operands[3], *operands[4],
                   std::get<seam::Normalization>(node.attributes), node.type);
}

}  // namespace

Value evaluate(const Node& node, const std::vector<const Value*>& operands) {
  const seam::TensorType& type = node.type;
  switch (row_of(node.operation)->family) {
    case Family::source: return Value(type, node.data.data());
    case Family::unary: return unary(node.operation, *operands[0], type);
    case Family::arithmetic: return binary(node.operation, *operands[0], *operands[1], type);
    case Family::relation: return relation(node.operation, *operands[0], *operands[1], type);
    case Family::form: return evaluate_form(node, operands);
    case Family::reduction: return reduce(node.operation, *operands[0], type);
    case Family::softmax: return softmax(*operands[0], std::get<seam::Axes>(node.attributes), type);
    case Family::matrix_product: return matrix_product(*operands[0], *operands[1], type);
    case Family::window: return evaluate_window(node, operands);
    case Family::normalize: return evaluate_normalize(node, operands);
    case Family::resize:
      return resize(*operands[0], std::get<seam::Resizing>(node.attributes), type);
  }
  throw std::logic_error("the interpreter has no such family");
}

}  // namespace mps::software::interpreter
