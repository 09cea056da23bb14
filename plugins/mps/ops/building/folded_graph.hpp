// A graph whose tensors have at most four axes, built by operations on values of any rank.
//
// MPSGraph ends the process, or computes wrong numbers, for some operations on five axes and more.
// So axes that an operation treats alike are merged before it, and what still has more than four is
// done in steps. A value's elements keep their order whatever the shape of the tensor that holds
// them.
#pragma once

#include <cstdint>
#include <vector>

#include "seam/graph.hpp"

namespace mps {

class FoldedGraph {
 public:
  using Shape = std::vector<int64_t>;

  // Products of matrices with extents above `widest_product` are not made of smaller ones.
  explicit FoldedGraph(int64_t widest_product) : widest_product_(widest_product) {}

  // Each adds a value and returns its number; `operands` are numbers of values.
  uint32_t add_input(seam::TensorType type);
  uint32_t add_constant(seam::TensorType type, std::vector<std::byte> data);
  uint32_t add(seam::Operation operation, seam::TensorType type,
               const std::vector<uint32_t>& operands, const seam::Attributes& attributes);

  const seam::TensorType& type(uint32_t value) const { return values_[value].type; }
  // The graph that gives `outputs`, values each.
  const seam::Graph& finish(const std::vector<uint32_t>& outputs);

 private:
  struct Value {
    seam::TensorType type;
    uint32_t node;  // which has as many elements, and no more than four axes
  };

  uint32_t add_value(seam::TensorType type, uint32_t node);
  // Of nodes, not values: shapes are the tensors' own.
  uint32_t add_node(seam::Operation operation, seam::TensorType type,
                    std::vector<uint32_t> operands, seam::Attributes attributes = {});
  uint32_t like(seam::Operation operation, Shape shape, uint32_t operand,
                seam::Attributes attributes);
  uint32_t reshaped(uint32_t node, const Shape& shape);
  uint32_t expanded(uint32_t node, Shape from, const Shape& to);

  uint32_t folded(seam::Operation operation, const seam::TensorType& type,
                  const std::vector<uint32_t>& operands, const seam::Attributes& attributes);
  uint32_t broadcasting(seam::Operation operation, const seam::TensorType& type,
                        const std::vector<uint32_t>& operands, const seam::Attributes& attributes);
  uint32_t transpose(uint32_t operand, const seam::Axes& axes);
  uint32_t concatenate(const seam::TensorType& type, const std::vector<uint32_t>& operands,
                       const seam::Axes& axes);
  uint32_t slice(uint32_t operand, const seam::Slice& slice);
  uint32_t pad(uint32_t operand, const seam::Padding& padding);
  uint32_t gather(const seam::TensorType& type, const std::vector<uint32_t>& operands,
                  const seam::Axes& axes);
  uint32_t reduce(seam::Operation operation, uint32_t operand, const seam::Axes& axes);
  uint32_t softmax(uint32_t operand, const seam::Axes& axes);
  uint32_t matrix_product(const seam::TensorType& type, const std::vector<uint32_t>& operands);

  const Shape& shape_of(uint32_t value) const { return values_[value].type.shape; }

  const int64_t widest_product_;
  std::vector<Value> values_;
  seam::Graph graph_;
};

}  // namespace mps
