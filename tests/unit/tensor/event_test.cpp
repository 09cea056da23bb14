// Events: the time between two, and who is told of completion. Priorities of streams.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <switchyard/streams.hpp>

#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

constexpr EventOptions kTimed{.enable_timing = true};

Runtime slow_template() {
  return start(
      {{"template"}, "", "[plugins.template.options]\ndelay_microseconds = 3000\n", {"cpu"}});
}

TEST(EventTime, IsThatOfTheWorkBetween) {
  const Runtime runtime = slow_template();
  const Device device = runtime.device("template");
  const Operation relu = runtime.operation("Relu");
  const Tensor x = counting({10}).to(device);
  const Event start(kTimed), end(kTimed);
  start.record(current_stream(device));
  Tensor y = x;
  for (int i = 0; i < 4; ++i) y = relu(y);
  end.record(current_stream(device));
  const double elapsed = start.elapsed_time(end);
  EXPECT_GE(elapsed, 4 * 3.0);
  EXPECT_DOUBLE_EQ(end.elapsed_time(start), -elapsed);
}

TEST(EventTime, OfADeviceThatIsDoneAtOnceIsTheHosts) {
  const Runtime runtime = start({{"cpu"}});
  const Event start(kTimed), end(kTimed);
  start.record(current_stream(runtime.device("cpu")));
  end.record(current_stream(runtime.device("cpu")));
  EXPECT_GE(start.elapsed_time(end), 0.0);
}

TEST(EventTime, NeedsTimingAndARecord) {
  const Runtime runtime = start({{"asynchronous"}});
  const Stream stream = current_stream(runtime.device("asynchronous"));
  const Event plain, unrecorded(kTimed), recorded(kTimed);
  plain.record(stream);
  recorded.record(stream);
  for (const Event& other : {plain, unrecorded}) {
    const Error error = error_of([&] { (void)recorded.elapsed_time(other); });
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_THAT(error.what(), HasSubstr("enable_timing"));
  }
}

TEST(EventTime, IsUnsupportedWhereThePluginHasNoEvents) {
  const Runtime runtime = start({{"no_events"}});
  const Event event(kTimed);
  event.record(current_stream(runtime.device("no_events")));
  EXPECT_EQ(error_of([&] { (void)event.elapsed_time(event); }).kind(), ErrorKind::unsupported);
}

class Completion : public testing::TestWithParam<const char*> {};

TEST_P(Completion, IsToldOnceTheWorkIsOver) {
  const Runtime runtime = start({{GetParam()}});
  const Device device = runtime.device(GetParam());
  const Operation add = runtime.operation("Add");
  Tensor x = counting({1000}).to(device);
  for (int i = 0; i < 10; ++i) x = add(x, x);
  const Stream stream = current_stream(device);
  const Event event;
  event.record(stream);
  const std::uint64_t marked = stream.open().last_enqueued();
  std::promise<std::uint64_t> completed;
  std::atomic<int> calls{0};
  event.on_completion([&] {
    if (++calls == 1) completed.set_value(stream.open().completed());
  });
  EXPECT_GE(completed.get_future().get(), marked);
  stream.synchronize();
  EXPECT_EQ(calls, 1);
}

// One tells, one has a thread of the host wait, one is done before it is asked, one gathers work.
INSTANTIATE_TEST_SUITE_P(Devices, Completion,
                         testing::Values("asynchronous", "no_events", "good", "immediates"),
                         [](const auto& info) { return std::string(info.param); });

TEST(EventCompletion, OfWorkThatFailsIsTold) {
  const Runtime runtime = start({{"run_sticky"}});
  const Device device = runtime.device("run_sticky");
  const Tensor poisoned = runtime.operation("Relu")(counting({3}).to(device));
  const Event event;
  event.record(current_stream(device));
  std::promise<void> over;
  event.on_completion([&] { over.set_value(); });
  over.get_future().get();
  EXPECT_THROW((void)poisoned.to_vector<float>(), Error);
}

TEST(StreamPriority, ReachesThePlugin) {
  const Runtime runtime = start({{"asynchronous"}});
  const Device device = runtime.device("asynchronous");
  const Stream urgent(device, {.priority = 3}), plain(device);
  EXPECT_THAT(report_of(device), HasSubstr("a stream of priority 3"));
}

}  // namespace
}  // namespace switchyard
