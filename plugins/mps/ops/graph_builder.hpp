// Graphs for MPSGraph, node by node, and the kernel that runs one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ops/kernel.hpp"
#include "seam/graph.hpp"

namespace mps {

seam::ElementType element_type(sy_dtype dtype);

// The type of a value whose shape must be known; throws sy::unsupported where it is not, or beyond
// what MPSGraph takes: rank 16, 2^31 - 1 elements.
seam::TensorType type_of(const sy_value& value);

class GraphBuilder {
 public:
  using Shape = std::vector<int64_t>;

  // An input of the node that is fed to the graph.
  uint32_t input(const sy::Node& node, uint32_t index);
  // A number, as a tensor of rank 0.
  uint32_t number(double value, seam::ElementType element);
  uint32_t add(seam::Operation operation, Shape shape, std::vector<uint32_t> operands,
               seam::Attributes attributes = {});
  // The same, of another element type than the first operand's.
  uint32_t add(seam::Operation operation, seam::TensorType type, std::vector<uint32_t> operands,
               seam::Attributes attributes = {});
  // The node itself if it has that shape.
  uint32_t reshape(uint32_t node, Shape shape);
  uint32_t transpose(uint32_t node, std::vector<int64_t> axes);

  const Shape& shape(uint32_t node) const { return graph_.nodes[node].type.shape; }

  // The kernel whose output 0 is `output`.
  Prepared finish(Device& device, uint32_t output);

 private:
  seam::Graph graph_;
  std::vector<uint32_t> fed_;  // the node's input behind each of the graph's
};

}  // namespace mps
