// A tensor's device is a device of its own runtime, and neither a name nor a number.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <switchyard/switchyard.hpp>
#include <type_traits>
#include <unordered_set>

#include "functions/thrown.hpp"
#include "tensor/host_tensor.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

static_assert(std::is_same_v<decltype(Tensor().device()), Device>);
static_assert(!std::is_convertible_v<const char*, Device>, "names are explicit");
static_assert(!std::is_convertible_v<std::string, Device>);
static_assert(std::is_constructible_v<Device, const char*>);
static_assert(!std::is_constructible_v<Device, int>);
static_assert(!std::is_constructible_v<Device, std::nullptr_t>);

template <typename X, typename To>
concept GoesTo = requires(X& x, To to) {
  x.to(to);
};
static_assert(GoesTo<Tensor, const char*> && GoesTo<Tensor, std::string> && GoesTo<Tensor, Device>);
static_assert(!GoesTo<Tensor, int> && !GoesTo<Tensor, std::nullptr_t> && !GoesTo<Tensor, bool>);
static_assert(!GoesTo<nn::Linear, int> && !GoesTo<nn::Linear, std::nullptr_t>);

Runtime runtime_of(const std::string& plugin) { return start({{plugin}}); }

TEST(DeviceOfATensor, IsThatOfItsOwnRuntime) {
  const Runtime own = runtime_of("cpu"), other = runtime_of("cpu");
  const RuntimeScope scope(other);
  const Tensor x = zeros({2}, {.device = own.device("cpu")});
  EXPECT_EQ(x.device(), own.device("cpu"));
  EXPECT_NE(x.device(), other.device("cpu"));
  EXPECT_EQ(x.device().name(), "cpu:0");
  const Tensor beside = zeros({2}, {.device = x.device()});
  EXPECT_THAT((x + beside).to_vector<float>(), ElementsAre(0, 0));
  EXPECT_EQ(x.to("cpu").device(), own.device("cpu")) << "names are those of its runtime";
}

TEST(DeviceOfATensor, IsTheHostForValuesThatNoDeviceHolds) {
  const Tensor value = host_tensor<float>({2}, {1, 2});
  EXPECT_TRUE(value.device().is_host());
  EXPECT_EQ(value.device(), Device::host());
  EXPECT_EQ(value.device().name(), "host");
  const Tensor there = value.to(current_device());
  EXPECT_EQ(there.device(), current_device());
  for (const Tensor& back :
       {there.to(Device::host()), there.to("host"), there.to(value.device())}) {
    EXPECT_TRUE(back.device().is_host());
    EXPECT_THAT(back.to_vector<float>(), ElementsAre(1, 2));
  }
}

TEST(DeviceOfATensor, AndDtypeChangeTogether) {
  const Device device = current_device();
  const Tensor there = tensor({1., 2.}), value = there.to(Device::host());
  for (const DType dtype : {DType::float16, DType::float64, DType::int32}) {
    for (const Tensor& from : {there, value}) {
      const Tensor on_host = from.to(Device::host(), dtype), on_device = from.to(device, dtype);
      EXPECT_TRUE(on_host.device().is_host());
      EXPECT_EQ(on_device.device(), device);
      EXPECT_EQ(on_host.dtype(), dtype);
      EXPECT_EQ(on_device.dtype(), dtype);
      EXPECT_THAT(on_host.to(DType::float32).to_vector<float>(), ElementsAre(1, 2));
      EXPECT_THAT(on_device.to(DType::float32).to_vector<float>(), ElementsAre(1, 2));
    }
  }
}

TEST(DeviceOfATensor, GradientsComeBackFromTheHost) {
  const Tensor x = tensor({1., 2.}, {.requires_grad = true});
  (x.to(Device::host()).to(x.device()) * 3).sum().backward();
  EXPECT_THAT(x.grad().to_vector<float>(), ElementsAre(3, 3));
}

TEST(Devices, ToldApart) {
  const Device device = current_device();
  EXPECT_EQ(device.name(), std::string(device.plugin()) + ":" + std::to_string(device.index()));
  const std::unordered_set<Device> seen = {device, Device::host(), device, Device()};
  EXPECT_EQ(seen.size(), 2u);
  EXPECT_THAT(thrown([] { return Device::host().memory().used_bytes; }), HasSubstr("the host"));
  EXPECT_THAT(thrown([] { return zeros({1}, {.device = Device::host()}); }), HasSubstr("the host"));
  EXPECT_THAT(thrown([] { const DeviceScope scope{Device::host()}; }), HasSubstr("the host"));
}

TEST(Devices, ARuntimeInsideOfADeviceOfAnotherHasItsOwnDevices) {
  const Runtime a = runtime_of("cpu"), b = runtime_of("cpu");
  const DeviceScope on_a(a.device("cpu"));
  EXPECT_EQ(current_runtime().engine(), a.engine()) << "a device brings its runtime along";
  {
    const RuntimeScope in_b(b);
    EXPECT_EQ(zeros({1}).device(), b.device("cpu"));
    const DeviceScope again(a.device("cpu"));
    EXPECT_EQ(zeros({1}).device(), a.device("cpu")) << "the innermost scope counts";
  }
  EXPECT_EQ(zeros({1}).device(), a.device("cpu"));
}

}  // namespace
}  // namespace switchyard
