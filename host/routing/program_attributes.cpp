#include "routing/program_attributes.hpp"

namespace switchyard {
namespace {

template <typename T>
sy_attribute list_attribute(const std::string& name, sy_attribute_kind kind, const T& list) {
  return {sizeof(sy_attribute), kind, name.c_str(), list.data(), list.size()};
}

}  // namespace

ProgramAttributes::ProgramAttributes(const Attributes& attributes) {
  texts_.reserve(attributes.size());
  tensors_.reserve(attributes.size());
  text_.reserve(attributes.size());
  for (const auto& [name, value] : attributes) {
    sy_attribute attribute{sizeof(sy_attribute), 0, name.c_str(), nullptr, 1};
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      attribute.kind = SY_ATTRIBUTE_INT;
      attribute.data = integer;
    } else if (const auto* real = std::get_if<float>(&value)) {
      attribute.kind = SY_ATTRIBUTE_FLOAT;
      attribute.data = real;
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      text_.push_back(text->c_str());
      attribute.kind = SY_ATTRIBUTE_STRING;
      attribute.data = &text_.back();
    } else if (const auto* ints = std::get_if<std::vector<std::int64_t>>(&value)) {
      attribute = list_attribute(name, SY_ATTRIBUTE_INTS, *ints);
    } else if (const auto* floats = std::get_if<std::vector<float>>(&value)) {
      attribute = list_attribute(name, SY_ATTRIBUTE_FLOATS, *floats);
    } else if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
      auto& pointers = texts_.emplace_back();
      for (const std::string& item : *texts) pointers.push_back(item.c_str());
      attribute = list_attribute(name, SY_ATTRIBUTE_STRINGS, pointers);
    } else {
      const Literal& literal = std::get<Literal>(value);
      sy_value tensor{};
      tensor.struct_size = sizeof(tensor);
      tensor.dtype = static_cast<sy_dtype>(literal.dtype());
      tensor.rank = static_cast<std::uint32_t>(literal.shape().size());
      tensor.shape = literal.shape().data();
      tensor.data = literal.bytes();
      tensors_.push_back(tensor);
      attribute.kind = SY_ATTRIBUTE_TENSOR;
      attribute.data = &tensors_.back();
    }
    attributes_.push_back(attribute);
  }
}

}  // namespace switchyard
