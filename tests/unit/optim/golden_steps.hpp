// What PyTorch's optimizers do step by step: golden.safetensors, which golden.py wrote.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <switchyard/optim.hpp>
#include <vector>

#include "nn/golden.hpp"

namespace switchyard {

using Parameters = std::vector<Tensor>;

constexpr int kGoldenSteps = 5;  // whose gradients are in the file

inline GoldenCase golden_case(const std::string& name) {
  return GoldenCase(name, "optim/golden.safetensors");
}

inline Parameters first_parameters(DType dtype) {
  const GoldenCase first = golden_case("first");
  Parameters parameters;
  for (const char* i : {"0", "1"}) {
    Tensor parameter = first[i].to(dtype).clone();
    parameters.push_back(parameter.requires_grad_());
  }
  return parameters;
}

/// Those of a step; from the first again after the last.
inline void set_gradients(const Parameters& parameters, int step) {
  const GoldenCase gradients = golden_case("grad");
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Tensor gradient = gradients[fmt::format("{}/{}", step % kGoldenSteps, i)];
    parameters[i].set_grad(gradient.to(parameters[i].dtype()));
  }
}

inline void expect_step(const std::string& name, const Parameters& parameters, int step,
                        double tolerance_of_float32 = 3e-6) {
  const GoldenCase expected = golden_case(name);
  const double tolerance = parameters[0].dtype() == DType::float64 ? 1e-12 : tolerance_of_float32;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::string key = fmt::format("{}/{}", step, i);
    expect_close(parameters[i].detach(), expected[key], name + ", step/parameter " + key,
                 tolerance);
  }
}

}  // namespace switchyard
