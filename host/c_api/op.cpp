#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <switchyard/error.hpp>

#include "c_api/arguments.hpp"
#include "c_api/guarded.hpp"
#include "c_api/objects.hpp"

using namespace switchyard::c_api;

namespace switchyard::c_api {
namespace {

using NamedAttribute = std::pair<std::string, AttributeArgument>;

/// A list of swy_op_args. A count that no op has is one that was never set, and is not read by.
template <typename T>
std::span<T> list_of_op(T* elements, std::uint32_t count, const char* name) {
  constexpr std::uint32_t kMost = 1u << 20;
  if (count > kMost) refuse_count(name, count, "which no op has");
  return array_of(elements, count, name);
}

template <typename T>
std::span<const T> elements_of(const swy_attribute& attribute) {
  return array_of(static_cast<const T*>(attribute.data), attribute.count, "attribute.data");
}

template <typename T>
const T& only_element_of(const swy_attribute& attribute) {
  const auto elements = elements_of<T>(attribute);
  if (elements.size() == 1) return elements[0];
  throw Error(ErrorKind::invalid_argument,
              fmt::format("attribute '{}' has a count of {}; that of its kind is 1", attribute.name,
                          attribute.count));
}

template <typename T>
std::vector<T> list_of_elements(const swy_attribute& attribute) {
  const auto elements = elements_of<T>(attribute);
  return {elements.begin(), elements.end()};
}

std::vector<std::string> texts_of(const swy_attribute& attribute) {
  std::vector<std::string> texts;
  for (const char* text : elements_of<const char*>(attribute)) {
    texts.emplace_back(&required(text, "attribute.data[i]"));
  }
  return texts;
}

AttributeArgument argument_of(const swy_attribute& attribute) {
  switch (attribute.kind) {
    case SWY_ATTRIBUTE_INT: return only_element_of<std::int64_t>(attribute);
    case SWY_ATTRIBUTE_FLOAT: return only_element_of<float>(attribute);
    case SWY_ATTRIBUTE_STRING:
      return std::string(&required(only_element_of<const char*>(attribute), "attribute.data[0]"));
    case SWY_ATTRIBUTE_INTS: return list_of_elements<std::int64_t>(attribute);
    case SWY_ATTRIBUTE_FLOATS: return list_of_elements<float>(attribute);
    case SWY_ATTRIBUTE_STRINGS: return texts_of(attribute);
    case SWY_ATTRIBUTE_TENSOR:
      return required(only_element_of<swy_tensor*>(attribute), "attribute.data[0]").value;
    default:
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("attribute '{}' has kind {}, which is none of "
                              "SWY_ATTRIBUTE_*",
                              attribute.name, attribute.kind));
  }
}

std::vector<NamedAttribute> attributes_of(const swy_op_args& args) {
  std::vector<NamedAttribute> attributes;
  for (const swy_attribute& attribute :
       list_of_op(args.attributes, args.attribute_count, "args.attributes")) {
    check_struct_size(attribute.struct_size, sizeof(attribute), "swy_attribute");
    const std::string name = &required(attribute.name, "attribute.name");
    const auto has_name = [&](const NamedAttribute& other) { return other.first == name; };
    if (std::ranges::any_of(attributes, has_name)) {
      throw Error(ErrorKind::invalid_argument, fmt::format("attribute '{}' is given twice", name));
    }
    attributes.emplace_back(name, argument_of(attribute));
  }
  return attributes;
}

std::vector<Tensor> inputs_of(const swy_op_args& args) {
  std::vector<Tensor> inputs;
  for (const swy_tensor* input : list_of_op(args.inputs, args.input_count, "args.inputs")) {
    inputs.push_back(input ? input->value : Tensor());
  }
  return inputs;
}

Operation operation_of(const Runtime& runtime, const swy_device* device, const swy_op_args& args) {
  const char* op = &required(args.op, "args.op");
  const char* domain = args.domain ? args.domain : "";
  if (device) return runtime.operation_on(device->value, op, attributes_of(args), domain);
  return runtime.operation(op, attributes_of(args), domain);
}

/// Hands over all of them or, where memory ends half-way, none.
void give_outputs(std::span<swy_tensor*> out, std::vector<Tensor> results) {
  std::vector<std::unique_ptr<swy_tensor>> made(out.size());
  for (std::size_t i = 0; i < out.size() && i < results.size(); ++i) {
    if (results[i].defined()) made[i] = std::make_unique<swy_tensor>(std::move(results[i]));
  }
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = made[i].release();
}

}  // namespace
}  // namespace switchyard::c_api

swy_status* swy_op_call(swy_runtime* runtime, swy_device* device, const swy_op_args* args) {
  return guarded([&] {
    const switchyard::Runtime& user = required(runtime, "runtime").value;
    const swy_op_args& call = required(args, "args");
    check_struct_size(call.struct_size, sizeof(call), "swy_op_args");
    const auto outputs = list_of_op(call.outputs, call.output_count, "args.outputs");
    const std::vector<switchyard::Tensor> inputs = inputs_of(call);
    give_outputs(outputs, operation_of(user, device, call)(inputs, outputs.size()));
  });
}
