#include "ops/upgrades/movement.hpp"

#include <fmt/format.h>

#include <array>

#include "ops/upgrades/pointwise.hpp"
#include "ops/upgrades/rewrite.hpp"

namespace switchyard {

namespace {

template <typename T>
std::string scalar_constant(NodeDraft& node, DType dtype, T value) {
  return node.add_constant(Literal::of<T>(dtype, {}, std::span<const T>(&value, 1)));
}

float take_float(NodeDraft& node, std::string_view name, float fallback) {
  const float value = node.attributes.get_float(name, fallback);
  node.attributes.remove(name);
  return value;
}

/// A float32 number as a scalar of the node's own type.
std::string value_like_input(NodeDraft& node, float value) {
  const std::string constant = scalar_constant(node, DType::float32, value);
  const DType dtype = known_dtype(node, 0);
  if (dtype == DType::float32) return constant;
  Attributes to;
  to.set("to", static_cast<std::int64_t>(dtype));
  to.set("saturate", std::int64_t{1});
  return node.add_node_before("Cast", std::move(to), {constant});
}

std::string as_int64(NodeDraft& node, const std::string& value) {
  Attributes to;
  to.set("to", static_cast<std::int64_t>(DType::int64));
  return node.add_node_before("Cast", std::move(to), {value});
}

/// One number as a tensor of rank 1.
std::string as_list(NodeDraft& node, const std::string& value) {
  const std::array<std::int64_t, 1> one = {1};
  return node.add_node_before("Reshape", {}, {value, int_constant(node, one)});
}

}  // namespace

void shape_to_input(NodeDraft& node) {
  node.attributes.remove("consumed_inputs");
  if (!node.attributes.has("shape")) node.attributes.set("shape", std::vector<std::int64_t>{});
  ints_to_input(node, "shape", 1);
}

void view_axes_to_input(NodeDraft& node) { ints_to_input(node, "axes", 1); }

void slice_attributes_to_inputs(NodeDraft& node) {
  ints_to_input(node, "starts", 1);
  ints_to_input(node, "ends", 2);
  ints_to_input(node, "axes", 3);
}

void first_split_to_input(NodeDraft& node) {
  if (node.inputs.size() > 1 && !node.inputs[1].empty()) {
    set_input(node, 1, as_int64(node, node.inputs[1]));
  }
  if (!node.attributes.has("axis")) node.attributes.set("axis", std::int64_t{0});
}

void split_to_input(NodeDraft& node) { ints_to_input(node, "split", 1); }

void count_split_outputs(NodeDraft& node) {
  if (node.inputs.size() > 1 && !node.inputs[1].empty()) return;
  node.attributes.set("num_outputs", static_cast<std::int64_t>(node.outputs.size()));
}

void first_pads_to_pads(NodeDraft& node) {
  node.attributes.set("pads", node.attributes.get_ints("paddings"));
  node.attributes.remove("paddings");
}

void pads_to_input(NodeDraft& node) {
  ints_to_input(node, "pads", 1);
  const float value = take_float(node, "value", 0);
  if (value != 0) set_input(node, 2, value_like_input(node, value));
}

void first_tile_to_repeats(NodeDraft& node) {
  const std::vector<std::int64_t> ones(static_cast<std::size_t>(known_rank(node, 0)), 1);
  const std::string count = as_list(node, as_int64(node, node.inputs.at(1)));
  const std::string axis = as_list(node, as_int64(node, node.inputs.at(2)));
  const std::string repeats =
      node.add_node_before("ScatterElements", {}, {int_constant(node, ones), axis, count});
  node.inputs = {node.inputs[0], repeats};
}

void default_axis_one(NodeDraft& node) {
  if (!node.attributes.has("axis")) node.attributes.set("axis", std::int64_t{1});
}

void k_to_input(NodeDraft& node) {
  const std::array<std::int64_t, 1> k = {take_int(node, "k", 0)};
  set_input(node, 1, int_constant(node, k));
}

void scatter_to_elements(NodeDraft& node) { node.op = "ScatterElements"; }

void ratio_to_input(NodeDraft& node) {
  node.attributes.remove("consumed_inputs");
  const bool is_test = take_int(node, "is_test", 0) != 0;
  const float ratio = take_float(node, "ratio", 0.5f);
  set_input(node, 1, scalar_constant(node, DType::float32, ratio));
  if (is_test) return;
  const std::uint8_t training = 1;
  set_input(
      node, 2,
      node.add_constant(Literal::of<std::uint8_t>(DType::bool_, {}, std::span(&training, 1))));
}

void dropout_mask_to_bool(NodeDraft& node) {
  if (node.outputs.size() < 2 || node.outputs[1].empty()) return;
  Attributes to;
  to.set("to", static_cast<std::int64_t>(known_dtype(node, 0)));
  node.add_node_after(1, "Cast", std::move(to), {});
}

void inference_ratio_to_input(NodeDraft& node) {
  if (!node.attributes.has("ratio")) return;  // an older version's upgrade has moved it
  const float ratio = take_float(node, "ratio", 0.5f);
  set_input(node, 1, scalar_constant(node, DType::float32, ratio));
}

}  // namespace switchyard
