// MatMul and Gemm, by MPSGraph.
#include <algorithm>

#include "ops/building/graph_builder.hpp"
#include "ops/kernel.hpp"

namespace mps {
namespace {

using Shape = GraphBuilder::Shape;

// The leading extents of two operands of a product, broadcast.
Shape broadcast_batch(const Shape& left, const Shape& right) {
  const size_t rank = std::max(left.size(), right.size()) - 2;
  Shape batch(rank, 1);
  for (const Shape& shape : {left, right}) {
    const size_t added = rank - (shape.size() - 2);
    for (size_t i = added; i < rank; ++i) batch[i] = std::max(batch[i], shape[i - added]);
    for (size_t i = added; i < rank; ++i) {
      if (shape[i - added] == 0) batch[i] = 0;
    }
  }
  return batch;
}

uint32_t lower_matmul(GraphBuilder& graph, const sy::Node& node) {
  uint32_t left = graph.input(node, 0);
  uint32_t right = graph.input(node, 1);
  if (graph.shape(left).size() == 1) left = graph.reshape(left, {1, graph.shape(left)[0]});
  if (graph.shape(right).size() == 1) right = graph.reshape(right, {graph.shape(right)[0], 1});
  Shape shape = broadcast_batch(graph.shape(left), graph.shape(right));
  shape.push_back(graph.shape(left).end()[-2]);
  shape.push_back(graph.shape(right).back());
  const uint32_t product = graph.add(seam::Operation::matrix_product, shape, {left, right});
  return graph.reshape(product, type_of(node.required_output(0)).shape);
}

uint32_t lower_gemm(GraphBuilder& graph, const sy::Node& node) {
  uint32_t left = graph.input(node, 0);
  uint32_t right = graph.input(node, 1);
  const seam::ElementType element = element_type(node.required_input(0).dtype);
  if (node.flag("transA")) left = graph.transpose(left, {1, 0});
  if (node.flag("transB")) right = graph.transpose(right, {1, 0});
  const Shape shape = {graph.shape(left)[0], graph.shape(right)[1]};
  uint32_t result = graph.add(seam::Operation::matrix_product, shape, {left, right});
  if (const float alpha = node.real("alpha", 1); alpha != 1) {
    result = graph.add(seam::Operation::multiply, shape, {result, graph.number(alpha, element)});
  }
  const float beta = node.real("beta", 1);
  if (node.input(2) != nullptr && beta != 0) {
    uint32_t addend = graph.input(node, 2);
    if (beta != 1) {
      const Shape own = graph.shape(addend);
      addend = graph.add(seam::Operation::multiply, own, {addend, graph.number(beta, element)});
    }
    result = graph.add(seam::Operation::add, shape, {result, addend});
  }
  return result;
}

std::vector<KernelRow> make_product_rows() {
  constexpr uint64_t floats = SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT16);
  return {{.claim = {.op = "MatMul", .dtypes = floats, .min_rank = 1, .max_rank = 16},
           .lower = lower_matmul},
          {.claim = {.op = "Gemm", .dtypes = floats, .max_rank = 2}, .lower = lower_gemm}};
}

}  // namespace

std::span<const KernelRow> product_rows() {
  static const auto& rows = *new const std::vector<KernelRow>(make_product_rows());
  return rows;
}

}  // namespace mps
