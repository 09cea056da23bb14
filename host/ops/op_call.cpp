#include <fmt/format.h>

#include <algorithm>
#include <switchyard/error.hpp>
#include <switchyard/register_op.hpp>

#include "ops/attributes.hpp"
#include "ops/inference.hpp"
#include "ops/row.hpp"
#include "ops/signature.hpp"
#include "types/dtype_kinds.hpp"

namespace switchyard {
namespace {

[[noreturn]] void refuse(const Op& op, const std::string& why) {
  throw Error(ErrorKind::invalid_argument, fmt::format("[{}] {}", op.name(), why));
}

template <typename T>
const T& value_of(const OpCall& call, std::string_view name, std::string_view kind) {
  const auto& known = call.op().canonical.attributes;
  if (std::ranges::find(known, name, &AttributeSpec::name) == known.end()) {
    refuse(call.op(), fmt::format("its definition has no attribute \"{}\"", name));
  }
  const AttributeValue* value = call.attributes().find(name);
  if (!value) {
    refuse(call.op(), fmt::format("the call leaves attribute \"{}\" out; has_attribute() tells, "
                                  "and a default would stand in",
                                  name));
  }
  if (const T* typed = std::get_if<T>(value)) return *typed;
  refuse(call.op(), fmt::format("attribute \"{}\" is not of the kind {}", name, kind));
}

}  // namespace

OpCall::OpCall(const Op& op, const Attributes& attributes, std::span<const ValueInfo> inputs)
    : op_(op), attributes_(attributes), inputs_(inputs.data()), input_count_(inputs.size()) {}

void OpCall::require_position(std::size_t i) const {
  if (formal_at(op_.canonical.inputs, i)) return;
  refuse(op_,
         fmt::format("there is no input {}: its signature has {}", i, op_.canonical.inputs.size()));
}

bool OpCall::has_input(std::size_t i) const {
  require_position(i);
  return i < input_count_ && inputs_[i].dtype != DType::undefined;
}

DType OpCall::input_dtype(std::size_t i) const {
  return has_input(i) ? inputs_[i].dtype : DType::undefined;
}

const Dims& OpCall::input_shape(std::size_t i) const {
  if (has_input(i) && inputs_[i].shape) return *inputs_[i].shape;
  refuse(op_, fmt::format("the call leaves input {} out; has_input() tells", i));
}

const Literal* OpCall::literal(std::size_t i) const {
  return has_input(i) ? inputs_[i].literal : nullptr;
}

std::optional<std::vector<std::int64_t>> OpCall::input_integers(std::size_t i) const {
  require_position(i);
  if (!op_.is_host_input(i)) {
    refuse(op_, fmt::format("input {} is no host input, whose values a shape rule may read: its "
                            "type in the signature needs a `!`",
                            i));
  }
  const Literal* value = literal(i);
  if (!value) return std::nullopt;
  if (!is_integer(value->dtype())) {
    refuse(op_, fmt::format("input {} holds {}, no integers", i, name_of(value->dtype())));
  }
  return value->to_int64s();
}

bool OpCall::has_attribute(Text name) const { return attributes_.has(name); }

std::int64_t OpCall::integer(Text name) const { return value_of<std::int64_t>(*this, name, "int"); }
float OpCall::number(Text name) const { return value_of<float>(*this, name, "float"); }
std::string_view OpCall::text(Text name) const {
  return value_of<std::string>(*this, name, "text");
}
std::vector<std::int64_t> OpCall::integers(Text name) const {
  return value_of<std::vector<std::int64_t>>(*this, name, "ints");
}
std::vector<float> OpCall::numbers(Text name) const {
  return value_of<std::vector<float>>(*this, name, "floats");
}
std::vector<std::string> OpCall::texts(Text name) const {
  return value_of<std::vector<std::string>>(*this, name, "texts");
}

}  // namespace switchyard
