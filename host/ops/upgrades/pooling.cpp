#include "ops/upgrades/pooling.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ops/upgrades/rewrite.hpp"

namespace switchyard {

void whole_power(NodeDraft& node) {
  const float power = node.attributes.get_float("p", 2);
  if (power != std::trunc(power) || !(std::abs(power) < 0x1p24f)) {
    refuse(node, fmt::format("\"p\" is {}, and newer versions take integers only", power));
  }
  node.attributes.set("p", static_cast<std::int64_t>(power));
}

void output_half_pixel(NodeDraft& node) {
  node.attributes.set("coordinate_transformation_mode", std::string("output_half_pixel"));
}

}  // namespace switchyard
