// Every way in which a text can be wrong, with the exact place and words.
#include "config_test_support.hpp"

namespace switchyard {
namespace {

struct Case {
  const char* name;
  std::string text;
  std::string error;
};

void PrintTo(const Case& wrong, std::ostream* out) { *out << wrong.name; }

class ConfigError : public testing::TestWithParam<Case> {};

TEST_P(ConfigError, SaysWhatWhereAndHowToMend) {
  EXPECT_EQ(parse_error(GetParam().text), GetParam().error);
}

const Case unknown_keys[] = {
    {"misspelt_key", "[routing]\nodrer = ['a']\n",
     "t.toml:2:1: key 'routing.odrer' is not known; did you mean 'routing.order'?"},
    {"misspelt_table", "[rooting]\norder = ['a']\n",
     "t.toml:1:2: key 'rooting' is not known; did you mean 'routing'?"},
    {"misspelt_nested_table", "[routing.pin]\n",
     "t.toml:1:10: key 'routing.pin' is not known; did you mean 'routing.pins'?"},
    {"misspelt_plugin_key", "[plugins.a]\n  libary = 'x'\n",
     "t.toml:2:3: key 'plugins.a.libary' is not known; did you mean 'plugins.a.library'?"},
    {"key_without_its_table", "order = ['a']\n",
     "t.toml:1:1: key 'order' is not known; did you mean 'routing.order'?"},
    {"key_in_another_table", "[host]\nfallback = 'warn'\n",
     "t.toml:2:1: key 'host.fallback' is not known; did you mean 'routing.fallback'?"},
    {"nothing_near", "[host]\nzzzzzzzzzz = 1\n",
     "t.toml:2:1: key 'host.zzzzzzzzzz' is not known; [host] takes cache_limit, log_level, "
     "memory_limit, trace"},
    {"no_table_near", "zzzzzzzz = 1\n",
     "t.toml:1:1: key 'zzzzzzzz' is not known; the tables are host, limits, routing, precision, "
     "plugins"},
    {"below_a_key", "[routing.fallback.x]\ny = 1\n",
     "t.toml:1:10: key 'routing.fallback' is a table; it takes a string: what to do when the "
     "device asked for refuses an op"},
};
INSTANTIATE_TEST_SUITE_P(UnknownKey, ConfigError, testing::ValuesIn(unknown_keys),
                         [](const auto& info) { return info.param.name; });

const Case types[] = {
    {"string_for_list", "[routing]\norder = 'a'\n",
     "t.toml:2:9: key 'routing.order' is a string; it takes a list of strings, such as [\"a\", "
     "\"b\"]: the devices, the one to ask first in front; by default the plugins in the order of "
     "the file"},
    {"integer_in_list", "[plugins.a]\n[routing]\norder = ['a',\n  7]\n",
     "t.toml:4:3: key 'routing.order' holds an integer; it takes a list of strings, such as "
     "[\"a\", \"b\"]"},
    {"string_for_boolean", "[plugins.a]\nrequired = 'yes'\n",
     "t.toml:2:12: key 'plugins.a.required' is a string; it takes true or false: whether to stop "
     "when the plugin cannot be loaded, rather than to go on without it"},
    {"list_for_string", "[routing]\npins.Relu = ['a']\n",
     "t.toml:2:13: key 'routing.pins.Relu' is a list; it takes a string: the device to ask first "
     "for one op, before the order"},
    {"float_for_size", "[host]\nmemory_limit = 1.5\n",
     "t.toml:2:16: key 'host.memory_limit' is a float; it takes a number of bytes, or a size such "
     "as \"2GiB\": the most memory that tensors may take on each device: bytes, or a size; 0 "
     "for three quarters of the machine's"},
    {"value_for_table", "routing = true\n",
     "t.toml:1:11: key 'routing' is a boolean; it is a table, which takes order, fallback, "
     "host_device, whole_programs, fallback_by_plugin, fallback_by_op, pins"},
    {"value_for_plugin", "[plugins]\na = 'libx.so'\n",
     "t.toml:2:5: key 'plugins.a' is a string; it is a table, which takes library, required, "
     "sha256, isolation, deadline_seconds, validate, validation, options"},
    {"unknown_answer_to_violations", "[plugins.a.validation]\non_violation = 'ignore'\n",
     "t.toml:2:16: key 'plugins.a.validation.on_violation' cannot be \"ignore\"; it takes one of "
     "\"log\", \"error\", \"abort\""},
    {"pause_of_an_hour", "[plugins.a.validation]\ndelay_microseconds = 3_600_000_000\n",
     "t.toml:2:22: key 'plugins.a.validation.delay_microseconds' cannot be 3600000000; it takes a "
     "number of microseconds from 0 to 1000000"},
    {"table_for_value", "[plugins.a]\n[plugins.a.required]\n",
     "t.toml:2:12: key 'plugins.a.required' is a table; it takes true or false: whether to stop "
     "when the plugin cannot be loaded, rather than to go on without it"},
    {"date", "[plugins.a.options]\nsince = 2024-01-01\n",
     "t.toml:2:9: key 'plugins.a.options.since' is a date or time, which no key takes; write it "
     "as a string, in quotes"},
    {"table_in_list", "[plugins.a.options]\nx = [1, {y = 2}]\n",
     "t.toml:2:9: key 'plugins.a.options.x' holds a table within a list, which no key takes; write "
     "a list of plain values"},
    {"list_of_tables", "[[plugins]]\n",
     "t.toml:1:1: key 'plugins' holds a table within a list, which no key takes; write a list of "
     "plain values"},
};
INSTANTIATE_TEST_SUITE_P(WrongType, ConfigError, testing::ValuesIn(types),
                         [](const auto& info) { return info.param.name; });

const Case values[] = {
    {"policy", two_plugins + "fallback = 'wran'\n",
     "t.toml:7:12: key 'routing.fallback' cannot be \"wran\"; it takes one of \"allow\", \"warn\", "
     "\"deny\"; did you mean \"warn\"?"},
    {"policy_of_op", two_plugins + "fallback_by_op.Relu = ''\n",
     "t.toml:7:23: key 'routing.fallback_by_op.Relu' cannot be \"\"; it takes one of \"allow\", "
     "\"warn\", \"deny\""},
    {"log_level", "[host]\nlog_level = 'loud'\n",
     "t.toml:2:13: key 'host.log_level' cannot be \"loud\"; it takes one of \"trace\", \"debug\", "
     "\"info\", \"warn\", \"error\", \"off\""},
    {"size", "[host]\nmemory_limit = '2 gigs'\n",
     "t.toml:2:16: key 'host.memory_limit' is not a size: \"2 gigs\"; write bytes, or a size such "
     "as "
     "\"512MiB\" or \"2GiB\""},
    {"negative_size", "[host]\nmemory_limit = -1\n",
     "t.toml:2:16: key 'host.memory_limit' is not a size: -1; write bytes, or a size such as "
     "\"512MiB\" or \"2GiB\""},
    {"empty_order", "[plugins.a]\n[routing]\norder = []\n",
     "t.toml:3:9: key 'routing.order' names no device; name at least one"},
    {"no_device", "[plugins.a]\n[routing]\norder = ['a', 'a:x']\n",
     "t.toml:3:15: key 'routing.order' is not a device: \"a:x\"; write a plugin's name, or name "
     "and "
     "index: \"NAME:1\""},
    {"deadline", "[plugins.a]\ndeadline_seconds = -1\n",
     "t.toml:2:20: key 'plugins.a.deadline_seconds' cannot be -1; it takes a number of seconds "
     "from 0.001 to 1000000, or 0 for no deadline"},
    {"short_deadline", "[plugins.a]\ndeadline_seconds = 1e-4\n",
     "t.toml:2:20: key 'plugins.a.deadline_seconds' cannot be 0.0001; it takes a number of seconds "
     "from 0.001 to 1000000, or 0 for no deadline"},
    {"no_deadline", "[plugins.a]\ndeadline_seconds = nan\n",
     "t.toml:2:20: key 'plugins.a.deadline_seconds' cannot be nan; it takes a number of seconds "
     "from 0.001 to 1000000, or 0 for no deadline"},
    {"worded_deadline", "[plugins.a]\ndeadline_seconds = 'soon'\n",
     "t.toml:2:20: key 'plugins.a.deadline_seconds' is a string; it takes a number: how long one "
     "call may take before the log tells of it, or an isolated plugin's process is ended; 0: for "
     "ever"},
    {"short_sum", "[plugins.a]\nsha256 = 'abc'\n",
     "t.toml:2:10: key 'plugins.a.sha256' is not a SHA-256 sum: it takes 64 hexadecimal digits, as "
     "`sha256sum FILE` prints them"},
    {"no_library", "[plugins.a]\nlibrary = ''\n",
     "t.toml:2:11: key 'plugins.a.library' names no library: \"\"; write its name without \"lib\" "
     "and ending, or a path to the file"},
    {"library_is_folder", "[plugins.a]\nlibrary = '/usr/lib/'\n",
     "t.toml:2:11: key 'plugins.a.library' names no library: \"/usr/lib/\"; write its name without "
     "\"lib\" and ending, or a path to the file"},
    {"relative_library_in_text", "[plugins.a]\nlibrary = 'sub/libx.so'\n",
     "t.toml:2:11: key 'plugins.a.library' is \"sub/libx.so\", a path relative to the "
     "configuration's folder, but the configuration is a text without one; write an absolute "
     "path"},
    {"plugin_name", "[plugins.'a/b']\n",
     "t.toml:1:10: key 'plugins.\"a/b\"' has a name that no plugin can have; use letters, digits, "
     "'_' and '-', at most 64"},
    {"long_plugin_name",
     "[plugins.aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffff12345]\n",
     "t.toml:1:10: key "
     "'plugins.aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffff12345' has a name that "
     "no plugin can have; use letters, digits, '_' and '-', at most 64"},
};
INSTANTIATE_TEST_SUITE_P(WrongValue, ConfigError, testing::ValuesIn(values),
                         [](const auto& info) { return info.param.name; });

const Case wholes[] = {
    {"order_without_section", "[plugins.alpha]\n[routing]\norder = ['alpha',\n 'alpah:1']\n",
     "t.toml:4:2: key 'routing.order' names \"alpah:1\", but there is no [plugins.alpah]; did you "
     "mean \"alpha\"?"},
    {"pin_without_section", two_plugins + "pins.Relu = 'gpu'\n",
     "t.toml:7:13: key 'routing.pins.Relu' names \"gpu\", but there is no [plugins.gpu]"},
    {"host_device_without_section", two_plugins + "host_device = 'gpu'\n",
     "t.toml:7:15: key 'routing.host_device' names \"gpu\", but there is no [plugins.gpu]"},
    {"policy_without_section", two_plugins + "fallback_by_plugin.gpu = 'deny'\n",
     "t.toml:7:26: key 'routing.fallback_by_plugin.gpu' names \"gpu\", but there is no "
     "[plugins.gpu]"},
    {"device_twice", "[plugins.a]\n[routing]\norder = ['a', 'a:1', 'a:0']\n",
     "t.toml:3:22: key 'routing.order' names \"a:0\" twice; drop one"},
    {"option_twice", "[plugins.a.options]\nx.y = 1\n'x.y' = 2\n",
     "t.toml:3:9: key 'plugins.a.options.\"x.y\"' is given twice, once as a quoted name with dots "
     "and once as names joined by dots; drop one"},
    {"no_plugin", "[host]\n",
     "t.toml: no plugin is named, so nothing can run; add a section [plugins.NAME] for each plugin "
     "to load"},
    {"empty_text", "",
     "t.toml: no plugin is named, so nothing can run; add a section [plugins.NAME] for each plugin "
     "to load"},
};
INSTANTIATE_TEST_SUITE_P(WrongWhole, ConfigError, testing::ValuesIn(wholes),
                         [](const auto& info) { return info.param.name; });

const Case syntax[] = {
    {"key_twice", "[host]\ntrace = 'x'\ntrace = 'y'\n", "t.toml:3:9: not TOML: "},
    {"table_twice", "[host]\n[host]\n", "t.toml:2:"},
    {"open_list", "[routing]\norder = ['a',\n", "t.toml:2:15: not TOML: "},
    {"no_value", "[host]\nlog_level =\n", "t.toml:2:12: not TOML: "},
    {"two_values", "[host]\nlog_level = 'warn' 'info'\n", "t.toml:2:20: not TOML: "},
    {"no_quotes", "[host]\nlog_level = warn\n", "t.toml:2:13: not TOML: "},
    {"control_character", std::string("[host]\nlog_level = '\x01'\n"), "t.toml:2:14: not TOML: "},
    {"sign_for_table", "[host]\n\n[ =]\n", "t.toml:3:3: not TOML: "},
    {"list_for_table", "[host]\n[[[a]]]\n", "t.toml:2:3: not TOML: "},
    {"not_utf8", "[host]\ntrace = '\xff'\n", "t.toml:2:"},
};

class SyntaxError : public testing::TestWithParam<Case> {};

// The words are toml++'s own; the position and the form are ours.
TEST_P(SyntaxError, HasItsPositionOnOneLine) {
  const std::string error = parse_error(GetParam().text);
  EXPECT_EQ(error.rfind(GetParam().error, 0), 0u) << error;
  EXPECT_NE(error.find(": not TOML: "), std::string::npos) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
}
INSTANTIATE_TEST_SUITE_P(Syntax, SyntaxError, testing::ValuesIn(syntax),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace switchyard
