#include "ops/recurrent/recurrent_input.hpp"

#include <array>

#include "ops/building/elementwise.hpp"
#include "ops/building/graph_builder.hpp"
#include "ops/products/small_product.hpp"

namespace mps {
namespace {

using Shape = GraphBuilder::Shape;

uint32_t wide_input(GraphBuilder& graph, const sy::Node& node, uint32_t index) {
  const uint32_t input = graph.input(node, index);
  if (node.required_input(index).dtype == SY_FLOAT32) return input;
  const Shape shape = graph.shape(input);
  return graph.add(seam::Operation::cast, {seam::ElementType::float32, shape}, {input});
}

std::unique_ptr<Kernel> graph_of(Device& device, const sy::Node& node) {
  GraphBuilder graph(traits_of(device.info()));
  uint32_t x = wide_input(graph, node, 0);
  uint32_t w = wide_input(graph, node, 1);
  const Shape from = graph.shape(x), weights = graph.shape(w);
  const Shape result = {from[0] * from[1], weights[0] * weights[1]};
  x = graph.reshape(x, {result[0], from[2]});
  w = graph.transpose(graph.reshape(w, {result[1], from[2]}), {1, 0});
  return graph.finish(device, graph.add(seam::Operation::matrix_product, result, {x, w})).kernel;
}

// The two outer axes of a tensor of rank 3 as one: true if one stride walks both.
bool outer_axes_merge(const Tensor& tensor) {
  return tensor.shape[0] == 1 || tensor.shape[1] == 1 ||
         tensor.strides[0] == tensor.strides[1] * tensor.shape[1];
}

// The stride from one row to the next over both outer axes.
int64_t outer_stride(const Tensor& tensor) {
  return tensor.shape[1] == 1 ? tensor.strides[0] : tensor.strides[1];
}

}  // namespace

RecurrentInput::RecurrentInput(Device& device, const sy::Node& node) : device_(device) {
  const seam::TensorType x = type_of(node.required_input(0)), w = type_of(node.required_input(1));
  const int64_t rows = x.shape[0] * x.shape[1], columns = w.shape[0] * w.shape[1];
  if (rows * columns * x.shape[2] == 0) return;
  if (!is_small_product(rows, columns, x.shape[2], 1)) graph_ = graph_of(device, node);
}

const Block& RecurrentInput::encode(const Run& run) const {
  Tensor x = run.inputs[0], w = run.inputs[1];
  const std::array<int64_t, 2> shape = {x.shape[0] * x.shape[1], w.shape[0] * w.shape[1]};
  Tensor gates{SY_FLOAT32, shape, sy::contiguous_strides(shape)};
  Block& memory = run.stream.temporary(gates.size_bytes());
  gates.block = &memory;
  if (graph_) {
    graph_->encode({run.stream, run.inputs, {&gates, 1}});
    return memory;
  }
  const bool empty = x.shape[2] == 0;
  if (!empty && !outer_axes_merge(x)) x = packed(device_, run.stream, x);
  if (!empty && !outer_axes_merge(w)) w = packed(device_, run.stream, w);
  SmallProduct product;
  product.rows = shape[0];
  product.columns = shape[1];
  product.depth = x.shape[2];
  product.a = {&x, outer_stride(x), x.strides[2], {}};
  product.b = {&w, w.strides[2], outer_stride(w), {}};
  product.c = {&gates, shape[1], 1, {}};
  encode_small_product(device_, run.stream, product);
  return memory;
}

}  // namespace mps
