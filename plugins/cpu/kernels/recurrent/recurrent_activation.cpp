#include "kernels/recurrent/recurrent_activation.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "simd/unary_parameters.hpp"
#include "simd/vector_rows.hpp"

namespace cpu {
namespace {

struct ActivationRow {
  std::string_view name;  // in lower case
  float (*function)(float, float, float);
  float alpha = 0;  // ONNX's defaults
  float beta = 0;
  const char* vector = "";  // its name among the vector functions
  int parameters = 0;       // 1: alpha, 2: beta too
};

constexpr ActivationRow activations[] = {
    {"sigmoid", [](float x, float, float) { return 1 / (1 + std::exp(-x)); }, 0, 0, "Sigmoid"},
    {"tanh", [](float x, float, float) { return std::tanh(x); }, 0, 0, "Tanh"},
    {"relu", [](float x, float, float) { return x < 0 ? 0 : x; }},
    {"affine", [](float x, float alpha, float beta) { return alpha * x + beta; }, 1, 0, "", 2},
    {"leakyrelu", [](float x, float alpha, float) { return x < 0 ? alpha * x : x; }, 0.01f, 0, "",
     1},
    {"thresholdedrelu", [](float x, float alpha, float) { return x > alpha ? x : 0; }, 1, 0, "", 1},
    {"scaledtanh", [](float x, float alpha, float beta) { return alpha * std::tanh(beta * x); }, 1,
     1, "", 2},
    {"hardsigmoid",
     [](float x, float alpha, float beta) { return std::clamp(alpha * x + beta, 0.0f, 1.0f); },
     0.2f, 0.5f, "", 2},
    {"elu", [](float x, float alpha, float) { return x < 0 ? alpha * std::expm1(x) : x; }, 1, 0, "",
     1},
    {"softsign", [](float x, float, float) { return x / (1 + std::abs(x)); }},
    {"softplus",
     [](float x, float, float) { return std::max(x, 0.0f) + std::log1p(std::exp(-std::abs(x))); }},
};

const ActivationRow& row_named(const sy::Node& node, std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  for (const ActivationRow& row : activations) {
    if (row.name == lower) return row;
  }
  throw sy::unsupported(SY_REASON_ATTRIBUTE, node.op(), " does not know the activation '", name,
                        "'");
}

}  // namespace

void RecurrentActivation::apply(float* values, int64_t count) const {
  if (row == nullptr) {
    for (int64_t i = 0; i < count; ++i) values[i] = function(values[i], alpha, beta);
    return;
  }
  char* const data[] = {reinterpret_cast<char*>(values), reinterpret_cast<char*>(values)};
  constexpr int64_t steps[] = {sizeof(float), sizeof(float)};
  const UnaryParameters none;
  row(data, steps, count, &none);
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
    const ActivationRow& row = row_named(node, name);
    RecurrentActivation made{row.function, row.alpha, row.beta, vector_unary_row(row.vector)};
    if (row.parameters >= 1 && alpha < alphas.size()) made.alpha = alphas[alpha++];
    if (row.parameters >= 2 && beta < betas.size()) made.beta = betas[beta++];
    result.push_back(made);
  }
  return result;
}

}  // namespace cpu
