// What PyTorch computed: golden.safetensors, which golden.py wrote.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/io.hpp>
#include <switchyard/nn.hpp>

#include "functions/creation/new_tensor.hpp"
#include "test_folders.hpp"

namespace switchyard {

inline std::string golden_path(const std::string& file) {
  return std::string(SWITCHYARD_SOURCE_DIR) + "/tests/unit/" + file;
}

// The tensors of one case, by what follows its name.
class GoldenCase {
 public:
  explicit GoldenCase(const std::string& name, const std::string& file = "nn/golden.safetensors")
      : name_(name), tensors_(load_safetensors(golden_path(file)).tensors) {}

  bool has(const std::string& what) const { return tensors_.count(name_ + "/" + what) > 0; }
  // On the current device; no tensor if the case has none of that name.
  Tensor operator[](const std::string& what) const {
    const auto found = tensors_.find(name_ + "/" + what);
    return found == tensors_.end() ? Tensor() : place(found->second);
  }
  // All whose names begin so, by the rest of the name.
  StateDict below(const std::string& kind) const {
    const std::string prefix = name_ + "/" + kind + "/";
    StateDict found;
    for (const auto& [name, tensor] : tensors_) {
      if (name.rfind(prefix, 0) == 0) found.emplace(name.substr(prefix.size()), tensor);
    }
    return found;
  }

 private:
  std::string name_;
  std::map<std::string, Tensor> tensors_;
};

// Checks shapes and elements, within what float32 rounds.
inline void expect_close(const Tensor& actual, const Tensor& expected, const std::string& what,
                         double tolerance = 2e-5) {
  ASSERT_TRUE(actual.defined()) << what << " is missing";
  ASSERT_TRUE(expected.defined()) << what << " is not in the file";
  ASSERT_EQ(actual.shape(), expected.shape()) << what;
  ASSERT_EQ(actual.dtype(), expected.dtype()) << what;
  const Tensor there = place(expected);
  if (allclose(actual, there, tolerance, tolerance)) return;
  ADD_FAILURE() << what << " differs by up to "
                << abs(actual - there).to(DType::float64).max().item();
}

// Runs backward() from `output` and compares all gradients of parameters.
inline void expect_gradients(const GoldenCase& golden, const Tensor& output,
                             const nn::Module& module) {
  expect_close(output, golden["output"], "the output");
  if (!output.requires_grad()) return;
  output.backward(golden["seed"]);
  for (const auto& [name, parameter] : module.named_parameters()) {
    expect_close(parameter.grad(), golden["grad/" + name], "the gradient of " + name);
  }
}

}  // namespace switchyard
