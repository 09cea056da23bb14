// One library, several users; what the plugin is told; whose symbols it binds to.
#include "plugin_loader/entered_library.hpp"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "device/plugin_report.hpp"
#include "plugin_loader/fakes.hpp"
#include "plugin_loader/load.hpp"
#include "plugin_loader/option_text.hpp"
#include "trace/log.hpp"

namespace switchyard {
namespace {

using ::testing::HasSubstr;

TEST(EnteredLibrary, IsSharedByThoseWhoAskOnEqualTerms) {
  const ScratchFolder scratch;
  const auto library = scratch.copy_of("good");
  const LoadResult first = load_library(library);
  const LoadResult second = load_library(library);
  ASSERT_TRUE(first.plugin && second.plugin);
  EXPECT_EQ(&first.plugin->api(), &second.plugin->api());
  EXPECT_NE(first.plugin, second.plugin);
}

TEST(EnteredLibrary, IsEnteredOnceForEachSetOfOptions) {
  const ScratchFolder scratch;
  const auto library = scratch.copy_of("good");
  const LoadResult first = load_library(library);
  const LoadResult second = load_library(library, "[plugins.mine.options]\nthreads = 2\n");
  ASSERT_TRUE(first.plugin && second.plugin);
  EXPECT_NE(&first.plugin->api(), &second.plugin->api());
  EXPECT_EQ(first.plugin->host().option_count, 0u);
  ASSERT_EQ(second.plugin->host().option_count, 1u);
  EXPECT_STREQ(second.plugin->host().options->key, "threads");
}

TEST(EnteredLibrary, IsEnteredAgainAfterAFailure) {
  const ScratchFolder scratch;
  const auto library = scratch.copy_of("entry_fails");
  EXPECT_TRUE(load_library(library).failure);
  EXPECT_THAT(load_library(library).failure->reason, HasSubstr("fails on purpose"));
}

int times_left(const Plugin& plugin) {
  return std::stoi(plugin_report(plugin).substr(sizeof("left")));
}

TEST(EnteredLibrary, IsLeftWhenNobodyHoldsItAndEnteredAgain) {
  const ScratchFolder scratch;
  const auto library = scratch.copy_of("good");
  const auto load = [&] { return load_library(library).plugin; };
  auto first = load(), second = load();
  const sy_host* const host = &first->host();
  first.reset();
  EXPECT_EQ(times_left(*second), 0) << "somebody holds it";
  second.reset();
  first = load();
  EXPECT_EQ(times_left(*first), 1);
  EXPECT_EQ(&first->host(), host) << "on equal terms it is the same host";
}

TEST(EnteredLibrary, ProbesAgain) {
  const LoadResult result = load_fake("two_devices");
  ASSERT_TRUE(result.plugin);
  EXPECT_EQ(result.plugin->probe_again().devices.size(), 2u);
}

// Loads after somebody has shown a symbol of the plugin's to the whole process.
std::string bound_symbol(const std::string& variant) {
  void* provider = ::dlopen(fake_library("clash_provider").c_str(), RTLD_NOW | RTLD_GLOBAL);
  EXPECT_NE(provider, nullptr) << ::dlerror();
  const ScratchFolder scratch;
  const LoadResult result = load_library(scratch.copy_of(variant));
  return result.plugin ? std::string(result.plugin->build()) : result.failure->reason;
}

TEST(EnteredLibrary, BindsToItsOwnSymbols) { EXPECT_EQ(bound_symbol("good"), "of the plugin"); }

// Shows that the test above can fail.
TEST(EnteredLibrary, WouldBindToOthersIfLinkedCarelessly) {
  EXPECT_EQ(bound_symbol("clash_unprotected"), "of somebody else");
}

TEST(PluginServices, HandOverEveryKindOfOption) {
  const Config config = config_of("x", R"([plugins.mine.options]
flag = true
count = 7
ratio = 0.5
text = "words"
list = [1, [2.5, "deep"], false]
nested.key = "dotted"
)");
  const PluginServices services("mine", "/some/where.so", config.plugins.front().options, 3);
  const sy_host& host = services.host();
  EXPECT_EQ(host.struct_size, sizeof(sy_host));
  EXPECT_EQ(host.thread_limit, 3u);
  EXPECT_STREQ(host.library_path, "/some/where.so");
  ASSERT_EQ(host.option_count, 6u);
  const auto option = [&](const std::string& key) -> const sy_option& {
    for (std::uint64_t i = 0; i < host.option_count; ++i) {
      if (host.options[i].key == key) return host.options[i];
    }
    throw std::out_of_range(key);
  };
  EXPECT_EQ(option("flag").kind, SY_OPTION_BOOL);
  EXPECT_EQ(option("flag").integer, 1);
  EXPECT_EQ(option("count").integer, 7);
  EXPECT_EQ(option("ratio").real, 0.5);
  EXPECT_STREQ(option("text").text, "words");
  EXPECT_STREQ(option("nested.key").text, "dotted");
  const sy_option& list = option("list");
  ASSERT_EQ(list.kind, SY_OPTION_LIST);
  ASSERT_EQ(list.item_count, 3u);
  EXPECT_STREQ(list.items[0].key, "");
  EXPECT_EQ(list.items[0].integer, 1);
  ASSERT_EQ(list.items[1].item_count, 2u);
  EXPECT_STREQ(list.items[1].items[1].text, "deep");
  EXPECT_EQ(list.items[2].kind, SY_OPTION_BOOL);
}

TEST(PluginServices, LogUnderThePluginsName) {
  const PluginServices services("mine", "/some/where.so", {}, 0);
  EXPECT_EQ(services.host().thread_limit, 1u);
  trace::set_level(trace::Level::warn);
  ::testing::internal::CaptureStderr();
  services.host().log(services.host().context, SY_LOG_WARN, "hot");
  services.host().log(services.host().context, SY_LOG_INFO, "quiet");
  services.host().log(services.host().context, 99, nullptr);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "switchyard [warn] mine: hot\nswitchyard [error] mine: \n");
}

TEST(OptionText, GivesTheSameOptionsBack) {
  const Config config = config_of("x", R"([plugins.mine.options]
text = "quotes \" and\nlines"
"odd key" = [1.0, "x"]
a.b.c = -3
)");
  const auto& options = config.plugins.front().options;
  const std::vector<PluginOption> again = parse_options(to_text(options));
  ASSERT_EQ(again.size(), options.size());
  for (std::size_t i = 0; i < options.size(); ++i) {
    EXPECT_EQ(again[i].key, options[i].key);
    EXPECT_EQ(again[i].value, options[i].value);
  }
}

}  // namespace
}  // namespace switchyard
