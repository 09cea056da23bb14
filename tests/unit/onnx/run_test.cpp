// A Run: inputs and outputs by position and name, given outputs, devices, limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/autograd.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/run.hpp>

#include "onnx/small_models.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using ModelRun = Run;  // fixtures of GoogleTest have a Run of their own

using namespace std::chrono_literals;
using testing::HasSubstr;

Model model_from(const Runtime& runtime, std::string_view text) {
  const std::string bytes = onnx::encode(model_of(text));
  return Model::from_bytes(runtime, bytes_of(bytes));
}

/// y = a - b, and its negative.
constexpr std::string_view kDifference =
    "g (float[N] a, float[N] b) => (float[N] y, float[N] z) {"
    "  y = Sub (a, b)"
    "  z = Neg (y) }";

struct RunTest : testing::Test {
  Runtime runtime = start({{"cpu"}});
  Device device = runtime.device("cpu");
  Model model = model_from(runtime, kDifference);

  Tensor on_device(const Floats& values) {
    return floats({static_cast<std::int64_t>(values.size())}, values).to(device);
  }
  ModelRun given() {
    ModelRun run(model);
    run.set_input(0, on_device({5, 7})).set_input("b", on_device({1, 2}));
    return run;
  }
};

TEST_F(RunTest, TakesInputsAndGivesOutputsByPositionAndName) {
  ModelRun run = given();
  run.execute();
  EXPECT_EQ(run.output(0).to_vector<float>(), (Floats{4, 5}));
  EXPECT_EQ(run.output("z").to_vector<float>(), (Floats{-4, -5}));
  ASSERT_EQ(run.outputs().size(), 2u);
  EXPECT_EQ(run.outputs()[1].name, "z");
  run.set_input("a", on_device({1, 2}));
  run.execute();
  EXPECT_EQ(run.output("y").to_vector<float>(), (Floats{0, 0}));
}

TEST_F(RunTest, NamesWhatItDoesNotHave) {
  ModelRun run = given();
  EXPECT_EQ(error_of([&] { run.set_input(2, Tensor()); }).kind(), ErrorKind::invalid_argument);
  EXPECT_EQ(error_of([&] { run.set_input("c", Tensor()); }).kind(), ErrorKind::not_found);
  EXPECT_EQ(error_of([&] { run.set_output(2, Tensor()); }).kind(), ErrorKind::invalid_argument);
  EXPECT_EQ(error_of([&] { run.set_output("w", Tensor()); }).kind(), ErrorKind::not_found);
  EXPECT_THAT(error_of([&] { run.output(0); }).what(), HasSubstr("not executed yet"));
  run.set_input(1, Tensor());
  EXPECT_THAT(error_of([&] { run.execute(); }).what(), HasSubstr("'b': is missing"));
  run.set_input(1, on_device({1, 2, 3}));
  EXPECT_EQ(error_of([&] { run.execute(); }).kind(), ErrorKind::shape_mismatch);
}

TEST_F(RunTest, ForgetsTheOutputsOfARunThatWasFollowedByAFailure) {
  ModelRun run = given();
  run.execute();
  run.set_input(1, Tensor());
  EXPECT_THROW(run.execute(), Error);
  EXPECT_THROW(run.output(0), Error);
}

TEST_F(RunTest, WritesToTheTensorsThatAreGiven) {
  const Tensor y = zeros({2}, {.device = device}), z = zeros({2}, {.device = device});
  ModelRun run = given();
  run.set_output(0, y).set_output("z", z);
  run.execute();
  EXPECT_EQ(y.to_vector<float>(), (Floats{4, 5}));
  EXPECT_EQ(z.to_vector<float>(), (Floats{-4, -5}));
  EXPECT_EQ(run.output(0).impl(), y.impl());
  run.set_input(0, on_device({1, 2}));
  run.execute();
  EXPECT_EQ(y.to_vector<float>(), (Floats{0, 0}));
}

TEST_F(RunTest, ReadsAndWritesMemoryOfTheCallers) {
  const Floats a{5, 7}, b{1, 2};
  Floats y(2), z(2);
  ModelRun run(model);
  run.set_input(0, Tensor::borrow(std::span(a), {2}, {}, {.device = device}))
      .set_input(1, Tensor::borrow(std::span(b), {2}, {}, {.device = device}))
      .set_output(0, Tensor::borrow(std::span(y), {2}, {}, {.device = device}))
      .set_output(1, Tensor::borrow(std::span(z), {2}, {}, {.device = device}));
  run.execute();
  EXPECT_EQ(y, (Floats{4, 5}));
  EXPECT_EQ(z, (Floats{-4, -5}));
  run.set_output(1, Tensor::borrow(std::span(b), {2}, {}, {.device = device}));
  EXPECT_THAT(error_of([&] { run.execute(); }).what(), HasSubstr("read-only"));
}

TEST_F(RunTest, WritesToViewsAndThroughModelsThatOnlyMove) {
  const Tensor table = zeros({2, 4}, {.device = device});
  ModelRun run = given();
  run.set_output(0, slice(table.select(0, 1), 0, 0, 4, 2))
      .set_output(1, slice(table.select(0, 0), 0, 1, 3));
  run.execute();
  EXPECT_EQ(table.to_vector<float>(), (Floats{0, -4, -5, 0, 4, 0, 5, 0}));

  const Tensor copy = zeros({2}, {.device = device});
  ModelRun identity(model_from(runtime, "g (float[2] x) => (float[2] y) { y = Identity (x) }"));
  identity.set_input(0, on_device({3, 4})).set_output(0, copy);
  identity.execute();
  EXPECT_EQ(copy.to_vector<float>(), (Floats{3, 4}));
}

TEST_F(RunTest, RefusesTargetsThatDoNotFit) {
  const auto failure = [&](const Tensor& target) {
    ModelRun run = given();
    run.set_output(0, target);
    return error_of([&] { run.execute(); });
  };
  EXPECT_EQ(failure(zeros({3}, {.device = device})).kind(), ErrorKind::shape_mismatch);
  EXPECT_THAT(failure(zeros({2}, {.device = device, .dtype = DType::int64})).what(),
              HasSubstr("output 'y': is float32, the target int64"));
  EXPECT_THAT(failure(floats({2}, {0, 0})).what(), HasSubstr("value of the host"));
  const Tensor leaf = zeros({2}, {.device = device, .requires_grad = true});
  EXPECT_THROW(throw failure(leaf), Error);

  const Tensor a = on_device({5, 7});
  ModelRun run = given();
  run.set_input(0, a).set_output(1, a);
  EXPECT_THAT(error_of([&] { run.execute(); }).what(), HasSubstr("shares memory with an input"));
  const Tensor both = zeros({4}, {.device = device});
  run.set_input(0, on_device({5, 7}));
  run.set_output(0, slice(both, 0, 0, 2)).set_output(1, slice(both, 0, 1, 3));
  EXPECT_THAT(error_of([&] { run.execute(); }).what(), HasSubstr("that of output 'y'"));
}

TEST_F(RunTest, TellsTargetsInOneMemoryOfTheCallersApart) {
  Floats values{0, 0, 0, 0};
  const auto part = [&](std::size_t first) {
    return Tensor::borrow(std::span(values).subspan(first, 2), {2}, {}, {.device = device});
  };
  ModelRun run = given();
  run.set_output(0, part(0)).set_output(1, part(1));
  EXPECT_THAT(error_of([&] { run.execute(); }).what(), HasSubstr("that of output 'y'"));
  run.set_output(1, part(2));
  run.execute();
  EXPECT_EQ(values, (Floats{4, 5, -4, -5}));
  run.set_input(0, part(1)).set_output(0, Tensor()).set_output(1, part(2));
  EXPECT_THAT(error_of([&] { run.execute(); }).what(), HasSubstr("shares memory with an input"));
}

TEST_F(RunTest, EndsByItsTimeoutDeadlineAndToken) {
  ModelRun run = given();
  run.set_timeout(0ns);
  EXPECT_EQ(error_of([&] { run.execute(); }).kind(), ErrorKind::deadline);
  EXPECT_NO_THROW(run.set_timeout(-1ns));
  EXPECT_EQ(error_of([&] { run.execute(); }).kind(), ErrorKind::deadline);
  run.set_timeout(std::chrono::steady_clock::duration::min());
  EXPECT_EQ(error_of([&] { run.execute(); }).kind(), ErrorKind::deadline);
  run.set_timeout(std::chrono::steady_clock::duration::max());
  EXPECT_NO_THROW(run.execute());
  run.set_deadline(std::chrono::steady_clock::now() - 1s);
  EXPECT_EQ(error_of([&] { run.execute(); }).kind(), ErrorKind::deadline);
  run.set_deadline({});
  const auto token = std::make_shared<CancellationToken>();
  run.set_cancellation(token);
  token->cancel();
  EXPECT_EQ(error_of([&] { run.execute(); }).kind(), ErrorKind::cancelled);
  token->reset();
  EXPECT_NO_THROW(run.execute());
}

TEST_F(RunTest, EndsByItsLimitsAlsoWhereNothingIsToRun) {
  ModelRun run(model_from(runtime, "g (float[2] x) => (float[2] x) { }"));
  const auto token = std::make_shared<CancellationToken>();
  token->cancel();
  run.set_timeout(0ns).set_cancellation(token);
  EXPECT_EQ(error_of([&] { run.execute(); }).kind(), ErrorKind::invalid_argument)
      << "the input is missing, which counts first";
  run.set_input(0, on_device({1, 2}));
  EXPECT_EQ(error_of([&] { run.execute(); }).kind(), ErrorKind::cancelled);
  token->reset();
  EXPECT_EQ(error_of([&] { run.execute(); }).kind(), ErrorKind::deadline);
  run.set_timeout({});
  run.execute();
  EXPECT_EQ(run.output(0).to_vector<float>(), (Floats{1, 2}));
}

TEST(RunOnDevices, AskTheDeviceThatIsNamed) {
  const Runtime runtime = start({{"cpu", "template"}, "fallback = \"allow\""});
  const Model model = model_from(runtime,
                                 "g (float[2] a) => (float[2] y, float[2] z) {"
                                 "  y = Relu (a)"
                                 "  z = Exp (y) }");
  ModelRun run(model);
  run.set_input(0, floats({2}, {-1, 2})).set_report(true);
  run.execute();
  EXPECT_EQ(run.output("y").device().name(), "cpu:0");
  run.set_device(runtime.device("template"));
  run.execute();
  EXPECT_EQ(run.output("y").device().name(), "template:0");
  EXPECT_EQ(run.output("y").to_vector<float>(), (Floats{0, 2}));
  EXPECT_EQ(run.report().placement.at("template:0"), 1u);
  EXPECT_EQ(run.report().placement.at("cpu:0"), 1u) << "what the device refuses falls back";

  const Runtime other = start({{"cpu"}});
  EXPECT_THAT(error_of([&] { run.set_device(other.device("cpu")); }).what(),
              HasSubstr("of another runtime"));
  EXPECT_THROW(run.set_device(Device::host()), Error);
}

TEST_F(RunTest, PreparesAModelForShapes) {
  EXPECT_NO_THROW(model.prepare({{"a", {3}}, {"b", {3}}}));
  EXPECT_THAT(error_of([&] {
                model.prepare({{"a", {3}}});
              }).what(),
              HasSubstr("'b': has the shape [N]"));
  EXPECT_EQ(error_of([&] { model.prepare({{"c", {3}}}); }).kind(), ErrorKind::not_found);
  EXPECT_EQ(error_of([&] {
              model.prepare({{"a", {3}}, {"b", {4}}});
            }).kind(),
            ErrorKind::shape_mismatch);
  EXPECT_EQ(error_of([&] {
              model.prepare({{"a", {3}}, {"b", {-1}}});
            }).kind(),
            ErrorKind::invalid_argument);
}

}  // namespace
}  // namespace switchyard
