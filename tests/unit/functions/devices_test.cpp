// Which device and which runtime functions use: defaults, scopes, explicit runtimes.
#include <gmock/gmock.h>

#include <switchyard/autograd.hpp>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <thread>

#include "functions/creation/new_tensor.hpp"
#include "functions/thrown.hpp"
#include "tensor/host_tensor.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string place() { return zeros({1}).device().name(); }

/// Two devices of its own, whatever the configuration has: "template" first.
Runtime two_devices() { return start({{"template", "cpu"}}); }

TEST(Devices, TheDefaultIsTheFirstAvailableOfTheOrder) {
  EXPECT_EQ(current_device().name(), current_runtime().default_device().name());
  EXPECT_EQ(place(), current_device().name());
  EXPECT_EQ(add(1, 2).device(), current_device()) << "of numbers alone";
  EXPECT_EQ(host_scalar(1.f).device().name(), "host");
  EXPECT_EQ(add(host_scalar(1.f), host_scalar(2.f)).device(), current_device());
}

TEST(Devices, ScopesNestAndEnd) {
  const Runtime runtime = two_devices();
  const RuntimeScope here(runtime);
  EXPECT_EQ(place(), "template:0");
  {
    const DeviceScope cpu{Device("cpu")};
    EXPECT_EQ(place(), "cpu:0");
    {
      const DeviceScope other{Device("template:0")};
      EXPECT_EQ(place(), "template:0");
    }
    EXPECT_EQ(place(), "cpu:0");
    EXPECT_EQ(rand({2}).device().name(), "cpu:0");
    EXPECT_EQ(arange(3).device().name(), "cpu:0");
    EXPECT_EQ(zeros({1}, {.device = Device("template")}).device().name(), "template:0")
        << "options win";
    EXPECT_EQ((zeros({1}, {.device = Device("template")}) + 1).device().name(), "template:0")
        << "inputs win";
  }
  EXPECT_EQ(place(), "template:0");
  const std::string thrown_through = thrown([] {
    const DeviceScope cpu{Device("cpu")};
    throw Error(ErrorKind::invalid_argument, "out");
  });
  EXPECT_EQ(place(), "template:0") << thrown_through;
}

TEST(Devices, GradientsAreMadeWhereTheTensorsLie) {
  const Runtime runtime = two_devices();
  const RuntimeScope here(runtime);
  const auto gradient = [](const auto& function) {
    const Tensor x =
        full({3, 4}, 2, {.device = Device("cpu"), .dtype = DType::float64, .requires_grad = true});
    sum(function(x)).backward();
    return x.grad();
  };
  EXPECT_EQ(gradient([](const Tensor& x) { return slice(x, 1, 1, 4, 2); }).device().name(),
            "cpu:0");
  EXPECT_EQ(gradient([](const Tensor& x) { return flip(x, {0}); }).device().name(), "cpu:0");
  EXPECT_EQ(gradient([](const Tensor& x) { return pow(x, 3); }).device().name(), "cpu:0");
  EXPECT_EQ(gradient([](const Tensor& x) { return norm(x, 3); }).device().name(), "cpu:0");
  EXPECT_EQ(gradient([](const Tensor& x) { return exp2(x); }).device().name(), "cpu:0");
  EXPECT_EQ(gradient([](const Tensor& x) { return amax(x); }).device().name(), "cpu:0");
}

TEST(Devices, SetDefaultDeviceHoldsForEveryThread) {
  const Device before = current_device();
  const std::vector<PluginInfo> plugins = current_runtime().plugins();
  set_default_device(Device(plugins.back().name));
  EXPECT_EQ(place(), plugins.back().name + ":0");
  std::string elsewhere;
  std::thread([&] { elsewhere = place(); }).join();
  EXPECT_EQ(elsewhere, plugins.back().name + ":0");
  {
    const DeviceScope scope(before);
    EXPECT_EQ(place(), before.name()) << "a scope outweighs it";
  }
  set_default_device(before);
  EXPECT_EQ(place(), before.name());
}

TEST(Devices, SetDefaultRuntimeTakesTheDeviceAlong) {
  const Runtime before = current_runtime(), other = two_devices();
  set_default_device(current_device());
  set_default_runtime(other);
  EXPECT_EQ(place(), "template:0");
  EXPECT_EQ(Device("cpu").open(), other.device("cpu").open());
  set_default_runtime(before);
  EXPECT_EQ(place(), before.default_device().name());
}

TEST(Devices, TwoThreadsHaveScopesOfTheirOwn) {
  const Runtime runtime = two_devices();
  const Device cpu = runtime.device("cpu"), other = runtime.device("template");
  const auto work = [](const Device& device, std::vector<std::string>& seen) {
    const DeviceScope scope(device);
    for (int i = 0; i < 200; ++i) seen.push_back((zeros({2}) + ones({2})).device().name());
  };
  std::vector<std::string> first, second;
  std::thread a([&] { work(cpu, first); }), b([&] { work(other, second); });
  a.join();
  b.join();
  EXPECT_THAT(first, testing::Each("cpu:0"));
  EXPECT_THAT(second, testing::Each("template:0"));
}

TEST(Devices, TwoRuntimesWorkSideBySide) {
  const Runtime one = start({{"cpu"}}), two = two_devices();
  const Tensor a = [&] {
    const RuntimeScope scope(one);
    return ones({2});
  }();
  const Tensor b = [&] {
    const RuntimeScope scope(two);
    return ones({2}, {.device = Device("cpu")});
  }();
  EXPECT_THAT((a + 1).to_vector<float>(), ElementsAre(2, 2));
  EXPECT_THAT((b * 3).to_vector<float>(), ElementsAre(3, 3));
  EXPECT_FALSE(Device(one.device("cpu")) == two.device("cpu"));
  EXPECT_THAT(thrown([&] { a + b; }), AllOf(HasSubstr("[add]"), HasSubstr("different devices"),
                                            HasSubstr("cpu:0"), HasSubstr("runtime")));
  EXPECT_THAT((a + b.to(one.device("cpu"))).to_vector<float>(), ElementsAre(2, 2));
  const Tensor x = ones({2}, {.device = one.device("cpu"), .requires_grad = true});
  sum(x.to(two.device("template")) * 2).backward();
  EXPECT_THAT(x.grad().to_vector<float>(), ElementsAre(2, 2));
}

TEST(Devices, MixedDevicesAreNamedWithTheShapes) {
  const Runtime runtime = two_devices();
  const RuntimeScope scope(runtime);
  const Tensor a = ones({2, 3}, {.device = Device("cpu")}),
               b = ones({3}, {.device = Device("template")});
  EXPECT_THAT(thrown([&] { a* b; }),
              AllOf(HasSubstr("[mul]"), HasSubstr("float32[2, 3] on cpu:0"),
                    HasSubstr("float32[3] on template:0"), HasSubstr("to()")));
  EXPECT_THAT(thrown([&] { cat({b, ones({1}, {.device = Device("cpu")})}); }), HasSubstr("[cat]"));
  EXPECT_THAT(thrown([&] { a.add_(b); }), HasSubstr("[add_]"));
  a.copy_(b);
  EXPECT_EQ(a.device().name(), "cpu:0") << "copies may cross";
  EXPECT_THAT((a + host_tensor<float>({3}, std::vector<float>{1, 2, 3})).to_vector<float>(),
              ElementsAre(2, 3, 4, 2, 3, 4))
      << "values of the host go along";
}

TEST(Devices, SaysWhatIsThereAndWhyNot) {
  const Runtime runtime = start({.order = {"cpu", "mps"}});
  const RuntimeScope scope(runtime);
  EXPECT_TRUE(is_built("cpu") && is_available("cpu") && is_available("cpu:0"));
  EXPECT_EQ(unavailable_reason("cpu"), "");
  EXPECT_EQ(device_count("cpu"), 1);
  EXPECT_FALSE(is_available("cpu:7"));
  EXPECT_THAT(unavailable_reason("cpu:7"), HasSubstr("cpu:7"));
  EXPECT_FALSE(is_built("nope") || is_available("nope"));
  EXPECT_THAT(unavailable_reason("nope"), HasSubstr("nope"));
  EXPECT_EQ(device_count("nope"), 0);
  EXPECT_EQ(is_available("mps"), unavailable_reason("mps").empty());
  EXPECT_THAT(thrown([] { Device("nope"); }), HasSubstr("nope"));
  EXPECT_THAT(thrown([] { Device("cpu:7"); }), HasSubstr("cpu:7"));
  EXPECT_THAT(thrown([] { Device(""); }), testing::Not("nothing"));
  EXPECT_THAT(thrown([] { zeros({1}, {.device = Device("nope")}); }), HasSubstr("nope"));
  EXPECT_THAT(thrown([] { ones({1}).to("nope"); }), HasSubstr("nope"));
}

TEST(Devices, TensorsOutliveTheirRuntimeAndFunctionsGoOn) {
  Tensor x, y;
  {
    const Runtime runtime = start({{"cpu"}});
    const RuntimeScope scope(runtime);
    x = ones({2}, {.requires_grad = true});
    y = sum(x * x);
    EXPECT_THAT(x.detach().to_vector<float>(), ElementsAre(1, 1));
  }
  EXPECT_THAT(x.detach().to_vector<float>(), ElementsAre(1, 1)) << "its elements are still there";
  EXPECT_EQ(x.device().name(), "cpu:0");
  EXPECT_THAT((x + 1).to_vector<float>(), ElementsAre(2, 2));
  y.backward();
  EXPECT_THAT(x.grad().to_vector<float>(), ElementsAre(2, 2));
  EXPECT_EQ(x.to(DType::int64).dtype(), DType::int64);
  x.detach().add_(1);
  EXPECT_THAT(zeros_like(x).to_vector<float>(), ElementsAre(0, 0));
  x.detach().sub_(1);
  EXPECT_THAT((x.detach().to(current_device()) + 1).to_vector<float>(), ElementsAre(2, 2))
      << "on another runtime's";
}

}  // namespace
}  // namespace switchyard
