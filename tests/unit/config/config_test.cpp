// What a text means: defaults, values, order, and the text that the configuration prints.
#include "config/config.hpp"

#include "config_test_support.hpp"

namespace switchyard {
namespace {

TEST(Config, EverythingButThePluginsHasADefault) {
  const Config config = parse("[plugins.z]\n[plugins.a]\n");
  EXPECT_EQ(config.host.log_level, "warn");
  EXPECT_EQ(config.host.memory_limit, 0u);
  EXPECT_EQ(config.host.trace, "");
  EXPECT_EQ(config.routing.fallback, FallbackPolicy::warn);
  EXPECT_EQ(config.routing.order, (std::vector<DeviceName>{{"z", 0}, {"a", 0}}));
  EXPECT_EQ(config.plugins[0].library, "switchyard_z");
  EXPECT_EQ(config.plugins[0].sha256, "");
  EXPECT_FALSE(config.plugins[0].required);
  EXPECT_EQ(config.plugins[0].isolation, Isolation::none);
  EXPECT_EQ(config.plugins[0].deadline_seconds, 60);
  EXPECT_EQ(origin_of(config, "routing.order"), "default");
  EXPECT_EQ(origin_of(config, "plugins.z.library"), "default");
  EXPECT_EQ(config.source, "t.toml");
  EXPECT_EQ(config.folder, "");
}

TEST(Config, ReadsEveryKey) {
  const std::string sum(64, 'A');
  const Config config = parse(
      "host = {log_level = 'debug', memory_limit = '2GiB', trace = '/tmp/t.json'}\n"
      "[routing]\norder = ['a', 'b:3']\nfallback = 'allow'\nhost_device = 'b'\n"
      "pins = {Resize = 'b:1', 'my.domain.Op' = 'a'}\n"
      "fallback_by_plugin.a = 'deny'\nfallback_by_op.Relu = 'warn'\n"
      "[precision]\nmatmul = 'bfloat16'\nconvolution = 'highest'\n"
      "deterministic = true\nfloat16_sums = true\n"
      "[plugins.a]\nlibrary = '/x/libq.so'\nrequired = true\nsha256 = '" +
      sum +
      "'\nisolation = 'process'\ndeadline_seconds = 5\n[plugins.b]\ndeadline_seconds = 0.25\n");
  EXPECT_EQ(config.host.log_level, "debug");
  EXPECT_EQ(config.host.memory_limit, 2147483648u);
  EXPECT_EQ(config.host.trace, "/tmp/t.json");
  EXPECT_EQ(config.routing.order, (std::vector<DeviceName>{{"a", 0}, {"b", 3}}));
  EXPECT_EQ(config.routing.fallback, FallbackPolicy::allow);
  EXPECT_EQ(config.routing.host_device, (DeviceName{"b", 0}));
  using Pins = std::vector<std::pair<std::string, DeviceName>>;
  EXPECT_EQ(config.routing.pins, (Pins{{"Resize", {"b", 1}}, {"my.domain.Op", {"a", 0}}}));
  using Policies = std::vector<std::pair<std::string, FallbackPolicy>>;
  EXPECT_EQ(config.routing.fallback_by_plugin, (Policies{{"a", FallbackPolicy::deny}}));
  EXPECT_EQ(config.routing.fallback_by_op, (Policies{{"Relu", FallbackPolicy::warn}}));
  EXPECT_EQ(config.precision.matmul, Precision::bfloat16);
  EXPECT_EQ(config.precision.convolution, Precision::highest);
  EXPECT_TRUE(config.precision.deterministic);
  EXPECT_TRUE(config.precision.float16_sums);
  EXPECT_EQ(config.plugins[0].library, "/x/libq.so");
  EXPECT_TRUE(config.plugins[0].required);
  EXPECT_EQ(config.plugins[0].sha256, std::string(64, 'a'));
  EXPECT_EQ(config.plugins[0].isolation, Isolation::process);
  EXPECT_EQ(config.plugins[0].deadline_seconds, 5);
  EXPECT_EQ(config.plugins[1].deadline_seconds, 0.25);
}

TEST(Config, ReadsHowAPluginIsValidated) {
  const Config config = parse(
      "[plugins.a]\nvalidate = true\n[plugins.a.validation]\non_violation = 'error'\nseed = 7\n"
      "delay_microseconds = 50\n[plugins.b]\n");
  const ValidationConfig& validated = config.plugins[0].validation;
  EXPECT_TRUE(validated.enabled);
  EXPECT_EQ(validated.on_violation, "error");
  EXPECT_EQ(validated.seed, 7);
  EXPECT_EQ(validated.delay_microseconds, 50);
  const ValidationConfig& other = config.plugins[1].validation;
  EXPECT_FALSE(other.enabled);
  EXPECT_EQ(other.on_violation, "log");
}

TEST(Config, KeepsOptionsAsTheyStand) {
  const Config config = parse(
      "[plugins.a.options]\nzeta = true\nalpha = -3\nratio = 0.5\nname = 'x'\n"
      "list = [1, 'two', [3.0]]\nnested = {z.y = 1, a = 2}\n[plugins.a.options.deep]\nk = ''\n");
  using List = ConfigValue::List;
  const std::vector<std::pair<std::string, ConfigValue>> expected = {
      {"zeta", {true, {}}},
      {"alpha", {std::int64_t{-3}, {}}},
      {"ratio", {0.5, {}}},
      {"name", {"x", {}}},
      {"list", {List{{std::int64_t{1}, {}}, {"two", {}}, {List{{3.0, {}}}, {}}}, {}}},
      {"nested.z.y", {std::int64_t{1}, {}}},
      {"nested.a", {std::int64_t{2}, {}}},
      {"deep.k", {"", {}}}};
  const auto& options = config.plugins[0].options;
  ASSERT_EQ(options.size(), expected.size());
  for (std::size_t i = 0; i < options.size(); ++i) {
    EXPECT_EQ(options[i].key, expected[i].first);
    EXPECT_EQ(options[i].value, expected[i].second) << options[i].key;
  }
}

TEST(Config, PluginsKeepTheOrderOfTheFile) {
  const Config config =
      parse("[plugins.z.options]\nk = 1\n[plugins.m]\n[routing]\n[plugins.a]\n[plugins.z]\n",
            {set("plugins.b.required=true")});
  std::vector<std::string> names;
  for (const PluginConfig& plugin : config.plugins) names.push_back(plugin.name);
  EXPECT_EQ(names, (std::vector<std::string>{"z", "m", "a", "b"}));
}

TEST(Config, OriginsAreTheLineAndColumnOfTheValue) {
  const Config config = parse(two_plugins + "  fallback   =   'deny'\npins.Relu = 'a'\n");
  EXPECT_EQ(origin_of(config, "routing.order"), "t.toml:5:9");
  EXPECT_EQ(origin_of(config, "routing.fallback"), "t.toml:7:18");
  EXPECT_EQ(origin_of(config, "routing.pins.Relu"), "t.toml:8:13");
  EXPECT_EQ(origin_of(config, "routing.host_device"), "default");
}

TEST(Config, PrintsWhatItWouldReadAgain) {
  const Config config =
      parse(two_plugins +
                "pins.'com.x Op' = 'b'\n[plugins.a.options]\n"
                "q.'x.y' = 'a \"b\" \\\\ \t\\u0001'\nf = [1.0, 1e30, -0.5, inf]\n",
            {set("host.memory_limit=1GiB")});
  const std::string text = to_text(config);
  EXPECT_NE(text.find("host.memory_limit = \"1GiB\""), std::string::npos) << text;
  EXPECT_NE(text.find("  # flag --set\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  # t.toml:5:9\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  # default\n"), std::string::npos) << text;

  const Config again = parse(text);
  ASSERT_EQ(again.settings.size(), config.settings.size());
  for (std::size_t i = 0; i < again.settings.size(); ++i) {
    EXPECT_EQ(again.settings[i].path, config.settings[i].path);
    EXPECT_EQ(again.settings[i].value, config.settings[i].value) << to_text(again.settings[i].path);
  }
}

TEST(Config, FindsSettingsAndPlugins) {
  const Config config = parse(two_plugins + "pins.'x.y' = 'a'\n");
  EXPECT_NE(config.find_setting("routing.pins.\"x.y\""), nullptr);
  EXPECT_EQ(config.find_setting("routing.pins.x.y"), nullptr);
  EXPECT_EQ(config.find_plugin("c"), nullptr);
  EXPECT_EQ(config.find_plugin("b"), &config.plugins[1]);
}

TEST(Config, GivesOtherRoomsThePositionForTheirErrors) {
  const Config config = parse(two_plugins + "pins.Relo = 'a'\n");
  const Error error = setting_error(*config.find_setting("routing.pins.Relo"), "pins no op");
  EXPECT_EQ(error.kind(), ErrorKind::config);
  EXPECT_STREQ(error.what(), "t.toml:7:13: key 'routing.pins.Relo' pins no op");
}

}  // namespace
}  // namespace switchyard
