#include "ops/upgrades/cast.hpp"

#include <fmt/format.h>

#include "ops/upgrades/rewrite.hpp"

namespace switchyard {

namespace {

struct TypeName {
  std::string_view text;
  DType dtype;
};

constexpr TypeName kTypeNames[] = {
    {"FLOAT", DType::float32},  {"UINT8", DType::uint8},   {"INT8", DType::int8},
    {"UINT16", DType::uint16},  {"INT16", DType::int16},   {"INT32", DType::int32},
    {"INT64", DType::int64},    {"BOOL", DType::bool_},    {"FLOAT16", DType::float16},
    {"DOUBLE", DType::float64}, {"UINT32", DType::uint32}, {"UINT64", DType::uint64},
};

}  // namespace

void type_name_to_number(NodeDraft& node) {
  const std::string text(node.attributes.get_text("to", ""));
  for (const TypeName& name : kTypeNames) {
    if (name.text == text) return node.attributes.set("to", static_cast<std::int64_t>(name.dtype));
  }
  refuse(node, fmt::format("\"to\" is \"{}\", which is not a type's name", text));
}

}  // namespace switchyard
