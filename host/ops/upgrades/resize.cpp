#include "ops/upgrades/resize.hpp"

#include <fmt/format.h>

#include "ops/upgrades/rewrite.hpp"

namespace switchyard {

namespace {

/// What is left out means: divide by the scale, round down.
void set_asymmetric(NodeDraft& node) {
  node.attributes.set("coordinate_transformation_mode", std::string("asymmetric"));
  node.attributes.set("nearest_mode", std::string("floor"));
}

}  // namespace

void scales_to_input(NodeDraft& node) {
  const std::vector<float> scales = node.attributes.get_floats("scales");
  node.attributes.remove("scales");
  const Dims shape{static_cast<std::int64_t>(scales.size())};
  set_input(node, 1, node.add_constant(Literal::of<float>(DType::float32, shape, scales)));
}

void upsample_to_resize(NodeDraft& node) {
  node.op = "Resize";
  first_resize_to_regions(node);
}

void first_resize_to_regions(NodeDraft& node) {
  const std::string scales = node.inputs.size() > 1 ? node.inputs[1] : "";
  node.inputs.resize(1);
  set_input(node, 2, scales);
  if (node.attributes.get_text("mode", "nearest") == "bilinear") {
    node.attributes.set("mode", std::string("linear"));
  }
  set_asymmetric(node);
}

void plain_mode_names(NodeDraft& node) {
  const std::string mode(node.attributes.get_text("mode", "bilinear"));
  if (mode == "bilinear") node.attributes.set("mode", std::string("linear"));
  if (mode == "bicubic") node.attributes.set("mode", std::string("cubic"));
}

}  // namespace switchyard
