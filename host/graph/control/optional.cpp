#include <switchyard/error.hpp>

#include "graph/control/control.hpp"

namespace switchyard::control {

void make_optional(Execution&, const NodePlan& node, Frame& frame) {
  set_output(node, frame, 0, input(node, frame, 0));
}

void optional_get_element(Execution&, const NodePlan& node, Frame& frame) {
  Cell cell = input(node, frame, 0);
  if (cell.empty()) throw Error(ErrorKind::model, "the optional holds no element to get");
  set_output(node, frame, 0, std::move(cell));
}

void optional_has_element(Execution&, const NodePlan& node, Frame& frame) {
  const std::uint8_t has = input(node, frame, 0).empty() ? 0 : 1;
  set_output(
      node, frame, 0,
      {make_host_tensor(Literal::of<std::uint8_t>(DType::bool_, {}, std::span(&has, 1))), nullptr});
}

}  // namespace switchyard::control
