// Functions on a device that has ONNX's ops alone, without another to fall back to: what has an op
// of its own elsewhere is computed by the op's body, and so are gradients.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <switchyard/autocast.hpp>
#include <switchyard/autograd.hpp>
#include <switchyard/defaults.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/optim.hpp>

#include "tensor/engine.hpp"
#include "tensor/host_tensor.hpp"
#include "tensor/test_runtime.hpp"
#include "test_folders.hpp"

namespace switchyard {
namespace {

using Numbers = std::vector<double>;
using OfOne = Tensor (*)(const Tensor&);
using OfTwo = Tensor (*)(const Tensor&, const Tensor&);

Runtime on_the_processor() {
  return Runtime::from_file(SWITCHYARD_BUILD_DIR "/config/cpu-only.toml");
}

Runtime on_onnx_alone(const std::string& more = "") {
  const std::string options =
      fmt::format("[plugins.late.options]\nkernels = \"{}\"\nonly_onnx = true\n{}\n",
                  plugin_library("cpu").string(), more);
  return Runtime::from_text(config_text({{"late"}, "", options, {"cpu"}, {"late", "cpu"}}));
}

Tensor numbers_between(double low, double high, const Dims& shape = {3, 4}) {
  Floats numbers;
  for (int i = 0; i < 12; ++i) {
    numbers.push_back(static_cast<float>(low + (high - low) * i / 11));
  }
  return host_tensor<float>(shape, numbers).to(current_device());
}

/// Values of `made()`, and of its gradients by `leaves`, one after the other.
template <typename Function>
Numbers with_gradients(std::vector<Tensor> leaves, const Function& made) {
  for (Tensor& leaf : leaves) leaf.requires_grad_();
  const Tensor result = made(leaves);
  Numbers all = result.to(DType::float64).to_vector<double>();
  sum(result * result).backward();
  for (const Tensor& leaf : leaves) {
    for (const double number : leaf.grad().to(DType::float64).to_vector<double>()) {
      all.push_back(number);
    }
  }
  return all;
}

void expect_same_on_both(const std::string& what, const std::function<Numbers()>& compute,
                         double tolerance = 2e-5, const std::string& options = "") {
  SCOPED_TRACE(what);
  Numbers want, got;
  {
    const Runtime runtime = on_the_processor();
    const RuntimeScope scope(runtime);
    want = compute();
  }
  const Runtime runtime = on_onnx_alone(options);
  const RuntimeScope scope(runtime);
  got = compute();
  EXPECT_TRUE(runtime.fallbacks().empty());
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::isnan(want[i]) && std::isnan(got[i])) continue;
    EXPECT_NEAR(got[i], want[i], tolerance * std::max(1.0, std::abs(want[i]))) << "number " << i;
  }
}

TEST(EagerBodies, ComputeFunctionsOfOneNumber) {
  const std::pair<const char*, OfOne> functions[] = {
      {"exp2", exp2},   {"expm1", expm1},   {"log1p", log1p},    {"log2", log2},
      {"log10", log10}, {"rsqrt", rsqrt},   {"trunc", trunc},    {"frac", frac},
      {"erfc", erfc},   {"lgamma", lgamma}, {"digamma", digamma}};
  for (const auto& [name, function] : functions) {
    expect_same_on_both(name, [&] {
      return with_gradients({numbers_between(0.35, 3.6)},
                            [&](const auto& leaves) { return function(leaves[0]); });
    });
  }
}

TEST(EagerBodies, ComputeFunctionsOfTwoNumbersThatBroadcast) {
  const std::pair<const char*, OfTwo> functions[] = {{"atan2", atan2},
                                                     {"floor_divide", floor_divide},
                                                     {"remainder", remainder},
                                                     {"hypot", hypot},
                                                     {"logaddexp", logaddexp}};
  for (const auto& [name, function] : functions) {
    expect_same_on_both(name, [&] {
      const Tensor few = slice(numbers_between(-1.3, 1.1, {12}), 0, 0, 4).clone();
      return with_gradients({numbers_between(-2.9, 3.7), few},
                            [&](const auto& leaves) { return function(leaves[0], leaves[1]); });
    });
  }
}

TEST(EagerBodies, ComputeGradientsOfLayers) {
  const std::pair<const char*, OfOne> functions[] = {
      {"softmax", [](const Tensor& x) { return softmax(x, -1); }},
      {"log_softmax", [](const Tensor& x) { return log_softmax(x, -1); }},
      {"layer_norm", [](const Tensor& x) { return layer_norm(x, {4}); }},
      {"group_norm",
       [](const Tensor& x) {
         return group_norm(reshape(x, {1, 4, 3}), 2);
       }},
      {"max_pool1d",
       [](const Tensor& x) {
         return max_pool1d(reshape(x, {1, 3, 4}), 2);
       }},
  };
  for (const auto& [name, function] : functions) {
    expect_same_on_both(name, [&] {
      return with_gradients({numbers_between(-2.9, 3.7)},
                            [&](const auto& leaves) { return function(leaves[0]); });
    });
  }
}

// The shapes that the body works with are the host's work, as in a model.
TEST(EagerBodies, ComputeShapesForADeviceWithoutIntegers) {
  const auto norm = [] {
    return with_gradients({numbers_between(-2.9, 3.7)}, [](const auto& leaves) {
      return group_norm(reshape(leaves[0], {1, 4, 3}), 2);
    });
  };
  expect_same_on_both("group_norm", norm, 2e-5, "has_integers = false");
}

TEST(EagerBodies, ComputeGradientsOfBatches) {
  expect_same_on_both("batch_norm", [] {
    return with_gradients({numbers_between(-2.9, 3.7), numbers_between(1, 2, {12})},
                          [](const auto& leaves) {
                            const Tensor scale = slice(leaves[1], 0, 0, 4);
                            return batch_norm(leaves[0], {}, {}, scale, {}, true);
                          });
  });
}

TEST(EagerBodies, ComputeInEveryFloatType) {
  for (const DType dtype : {DType::float64, DType::float16, DType::bfloat16}) {
    const double tolerance = dtype == DType::float64 ? 1e-12 : 2e-2;
    expect_same_on_both(
        std::string(name_of(dtype)),
        [&] {
          return with_gradients({numbers_between(0.35, 3.6).to(dtype)},
                                [](const auto& leaves) { return log1p(leaves[0]); });
        },
        tolerance);
  }
}

// Autocast chooses the call's dtype once, not that of each node.
TEST(EagerBodies, KeepTheDtypeThatAutocastChose) {
  expect_same_on_both("autocast", [] {
    const Autocast autocast(DType::float16);
    const Tensor x = numbers_between(0.35, 3.6).to(DType::float16);
    return expm1(x).to(DType::float64).to_vector<double>();
  });
}

// The body of MaxPoolGradient ends in a Reshape.
TEST(EagerBodies, GiveResultsThatAreNoViews) {
  const Runtime runtime = on_onnx_alone();
  const RuntimeScope scope(runtime);
  Tensor x = numbers_between(-2.9, 3.7, {1, 3, 4}).requires_grad_();
  const Tensor y = max_pool1d(x, 2);
  Tensor dx = grad(sum(y * y), x, {.create_graph = true});
  EXPECT_TRUE(dx.requires_grad());
  EXPECT_EQ(dx.device().name(), "late:0");
  {
    const NoGrad no_grad;
    const Tensor before = x.clone();
    dx.zero_();
    EXPECT_TRUE(equal(x, before)) << "the gradient has memory of its own";
  }
}

// An optimizer's step writes over the parameter, and over what it keeps beside it.
TEST(EagerBodies, WriteInPlace) {
  expect_same_on_both("Adam", [] {
    Tensor x = numbers_between(-2.9, 3.7).requires_grad_();
    const Tensor seen = x.detach();
    optim::Adam adam({x}, {.lr = 0.1});
    for (int step = 0; step < 3; ++step) {
      adam.zero_grad();
      sum(x * x).backward();
      adam.step();
    }
    return seen.to(DType::float64).to_vector<double>();
  });
}

/// An engine keeps the bodies of its functions, and their constants come to its devices.
TEST(EagerBodies, LetTheirRuntimeEnd) {
  std::weak_ptr<Engine> engine;
  {
    const Runtime runtime = on_onnx_alone();
    const RuntimeScope scope(runtime);
    engine = runtime.engine();
    for (const OfOne function : {OfOne(erfc), OfOne(lgamma), OfOne(log1p)}) {
      EXPECT_EQ(function(numbers_between(0.35, 3.6)).size(), 12);
    }
  }
  EXPECT_TRUE(engine.expired());
}

TEST(EagerBodies, NameTheOpAndTheNodeThatNoDeviceTakes) {
  const Runtime runtime = Runtime::from_text(config_text({{"template"}, "", "", {"cpu"}}));
  const RuntimeScope scope(runtime);
  const Tensor x = numbers_between(1, 12);
  try {
    expm1(x);
    FAIL() << "template has no op of the body";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    EXPECT_THAT(error.what(), testing::StartsWith("[expm1] no device takes it"));
    EXPECT_EQ(error.op(), "Expm1");
    EXPECT_THAT(error.what(),
                testing::HasSubstr("function body: node 'CastLike_0' (CastLike): no device"));
  }
  EXPECT_EQ(relu(x).to_vector<float>(), x.to_vector<float>()) << "the next call is as good as ever";
}

}  // namespace
}  // namespace switchyard
