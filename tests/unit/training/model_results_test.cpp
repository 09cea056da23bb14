// What a model gives belongs to the caller: nothing else shows when it is written to.
#include <gtest/gtest.h>

#include <switchyard/autograd.hpp>
#include <switchyard/defaults.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/model.hpp>
#include <switchyard/onnx_export.hpp>

#include "training/exported_nets.hpp"

namespace switchyard {
namespace {

/// A model whose only node views its input.
Model flattening() {
  return Model::from_bytes(current_runtime(),
                           onnx_bytes(nn::Sequential(nn::Flatten()), ones({2, 2, 2})));
}

TEST(ModelResults, ShareNoMemoryWithInputs) {
  const NoGrad no_grad;
  const Model model = flattening();
  const Tensor input = ones({2, 2, 2});
  Tensor result = model.run({{"input", input}})[0].tensor;
  result.fill_(5);
  EXPECT_EQ(input.to_vector<float>(), std::vector<float>(8, 1));
  Tensor(input).fill_(7);
  EXPECT_EQ(result.to_vector<float>(), std::vector<float>(8, 5));
}

TEST(ModelResults, AreNotThoseOfAnotherRun) {
  const NoGrad no_grad;
  const Model model = flattening();
  const Tensor input = ones({2, 2, 2});
  Tensor first = model.run({{"input", input}})[0].tensor;
  const Tensor second = model.run({{"input", input}})[0].tensor;
  first.fill_(5);
  EXPECT_EQ(second.to_vector<float>(), std::vector<float>(8, 1));
}

}  // namespace
}  // namespace switchyard
