#include "tensor/operation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <switchyard/error.hpp>

#include "ops/op_error.hpp"
#include "ops/signature.hpp"

namespace switchyard {
namespace {

struct AsAttribute {
  std::string_view op, name;

  AttributeValue operator()(const Tensor& tensor) const {
    if (!tensor.defined()) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("[{}] attribute \"{}\" is a Tensor that holds nothing; give it a "
                              "value, or leave the attribute out",
                              op, name));
    }
    CopyCount count;
    return snapshot(TensorRef(&impl_of(tensor)), count);
  }
  template <typename T>
  AttributeValue operator()(const T& value) const {
    return value;
  }
};

/// With the defaults of those that are not given.
Attributes checked(const Op& op, Attributes attributes) try {
  check_attributes(op.name(), op.canonical, attributes);
  return attributes;
} catch (const Error& error) {
  throw_to_caller(error, op.name());
}

/// All but the optional ones at the end; all, if each is optional; 0 for a variable number.
std::size_t usual_outputs(const Op& op) {
  if (has_variadic_outputs(op)) return 0;
  const auto& outputs = op.canonical.outputs;
  const auto required = static_cast<std::size_t>(std::count_if(
      outputs.begin(), outputs.end(), [](const Formal& formal) { return !formal.optional; }));
  return required == 0 ? outputs.size() : required;
}

}  // namespace

std::shared_ptr<const Operation::State> make_operation(std::shared_ptr<Engine> engine,
                                                       std::shared_ptr<OpenDevice> placement,
                                                       std::string_view op_name,
                                                       AttributeArguments arguments,
                                                       std::string_view domain) {
  const Op* op = find_op(domain, op_name);
  if (!op) {
    throw Error(ErrorKind::not_found,
                fmt::format("there is no op '{}' in domain '{}'", op_name, domain));
  }
  if (op->row->runs_on == RunsOn::control) {
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("[{}] works on graphs and lists; it can only be used in a model", op_name));
  }
  if (op->row->runs_on == RunsOn::body) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[{}] is made of other ops where a model is read; it can only be used "
                            "in a model",
                            op_name));
  }
  Attributes attributes;
  for (auto& [name, value] : arguments) {
    if (attributes.has(name)) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("[{}] the attribute '{}' is given twice", op_name, name));
    }
    attributes.set(name, std::visit(AsAttribute{op->name(), name}, value.value()));
  }
  auto state = std::make_shared<Operation::State>();
  state->site = make_site(*op, checked(*op, std::move(attributes)), Purpose::ordinary,
                          placement.get(), engine->router->policy()->math_flags(op->name()));
  state->usual_outputs = usual_outputs(*op);
  state->engine = std::move(engine);
  state->placement = std::move(placement);
  return state;
}

}  // namespace switchyard
