#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "plugin_loader/fakes.hpp"
#include "plugin_loader/load.hpp"

namespace switchyard {
namespace {

TEST(LoadThreads, ManyLoadAtOnceAndShare) {
  const ScratchFolder scratch;
  const auto library = scratch.copy_of("good");
  LoadContext context = trial_context();
  context.trial_record = scratch.path() / "trials";
  std::vector<LoadResult> results(8);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < results.size(); ++i) {
    threads.emplace_back([&, i] {
      results[i] = load_library(i % 2 == 0 ? library : fake_library("two_devices"), "", context);
      if (results[i].plugin) results[i].plugin->probe_again();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < results.size(); ++i) {
    ASSERT_TRUE(results[i].plugin) << results[i].failure->reason;
    EXPECT_EQ(&results[i].plugin->api(), &results[i % 2].plugin->api());
  }
}

TEST(LoadThreads, WrongOnesAmongThem) {
  const std::vector<std::string> variants = {"good", "entry_throws", "probe_crashes", "lacks_run"};
  std::vector<std::thread> threads;
  std::vector<LoadResult> results(variants.size());
  for (std::size_t i = 0; i < variants.size(); ++i) {
    threads.emplace_back([&, i] { results[i] = load_fake(variants[i]); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(results[0].plugin);
  for (std::size_t i = 1; i < variants.size(); ++i) EXPECT_TRUE(results[i].failure) << variants[i];
}

}  // namespace
}  // namespace switchyard
