// [plugins.mps.options]: what each may be, and that a wrong one is named.
#include "runtime/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "table.hpp"

namespace mps::runtime_tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// What the entry says of the options, or "nothing".
std::string refusal(const std::function<void(Host&)>& set) {
  Host host;
  set(host);
  try {
    enter(host);
  } catch (const sy::Failure& failure) {
    EXPECT_EQ(failure.status(), SY_INVALID);
    return failure.what();
  }
  return "nothing";
}

TEST(MpsOptions, DefaultsAreWhatMacsGet) {
  Host host;
  const Options options = read_options(host.raw());
  EXPECT_EQ(options.device, DeviceKind::metal);
  EXPECT_TRUE(options.unified_memory);
  EXPECT_TRUE(options.execute);
  EXPECT_EQ(options.watermarks.low, 1.4);
  EXPECT_EQ(options.watermarks.high, 1.7);
  EXPECT_EQ(options.commit.operations, 64u);
  EXPECT_EQ(options.commit.bytes, uint64_t{64} << 20);
  EXPECT_EQ(options.commit.in_flight, 16u);
  EXPECT_EQ(options.graph_constant_bytes, uint64_t{64} << 10);
  EXPECT_EQ(options.graph_cache_bytes, size_t{256} << 20);
  EXPECT_FALSE(options.fast_math);
  EXPECT_FALSE(options.profile);
  EXPECT_EQ(options.capture, "");
}

TEST(MpsOptions, AllAreRead) {
  Host host;
  host.text("device", "software")
      .text("software.memory", "discrete")
      .flag("software.execute", false)
      .real("low_watermark", 0.5)
      .integer("high_watermark", 1)
      .integer("commit_operations", 7)
      .integer("commit_megabytes", 3)
      .integer("graph_cache_megabytes", 2)
      .flag("fast_math", true)
      .flag("profile", true)
      .text("capture", "/tmp/trace");
  const Options options = read_options(host.raw());
  EXPECT_EQ(options.device, DeviceKind::software);
  EXPECT_FALSE(options.unified_memory);
  EXPECT_FALSE(options.execute);
  EXPECT_EQ(options.watermarks.low, 0.5);
  EXPECT_EQ(options.watermarks.high, 1.0);
  EXPECT_EQ(options.commit.operations, 7u);
  EXPECT_EQ(options.commit.bytes, uint64_t{3} << 20);
  EXPECT_EQ(options.graph_cache_bytes, size_t{2} << 20);
  EXPECT_TRUE(options.fast_math);
  EXPECT_TRUE(options.profile);
  EXPECT_EQ(options.capture, "/tmp/trace");
}

TEST(MpsOptions, TheLowWatermarkIsAtMostTheHighOne) {
  EXPECT_THAT(
      refusal([](Host& host) { host.real("low_watermark", 1.5).real("high_watermark", 1.25); }),
      AllOf(HasSubstr("low_watermark is 1.5"), HasSubstr("high_watermark, 1.25")));
  const auto both = [](double low, double high) {
    return refusal(
        [&](Host& host) { host.real("low_watermark", low).real("high_watermark", high); });
  };
  EXPECT_EQ(both(1.5, 1.5), "nothing");
  EXPECT_EQ(both(2, 0), "nothing") << "0 is not a limit";
  EXPECT_EQ(both(0, 0.5), "nothing");
  EXPECT_NE(both(1.71, 1.7), "nothing");
  EXPECT_THAT(refusal([](Host& host) { host.real("low_watermark", 1.9); }),
              AllOf(HasSubstr("low_watermark is 1.9"), HasSubstr("high_watermark, 1.7")));
}

TEST(MpsOptions, ALowHighWatermarkBringsTheLowOneDown) {
  Host host;
  host.integer("high_watermark", 1);
  EXPECT_EQ(read_options(host.raw()).watermarks.high, 1.0);
  EXPECT_EQ(read_options(host.raw()).watermarks.low, 1.0);
  Host unlimited;
  unlimited.integer("high_watermark", 0);
  EXPECT_EQ(read_options(unlimited.raw()).watermarks.low, 1.4);
}

TEST(MpsOptions, WrongValuesAreNamedWithWhatTheyMayBe) {
  EXPECT_EQ(refusal([](Host& host) { host.text("device", "cuda"); }),
            "option device is \"cuda\"; it must be \"metal\" or \"software\"");
  EXPECT_EQ(refusal([](Host& host) { host.text("software.memory", "shared"); }),
            "option software.memory is \"shared\"; it must be \"unified\" or \"discrete\"");
  for (const char* key : {"low_watermark", "high_watermark"}) {
    for (const double value : {-0.1, 2.5, std::numeric_limits<double>::quiet_NaN()}) {
      EXPECT_THAT(refusal([&](Host& host) { host.real(key, value); }),
                  AllOf(HasSubstr(key), HasSubstr("from 0 to 2")));
    }
  }
  for (const char* key : {"commit_operations", "commit_megabytes", "graph_cache_megabytes"}) {
    for (const int64_t value : {int64_t{0}, int64_t{-1}, int64_t{1} << 40}) {
      EXPECT_THAT(refusal([&](Host& host) { host.integer(key, value); }),
                  AllOf(HasSubstr(key), HasSubstr(std::to_string(value)), HasSubstr("from 1 to")));
    }
  }
}

TEST(MpsOptions, WrongKindsAreNamed) {
  for (const char* key : {"device", "software.memory", "capture"}) {
    EXPECT_THAT(refusal([&](Host& host) { host.integer(key, 1); }),
                AllOf(HasSubstr(key), HasSubstr("text")));
  }
  for (const char* key : {"software.execute", "fast_math", "profile"}) {
    EXPECT_THAT(refusal([&](Host& host) { host.integer(key, 1); }),
                AllOf(HasSubstr(key), HasSubstr("bool")));
  }
  for (const char* key : {"commit_operations", "commit_megabytes", "graph_cache_megabytes"}) {
    EXPECT_THAT(refusal([&](Host& host) { host.text(key, "many"); }),
                AllOf(HasSubstr(key), HasSubstr("integer")));
  }
  for (const char* key : {"low_watermark", "high_watermark"}) {
    EXPECT_THAT(refusal([&](Host& host) { host.text(key, "high"); }),
                AllOf(HasSubstr(key), HasSubstr("float")));
  }
}

TEST(MpsOptions, UnknownOnesAreRefusedWithTheKnown) {
  EXPECT_THAT(refusal([](Host& host) { host.integer("commit_ops", 5); }),
              AllOf(HasSubstr("no option commit_ops"), HasSubstr("commit_operations"),
                    HasSubstr("low_watermark"), HasSubstr("capture")));
}

#if !defined(__APPLE__)

TEST(MpsOptions, WorkThatIsNotExecutedCompletesAllTheSame) {
  const OpenDevice device({{"software.execute", nullptr, 0, true}});
  const OpenStream stream(device);
  constexpr size_t bytes = 4096;  // more than the upload, whose memory would serve again
  const sy_storage storage = device.allocate(bytes, stream.handle());
  const int32_t number = 5;
  const uint64_t sequence = stream.upload(&number, 4, storage);
  stream.wait(sequence);
  EXPECT_EQ(stream.completed(), sequence);
  std::vector<int32_t> back(bytes / 4);
  stream.wait(stream.download(storage, back.data(), bytes));
  EXPECT_NE(back[0], number);
  device.release(storage);
}

#endif

// How many operations a command buffer takes shows in when they complete.
TEST(MpsOptions, CommitOperationsSaysWhenWorkStarts) {
  const auto completes_alone = [](int64_t operations) {
    const OpenDevice device({{"commit_operations", nullptr, operations}});
    const OpenStream stream(device);
    const sy_storage storage = device.allocate(4, stream.handle());
    const int32_t number = 5;
    for (int i = 0; i < 3; ++i) stream.upload(&number, 4, storage);
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    while (stream.completed() < 3 && std::chrono::steady_clock::now() < end) {
      std::this_thread::yield();
    }
    const bool is_complete = stream.completed() == 3;
    stream.wait(3);
    device.release(storage);
    return is_complete;
  };
  EXPECT_TRUE(completes_alone(3));
  EXPECT_FALSE(completes_alone(4));
}

#if !defined(__APPLE__)

TEST(MpsOptions, ATraceIsNotToBeHadOfTheSoftwareDevice) {
  try {
    const OpenDevice device({OpenDevice::Option{"capture", "/tmp/trace"}});
    FAIL() << "opened";
  } catch (const sy::Failure& failure) {
    EXPECT_EQ(failure.status(), SY_UNSUPPORTED);
    EXPECT_THAT(failure.what(), HasSubstr("writes no trace"));
  }
}

#endif

}  // namespace
}  // namespace mps::runtime_tests
