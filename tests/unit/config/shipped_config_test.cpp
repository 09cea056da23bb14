// Each worked configuration parses and means what its comments say.
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "config/key_match.hpp"
#include "config/schema.hpp"
#include "config/toml_reader.hpp"
#include "config_test_support.hpp"
#include "test_folders.hpp"

namespace switchyard {
namespace {

const std::string folder = std::string(SWITCHYARD_SOURCE_DIR) + "/config/";

std::string text_of(const std::string& name) {
  std::ifstream file(folder + name);
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

// As text: a checkout may lie in a folder that others can write to.
Config shipped(const std::string& name) { return parse_config(text_of(name), name, {}, {}); }

std::vector<DeviceName> devices(const std::vector<std::string>& names) {
  std::vector<DeviceName> result;
  for (const std::string& name : names) result.push_back({name, 0});
  return result;
}

TEST(ShippedConfig, DefaultAsksTheGpuFirst) {
  const Config config = shipped("default.toml");
  EXPECT_EQ(config.routing.order, devices({"mps", "cpu"}));
  EXPECT_EQ(config.routing.fallback, FallbackPolicy::warn);
  EXPECT_EQ(config.routing.host_device, std::nullopt);
  EXPECT_EQ(config.host.log_level, "warn");
  EXPECT_EQ(config.host.memory_limit, 0u);
  EXPECT_EQ(config.precision.matmul, Precision::highest);
  EXPECT_EQ(config.precision.convolution, Precision::highest);
  EXPECT_FALSE(config.find_plugin("mps")->required);
  EXPECT_EQ(config.find_plugin("mps")->library, "switchyard_mps");
  ASSERT_EQ(config.find_plugin("mps")->options.size(), 1u);
  EXPECT_EQ(config.find_plugin("mps")->options[0].key, "device");
  EXPECT_EQ(config.find_plugin("mps")->options[0].value, (ConfigValue{"metal", {}}));
  EXPECT_TRUE(config.find_plugin("cpu")->required);
}

TEST(ShippedConfig, DefaultStatesTheDefaultsOfTheSchema) {
  const Config written = shipped("default.toml");
  const Config bare = parse("[plugins.mps]\n[plugins.cpu]\n");
  for (const Setting& setting : bare.settings) {
    const Setting* stated = written.find_setting(to_text(setting.path));
    ASSERT_NE(stated, nullptr) << to_text(setting.path);
    if (setting.path == KeyPath{"plugins", "cpu", "required"}) continue;
    EXPECT_EQ(to_text(stated->value), to_text(setting.value)) << to_text(setting.path);
  }
}

TEST(ShippedConfig, DefaultMentionsEveryKey) {
  const std::vector<config::Entry> entries = config::read_toml(text_of("default.toml")).entries;
  for (const config::KeyRow& row : config::schema()) {
    // Of a row whose last name is free, the table is what must be there.
    const std::string key(row.key);
    const std::string last = key.substr(key.rfind('.') + 1);
    const bool is_free = last == "PLUGIN" || last == "OP" || last == "ANY";
    KeyPath path = config::path_of(row, "mps");
    if (is_free) path.pop_back();
    EXPECT_TRUE(std::any_of(entries.begin(), entries.end(), [&](const config::Entry& entry) {
      return entry.path == path;
    })) << key;
  }
}

TEST(ShippedConfig, CpuOnlyNamesOneDevice) {
  const Config config = shipped("cpu-only.toml");
  EXPECT_EQ(config.routing.order, devices({"cpu"}));
  EXPECT_EQ(config.routing.fallback, FallbackPolicy::deny);
  EXPECT_EQ(config.plugins.size(), 1u);
}

TEST(ShippedConfig, ThirdPartyAsksTheTemplateFirst) {
  const Config config = shipped("third-party.toml");
  EXPECT_EQ(config.routing.order, devices({"template", "cpu"}));
  EXPECT_EQ(config.routing.fallback, FallbackPolicy::warn);
  EXPECT_EQ(config.find_plugin("template")->library, "switchyard_template");
}

TEST(ShippedConfig, DenyAllowsNothingButSoftmax) {
  const Config config = shipped("deny.toml");
  EXPECT_EQ(config.routing.order, devices({"template", "cpu"}));
  EXPECT_EQ(config.routing.fallback, FallbackPolicy::deny);
  ASSERT_EQ(config.routing.fallback_by_op.size(), 1u);
  EXPECT_EQ(config.routing.fallback_by_op[0].first, "Softmax");
  EXPECT_EQ(config.routing.fallback_by_op[0].second, FallbackPolicy::allow);
}

TEST(ShippedConfig, PinnedPinsThreeOps) {
  const Config config = shipped("pinned.toml");
  EXPECT_EQ(config.routing.order, devices({"cpu", "template"}));
  const std::vector<std::pair<std::string, DeviceName>> pins = {
      {"Relu", {"template", 0}}, {"Add", {"template", 0}}, {"Softmax", {"cpu", 0}}};
  EXPECT_EQ(config.routing.pins, pins);
}

TEST(ShippedConfig, EveryFileParsesAndNoneNamesTheNullDevice) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    const std::string name = entry.path().filename().string();
    names.insert(name);
    const Config config = shipped(name);
    EXPECT_EQ(config.find_plugin("null"), nullptr) << name;
    EXPECT_EQ(text_of(name).find("switchyard_null"), std::string::npos) << name;
  }
  EXPECT_EQ(names,
            (std::set<std::string>{"cpu-only.toml", "default.toml", "deny.toml", "isolated.toml",
                                   "pinned.toml", "software-metal.toml", "third-party.toml"}));
}

}  // namespace
}  // namespace switchyard
