// What happens after a refusal: allowed, reported once, or denied; and counted always.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "routing/routed.hpp"
#include "tensor/host_tensor.hpp"
#include "trace/log.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;
using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

// What is written while Exp runs twice and Relu of float64 once.
std::string written_under(const std::string& policy) {
  const Runtime runtime = start({{"good", "cpu"}, policy});
  const trace::Level before = trace::level();
  trace::set_level(trace::Level::warn);
  CaptureStderr();
  runtime.operation("Exp")(counting(kShape));
  runtime.operation("Exp")(counting({7}));
  runtime.operation("Relu")(host_scalar(2.0));
  std::string written = GetCapturedStderr();
  trace::set_level(before);
  return written;
}

int lines_of(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

TEST(Fallback, UnderWarnEachKindIsReportedOnce) {
  const std::string written = written_under("fallback = \"warn\"");
  EXPECT_EQ(lines_of(written), 2) << written;
  EXPECT_THAT(written, HasSubstr("Exp falls back from good:0 to cpu:0 (OP): does not know Exp"));
  EXPECT_THAT(written, HasSubstr("Relu falls back from good:0 to cpu:0 (DTYPE)"));
}

TEST(Fallback, UnderAllowNothingIsSaid) { EXPECT_EQ(written_under("fallback = \"allow\""), ""); }

TEST(Fallback, IsCountedByKind) {
  const Runtime runtime = start({{"good", "cpu"}, "fallback = \"allow\""});
  const Operation exp = runtime.operation("Exp");
  const Tensor on_good = counting(kShape).to(runtime.device("good"));
  for (int i = 0; i < 3; ++i) exp(on_good);
  const std::vector<FallbackInfo> fallbacks = runtime.fallbacks();
  ASSERT_EQ(fallbacks.size(), 1u);
  const FallbackInfo& fallback = fallbacks[0];
  EXPECT_EQ(fallback.op, "Exp");
  EXPECT_EQ(fallback.from, "good:0");
  EXPECT_EQ(fallback.to, "cpu:0");
  EXPECT_EQ(fallback.code, "OP");
  EXPECT_EQ(fallback.reason, "does not know Exp");
  EXPECT_EQ(fallback.count, 3u);
  EXPECT_EQ(fallback.bytes_copied, 0u) << "the other device imports the memory";
  EXPECT_GT(fallback.time_ms, 0);

  runtime.reset_fallbacks();
  EXPECT_TRUE(runtime.fallbacks().empty());
  exp(on_good);
  EXPECT_EQ(runtime.fallbacks().at(0).count, 1u);
}

TEST(Fallback, IsToldToTheHookEachTime) {
  const Runtime runtime = start({{"good", "cpu"}, "fallback = \"allow\""});
  const Operation exp = runtime.operation("Exp");
  const Tensor on_good = counting(kShape).to(runtime.device("good"));
  std::vector<FallbackInfo> told;
  runtime.set_fallback_hook([&](const FallbackInfo& fallback) { told.push_back(fallback); });
  for (int i = 0; i < 3; ++i) exp(on_good);
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told[2].op, "Exp");
  EXPECT_EQ(told[2].from, "good:0");
  EXPECT_EQ(told[2].code, "OP");
  EXPECT_EQ(told[2].count, 1u);
  runtime.set_fallback_hook({});
  exp(on_good);
  EXPECT_EQ(told.size(), 3u);
  EXPECT_EQ(runtime.fallbacks().at(0).count, 4u);
}

TEST(Fallback, AHookMayCallOpsThatPushTheRouteInUseOutOfTheCaches) {
  const Runtime runtime = start({{"good", "cpu"}, "fallback = \"allow\""});
  const Operation exp = runtime.operation("Exp"), relu = runtime.operation("Relu");
  const Tensor on_good = counting(kShape).to(runtime.device("good"));
  const Floats expected = exp(on_good).to_vector<float>();
  runtime.set_fallback_hook([&](const FallbackInfo&) {
    for (std::int64_t extent = 1; extent <= 300; ++extent) relu(counting({extent}));
    const_cast<RouteCache&>(runtime.engine()->router->cache()).clear();
  });
  EXPECT_EQ(exp(on_good).to_vector<float>(), expected);
  EXPECT_EQ(runtime.operation("Exp")(on_good).to_vector<float>(), expected) << "a new route";
  runtime.set_fallback_hook({});
}

TEST(Fallback, AHookIsNotToldOfItsOwnFallbacks) {
  const Runtime runtime = start({{"good", "cpu"}, "fallback = \"allow\""});
  const Operation exp = runtime.operation("Exp");
  const Tensor on_good = counting(kShape).to(runtime.device("good"));
  int told = 0;
  runtime.set_fallback_hook([&](const FallbackInfo&) {
    ++told;
    exp(on_good);
  });
  exp(on_good);
  exp(on_good);
  EXPECT_EQ(told, 2);
  EXPECT_EQ(runtime.fallbacks().at(0).count, 4u);
  runtime.set_fallback_hook({});
}

TEST(Fallback, AHookMayEndTheCall) {
  const Runtime runtime = start({{"good", "cpu"}, "fallback = \"allow\""});
  runtime.set_fallback_hook([](const FallbackInfo&) { throw std::runtime_error("no"); });
  EXPECT_THROW(runtime.operation("Exp")(counting(kShape)), std::runtime_error);
  runtime.set_fallback_hook({});
  EXPECT_NO_THROW(runtime.operation("Exp")(counting(kShape)));
}

TEST(Fallback, CountsTheBytesThatItCopies) {
  const Runtime runtime = start({{"template", "cpu"}, "fallback = \"allow\""});
  const Tensor made = runtime.operation("Relu")(counting(kShape));
  EXPECT_EQ(made.device().name(), "template:0");
  runtime.operation("Exp")(made);
  EXPECT_EQ(runtime.fallbacks().at(0).bytes_copied, 24u);
}

TEST(Fallback, UnderDenyIsAnErrorWithTheReasonAndTheWayOut) {
  const Runtime runtime = start({{"good", "cpu"}, "fallback = \"deny\""});
  EXPECT_EQ(runtime.operation("Relu")(counting(kShape)).device().name(), "good:0");
  const Error error = error_of([&] { runtime.operation("Exp")(counting(kShape)); });
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_STREQ(error.what(),
               "[Exp] good:0 refused (OP): does not know Exp; falling back to cpu:0 is denied; "
               "allow it in [routing], or pin Exp to cpu:0");
  EXPECT_TRUE(runtime.fallbacks().empty());
}

TEST(Fallback, IsDeniedByThePluginThatRefused) {
  const Runtime runtime =
      start({{"good", "cpu"}, "[routing.fallback_by_plugin]\ngood = \"deny\"\ncpu = \"allow\""});
  EXPECT_THROW(runtime.operation("Exp")(counting(kShape)), Error);
}

TEST(Fallback, AnOpsOwnRuleOutweighsItsPluginsAndTheGeneralOne) {
  const Runtime runtime = start({{"good", "cpu"},
                                 "fallback = \"deny\"\n"
                                 "[routing.fallback_by_plugin]\ngood = \"deny\"\n"
                                 "[routing.fallback_by_op]\nExp = \"allow\""});
  EXPECT_EQ(runtime.operation("Exp")(counting(kShape)).device().name(), "cpu:0");
  EXPECT_THROW(runtime.operation("Neg")(counting(kShape)), Error);
}

TEST(Fallback, FromAPinIsJudgedByThePinnedPlugin) {
  const Runtime runtime = start({{"cpu"},
                                 "[routing.pins]\nExp = \"good\"\n"
                                 "[routing.fallback_by_plugin]\ngood = \"deny\"",
                                 "",
                                 {"good"}});
  EXPECT_THROW(runtime.operation("Exp")(counting(kShape)), Error);
}

TEST(Fallback, IsNoMatterOfHostWork) {
  const Runtime runtime = start({{"template", "cpu"}, "fallback = \"deny\""});
  const auto route = Call("Add", {}, Purpose::host_work)
                         .input({2}, DType::int64)
                         .input({2}, DType::int64)
                         .route(runtime);
  EXPECT_EQ(route->device->name(), "cpu:0") << "the first whose memory the host can address";
  EXPECT_TRUE(route->host_work);
  EXPECT_EQ(route->fallback, nullptr);
}

TEST(HostDevice, IsTheOneThatTheConfigurationNames) {
  const Runtime runtime = start({{"cpu", "good"}, "host_device = \"good\""});
  const auto route = Call("Relu", {}, Purpose::host_work).input(kShape).route(runtime);
  EXPECT_EQ(route->device->name(), "good:0");
}

TEST(HostDevice, MustBeAddressable) {
  const Error error = error_of([] { start({{"cpu", "template"}, "host_device = \"template\""}); });
  EXPECT_EQ(error.kind(), ErrorKind::config);
  EXPECT_THAT(error.what(), HasSubstr("memory that the host cannot address"));
}

TEST(HostDevice, IsLookedForOutsideTheOrderToo) {
  EXPECT_EQ(start({{"template"}, "", "", {"good"}}).engine()->router->policy()->host_device->name(),
            "good:0");
  const Error error = error_of([] { start({{"template"}}); });
  EXPECT_THAT(error.what(), HasSubstr("no configured device has memory that the host can address"));
}

}  // namespace
}  // namespace switchyard
