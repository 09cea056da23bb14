#include "ops/recurrent/recurrent_activation.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace mps {
namespace {

struct ActivationRow {
  std::string_view name;  // in lower case
  float alpha = 0;        // ONNX's defaults
  float beta = 0;
  int parameters = 0;  // 1: alpha, 2: beta too
};

// By the numbers that kernels/recurrent.metal knows them by.
constexpr ActivationRow activations[] = {
    {"sigmoid"},
    {"tanh"},
    {"relu"},
    {"affine", 1, 0, 2},
    {"leakyrelu", 0.01f, 0, 1},
    {"thresholdedrelu", 1, 0, 1},
    {"scaledtanh", 1, 1, 2},
    {"hardsigmoid", 0.2f, 0.5f, 2},
    {"elu", 1, 0, 1},
    {"softsign"},
    {"softplus"},
};

uint32_t number_of(const sy::Node& node, std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  for (size_t i = 0; i < std::size(activations); ++i) {
    if (activations[i].name == lower) return static_cast<uint32_t>(i);
  }
  throw sy::unsupported(SY_REASON_ATTRIBUTE, node.op(), " does not know the activation '", name,
                        "'");
}

}  // namespace

std::vector<RecurrentActivation> recurrent_activations(const sy::Node& node, size_t directions,
                                                       std::vector<std::string_view> defaults) {
  const size_t needed = directions * defaults.size();
  std::vector<std::string_view> names(node.texts("activations").begin(),
                                      node.texts("activations").end());
  for (size_t d = 0; names.size() < needed && d < directions && !node.has("activations"); ++d) {
    names.insert(names.end(), defaults.begin(), defaults.end());
  }
  if (names.size() < needed) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, node.op(), " names ", names.size(),
                          " activations, needs ", needed);
  }
  const std::span<const float> alphas = node.reals("activation_alpha");
  const std::span<const float> betas = node.reals("activation_beta");
  // Only a function that takes a parameter takes one off the list, as onnxruntime has it.
  size_t alpha = 0, beta = 0;
  std::vector<RecurrentActivation> made;
  // RNN's default names one for each of two directions, whatever there are.
  for (size_t i = 0; i < needed; ++i) {
    const uint32_t number = number_of(node, names[i]);
    const ActivationRow& row = activations[number];
    made.push_back({number, row.alpha, row.beta});
    if (row.parameters >= 1 && alpha < alphas.size()) made.back().alpha = alphas[alpha++];
    if (row.parameters >= 2 && beta < betas.size()) made.back().beta = betas[beta++];
  }
  return made;
}

}  // namespace mps
