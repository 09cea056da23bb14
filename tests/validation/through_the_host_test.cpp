// Plugins that the host loads with `validate = true`: they go by their own names, and the host
// keeps to plugin.h with each.
#include <gtest/gtest.h>

#include "layered.hpp"
#include "plugin_loader/fakes.hpp"

namespace switchyard {
namespace {

LoadContext context_with_layer() {
  LoadContext context = trial_context();
  context.plugin_folders.push_back((build_folder() / "plugins").string());
  return context;
}

LoadResult load_validated(const std::filesystem::path& library, const std::string& more = "") {
  return load_library(library, "validate = true\n" + more, context_with_layer());
}

TEST(ValidatedPlugin, SaysOfItselfWhatItSaysUnvalidated) {
  const LoadResult validated = load_validated(fake_library("good"));
  const LoadResult plain = load_fake("good");
  ASSERT_TRUE(validated.plugin && plain.plugin);
  EXPECT_EQ(validated.plugin->library(), plain.plugin->library());
  EXPECT_EQ(validated.plugin->version(), plain.plugin->version());
  EXPECT_EQ(validated.plugin->build(), plain.plugin->build());
  EXPECT_STREQ(validated.plugin->table().name, plain.plugin->table().name);
  EXPECT_EQ(validated.plugin->devices().size(), plain.plugin->devices().size());
  EXPECT_TRUE(validated.plugin->has_events());
}

// Whatever is wrong with a plugin is told in the same words.
TEST(ValidatedPlugin, IsRefusedAsItIsUnvalidated) {
  for (const char* variant :
       {"no_entry", "too_old", "claims_too_new", "no_table", "empty_table", "short_struct",
        "entry_fails", "entry_throws", "entry_crashes", "lacks_run", "lacks_wait_event",
        "probe_fails", "probe_throws", "probe_crashes", "bad_alignment", "missing_devices",
        "unnamed_claim"}) {
    const LoadResult validated = load_validated(fake_library(variant));
    const LoadResult plain = load_fake(variant);
    ASSERT_TRUE(validated.failure && plain.failure) << variant;
    EXPECT_EQ(to_text(*validated.failure, "mine"), to_text(*plain.failure, "mine"));
  }
}

TEST(ValidatedPlugin, KeepsItsPin) {
  const std::string pin = "sha256 = \"" + std::string(64, '0') + "\"\n";
  const LoadResult validated = load_validated(fake_library("good"), pin);
  const LoadResult plain = load_library(fake_library("good"), pin);
  ASSERT_TRUE(validated.failure && plain.failure);
  EXPECT_EQ(to_text(*validated.failure, "mine"), to_text(*plain.failure, "mine"));
}

TEST(ValidatedPlugin, NeedsTheLayer) {
  LoadContext context = trial_context();
  context.plugin_folders = {"/nowhere"};
  const LoadResult result = load_library(fake_library("good"), "validate = true\n", context);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(to_text(*result.failure, "mine"),
            "plugin 'mine' was not loaded: the validation layer is not there; looked for "
            "/nowhere/libswitchyard_validation.so. Install it, or set plugins.mine.validate to "
            "false.");
}

TEST(ValidatedPlugin, IsAnotherThanTheSameUnvalidated) {
  const LoadResult validated = load_validated(fake_library("good"));
  const LoadResult plain = load_fake("good");
  ASSERT_TRUE(validated.plugin && plain.plugin);
  EXPECT_NE(validated.plugin->table().run, plain.plugin->table().run);
}

TEST(ValidatedPlugin, TellsInItsReportHowManyCallsWereChecked) {
  const LoadResult result = load_validated(fake_library("asynchronous"));
  ASSERT_TRUE(result.plugin);
  const std::string report = layered::report_of(result.plugin->table());
  EXPECT_NE(report.find(" calls, all as plugin.h has it\n"), std::string::npos) << report;
}

TEST(ValidatedPlugin, MayNotBeTheLayerItself) {
  const LoadResult result =
      load_library(build_folder() / "plugins" / "libswitchyard_validation.so");
  ASSERT_TRUE(result.failure);
  EXPECT_NE(result.failure->reason.find("set plugins.NAME.validate = true"), std::string::npos)
      << result.failure->reason;
}

}  // namespace
}  // namespace switchyard
