#include "trace/log.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <string_view>
#include <switchyard/log.hpp>
#include <utility>
#include <vector>

#include "config/schema.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard::trace {
namespace {

// At the default level, whatever tests before have set; gives the former one back.
class LogTest : public testing::Test {
 protected:
  void SetUp() override { set_level(Level::warn); }
  void TearDown() override { set_level(former_); }

  template <typename Action>
  std::string written(Action action) {
    testing::internal::CaptureStderr();
    action();
    return testing::internal::GetCapturedStderr();
  }

 private:
  Level former_ = level();
};

TEST_F(LogTest, IsQuietBelowWarn) {
  EXPECT_EQ(written([] { info("nothing to see"); }), "");
  EXPECT_EQ(written([] { warn("{} of {}", 1, "two"); }), "switchyard [warn] 1 of two\n");
  EXPECT_EQ(written([] { error("broken"); }), "switchyard [error] broken\n");
}

TEST_F(LogTest, WritesWhatTheLevelEnables) {
  set_level(Level::trace);
  EXPECT_EQ(written([] { log(Level::trace, "a {brace}"); }), "switchyard [trace] a {brace}\n");
  EXPECT_EQ(written([] { debug("b"); }), "switchyard [debug] b\n");
  EXPECT_EQ(written([] { info("c"); }), "switchyard [info] c\n");
}

TEST_F(LogTest, OffWritesNothing) {
  set_level(Level::off);
  EXPECT_FALSE(enabled(Level::error));
  EXPECT_FALSE(enabled(Level::off));
  EXPECT_EQ(written([] { error("lost"); }), "");
  EXPECT_EQ(written([] { log(Level::off, "lost"); }), "");
}

TEST_F(LogTest, DoesNotFormatWhatIsNotEnabled) {
  struct Counted {
    int formatted = 0;
  } counted;
  const auto render = [&counted] { return ++counted.formatted; };
  if (enabled(Level::debug)) debug("{}", render());
  EXPECT_EQ(counted.formatted, 0);
}

TEST_F(LogTest, KeepsAMessageOnOneLine) {
  EXPECT_EQ(written([] { warn("{}", "one\nswitchyard [error] forged\r\n"); }),
            "switchyard [warn] one switchyard [error] forged  \n");
}

TEST_F(LogTest, GoesToTheSinkThatTheProgramGives) {
  std::vector<std::pair<LogLevel, std::string>> taken;
  set_log_sink([&](LogLevel level, std::string_view message) {
    taken.emplace_back(level, std::string(message));
  });
  EXPECT_EQ(written([] {
              info("below the level");
              warn("one\nline");
              error("two");
            }),
            "");
  set_log_sink({});
  EXPECT_EQ(taken, (std::vector<std::pair<LogLevel, std::string>>{{LogLevel::warn, "one line"},
                                                                  {LogLevel::error, "two"}}));
  EXPECT_EQ(written([] { warn("three"); }), "switchyard [warn] three\n");
}

TEST_F(LogTest, ASinkMayLogAndMayThrow) {
  set_log_sink([](LogLevel, std::string_view) {
    warn("from the sink");
    throw 1;
  });
  EXPECT_EQ(written([] { warn("lost"); }), "switchyard [warn] from the sink\n");
  set_log_sink({});
}

TEST_F(LogTest, AMessageUnderLocksWaitsForTheLastOfThem) {
  QuietMutex outer, inner;
  std::vector<std::string> messages;
  set_log_sink([&](LogLevel, std::string_view message) {
    EXPECT_TRUE(outer.try_lock()) << "the sink may use what the lock guards";
    outer.unlock();
    messages.emplace_back(message);
  });
  {
    const std::scoped_lock both(outer, inner);
    warn("first");
    {
      QuietMutex third;
      const std::scoped_lock lock(third);
      warn("second");
    }
    EXPECT_TRUE(messages.empty());
  }
  EXPECT_EQ(messages, (std::vector<std::string>{"first", "second"}));
  warn("third");
  EXPECT_EQ(messages.back(), "third");
  set_log_sink({});
}

TEST_F(LogTest, AMessageUnderALockGoesToTheSinkOfItsEnd) {
  QuietMutex guard;
  std::vector<std::string> messages;
  set_log_sink([](LogLevel, std::string_view) { ADD_FAILURE() << "it was replaced"; });
  {
    const std::scoped_lock lock(guard);
    warn("waits");
    set_log_sink([&](LogLevel, std::string_view message) { messages.emplace_back(message); });
  }
  EXPECT_EQ(messages, (std::vector<std::string>{"waits"}));
  set_log_sink({});
}

TEST_F(LogTest, ASinkIsDestroyedWhenItIsReplaced) {
  const auto owned = std::make_shared<int>(1);
  set_log_sink([owned](LogLevel, std::string_view) {});
  EXPECT_EQ(owned.use_count(), 2);
  set_log_sink({});
  EXPECT_EQ(owned.use_count(), 1);
}

TEST_F(LogTest, NamesRoundTrip) {
  for (const Level level :
       {Level::trace, Level::debug, Level::info, Level::warn, Level::error, Level::off}) {
    EXPECT_EQ(parse_level(name(level)), level);
  }
  EXPECT_EQ(parse_level("warning"), std::nullopt);
  EXPECT_EQ(parse_level(""), std::nullopt);
}

TEST_F(LogTest, KnowsEveryLevelThatTheConfigurationAllows) {
  for (const config::KeyRow& row : config::schema()) {
    if (row.key != "host.log_level") continue;
    ASSERT_EQ(row.allowed.size(), 6u);
    for (const std::string_view allowed : row.allowed) {
      EXPECT_TRUE(parse_level(allowed).has_value()) << allowed;
    }
    return;
  }
  FAIL() << "host.log_level is not in the schema";
}

}  // namespace
}  // namespace switchyard::trace
