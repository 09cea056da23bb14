#include <switchyard/nn/parameter_container.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <switchyard/error.hpp>

#include "nn/position_in.hpp"

namespace switchyard::nn {
namespace {

void require_value(const char* container, const Tensor& value) {
  if (value.defined()) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] a tensor that holds nothing is no parameter", container));
}

/// What PyTorch calls tensors of a type.
std::string_view python_class(DType dtype) {
  switch (dtype) {
    case DType::float32: return "torch.FloatTensor";
    case DType::float64: return "torch.DoubleTensor";
    case DType::float16: return "torch.HalfTensor";
    case DType::bfloat16: return "torch.BFloat16Tensor";
    default: return name_of(dtype);
  }
}

std::string text_of_parameter(const std::string& name, const std::string& type,
                              const Tensor& tensor) {
  return fmt::format("  ({}): Parameter containing: [{} of size {}]", name, type,
                     fmt::join(tensor.shape().span(), "x"));
}

}  // namespace

ParameterList::ParameterList(std::initializer_list<Tensor> values) {
  for (const Tensor& value : values) append(value);
}

Tensor ParameterList::append(const Tensor& value) {
  require_value("ParameterList", value);
  return register_parameter(std::to_string(size()), value);
}

Tensor ParameterList::operator[](Int index) const {
  const NamedTensors own = own_parameters();
  return own[position_in("ParameterList", index, own.size())].second;
}

Tensor ParameterDict::insert(Text name, const Tensor& value) {
  require_value("ParameterDict", value);
  return register_parameter(name, value);
}

bool ParameterDict::contains(Text name) const {
  for (const auto& entry : own_parameters()) {
    if (entry.first == name) return true;
  }
  return false;
}

std::vector<std::string> ParameterDict::keys() const {
  std::vector<std::string> names;
  for (const auto& entry : own_parameters()) names.push_back(entry.first);
  return names;
}

Tensor ParameterDict::operator[](Text name) const {
  for (const auto& [own, tensor] : own_parameters()) {
    if (own == name) return tensor;
  }
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[ParameterDict] there is no parameter '{}' among "
                          "these: {}",
                          name, fmt::join(keys(), ", ")));
}

std::string ParameterList::extra_repr() const {
  std::vector<std::string> lines;
  for (const auto& [name, tensor] : own_parameters()) {
    lines.push_back(
        text_of_parameter(name, "torch." + std::string(name_of(tensor.dtype())), tensor));
  }
  return fmt::format("{}", fmt::join(lines, "\n"));
}

std::string ParameterDict::extra_repr() const {
  std::vector<std::string> lines;
  for (const auto& [name, tensor] : own_parameters()) {
    lines.push_back(text_of_parameter(name, std::string(python_class(tensor.dtype())), tensor));
  }
  return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace switchyard::nn
