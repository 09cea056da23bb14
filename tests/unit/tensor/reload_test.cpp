// A configuration that changes while a program runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <switchyard/model.hpp>

#include "onnx/small_models.hpp"
#include "temporary_folder.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Tensor kInput = floats({2}, {-1, 2});
const Floats kOutput = {0, 2};

std::string device_of(const Tensor& tensor) { return tensor.device().name(); }

class Reload : public testing::Test {
 protected:
  void go_over_to(const switchyard::Setup& setup) { runtime.reload_from_text(config_text(setup)); }
  Tensor relu(const Tensor& input) { return runtime.operation("Relu")(input); }

  Runtime runtime = start({{"good", "asynchronous"}});
};

TEST_F(Reload, MovesOpsAndKeepsTensors) {
  const Operation made_before = runtime.operation("Relu");
  const Tensor before = made_before(kInput);
  EXPECT_EQ(device_of(before), "good:0");
  go_over_to({{"asynchronous", "good"}});
  EXPECT_EQ(device_of(made_before(kInput)), "asynchronous:0");
  EXPECT_EQ(device_of(relu(before)), "asynchronous:0");
  EXPECT_EQ(relu(before).to_vector<float>(), kOutput);
  EXPECT_EQ(device_of(before), "good:0");
  EXPECT_EQ(runtime.default_device().name(), "asynchronous:0");
  go_over_to({{"good", "asynchronous"}});
  EXPECT_EQ(device_of(made_before(kInput)), "good:0");
}

TEST_F(Reload, KeepsTheDevicesOfWhatStays) {
  const Device before = runtime.device("good");
  go_over_to({{"asynchronous", "good"}});
  EXPECT_EQ(runtime.device("good"), before);
}

TEST_F(Reload, LoadsWhatIsNew) {
  EXPECT_FALSE(runtime.is_available("template"));
  go_over_to({{"template", "good"}});
  EXPECT_EQ(device_of(relu(kInput)), "template:0");
  EXPECT_EQ(relu(kInput).to_vector<float>(), kOutput);
}

TEST_F(Reload, GivesNoMoreOutWhatIsGone) {
  const Tensor held = kInput.to(runtime.device("asynchronous"));
  go_over_to({{"good"}});
  EXPECT_THAT(error_of([&] { runtime.device("asynchronous"); }).what(),
              HasSubstr("the configuration has no [plugins.asynchronous]"));
  EXPECT_EQ(runtime.plugins().size(), 1u);
  EXPECT_EQ(device_of(held), "asynchronous:0") << "who holds it keeps it";
  EXPECT_EQ(device_of(relu(held)), "good:0");
  EXPECT_EQ(relu(held).to_vector<float>(), kOutput);
}

TEST_F(Reload, OfAnotherSectionMakesNewDevicesOfThatName) {
  go_over_to({{"good"}, "", "", {"template_c"}});
  const Device before = runtime.device("template_c");
  const Tensor held = kInput.to(before);
  go_over_to(
      {{"template_c", "good"}, "", "[plugins.template_c.options]\nmemory_bytes = 1000000\n"});
  const Device now = runtime.device("template_c");
  EXPECT_EQ(now.name(), before.name());
  EXPECT_NE(now, before);
  const Tensor made = relu(held);
  EXPECT_EQ(made.device(), now);
  EXPECT_EQ(made.to_vector<float>(), kOutput);
  EXPECT_EQ(held.to_vector<float>(), (Floats{-1, 2}));
}

TEST_F(Reload, PinsFallbacksAndRulesAreTakenUp) {
  go_over_to({{"good", "asynchronous"}, "pins.Relu = \"asynchronous\""});
  EXPECT_EQ(device_of(relu(kInput)), "asynchronous:0");
  go_over_to({{"good", "cpu"}, "fallback = \"deny\""});
  EXPECT_EQ(error_of([&] { runtime.operation("Erf")(kInput); }).kind(), ErrorKind::unsupported);
  go_over_to({{"good", "cpu"}, "fallback = \"allow\""});
  EXPECT_EQ(device_of(runtime.operation("Erf")(kInput)), "cpu:0");
  EXPECT_EQ(runtime.fallbacks().size(), 1u);
}

TEST_F(Reload, ThatIsWrongChangesNothing) {
  const std::string same = config_text({{"good", "asynchronous"}});
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"no TOML [", "configuration text:1"},
      {config_text({{"asynchronous", "good"}}) + "[routing.pins]\nRelU = \"good\"\n",
       "names no op"},
      {config_text({{"asynchronous"}, "", "[plugins.absent]\nrequired = true\n"}), "absent"},
      {config_text({{"opaque"}, "host_device = \"opaque\""}), "cannot do the host's work"},
      {"[precision]\ndeterministic = true\n" + same, "cannot change while the program runs"},
      {"[limits]\nnodes = 7\n" + same, "where it is 1000000"},
  };
  for (const auto& [text, message] : wrong) {
    EXPECT_THAT(error_of([&] { runtime.reload_from_text(text); }).what(), HasSubstr(message));
    EXPECT_EQ(device_of(relu(kInput)), "good:0");
    EXPECT_EQ(runtime.plugins().size(), 2u);
  }
}

TEST_F(Reload, AnOpOnARetiredDeviceGoesToItsSuccessor) {
  go_over_to({{"good"}, "", "", {"template_c"}});
  const Operation placed = runtime.operation_on(runtime.device("template_c"), "Erf");
  const std::string options = "[plugins.template_c.options]\nmemory_bytes = 1000000\n";
  go_over_to({{"template_c", "cpu"}, "fallback = \"allow\"", options});
  EXPECT_THAT(placed(kInput).device().name(), "template_c:0") << "where it was asked for";
}

TEST_F(Reload, GivesEachDeviceANumberOfItsOwn) {
  const Device stays = runtime.device("asynchronous");
  const std::string options = "[plugins.template_c.options]\nmemory_bytes = 1000000\n";
  go_over_to({{"template_c", "asynchronous"}});
  go_over_to({{"template_c", "asynchronous"}, "", options});
  EXPECT_EQ(runtime.device("asynchronous"), stays);
  EXPECT_NE(runtime.device("template_c").open()->ordinal(), stays.open()->ordinal());
}

TEST_F(Reload, WithoutANameIsRefused) {
  EXPECT_EQ(error_of([&] { runtime.reload_from_file(""); }).kind(), ErrorKind::config);
  EXPECT_EQ(device_of(relu(kInput)), "good:0");
}

TEST_F(Reload, OfATextWantsAText) {
  EXPECT_THAT(error_of([&] { runtime.reload(); }).what(), HasSubstr("reload_from_text"));
}

TEST_F(Reload, ReadsTheFileAgain) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "site.toml";
  const auto write = [&](const switchyard::Setup& setup) {
    std::ofstream(file) << config_text(setup);
  };
  write({{"good", "asynchronous"}});
  const Runtime from_file = Runtime::from_file(file);
  EXPECT_EQ(device_of(from_file.operation("Relu")(kInput)), "good:0");
  write({{"asynchronous", "good"}});
  from_file.reload();
  EXPECT_EQ(device_of(from_file.operation("Relu")(kInput)), "asynchronous:0");
}

Model chain_of_two(const Runtime& runtime) {
  const std::string bytes =
      onnx::encode(model_of("g (float[2] x) => (float[2] y) {"
                            "  a = Relu (x)"
                            "  y = Relu (a) }"));
  return Model::from_bytes(runtime, bytes_of(bytes));
}

RunReport report_of_run(const Model& model) {
  RunReport report;
  const std::vector<NamedValue> outputs = model.run({{"x", kInput}}, {.report = &report});
  EXPECT_EQ(outputs[0].tensor.to_vector<float>(), kOutput);
  return report;
}

TEST_F(Reload, PlansModelsAnew) {
  const Model model = chain_of_two(runtime);
  EXPECT_EQ(report_of_run(model).programs, 0u);
  go_over_to({{"programs", "good"}});
  EXPECT_EQ(report_of_run(model).programs, 1u);
  EXPECT_THAT(report_of_run(model).placement, ElementsAre(std::pair("programs:0", 2u)));
  go_over_to({{"programs", "good"}, "whole_programs = false"});
  EXPECT_EQ(report_of_run(model).programs, 0u);
  go_over_to({{"good", "programs"}});
  EXPECT_THAT(report_of_run(model).placement, ElementsAre(std::pair("good:0", 2u)));
}

}  // namespace
}  // namespace switchyard
