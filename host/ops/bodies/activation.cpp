#include "ops/bodies/activation.hpp"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

namespace switchyard {

namespace {

/// An activation that is one op, with the names of the attributes that its parameters are.
struct Activation {
  std::string_view name;
  std::vector<std::string_view> attributes;
};

const std::array<Activation, 12>& activations() {
  static const auto& table = *new std::array<Activation, 12>{{{"Celu", {"alpha"}},
                                                              {"Elu", {"alpha"}},
                                                              {"HardSigmoid", {"alpha", "beta"}},
                                                              {"LeakyRelu", {"alpha"}},
                                                              {"Relu", {}},
                                                              {"Selu", {"alpha", "gamma"}},
                                                              {"Sigmoid", {}},
                                                              {"Softplus", {}},
                                                              {"Softsign", {}},
                                                              {"Swish", {"alpha"}},
                                                              {"Tanh", {}},
                                                              {"ThresholdedRelu", {"alpha"}}}};
  return table;
}

/// alpha f(beta x): functions that ONNX has dropped as ops.
struct ScaledActivation {
  std::string_view name, function;
};

constexpr ScaledActivation kScaled[] = {{"ParametricSoftplus", "Softplus"}, {"ScaledTanh", "Tanh"}};

const Activation& named(const Inference& node, std::string_view name) {
  const auto found = std::find_if(activations().begin(), activations().end(),
                                  [&](const Activation& each) { return each.name == name; });
  if (found != activations().end()) return *found;
  std::vector<std::string_view> names = {"Clip"};
  for (const Activation& each : activations()) names.push_back(each.name);
  for (const ScaledActivation& each : kScaled) names.push_back(each.name);
  node.fail(fmt::format("the activation \"{}\" is not supported; supported are {}", name,
                        fmt::join(names, ", ")));
}

void check_count(const Inference& node, std::string_view activation, std::size_t needed,
                 const std::vector<float>& given) {
  if (given.size() == needed) return;
  node.fail(fmt::format("the activation {} takes {} parameters; the node gives {}", activation,
                        needed, given.size()));
}

}  // namespace

void add_activation(BodyText& body, const Inference& node, std::string_view activation,
                    const std::vector<float>& parameters, std::string_view result,
                    std::string_view input) {
  if (activation.empty()) {
    check_count(node, "\"\"", 0, parameters);
    return body.add("{} = Identity ({})", result, input);
  }
  if (activation == "Clip") {
    check_count(node, activation, 2, parameters);
    body.add_number("Least", parameters[0], input);
    body.add_number("Most", parameters[1], input);
    return body.add("{} = Clip ({}, Least, Most)", result, input);
  }
  for (const ScaledActivation& each : kScaled) {
    if (each.name != activation) continue;
    check_count(node, activation, 2, parameters);
    body.add_number("Alpha", parameters[0], input);
    body.add_number("Beta", parameters[1], input);
    body.add("Inner = Mul ({}, Beta)", input);
    body.add("Outer = {} (Inner)", each.function);
    return body.add("{} = Mul (Outer, Alpha)", result);
  }
  const Activation& known = named(node, activation);
  check_count(node, activation, known.attributes.size(), parameters);
  std::vector<std::string> attributes;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    attributes.push_back(fmt::format("{}: float = {}", known.attributes[i], parameters[i]));
  }
  body.add("{} = {} <{}> ({})", result, activation, fmt::join(attributes, ", "), input);
}

}  // namespace switchyard
