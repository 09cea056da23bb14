// One node under check. Its operands are earlier nodes, which have passed.
#pragma once

#include <cstdint>
#include <string>

#include "seam/seam.hpp"
#include "software/interpreter/shape.hpp"

namespace mps::software::interpreter {

class Inspection {
 public:
  Inspection(const seam::Graph& graph, uint32_t number) : graph_(graph), number_(number) {}

  const seam::Node& node() const { return graph_.nodes[number_]; }
  const seam::TensorType& type() const { return node().type; }
  size_t operand_count() const { return node().operands.size(); }
  const seam::TensorType& operand(size_t index) const {
    return graph_.nodes[node().operands[index]].type;
  }
  template <typename Attribute>
  const Attribute& attributes() const {
    return std::get<Attribute>(node().attributes);
  }

  // Throws seam::Failure unless `holds`: invalid, or unsupported.
  void demand(bool holds, const char* message) const;
  void support(bool holds, const char* message) const;
  // Throws seam::Failure(invalid) unless the node's type is this one.
  void demand_type(seam::ElementType element, const Shape& shape) const;
  // That operands from `first` on have the same element type.
  void demand_same_elements(size_t first = 0) const;

 private:
  [[noreturn]] void fail(seam::Fault fault, const std::string& message) const;

  const seam::Graph& graph_;
  uint32_t number_;
};

}  // namespace mps::software::interpreter
