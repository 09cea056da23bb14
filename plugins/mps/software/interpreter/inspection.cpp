#include "software/interpreter/inspection.hpp"

#include "software/interpreter/element.hpp"
#include "software/interpreter/row.hpp"

namespace mps::software::interpreter {

void Inspection::demand(bool holds, const char* message) const {
  if (!holds) fail(seam::Fault::invalid, message);
}

void Inspection::support(bool holds, const char* message) const {
  if (!holds) fail(seam::Fault::unsupported, message);
}

void Inspection::demand_type(seam::ElementType element, const Shape& shape) const {
  if (type().element == element && type().shape == shape) return;
  fail(seam::Fault::invalid, std::string("its type is ") + element_name(type().element) +
                                 text_of(type().shape) + ", but its operands give " +
                                 element_name(element) + text_of(shape));
}

void Inspection::demand_same_elements(size_t first) const {
  for (size_t i = first; i < operand_count(); ++i) {
    if (operand(i).element == operand(first).element) continue;
    fail(seam::Fault::invalid, "operand " + std::to_string(i) + " is " +
                                   element_name(operand(i).element) + " beside " +
                                   element_name(operand(first).element) + "; cast one of them");
  }
}

void Inspection::fail(seam::Fault fault, const std::string& message) const {
  throw seam::Failure(fault, "graph: " + position_of(graph_, number_) + ": " + message);
}

}  // namespace mps::software::interpreter
