// What --order, --set and the environment lay over a file.
#include "config/flags.hpp"

#include "config_test_support.hpp"

namespace switchyard {
namespace {

TEST(Flags, OrderReplacesTheOrder) {
  const Config config = parse(two_plugins, {order("b:2, a")});
  EXPECT_EQ(config.routing.order, (std::vector<DeviceName>{{"b", 2}, {"a", 0}}));
  EXPECT_EQ(origin_of(config, "routing.order"), "flag --order");
}

TEST(Flags, OrderIsCheckedLikeTheFile) {
  EXPECT_EQ(parse_error(two_plugins, {order("a,c")}),
            "flag --order: key 'routing.order' names \"c\", but there is no [plugins.c]");
  EXPECT_EQ(
      parse_error(two_plugins, {order("a,,b")}),
      "flag --order: key 'routing.order' is not a device: \"\"; write a plugin's name, or name "
      "and index: \"NAME:1\"");
  EXPECT_EQ(parse_error(two_plugins, {order("a,a:0")}),
            "flag --order: key 'routing.order' names \"a:0\" twice; drop one");
}

TEST(Flags, SetTakesTomlAndPlainWords) {
  const Config config =
      parse(two_plugins, {set("routing.fallback=deny"), set("routing.pins.Relu = \"b:1\""),
                          set("plugins.a.required=true"), set("host.memory_limit=4096"),
                          set("routing.order=[\"b\"]"), set("host.trace=/tmp/a=b#c.json"),
                          set("routing.pins.\"x=y.z\"=a")});
  EXPECT_EQ(config.routing.fallback, FallbackPolicy::deny);
  EXPECT_EQ(config.routing.pins[0].second, (DeviceName{"b", 1}));
  EXPECT_EQ(config.routing.pins[1].first, "x=y.z");
  EXPECT_TRUE(config.plugins[0].required);
  EXPECT_EQ(config.host.memory_limit, 4096u);
  EXPECT_EQ(config.routing.order, (std::vector<DeviceName>{{"b", 0}}));
  EXPECT_EQ(config.host.trace, "/tmp/a=b#c.json");
  EXPECT_EQ(origin_of(config, "routing.fallback"), "flag --set");
}

TEST(Flags, SetKeepsTheTypesOfOptions) {
  const Config config = parse(
      two_plugins, {set("plugins.a.options.threads=2"), set("plugins.a.options.word=software"),
                    set("plugins.a.options.on=true"), set("plugins.a.options.digits=\"2\""),
                    set("plugins.a.options.nested={x=1,y=[1,2]}"), set("plugins.a.options.none=")});
  const auto& options = config.plugins[0].options;
  ASSERT_EQ(options.size(), 7u);
  EXPECT_EQ(options[0].value, (ConfigValue{std::int64_t{2}, {}}));
  EXPECT_EQ(options[1].value, (ConfigValue{"software", {}}));
  EXPECT_EQ(options[2].value, (ConfigValue{true, {}}));
  EXPECT_EQ(options[3].value, (ConfigValue{"2", {}}));
  EXPECT_EQ(options[4].key, "nested.x");
  EXPECT_EQ(to_text(options[5].value), "[1, 2]");
  EXPECT_EQ(options[6].value, (ConfigValue{"", {}}));
}

TEST(Flags, AWordForAStringIsNeverANumber) {
  const std::string digits(64, '1');
  EXPECT_EQ(parse(two_plugins, {set("plugins.a.sha256=" + digits)}).plugins[0].sha256, digits);
  EXPECT_EQ(parse(two_plugins, {set("host.trace=1e3")}).host.trace, "1e3");
}

TEST(Flags, ALaterFlagWins) {
  const std::vector<ConfigFlag> flags = {order("a"), set("routing.order=['b']"),
                                         set("plugins.a.options.x=1"),
                                         set("plugins.a.options.x=2")};
  const Config config = parse(two_plugins, flags);
  EXPECT_EQ(config.routing.order, (std::vector<DeviceName>{{"b", 0}}));
  ASSERT_EQ(config.plugins[0].options.size(), 1u);
  EXPECT_EQ(config.plugins[0].options[0].value, (ConfigValue{std::int64_t{2}, {}}));
}

TEST(Flags, SetMayAddAPlugin) {
  const Config config = parse(two_plugins, {set("plugins.c.library=/opt/libc3.so"), order("c,a")});
  EXPECT_EQ(config.plugins.back().name, "c");
  EXPECT_EQ(config.plugins.back().library, "/opt/libc3.so");
}

TEST(Flags, SetRefusesWhatTheSchemaDoesNotKnow) {
  EXPECT_EQ(parse_error(two_plugins, {set("routing.odrer=x")}),
            "flag --set: key 'routing.odrer' is not known; did you mean 'routing.order'?");
  EXPECT_EQ(parse_error(two_plugins, {set("routing.fallback=3")}),
            "flag --set: key 'routing.fallback' cannot be \"3\"; it takes one of \"allow\", "
            "\"warn\", \"deny\"");
  EXPECT_EQ(parse_error(two_plugins, {set("plugins.a.required=maybe")}),
            "flag --set: key 'plugins.a.required' is a string; it takes true or false: whether to "
            "stop when the plugin cannot be loaded, rather than to go on without it");
}

TEST(Flags, SetSaysWhereItsValueIsNotToml) {
  const std::string error = parse_error(two_plugins, {set("routing.order=['a'")});
  EXPECT_EQ(error.rfind("flag --set: key 'routing.order': value ['a' is not TOML: ", 0), 0u)
      << error;
}

// As a plain word it would reach a plugin as a text.
TEST(Flags, SetRefusesIntegersThatTomlDoesNotHave) {
  for (const std::string number : {"18446744073709551615", "-9223372036854775809", "007"}) {
    for (const std::string key : {"plugins.a.options.threads", "limits.nodes"}) {
      const std::string error = parse_error(two_plugins, {set(key + "=" + number)});
      const std::string start = "flag --set: key '" + key + "': value " + number + " is not TOML: ";
      EXPECT_EQ(error.rfind(start, 0), 0u) << error;
    }
  }
}

TEST(Flags, SetNeedsKeyAndValue) {
  for (const std::string text : {"routing.fallback", "", "=x", "a b=1", "a.=1", "[host]=1",
                                 "host.trace=x\nhost.log_level=off", "#=1", "'a=1"}) {
    const std::string error =
        error_of([&] { parse(two_plugins, {set(text)}); }, ErrorKind::invalid_argument);
    EXPECT_EQ(error.rfind("flag --set: '", 0), 0u) << error;
  }
}

TEST(Flags, TheEnvironmentSetsTheLogLevelBetweenFileAndFlags) {
  const std::string text = two_plugins + "[host]\nlog_level = 'error'\n";
  const Environment environment = {{"SWITCHYARD_LOG", "debug"}};
  const Config config = parse(text, {}, environment);
  EXPECT_EQ(config.host.log_level, "debug");
  EXPECT_EQ(origin_of(config, "host.log_level"), "environment SWITCHYARD_LOG");
  EXPECT_EQ(parse(text, {set("host.log_level=off")}, environment).host.log_level, "off");
  EXPECT_EQ(parse_error(text, {}, {{"SWITCHYARD_LOG", "loud"}}),
            "environment SWITCHYARD_LOG: key 'host.log_level' cannot be \"loud\"; it takes one of "
            "\"trace\", \"debug\", \"info\", \"warn\", \"error\", \"off\"");
}

}  // namespace
}  // namespace switchyard
