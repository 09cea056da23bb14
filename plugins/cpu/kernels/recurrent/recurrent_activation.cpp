#include "kernels/recurrent/recurrent_activation.hpp"

#include <algorithm>
#include <cctype>

#include "kernels/elementwise/float_functions.hpp"
#include "simd/vector_rows.hpp"

namespace cpu {
namespace {

// In the order of ONNX's list.
constexpr std::string_view activations[] = {
    "Relu",       "Tanh",        "Sigmoid", "Affine",   "LeakyRelu", "ThresholdedRelu",
    "ScaledTanh", "HardSigmoid", "Elu",     "Softsign", "Softplus"};

bool is_same_without_case(std::string_view x, std::string_view y) {
  return std::ranges::equal(
      x, y, [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

const FloatFunction& activation_named(const sy::Node& node, std::string_view name) {
  for (const std::string_view activation : activations) {
    if (is_same_without_case(activation, name)) return float_function(activation);
  }
  throw sy::unsupported(SY_REASON_ATTRIBUTE, node.op(), " does not know the activation '", name,
                        "'");
}

}  // namespace

void RecurrentActivation::apply(float* values, int64_t count) const {
  char* const data[] = {reinterpret_cast<char*>(values), reinterpret_cast<char*>(values)};
  constexpr int64_t steps[] = {sizeof(float), sizeof(float)};
  row(data, steps, count, &numbers);
}

std::vector<RecurrentActivation> recurrent_activations(const sy::Node& node, size_t directions,
                                                       std::vector<std::string_view> defaults) {
  std::vector<std::string_view> names(node.texts("activations").begin(),
                                      node.texts("activations").end());
  if (names.empty()) {
    for (size_t d = 0; d < directions; ++d)
      names.insert(names.end(), defaults.begin(), defaults.end());
  }
  // RNN's default names one for each of two directions, whatever there are.
  if (names.size() > directions * defaults.size()) names.resize(directions * defaults.size());
  if (names.size() < directions * defaults.size()) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, node.op(), " names ", names.size(),
                          " activations, needs ", directions * defaults.size());
  }
  const std::span<const float> alphas = node.reals("activation_alpha");
  const std::span<const float> betas = node.reals("activation_beta");
  // Only a function that takes a parameter takes one off the list, as onnxruntime has it.
  size_t alpha = 0, beta = 0;
  std::vector<RecurrentActivation> result;
  for (const std::string_view name : names) {
    const FloatFunction& function = activation_named(node, name);
    const auto [first, second] = function.numbers;
    RecurrentActivation made{vector_unary_row(function.name), {first.otherwise, second.otherwise}};
    if (first.attribute != nullptr && alpha < alphas.size()) made.numbers.a = alphas[alpha++];
    if (second.attribute != nullptr && beta < betas.size()) made.numbers.b = betas[beta++];
    result.push_back(made);
  }
  return result;
}

}  // namespace cpu
