#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/register_op.hpp>

#include "ops/attributes.hpp"
#include "ops/inference.hpp"

namespace switchyard {
namespace {

template <typename T>
const T& value_of(const Attributes& attributes, std::string_view name, std::string_view kind) {
  const AttributeValue* value = attributes.find(name);
  if (!value) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the call has no attribute \"{}\"; has_attribute() tells", name));
  }
  if (const T* typed = std::get_if<T>(value)) return *typed;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("attribute \"{}\" is not of the kind {}", name, kind));
}

}  // namespace

OpCall::OpCall(const Attributes& attributes, std::span<const ValueInfo> inputs)
    : attributes_(attributes), inputs_(inputs.data()), input_count_(inputs.size()) {}

bool OpCall::has_input(std::size_t i) const {
  return i < input_count_ && inputs_[i].dtype != DType::undefined;
}

DType OpCall::input_dtype(std::size_t i) const {
  return has_input(i) ? inputs_[i].dtype : DType::undefined;
}

const Dims& OpCall::input_shape(std::size_t i) const {
  if (has_input(i) && inputs_[i].shape) return *inputs_[i].shape;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("the call has no input {}; has_input() tells", i));
}

const Literal* OpCall::literal(std::size_t i) const {
  return has_input(i) ? inputs_[i].literal : nullptr;
}

std::optional<std::vector<std::int64_t>> OpCall::input_integers(std::size_t i) const {
  const Literal* value = literal(i);
  if (!value) return std::nullopt;
  return value->to_int64s();
}

bool OpCall::has_attribute(std::string_view name) const { return attributes_.has(name); }

std::int64_t OpCall::integer(std::string_view name) const {
  return value_of<std::int64_t>(attributes_, name, "int");
}
float OpCall::number(std::string_view name) const {
  return value_of<float>(attributes_, name, "float");
}
std::string_view OpCall::text(std::string_view name) const {
  return value_of<std::string>(attributes_, name, "text");
}
std::vector<std::int64_t> OpCall::integers(std::string_view name) const {
  return value_of<std::vector<std::int64_t>>(attributes_, name, "ints");
}
std::vector<float> OpCall::numbers(std::string_view name) const {
  return value_of<std::vector<float>>(attributes_, name, "floats");
}
std::vector<std::string> OpCall::texts(std::string_view name) const {
  return value_of<std::vector<std::string>>(attributes_, name, "texts");
}

}  // namespace switchyard
