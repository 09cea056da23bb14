#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "trace/log.hpp"

namespace switchyard::trace {
namespace {

TEST(LogThreads, LinesOfManyThreadsStayWhole) {
  constexpr int thread_count = 4;
  constexpr int line_count = 200;
  set_level(Level::warn);
  testing::internal::CaptureStderr();
  std::vector<std::thread> threads;
  for (int t = 0; t < thread_count; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < line_count; ++i) {
        warn("thread {} line {} end", t, i);
        set_level(Level::warn);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();

  std::istringstream text(testing::internal::GetCapturedStderr());
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), static_cast<std::size_t>(thread_count * line_count));
  for (int t = 0; t < thread_count; ++t) {
    for (int i = 0; i < line_count; ++i) {
      const std::string line = fmt::format("switchyard [warn] thread {} line {} end", t, i);
      EXPECT_EQ(std::count(lines.begin(), lines.end(), line), 1) << line;
    }
  }
}

}  // namespace
}  // namespace switchyard::trace
