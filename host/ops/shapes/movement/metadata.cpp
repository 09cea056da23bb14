#include "ops/shapes/movement/metadata.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "ops/shapes/movement/extents.hpp"

namespace switchyard {

namespace {

std::int64_t clamped_axis(std::int64_t axis, std::int64_t rank) {
  return std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
}

/// The extents that Shape's `start` and `end` choose.
std::span<const std::int64_t> chosen_extents(const Inference& node) {
  const std::int64_t rank = node.rank(0);
  const std::int64_t start = clamped_axis(node.attributes().get_int("start", 0), rank);
  const std::int64_t end = clamped_axis(node.attributes().get_int("end", rank), rank);
  return node.shape(0).span().subspan(
      static_cast<std::size_t>(start),
      static_cast<std::size_t>(std::max<std::int64_t>(0, end - start)));
}

template <typename T>
Literal list(DType dtype, const std::vector<T>& values) {
  return Literal::of<T>(dtype, {static_cast<std::int64_t>(values.size())}, values);
}

Literal float_scalar(float value) {
  return Literal::of<float>(DType::float32, {}, std::span<const float>(&value, 1));
}

struct ConstantForm {
  std::string_view attribute;
  Literal (*literal)(const AttributeValue&);
};

constexpr ConstantForm kConstantForms[] = {
    {"value", [](const AttributeValue& v) { return std::get<Literal>(v); }},
    {"value_int",
     [](const AttributeValue& v) { return Literal::int64(std::get<std::int64_t>(v)); }},
    {"value_ints",
     [](const AttributeValue& v) {
       return list(DType::int64, std::get<std::vector<std::int64_t>>(v));
     }},
    {"value_float", [](const AttributeValue& v) { return float_scalar(std::get<float>(v)); }},
    {"value_floats",
     [](const AttributeValue& v) { return list(DType::float32, std::get<std::vector<float>>(v)); }},
    {"value_string",
     [](const AttributeValue& v) { return Literal(Dims{}, {std::get<std::string>(v)}); }},
    {"value_strings",
     [](const AttributeValue& v) {
       const auto& texts = std::get<std::vector<std::string>>(v);
       return Literal(Dims{static_cast<std::int64_t>(texts.size())}, texts);
     }},
};

}  // namespace

void shape_of_shape(Inference& node) {
  node.set_shape(0, {node.has_rank(0) ? std::ssize(chosen_extents(node)) : kUnknown});
}

Literal shape_literal(const Inference& node) { return Literal::int64s(chosen_extents(node)); }

void size_shape(Inference& node) { node.set_shape(0, {}); }

Literal size_literal(const Inference& node) { return Literal::int64(element_count(node.shape(0))); }

Literal constant_literal(const Inference& node) {
  const AttributeValue* value = nullptr;
  const ConstantForm* form = nullptr;
  for (const ConstantForm& candidate : kConstantForms) {
    const AttributeValue* found = node.attributes().find(candidate.attribute);
    if (!found) continue;
    if (form) node.fail(fmt::format("has both {} and {}", form->attribute, candidate.attribute));
    form = &candidate;
    value = found;
  }
  if (!form) node.fail("has no value: one of value, value_int, value_ints, ... is needed");
  return form->literal(*value);
}

void constant_type(Inference& node) { node.set_dtype(0, constant_literal(node).dtype()); }

void constant_shape(Inference& node) { node.set_shape(0, constant_literal(node).shape()); }

}  // namespace switchyard
