#include "functions/golden/neural_golden.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>

#include "test_folders.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

struct Case {
  std::vector<Tensor> inputs, gradients;
  Tensor output;
};

/// `float64 | 2 3 | 0.5 ...`
Tensor read_tensor(std::istringstream& words) {
  std::string dtype, bar, word;
  Dims shape;
  std::vector<double> values;
  words >> dtype >> bar;
  while (words >> word && word != "|") shape.push_back(std::stoll(word));
  while (words >> word) values.push_back(std::strtod(word.c_str(), nullptr));
  const Tensor numbers = tensor(values, shape, {.dtype = DType::float64});
  if (dtype == "bool") return numbers.to(DType::bool_);
  return dtype == "int64" ? numbers.to(DType::int64) : numbers;
}

const std::map<std::string, Case>& cases() {
  static const std::map<std::string, Case> all = [] {
    std::map<std::string, Case> read;
    std::ifstream file(SWITCHYARD_SOURCE_DIR "/tests/unit/functions/golden/neural_golden.txt");
    std::string line, word, name;
    while (std::getline(file, line)) {
      std::istringstream words(line);
      words >> word;
      if (word == "case") {
        words >> name;
      } else if (word == "input") {
        read[name].inputs.push_back(read_tensor(words));
      } else if (word == "output") {
        read[name].output = read_tensor(words);
      } else {
        read[name].gradients.push_back(read_tensor(words));
      }
    }
    return read;
  }();
  return all;
}

void expect_near(const std::string& what, const Tensor& result, const Tensor& expected,
                 double tolerance) {
  ASSERT_EQ(describe(result.shape()), describe(expected.shape())) << what;
  const auto values = result.detach().to(DType::float64).to_vector<double>();
  const auto wanted = expected.to_vector<double>();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_NEAR(values[i], wanted[i], tolerance * (1 + std::abs(wanted[i])))
        << what << ", element " << i;
  }
}

Tensor weights_of(const Tensor& output) {
  std::vector<double> weights;
  for (std::int64_t i = 0; i < output.size(); ++i) {
    weights.push_back(0.5 + 0.1 * static_cast<double>(i % 10));
  }
  return tensor(weights, output.shape(), {.dtype = output.dtype()});
}

void check(const Case& golden, const std::function<Tensor(std::span<const Tensor>)>& function,
           DType dtype, double tolerance) {
  std::vector<Tensor> inputs, wanted;
  for (const Tensor& input : golden.inputs) {
    if (input.dtype() != DType::float64) {
      inputs.push_back(input);
      continue;
    }
    inputs.push_back(input.to(dtype).clone().requires_grad_());
    wanted.push_back(inputs.back());
  }
  const Tensor output = function(inputs);
  EXPECT_EQ(output.dtype(), dtype);
  expect_near("the output", output, golden.output, tolerance);
  const Tensor total = sum(mul(output, weights_of(output)));
  const auto gradients = grad(std::span(&total, 1), wanted, {.allow_unused = true});
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const Tensor gradient = gradients[i].defined() ? gradients[i] : zeros_like(wanted[i]);
    EXPECT_EQ(gradient.dtype(), dtype);
    expect_near("gradient " + std::to_string(i), gradient, golden.gradients[i], tolerance);
  }
}

}  // namespace

void check_neural_golden(const NeuralFunctions& functions) {
  for (const auto& [name, function] : functions) {
    SCOPED_TRACE(name);
    const auto found = cases().find(name);
    if (found == cases().end()) {
      ADD_FAILURE() << "no case in neural_golden.txt";
      continue;
    }
    try {
      check(found->second, function, DType::float64, 2e-7);
      check(found->second, function, DType::float32, 2e-5);
      check(found->second, function, DType::float16, 2e-2);
      check(found->second, function, DType::bfloat16, 1e-1);
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

std::vector<std::string> neural_cases() {
  std::vector<std::string> names;
  for (const auto& [name, golden] : cases()) names.push_back(name);
  return names;
}

}  // namespace switchyard
