// Graphs for MPSGraph, node by node and of any rank, and the kernel that runs one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ops/building/folded_graph.hpp"
#include "ops/kernel.hpp"
#include "ops/traits.hpp"
#include "seam/graph.hpp"

namespace mps {

seam::ElementType element_type(sy_dtype dtype);
bool has_element_type(sy_dtype dtype);

// The type of a value whose shape must be known; throws sy::unsupported where it is not, or beyond
// what MPSGraph takes: rank 16, 2^31 - 1 elements.
seam::TensorType type_of(const sy_value& value);

// Values are told apart by their address in their program.
class GraphBuilder {
 public:
  using Shape = std::vector<int64_t>;
  // Adds what stands for a value that no node of the graph has made; nothing: it is fed.
  using Supply = std::function<std::optional<uint32_t>(GraphBuilder&, const sy_value&)>;

  explicit GraphBuilder(Traits traits, Supply supply = {})
      : traits_(traits), supply_(std::move(supply)), graph_(traits.widest_product) {}

  // A value: made in this graph, supplied, or fed to it.
  uint32_t value(const sy_value& value);
  uint32_t input(const sy::Node& node, uint32_t index);
  // From now on `node` is what value() gives.
  void define(const sy_value& value, uint32_t node) { known_[&value] = node; }

  // The elements lie contiguous at `data`, and are copied.
  uint32_t constant(seam::TensorType type, const void* data);
  // A number, as a tensor of rank 0.
  uint32_t number(double value, seam::ElementType element);
  // Throws sy::unsupported beyond 2^31 - 1 elements, and for what graphs of this system compute
  // wrongly.
  uint32_t add(seam::Operation operation, Shape shape, std::vector<uint32_t> operands,
               seam::Attributes attributes = {});
  // The same, of another element type than the first operand's.
  uint32_t add(seam::Operation operation, seam::TensorType type, std::vector<uint32_t> operands,
               seam::Attributes attributes = {});
  // The node itself if it has that shape, those axes' order or that element type.
  uint32_t reshape(uint32_t node, Shape shape);
  uint32_t transpose(uint32_t node, std::vector<int64_t> axes);
  uint32_t broadcast(uint32_t node, Shape shape);
  uint32_t cast(uint32_t node, seam::ElementType element);

  const seam::TensorType& type(uint32_t node) const { return graph_.type(node); }
  const Shape& shape(uint32_t node) const { return type(node).shape; }
  seam::ElementType element(uint32_t node) const { return type(node).element; }

  // What is fed, in the order of the graph's inputs.
  const std::vector<const sy_value*>& fed() const { return fed_; }
  // A kernel of inputs as fed() has them, and of such outputs.
  std::unique_ptr<Kernel> kernel(Device& device, std::vector<uint32_t> outputs);
  // The kernel of one node, all of whose values came through input(): its output 0 is `output`.
  Prepared finish(Device& device, uint32_t output);

 private:
  std::unique_ptr<Kernel> make(Device& device, std::vector<uint32_t> outputs,
                               std::vector<uint32_t> fed_positions);

  void check_extents(seam::Operation operation, const Shape& result,
                     const std::vector<uint32_t>& operands) const;

  const Traits traits_;
  const Supply supply_;
  FoldedGraph graph_;
  std::unordered_map<const sy_value*, uint32_t> known_;
  std::vector<const sy_value*> fed_;
  std::vector<uint32_t> fed_inputs_;  // which inputs of their nodes those are that input() fed
};

// The kernel of a row without one of its own.
Prepared make_by_graph(Device& device, const sy::Node& node, Lower lower);

}  // namespace mps
