#include "apple/graph/walker.hpp"

#include <algorithm>

#include "apple/graph/step.hpp"
#include "apple/graph/tensor_type.hpp"
#include "apple/text.hpp"

namespace mps::apple {
namespace {

MPSGraphTensor* input(const Step& step) {
  return [step.graph placeholderWithShape:metal_shape(step.node.type.shape)
                                 dataType:data_type(step.node.type.element)
                                     name:nil];
}

MPSGraphTensor* constant(const Step& step) {
  const seam::Node& node = step.node;
  if (node.data.size() != count_elements(node.type.shape) * element_bytes(node.type.element)) {
    refuse("a constant " + describe(node.type) + " has " + std::to_string(node.data.size()) +
           " bytes");
  }
  return [step.graph constantWithData:[NSData dataWithBytes:node.data.data()
                                                     length:node.data.size()]
                                shape:metal_shape(node.type.shape)
                             dataType:data_type(node.type.element)];
}

// The one switch over all operations: the compiler tells when one is missing.
MPSGraphTensor* add(const Step& step) {
  using seam::Operation;
  switch (step.node.operation) {
    case Operation::input: return input(step);
    case Operation::constant: return constant(step);
    case Operation::absolute:
    case Operation::ceiling:
    case Operation::cosine:
    case Operation::error_function:
    case Operation::exponential:
    case Operation::floor:
    case Operation::hyperbolic_tangent:
    case Operation::is_nan:
    case Operation::logarithm:
    case Operation::logical_not:
    case Operation::negative:
    case Operation::reciprocal:
    case Operation::reciprocal_square_root:
    case Operation::rectified_linear:
    case Operation::round_to_even:
    case Operation::sigmoid:
    case Operation::sign:
    case Operation::sine:
    case Operation::square_root: return unary(step);
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::power:
    case Operation::minimum:
    case Operation::maximum: return binary(step);
    case Operation::equal:
    case Operation::not_equal:
    case Operation::less:
    case Operation::less_equal:
    case Operation::greater:
    case Operation::greater_equal:
    case Operation::logical_and:
    case Operation::logical_or:
    case Operation::logical_exclusive_or: return comparison(step);
    case Operation::select:
    case Operation::clamp:
    case Operation::cast:
    case Operation::reshape:
    case Operation::broadcast:
    case Operation::transpose:
    case Operation::concatenate:
    case Operation::slice:
    case Operation::pad:
    case Operation::gather: return form(step);
    case Operation::sum:
    case Operation::mean:
    case Operation::product:
    case Operation::largest:
    case Operation::smallest:
    case Operation::softmax: return reduction(step);
    case Operation::matrix_product: return matrix_product(step);
    case Operation::convolution:
    case Operation::transposed_convolution:
    case Operation::convolution_weight_gradient:
    case Operation::max_pool:
    case Operation::average_pool: return window(step);
    case Operation::normalize: return normalize(step);
    case Operation::resize: return resize(step);
  }
  return nil;
}

std::vector<int64_t> extents(MPSShape* shape) {
  std::vector<int64_t> result;
  for (NSNumber* extent in shape) result.push_back(extent.longLongValue);
  return result;
}

// The element type and shape that the node says. Only a rank of 0 may make a shape differ, so that
// another count of elements is a mistake, here or in the graph.
MPSGraphTensor* as_declared(const Step& step, MPSGraphTensor* tensor) {
  const seam::TensorType& type = step.node.type;
  if (tensor.dataType != data_type(type.element)) {
    tensor = [step.graph castTensor:tensor toType:data_type(type.element) name:@"result"];
  }
  if (!tensor.shape) return tensor;
  const std::vector<int64_t> made = extents(tensor.shape);
  const std::vector<int64_t> declared = extents(metal_shape(type.shape));
  if (made == declared) return tensor;
  if (count_elements(made) != count_elements(declared)) {
    refuse("an operation (number " + std::to_string(static_cast<int>(step.node.operation)) +
           ") should give " + describe(type) + " and gives " +
           describe(seam::TensorType{type.element, made}));
  }
  return [step.graph reshapeTensor:tensor withShape:metal_shape(type.shape) name:nil];
}

MPSGraphTensor* build_node(const Step& step) {
  MPSGraphTensor* tensor = add(step);
  if (!tensor) {
    refuse(seam::Fault::unsupported, "MPSGraph does not make operation number " +
                                         std::to_string(static_cast<int>(step.node.operation)));
  }
  return as_declared(step, tensor);
}

void require_earlier(const std::vector<uint32_t>& numbers, size_t count) {
  for (const uint32_t number : numbers) {
    if (number >= count) refuse("a graph names a node that is not made yet");
  }
}

}  // namespace

BuiltGraph build(const seam::Graph& graph, bool has_bfloat16) {
  if (graph.outputs.empty()) refuse("a graph without outputs");
  BuiltGraph built{[MPSGraph new], {}, {}};
  built.graph.options = MPSGraphOptionsNone;
  std::vector<MPSGraphTensor*> made;
  for (const seam::Node& node : graph.nodes) {
    require_supported(node.type, has_bfloat16);
    require_earlier(node.operands, made.size());
    Step step{built.graph, graph, node, {}};
    for (const uint32_t operand : node.operands) step.operands.push_back(made[operand]);
    made.push_back(build_node(step));
  }
  require_earlier(graph.inputs, made.size());
  require_earlier(graph.outputs, made.size());
  for (const uint32_t number : graph.inputs) built.inputs.push_back(made[number]);
  for (const uint32_t number : graph.outputs) {
    // A tensor can be a target once.
    const bool again = std::count(built.outputs.begin(), built.outputs.end(), made[number]) > 0;
    built.outputs.push_back(again ? [built.graph identityWithTensor:made[number] name:nil]
                                  : made[number]);
  }
  return built;
}

}  // namespace mps::apple
