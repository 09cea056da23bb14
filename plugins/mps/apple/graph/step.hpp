// One node on its way into an MPSGraph, and the families of operations that take it there. Each
// gives the new tensor, or nil where the operation is not of its family. What the node says of its
// result's element type and shape is seen to by the caller.
#pragma once

#include <vector>

#include "apple/frameworks.hpp"
#include "apple/text.hpp"
#include "seam/graph.hpp"

namespace mps::apple {

struct Step {
  MPSGraph* graph;
  const seam::Graph& source;
  const seam::Node& node;
  std::vector<MPSGraphTensor*> operands;

  MPSGraphTensor* operand(size_t index) const {
    if (index >= operands.size()) refuse("an operation has too few operands");
    return operands[index];
  }
  MPSGraphTensor* x() const { return operand(0); }
  MPSGraphTensor* y() const { return operand(1); }
  MPSGraphTensor* z() const { return operand(2); }
  const seam::TensorType& type_of(size_t index) const {
    return source.nodes[node.operands.at(index)].type;
  }
  template <typename Kind>
  const Kind& attributes() const {
    const Kind* kind = std::get_if<Kind>(&node.attributes);
    if (!kind) refuse("an operation lacks its attributes");
    return *kind;
  }
};

MPSGraphTensor* unary(const Step& step);
MPSGraphTensor* binary(const Step& step);
MPSGraphTensor* comparison(const Step& step);
MPSGraphTensor* form(const Step& step);
MPSGraphTensor* reduction(const Step& step);
MPSGraphTensor* window(const Step& step);

MPSGraphTensor* matrix_product(const Step& step);
MPSGraphTensor* normalize(const Step& step);
MPSGraphTensor* resize(const Step& step);

// Forms with more to them than a selector.
MPSGraphTensor* cast(const Step& step);
MPSGraphTensor* transpose(const Step& step);
MPSGraphTensor* slice(const Step& step);
MPSGraphTensor* pad(const Step& step);

// Of floats, a NaN on either side gives NaN.
MPSGraphTensor* lesser(MPSGraph* graph, MPSGraphTensor* x, MPSGraphTensor* y, bool floating);
MPSGraphTensor* greater(MPSGraph* graph, MPSGraphTensor* x, MPSGraphTensor* y, bool floating);

}  // namespace mps::apple
