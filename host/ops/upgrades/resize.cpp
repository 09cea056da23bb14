#include "ops/upgrades/resize.hpp"

#include <algorithm>

#include "ops/upgrades/rewrite.hpp"

namespace switchyard {

namespace {

using Scales = std::vector<float>;

/// What newer versions spell out: coordinates are divided by the scale.
void set_asymmetric(Attributes& attributes, std::string_view nearest_mode) {
  attributes.set("coordinate_transformation_mode", std::string("asymmetric"));
  attributes.set("nearest_mode", std::string(nearest_mode));
}

std::string scales_constant(NodeDraft& node, const Scales& scales) {
  const Dims shape{static_cast<std::int64_t>(scales.size())};
  return node.add_constant(Literal::of<float>(DType::float32, shape, scales));
}

/// Input 1 becomes input 2: the position of `roi` is left empty.
void scales_behind_roi(NodeDraft& node) {
  const std::string scales = node.inputs.at(1);
  node.inputs = {node.inputs[0], "", scales};
}

Scales known_scales(const NodeDraft& node) {
  const ValueInfo scales = node.info(1);
  if (!scales.literal) {
    refuse(node,
           "whether its axes grow or shrink decides how it rounds, and its scales are not "
           "constant; export the model with opset 11 or later");
  }
  const auto values = scales.literal->values<float>();
  return {values.begin(), values.end()};
}

}  // namespace

void sides_to_scales(NodeDraft& node) {
  const float height = node.attributes.get_float("height_scale", 1);
  const float width = node.attributes.get_float("width_scale", 1);
  node.attributes.remove("height_scale");
  node.attributes.remove("width_scale");
  node.attributes.set("scales", Scales{1, 1, height, width});
}

void scales_to_input(NodeDraft& node) {
  const Scales scales = node.attributes.get_floats("scales");
  node.attributes.remove("scales");
  set_input(node, 1, scales_constant(node, scales));
}

void upsample_to_resize(NodeDraft& node) {
  node.op = "Resize";
  if (node.attributes.get_text("mode", "nearest") == "bilinear") {
    node.attributes.set("mode", std::string("linear"));
  }
  set_asymmetric(node.attributes, "floor");
  scales_behind_roi(node);
}

void first_resize_to_regions(NodeDraft& node) {
  if (node.attributes.get_text("mode", "nearest") != "nearest") {
    set_asymmetric(node.attributes, "floor");
    return scales_behind_roi(node);
  }
  Scales growing = known_scales(node);
  Scales shrinking = growing;
  for (float& scale : growing) scale = std::max(scale, 1.0f);
  for (float& scale : shrinking) scale = std::min(scale, 1.0f);
  const Scales still(growing.size(), 1.0f);
  set_asymmetric(node.attributes, shrinking == still ? "floor" : "ceil");
  if (shrinking != still && growing != still) {  // each axis for itself, so one after the other
    Attributes first = node.attributes;
    set_asymmetric(first, "floor");
    const std::string scales = scales_constant(node, growing);
    node.inputs[0] = node.add_node_before("Resize", std::move(first), {node.inputs[0], "", scales});
    node.inputs[1] = scales_constant(node, shrinking);
  }
  scales_behind_roi(node);
}

void plain_mode_names(NodeDraft& node) {
  const std::string mode(node.attributes.get_text("mode", "bilinear"));
  if (mode == "bilinear") node.attributes.set("mode", std::string("linear"));
  if (mode == "bicubic") node.attributes.set("mode", std::string("cubic"));
}

}  // namespace switchyard
