// Every refusal on the way to a route is kept, with its code and its sentence.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "routing/routed.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

const Verdict& first_verdict(const Trail& trail) { return trail.at(0).verdict; }

TEST(Trail, HoldsTheClaimTablesReasons) {
  const Runtime runtime = start({{"good", "cpu"}});
  const auto message = [&](const Call& call) {
    return first_verdict(call.route(runtime)->trail).message;
  };
  EXPECT_EQ(message(Call("Exp").input(kShape)), "does not know Exp");
  EXPECT_EQ(message(Call("Relu").input(kShape, DType::float64)), "does not take Relu of float64");
}

TEST(Trail, HoldsThePluginsOwnWords) {
  const Runtime runtime = start({{"template", "good", "cpu"}});
  const auto route = Call("MatMul").input({5, 2, 3}).input({3, 4}).route(runtime);
  EXPECT_EQ(text_of(route->trail), "template:0 refused OP; good:0 refused RANK; cpu:0 supported");
  EXPECT_EQ(route->trail[1].verdict.message, "the fake multiplies matrices only");
  const Trail halves =
      Call("Add").input(kShape, DType::float16).input(kShape, DType::float16).explain(runtime);
  EXPECT_EQ(first_verdict(halves).message, "computes Add in float32, not in float16");
}

TEST(Trail, EndsInAnErrorThatTellsAllOfIt) {
  const Runtime runtime = start({{"template", "good"}});
  const Error error = error_of([&] { Call("Exp").input(kShape).route(runtime); });
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_STREQ(error.what(),
               "[Exp] no device takes it: template:0 refused (OP): does not know Exp; good:0 "
               "refused (OP): does not know Exp; add a device that does to routing.order");
}

TEST(Trail, OfWrongInputsIsNobodysRefusal) {
  const Runtime runtime = start({{"good", "cpu"}});
  const Error error = error_of([&] { Call("Add").input({2, 3}).input({4}).route(runtime); });
  EXPECT_EQ(error.kind(), ErrorKind::model);
  EXPECT_THAT(error.what(), HasSubstr("[Add]"));
}

TEST(Trail, AKernelThatIsRefusedAfterAllIsARefusal) {
  for (const char* variant : {"prepare_refuses", "prepare_refuses_depends"}) {
    const Runtime runtime = start({{variant, "cpu"}});
    const auto route = Call("Relu").input(kShape).route(runtime);
    EXPECT_EQ(route->device->name(), "cpu:0");
    EXPECT_EQ(first_verdict(route->trail).reason, SY_REASON_LIMIT);
    EXPECT_EQ(first_verdict(route->trail).message, "the fake has thought again");
  }
}

TEST(Trail, WhatIsNoAnswerIsARefusal) {
  const auto first = [](const char* variant) {
    const Runtime runtime = start({{variant, "cpu"}});
    const auto route = Call("Relu").input(kShape).route(runtime);
    EXPECT_EQ(text_of(route->trail), fmt::format("{}:0 refused FAULTED; cpu:0 supported", variant));
    return first_verdict(route->trail).message;
  };
  EXPECT_EQ(first("unanswered"), "supports left the node unanswered; the plugin is broken");
  EXPECT_EQ(first("unknown_answer"),
            "supports gave verdict 99, which is none; the plugin is broken");
}

TEST(Trail, ARunThatRefusesIsARefusalToo) {
  const Runtime runtime = start({{"run_refuses_depends", "cpu"}});
  const Tensor result = runtime.operation("Relu")(floats({2}, {-1, 1}));
  EXPECT_EQ(result.device().name(), "cpu:0");
  EXPECT_EQ(result.to_vector<float>(), (Floats{0, 1}));
  const FallbackInfo fallback = runtime.fallbacks().at(0);
  EXPECT_EQ(fallback.code, "LIMIT");
  EXPECT_EQ(fallback.reason, "the fake has seen these values");
}

TEST(Trail, PassesByAKernelThatMisdescribesItsOutput) {
  const Runtime runtime = start({{"overlap", "cpu"}});
  const auto route = Call("Relu").input(kShape).route(runtime);
  EXPECT_EQ(text_of(route->trail), "overlap:0 refused FAULTED; cpu:0 supported");
  EXPECT_THAT(first_verdict(route->trail).message,
              HasSubstr("proposes strides that overlap or leave gaps"));
}

TEST(Trail, PassesByAKernelOfAnUnknownOutputMode) {
  const Runtime runtime = start({{"unknown_mode", "cpu"}});
  const auto route = Call("Relu").input(kShape).route(runtime);
  EXPECT_EQ(text_of(route->trail), "unknown_mode:0 refused FAULTED; cpu:0 supported");
  EXPECT_THAT(first_verdict(route->trail).message,
              HasSubstr("gives a mode that this version of the ABI does not have"));
}

TEST(Trail, PassesByAPluginThatCouldNotLetPackedConstantsGo) {
  const Runtime runtime = start({{"lacks_release_constant", "cpu"}});
  Call product("MatMul");
  product.input({1, 2}).constant({2, 1}, {1, 2}, next_constant_id());
  const auto route = product.route(runtime);
  EXPECT_EQ(text_of(route->trail), "lacks_release_constant:0 refused FAULTED; cpu:0 supported");
  EXPECT_THAT(first_verdict(route->trail).message, HasSubstr("has no release_constant"));
}

TEST(Explain, TellsEveryDevicesVerdictAndPreparesNothing) {
  const Runtime runtime = start({{"template", "prepare_refuses", "cpu"}});
  EXPECT_EQ(text_of(Call("Relu").input(kShape).explain(runtime)),
            "template:0 supported; prepare_refuses:0 supported; cpu:0 supported");
  EXPECT_EQ(runtime.engine()->router->cache().size(), 0u);
}

TEST(Explain, TakesShapesThatAreNotKnownYet) {
  const Runtime runtime = start({{"good", "cpu"}});
  EXPECT_EQ(text_of(Call("MatMul").input({kUnknown, 3}).input({3, 4}).explain(runtime)),
            "good:0 supported; cpu:0 supported");
}

TEST(Explain, SaysThatItDepends) {
  const Runtime runtime = start({{"run_refuses_depends", "cpu"}});
  EXPECT_EQ(text_of(Call("Relu").input(kShape).explain(runtime)),
            "run_refuses_depends:0 depends; cpu:0 supported");
}

}  // namespace
}  // namespace switchyard
