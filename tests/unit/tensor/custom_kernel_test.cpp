// Kernels that users write, on the software Metal device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <switchyard/autograd.hpp>
#include <switchyard/custom_kernel.hpp>
#include <switchyard/streams.hpp>

#include "tensor/host_tensor.hpp"
#include "tensor/test_runtime.hpp"

#ifdef __linux__

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Runtime start_metal(const std::string& memory = "unified") {
  return start({{"mps"},
                "",
                fmt::format("[plugins.mps.options]\ndevice = \"software\"\n"
                            "software.memory = \"{}\"\n",
                            memory),
                {"cpu"}});
}

// z = scale * x + y
const KernelSource axpy{.source = R"(#include <metal_stdlib>
using namespace metal;
kernel void axpy(device const float* x [[buffer(0)]], device const float* y [[buffer(1)]],
                 device const float* scale [[buffer(2)]], device float* z [[buffer(3)]],
                 uint i [[thread_position_in_grid]]) {
  z[i] = scale[0] * x[i] + y[i];
}
)",
                        .function = "axpy",
                        .inputs = {DType::float32, DType::float32, DType::float32},
                        .outputs = {DType::float32}};

Tensor values(const std::vector<float>& numbers) {
  return host_tensor<float>({static_cast<std::int64_t>(numbers.size())}, numbers);
}

TEST(CustomKernel, RefusesAnInputWhoseGradientWouldBeLost) {
  const Runtime runtime = start_metal();
  const CustomKernel kernel = runtime.device("mps").compile_kernel(axpy);
  const std::array inputs{values({1}).to(runtime.device("mps")).requires_grad_(), values({10}),
                          values({2})};
  const std::array shapes{Dims{1}};
  const Error error = error_of([&] { kernel(inputs, shapes, {.threads = {1, 1, 1}}); });
  EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
  EXPECT_THAT(error.what(), HasSubstr("input 0 of the kernel 'axpy' requires a gradient"));
  const NoGrad no_grad;
  EXPECT_THAT(kernel(inputs, shapes, {.threads = {1, 1, 1}})[0].to_vector<float>(),
              ElementsAre(12));
}

TEST(CustomKernel, RunsOnTensorsAndGivesTensors) {
  for (const char* memory : {"unified", "discrete"}) {
    const Runtime runtime = start_metal(memory);
    const CustomKernel kernel = runtime.device("mps").compile_kernel(axpy);
    const std::array inputs{values({1, 2, 3}), values({10, 20, 30}), values({2})};
    const std::array shapes{Dims{3}};
    const std::vector<Tensor> outputs = kernel(inputs, shapes, {.threads = {3, 1, 1}});
    ASSERT_EQ(outputs.size(), 1u);
    EXPECT_EQ(outputs[0].device().name(), "mps:0");
    EXPECT_THAT(outputs[0].to_vector<float>(), ElementsAre(12, 24, 36)) << memory;
    // Its results are tensors as any: ops go on with them.
    const Tensor sum = runtime.operation("Add")(outputs[0], values({1, 1, 1}));
    EXPECT_THAT(sum.to_vector<float>(), ElementsAre(13, 25, 37));
  }
}

TEST(CustomKernel, SeesStridedInputsContiguous) {
  const Runtime runtime = start_metal();
  const CustomKernel kernel = runtime.device("mps").compile_kernel(axpy);
  const Tensor matrix = host_tensor<float>({2, 2}, std::array{1.0F, 2.0F, 3.0F, 4.0F});
  const Tensor turned = runtime.operation("Transpose")(matrix.to(runtime.device("mps")));
  const std::array inputs{turned, values({0, 0, 0, 0}), values({1})};
  const std::array shapes{Dims{4}};
  const auto outputs = kernel(inputs, shapes, {.threads = {4, 1, 1}, .group = {2, 1, 1}});
  EXPECT_THAT(outputs[0].to_vector<float>(), ElementsAre(1, 3, 2, 4));
}

TEST(CustomKernel, IsDestroyedOnlyWhenNoStreamRunsIt) {
  const Runtime runtime = start_metal();
  const Device device = runtime.device("mps");
  const Stream side(device);
  for (int i = 0; i < 5; ++i) {
    const std::array inputs{values({1, 2, 3}).to(device), values({10, 20, 30}).to(device),
                            values({2}).to(device)};
    const std::array shapes{Dims{3}};
    Tensor made, busy = floats({128, 128}, Floats(128 * 128, 0.01F)).to(device);
    {
      const CustomKernel kernel = device.compile_kernel(axpy);
      const StreamScope here(side);
      for (int k = 0; k < 4; ++k) busy = runtime.operation("MatMul")(busy, busy);
      made = kernel(inputs, shapes, {.threads = {3, 1, 1}})[0];
    }
    EXPECT_THAT(made.to_vector<float>(), ElementsAre(12, 24, 36));
  }
}

TEST(CustomKernel, ACompileErrorNamesTheLine) {
  const Runtime runtime = start_metal();
  KernelSource broken = axpy;
  broken.source.replace(broken.source.find("scale[0] *"), 10, "nothing[0] *");
  broken.name = "broken.metal";
  const Error error = error_of([&] { runtime.device("mps").compile_kernel(broken); });
  EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
  EXPECT_THAT(error.what(), HasSubstr("the kernel 'axpy' does not compile"));
  EXPECT_THAT(error.what(), HasSubstr("broken.metal:6"));
  EXPECT_THAT(error.what(), HasSubstr("nothing"));
}

TEST(CustomKernel, AFunctionThatIsNotThereIsNamed) {
  const Runtime runtime = start_metal();
  KernelSource other = axpy;
  other.function = "apxy";
  EXPECT_THAT(error_of([&] { runtime.device("mps").compile_kernel(other); }).what(),
              HasSubstr("apxy"));
}

TEST(CustomKernel, HoldsCallersToItsSignature) {
  const Runtime runtime = start_metal();
  const CustomKernel kernel = runtime.device("mps").compile_kernel(axpy);
  const std::array shapes{Dims{3}};
  const std::array few{values({1, 2, 3}), values({1, 2, 3})};
  EXPECT_THAT(error_of([&] {
                kernel(few, shapes, {.threads = {3, 1, 1}});
              }).what(),
              HasSubstr("takes 3 inputs, not 2"));
  const std::array wrong{values({1, 2, 3}), values({1, 2, 3}), host_scalar<std::int64_t>(1)};
  EXPECT_THAT(error_of([&] {
                kernel(wrong, shapes, {.threads = {3, 1, 1}});
              }).what(),
              HasSubstr("input 2 of the kernel 'axpy' is declared as float32, not int64"));
  const std::array right{values({1, 2, 3}), values({1, 2, 3}), values({1})};
  EXPECT_THAT(error_of([&] {
                kernel(right, {}, {.threads = {3, 1, 1}});
              }).what(),
              HasSubstr("gives 1 outputs, not 0"));
  EXPECT_THAT(error_of([&] {
                kernel(right, shapes, {.threads = {0, 1, 1}});
              }).what(),
              HasSubstr("would run no threads"));
  EXPECT_THAT(error_of([&] {
                kernel(right, shapes, {.threads = {2048, 1, 1}, .group = {2048, 1, 1}});
              }).what(),
              HasSubstr("a group of 2048 threads: this kernel takes 1024 at most"));
}

TEST(CustomKernel, LivesAsLongAsItsWork) {
  const Runtime runtime = start_metal();
  std::vector<Tensor> outputs;
  {
    const CustomKernel kernel = runtime.device("mps").compile_kernel(axpy);
    const std::array inputs{values({1}), values({1}), values({1})};
    const std::array shapes{Dims{1}};
    outputs = kernel(inputs, shapes, {});
  }
  EXPECT_EQ(outputs[0].item<float>(), 2);
}

TEST(CustomKernel, IsRefusedByADeviceThatCompilesNone) {
  const Runtime runtime = start({{"cpu"}});
  const Error error = error_of([&] { runtime.device("cpu").compile_kernel(axpy); });
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_THAT(error.what(), HasSubstr("cpu:0 compiles no kernels"));
}

}  // namespace
}  // namespace switchyard

#endif
