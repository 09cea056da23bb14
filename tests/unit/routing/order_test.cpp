// The law: an op goes to the first device in the order that supports it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "routing/routed.hpp"

namespace switchyard {
namespace {

std::string device_of(const Runtime& runtime, const Call& call) {
  return call.route(runtime)->device->name();
}

TEST(Order, TheFirstThatSupportsTheOpTakesIt) {
  const Runtime runtime = start({{"good", "cpu"}});
  EXPECT_EQ(device_of(runtime, Call("Relu").input(kShape)), "good:0");
  EXPECT_EQ(device_of(runtime, Call("Exp").input(kShape)), "cpu:0") << "the fake has no Exp";
}

TEST(Order, TurnedRoundEverythingStaysOnTheOther) {
  const Runtime runtime = start({{"cpu", "good"}});
  EXPECT_EQ(device_of(runtime, Call("Relu").input(kShape)), "cpu:0");
  EXPECT_EQ(device_of(runtime, Call("Exp").input(kShape)), "cpu:0");
}

TEST(Order, DependsOnTypesAndRanksToo) {
  const Runtime runtime = start({{"good", "cpu"}});
  EXPECT_EQ(device_of(runtime, Call("Relu").input(kShape, DType::float64)), "cpu:0");
  EXPECT_EQ(device_of(runtime, Call("MatMul").input({2, 3}).input({3, 4})), "good:0");
  EXPECT_EQ(device_of(runtime, Call("MatMul").input({5, 2, 3}).input({3, 4})), "cpu:0");
}

TEST(Order, NamesDevicesOfAPluginOneByOne) {
  const Runtime runtime = start({{"two_devices:1", "two_devices", "cpu"}});
  EXPECT_EQ(device_of(runtime, Call("Relu").input(kShape)), "two_devices:1");
}

TEST(Order, ADeviceThatIsNotThereIsPassedOverInSilence) {
  const Runtime runtime = start({{"unavailable", "cpu"}});
  const auto route = Call("Relu").input(kShape).route(runtime);
  EXPECT_EQ(text_of(route->trail), "unavailable:0 refused OS; cpu:0 supported");
  EXPECT_EQ(route->fallback, nullptr) << "it was not asked, so nothing fell back";
  EXPECT_EQ(runtime.default_device().name(), "cpu:0");
}

TEST(Order, WithoutAnyDeviceThereIsNoRuntime) {
  const Error error = error_of([] { start({{"unavailable", "no_devices"}}); });
  EXPECT_EQ(error.kind(), ErrorKind::plugin);
  EXPECT_THAT(error.what(), testing::HasSubstr("no device in routing.order is available"));
}

TEST(Order, ADeviceOfWholeProgramsTakesNoSingleNode) {
  const Runtime runtime = start({{"whole_programs", "cpu"}});
  EXPECT_EQ(text_of(Call("Relu").input(kShape).route(runtime)->trail),
            "whole_programs:0 refused LIMIT; cpu:0 supported");
}

TEST(Claims, OfAnyOpTakeEveryOpOfTheirDomain) {
  const Runtime runtime = start({{"null"}});
  EXPECT_EQ(device_of(runtime, Call("Exp").input(kShape)), "null:0");
  EXPECT_EQ(runtime.operation("Rsqrt", {}, "switchyard")(floats({2}, {1, 4})).device().name(),
            "null:0");
}

// ---------------------------------------------------------------- pins and placements

TEST(Pin, OfNoOpIsRefusedWithTheNearest) {
  for (const std::string table : {"pins", "fallback_by_op"}) {
    const std::string value = table == "pins" ? "cpu" : "deny";
    const Error error = error_of([&] {
      start({{"cpu"}, fmt::format("[routing.{}]\nReul = \"{}\"", table, value)});
    });
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_THAT(error.what(), testing::HasSubstr("Reul' names no op; did you mean \"Relu\"?"));
  }
}

TEST(Pins, AskTheirDeviceBeforeTheOrder) {
  const Runtime runtime =
      start({{"cpu"}, "[routing.pins]\nRelu = \"good\"\nExp = \"good\"", "", {"good"}});
  EXPECT_EQ(device_of(runtime, Call("Relu").input(kShape)), "good:0");
  EXPECT_EQ(device_of(runtime, Call("Add").input(kShape).input(kShape)), "cpu:0");
  EXPECT_EQ(text_of(Call("Exp").input(kShape).route(runtime)->trail),
            "good:0 refused OP; cpu:0 supported");
}

TEST(Pins, ToADeviceThatIsNotThereFallBack) {
  const Runtime runtime =
      start({{"cpu"}, "[routing.pins]\nRelu = \"unavailable\"", "", {"unavailable"}});
  const auto route = Call("Relu").input(kShape).route(runtime);
  EXPECT_EQ(route->device->name(), "cpu:0");
  ASSERT_NE(route->fallback, nullptr);
  EXPECT_EQ(route->fallback->what.from, "unavailable:0");
}

TEST(Pins, ToADeviceThatIsNotThereAreDeniedLikeAnyFallback) {
  const Runtime runtime = start({{"cpu"},
                                 "fallback = \"deny\"\n[routing.pins]\nRelu = \"unavailable\"",
                                 "",
                                 {"unavailable"}});
  const Error error = error_of([&] { Call("Relu").input(kShape).route(runtime); });
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
}

TEST(Placements, AskTheirDeviceBeforePinsAndOrder) {
  const Runtime runtime = start({{"cpu"}, "[routing.pins]\nRelu = \"cpu\"", "", {"good"}});
  const Device good = runtime.device("good");
  EXPECT_EQ(
      device_of(runtime, Call("Relu", {}, Purpose::ordinary, good.open().get()).input(kShape)),
      "good:0");
}

TEST(Placements, CopyResultsBack) {
  const Runtime runtime = start({{"cpu"}, "", "", {"good"}});
  const Operation relu = runtime.operation_on(runtime.device("good"), "Relu");
  EXPECT_EQ(relu(counting(kShape)).device().name(), "good:0");

  const Operation neg = runtime.operation_on(runtime.device("good"), "Neg");
  const Tensor result = neg(counting(kShape));
  EXPECT_EQ(result.device().name(), "good:0")
      << "computed elsewhere, it lives where it was asked for";
  EXPECT_EQ(result.to_vector<float>(), (Floats{0, -1, -2, -3, -4, -5}));
  const std::vector<FallbackInfo> fallbacks = runtime.fallbacks();
  ASSERT_EQ(fallbacks.size(), 1u);
  EXPECT_EQ(fallbacks[0].from, "good:0");
  EXPECT_EQ(fallbacks[0].to, "cpu:0");
  EXPECT_EQ(fallbacks[0].bytes_copied, 24u) << "home; the host's input was read where it was";
}

TEST(Placements, AResultThatWasNotPlacedStaysWhereItWasMade) {
  const Runtime runtime = start({{"good", "cpu"}});
  EXPECT_EQ(runtime.operation("Neg")(counting(kShape)).device().name(), "cpu:0");
}

}  // namespace
}  // namespace switchyard
