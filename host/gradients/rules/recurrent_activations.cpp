#include "gradients/rules/recurrent_activations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

namespace switchyard {
namespace {

struct NamedFunction {
  std::string_view name;  // in lower case, as names come in any
  GateFunction of;        // with ONNX's defaults
  int parameters = 0;     // 1: alpha, 2: beta too
};

constexpr NamedFunction kFunctions[] = {
    {"sigmoid", {[](const Tensor& x, double, double) { return sigmoid(x); }, 0, 0}},
    {"tanh", {[](const Tensor& x, double, double) { return tanh(x); }, 0, 0}},
    {"relu", {[](const Tensor& x, double, double) { return relu(x); }, 0, 0}},
    {"affine", {[](const Tensor& x, double a, double b) { return add(mul(x, a), b); }, 1, 0}, 2},
    {"leakyrelu",
     {[](const Tensor& x, double a, double) { return leaky_relu(x, a); }, 0.01F, 0},
     1},
    {"thresholdedrelu",
     {[](const Tensor& x, double a, double) -> Tensor { return where(gt(x, a), x, 0); }, 1, 0},
     1},
    {"scaledtanh",
     {[](const Tensor& x, double a, double b) { return mul(tanh(mul(x, b)), a); }, 1, 1},
     2},
    {"hardsigmoid",
     {[](const Tensor& x, double a, double b) { return clamp(add(mul(x, a), b), 0, 1); }, 0.2F,
      0.5},
     2},
    {"elu", {[](const Tensor& x, double a, double) { return elu(x, a); }, 1, 0}, 1},
    {"softsign", {[](const Tensor& x, double, double) { return softsign(x); }, 0, 0}},
    {"softplus", {[](const Tensor& x, double, double) { return softplus(x); }, 0, 0}},
};

NamedFunction function_named(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const NamedFunction& known : kFunctions) {
    if (known.name == name) return known;
  }
  throw Error(ErrorKind::unsupported,
              fmt::format("recurrent layers have no gradient through the activation '{}'", name));
}

}  // namespace

std::vector<GateFunction> gate_functions(const Attributes& attributes, std::size_t directions,
                                         const std::vector<std::string>& defaults) {
  std::vector<std::string> names = attributes.get_texts("activations");
  const std::vector<float> alphas = attributes.get_floats("activation_alpha");
  const std::vector<float> betas = attributes.get_floats("activation_beta");
  // What the attribute's own default names may be more than the layer has.
  while (names.size() < directions * defaults.size()) {
    names.push_back(defaults[names.size() % defaults.size()]);
  }
  // Only a function that takes a parameter takes one off the list.
  std::size_t alpha = 0, beta = 0;
  std::vector<GateFunction> made;
  for (std::size_t i = 0; i < directions * defaults.size(); ++i) {
    const NamedFunction known = function_named(names[i]);
    made.push_back(known.of);
    if (known.parameters >= 1 && alpha < alphas.size()) made.back().alpha = alphas[alpha++];
    if (known.parameters >= 2 && beta < betas.size()) made.back().beta = betas[beta++];
  }
  return made;
}

}  // namespace switchyard
