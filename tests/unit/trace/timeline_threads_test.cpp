#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

#include "plugin_loader/fakes.hpp"
#include "trace/timeline.hpp"
#include "trace/timeline_events.hpp"

namespace switchyard::trace {
namespace {

TEST(TimelineThreads, EventsOfEachThreadNest) {
  constexpr int thread_count = 4;
  constexpr int event_count = 100;
  const ScratchFolder folder;
  const std::string file = (folder.path() / "t.json").string();
  auto kept = Timeline::open(file);
  std::vector<std::thread> threads;
  for (int t = 0; t < thread_count; ++t) {
    threads.emplace_back([&, t] {
      // Each opens the file by itself, as runtimes of one configuration do.
      const auto timeline = Timeline::open(file);
      for (int i = 0; i < event_count; ++i) {
        Span outer(*timeline, "kernel", fmt::format("{} {}", t, i), {});
        Span inner(*timeline, "copy", "copy", Facts().add("bytes", 8));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  kept.reset();

  const std::vector<Event> events = events_in(file);
  EXPECT_EQ(events.size(), 2u * thread_count * event_count);
  std::set<std::uint64_t> numbers;
  for (const Event& event : events) {
    EXPECT_EQ(event.depth, event.kind == "copy" ? 1u : 0u);
    numbers.insert(event.thread);
  }
  EXPECT_EQ(numbers.size(), static_cast<std::size_t>(thread_count));
}

TEST(TimelineThreads, AFileIsOpenedAgainOnlyWhenItHasBeenClosed) {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "t.json").string();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        const auto timeline = Timeline::open(file);
        Span span(*timeline, "kernel", "Add", {});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(events_in(file).empty());
}

}  // namespace
}  // namespace switchyard::trace
