// Devices that fail: failover before the enqueue, errors at the wait after it, quarantine,
// recovery.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <switchyard/functions/pointwise.hpp>
#include <switchyard/log.hpp>
#include <switchyard/streams.hpp>
#include <thread>
#include <utility>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "tensor/host_tensor.hpp"
#include "tensor/small_input.hpp"
#include "trace/log.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

void sit_out_the_quarantine() { std::this_thread::sleep_for(std::chrono::milliseconds(150)); }

TEST(Quarantine, FollowsALossThatTheDeviceTellsUnasked) {
  const Runtime runtime = start({{"tells_of_loss", "cpu"}, "fallback = \"allow\"\n"});
  const Operation relu = runtime.operation("Relu");
  const Tensor lost = relu(kInput);
  lost.device().open()->stream().synchronize();
  EXPECT_EQ(relu(kInput).device().name(), "cpu:0");
  EXPECT_EQ(runtime.fallbacks().at(0).reason,
            "tells_of_loss:0: says that it is lost: the fake was unplugged");
  sit_out_the_quarantine();
  EXPECT_EQ(relu(kInput).device().name(), "tells_of_loss:0") << "it is plugged in again";
  EXPECT_EQ(error_of([&] { (void)lost.to_vector<float>(); }).kind(), ErrorKind::device_lost);
}

TEST(Failover, MovesOneCallAwayFromATransientFault) {
  const Runtime runtime = start({{"run_transient", "cpu"}});
  const Operation relu = runtime.operation("Relu");
  const Tensor moved = relu(kInput);
  EXPECT_EQ(moved.device().name(), "cpu:0");
  EXPECT_EQ(moved.to_vector<float>(), (Floats{0, 2}));
  EXPECT_EQ(relu(kInput).device().name(), "run_transient:0") << "it works again";

  const FallbackInfo fallback = runtime.fallbacks().at(0);
  EXPECT_EQ(fallback.code, "FAULTED");
  EXPECT_EQ(fallback.reason, "run_transient:0: run: the fake's run 1 fails");
  EXPECT_EQ(fallback.count, 1u);
}

TEST(Failover, IsDeniedWhereFallbackIs) {
  const Runtime runtime = start({{"run_transient", "cpu"}, "fallback = \"deny\""});
  const Error error = error_of([&] { runtime.operation("Relu")(kInput); });
  EXPECT_THAT(error.what(), HasSubstr("run_transient:0 refused (FAULTED): run_transient:0: run: "
                                      "the fake's run 1 fails; falling back to cpu:0 is denied"));
}

TEST(Faults, AreToldToASinkThatUsesTheDevice) {
  const Runtime runtime = start({{"run_lost"}});
  const Device device = runtime.device("run_lost");
  const trace::Level before = trace::level();
  trace::set_level(trace::Level::debug);
  int told = 0;
  set_log_sink([&](LogLevel, std::string_view) {
    ++told;
    static_cast<void>(device.memory());
    static_cast<void>(runtime.device("run_lost"));
  });
  EXPECT_THROW(runtime.operation("Relu")(kInput).to_vector<float>(), Error);
  sit_out_the_quarantine();
  static_cast<void>(device.memory());  // recovers the device
  set_log_sink({});
  trace::set_level(before);
  EXPECT_GT(told, 0);
}

TEST(Failover, WithoutAnotherDeviceTheFaultIsTheError) {
  const Runtime runtime = start({{"run_bug"}});
  const Error error = error_of([&] { runtime.operation("Relu")(kInput); });
  EXPECT_EQ(error.kind(), ErrorKind::device_unavailable) << "which is not a lack of support";
  EXPECT_THAT(error.what(), HasSubstr("the fake's run 1 fails"));
}

TEST(Failover, CopiesResultsBackToADeviceThatOnlyStumbled) {
  const Runtime runtime = start({{"cpu"}, "", "", {"run_transient"}});
  const Operation relu = runtime.operation_on(runtime.device("run_transient"), "Relu");
  const Tensor result = relu(kInput);
  EXPECT_EQ(result.device().name(), "run_transient:0");
  EXPECT_EQ(result.to_vector<float>(), (Floats{0, 2}));
}

TEST(Quarantine, KeepsOpsAwayUntilTheDeviceRecovers) {
  const Runtime runtime = start({{"run_lost", "cpu"}});
  const Operation relu = runtime.operation("Relu");
  EXPECT_EQ(relu(kInput).device().name(), "cpu:0");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(relu(kInput).device().name(), "cpu:0");
  EXPECT_EQ(report_of(runtime.device("run_lost")), "1 runs, 0 packed constants\n")
      << "nobody tried in the meantime";
  sit_out_the_quarantine();
  EXPECT_EQ(relu(kInput).device().name(), "run_lost:0");
  EXPECT_EQ(relu(kInput).to_vector<float>(), (Floats{0, 2}));
}

TEST(Quarantine, AlsoKeepsRoutesAwayThatWereFoundBefore) {
  // The first runs work, so that the route is cached; then the device is lost.
  const Runtime runtime = start({{"good", "cpu"}});
  const Operation relu = runtime.operation("Relu");
  EXPECT_EQ(relu(kInput).device().name(), "good:0");
  const Device device = runtime.device("good");
  sy_error fault{};
  EXPECT_THROW(device.open()->check_call(SY_DEVICE_LOST, fault, "run"), Error);
  EXPECT_EQ(relu(kInput).device().name(), "cpu:0");
  sit_out_the_quarantine();
  EXPECT_EQ(relu(kInput).device().name(), "good:0");
}

TEST(Quarantine, LastsAsLongAsRecoveryFails) {
  const Runtime runtime = start({{"run_lost_for_ever", "cpu"}});
  const Operation relu = runtime.operation("Relu");
  EXPECT_EQ(relu(kInput).device().name(), "cpu:0");
  sit_out_the_quarantine();
  EXPECT_EQ(relu(kInput).device().name(), "cpu:0");
  EXPECT_EQ(report_of(runtime.device("run_lost_for_ever")), "1 runs, 0 packed constants\n");
}

TEST(Quarantine, KeepsADeviceAwayThatFailsForNowAgainAndAgain) {
  const Runtime runtime = start({{"run_transient_for_ever", "cpu"}});
  const Operation relu = runtime.operation("Relu");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(relu(kInput).to_vector<float>(), (Floats{0, 2}));
  EXPECT_EQ(report_of(runtime.device("run_transient_for_ever")), "8 runs, 0 packed constants\n");
}

TEST(Quarantine, KeepsADeviceAwayWhoseStatusNobodyKnows) {
  const Runtime runtime = start({{"run_unknown_status", "cpu"}});
  const Operation relu = runtime.operation("Relu");
  for (int i = 0; i < 10; ++i) EXPECT_EQ(relu(kInput).to_vector<float>(), (Floats{0, 2}));
  EXPECT_EQ(report_of(runtime.device("run_unknown_status")), "1 runs, 0 packed constants\n");
}

TEST(Quarantine, KeepsADeviceAwayThatGivesNullForASuccess) {
  const Runtime moves = start({{"null_prepare", "cpu"}});
  EXPECT_EQ(moves.operation("Relu")(kInput).to_vector<float>(), (Floats{0, 2}));
  const Runtime runtime = start({{"null_allocate"}});
  const Error error = error_of([&] { kInput.to(runtime.device("null_allocate")); });
  EXPECT_EQ(error.kind(), ErrorKind::plugin);
  EXPECT_THAT(error.what(), HasSubstr("null_allocate:0: allocate: says that it worked, but gave"));
}

TEST(NullHandles, AreNoDeviceToOpen) {
  for (const char* plugin : {"null_open_device", "null_create_stream"}) {
    const Runtime runtime = start({{"cpu"}, "", "", {plugin}});
    EXPECT_THAT(error_of([&] { runtime.device(plugin); }).what(), HasSubstr("gave null"));
  }
}

// ---------------------------------------------------------------- calls that are made again

class FailsOnce : public testing::TestWithParam<const char*> {};

TEST_P(FailsOnce, AndNobodyNotices) {
  const Runtime runtime = start({{GetParam(), "cpu"}, "fallback = \"deny\""});
  const Device device = runtime.device(GetParam());
  EXPECT_EQ(runtime.operation("Relu")(kInput.to(device)).to_vector<float>(), (Floats{0, 2}));
  const Stream stream(device);
}

INSTANTIATE_TEST_SUITE_P(Entries, FailsOnce,
                         testing::Values("open_device_transient", "open_device_out_of_memory",
                                         "create_stream_transient", "create_stream_out_of_memory",
                                         "copy_transient", "copy_out_of_memory",
                                         "prepare_transient", "prepare_out_of_memory"),
                         [](const auto& info) { return info.param; });

// ---------------------------------------------------------------- devices that do not open

constexpr const char* kOpensLate = "open_device_transient_long";

// A tensor of their own, as kInput would keep the device open from one test to the next.
TEST(OpensLate, AndIsAskedAgainUntilItDoes) {
  const Runtime runtime = start({{kOpensLate, "cpu"}, "fallback = \"allow\""});
  const Operation relu = runtime.operation("Relu");
  EXPECT_EQ(relu(floats({2}, {-1, 2})).device().name(), "cpu:0");
  EXPECT_EQ(runtime.fallbacks().at(0).code, "FAULTED");
  for (int i = 0; i < 20 && relu(floats({2}, {-1, 2})).device().name() == "cpu:0"; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_EQ(relu(floats({2}, {-1, 2})).device().name(), std::string(kOpensLate) + ":0");
}

TEST(OpensLate, AndIsAFallbackUntilThenWhichMayBeDenied) {
  const Runtime runtime = start({{kOpensLate, "cpu"}, "fallback = \"deny\""});
  const Operation relu = runtime.operation("Relu");
  EXPECT_THAT(error_of([&] {
                relu(floats({2}, {-1, 2}));
              }).what(),
              HasSubstr("the fake's open_device fails; falling back to cpu:0 is denied"));
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  EXPECT_THROW(relu(floats({2}, {-1, 2})), Error) << "each try makes two calls, of which four fail";
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  EXPECT_EQ(relu(floats({2}, {-1, 2})).device().name(), std::string(kOpensLate) + ":0");
}

// ---------------------------------------------------------------- recovery

// Who computes nothing has the device back all the same.
TEST(Recovery, IsForWhoeverAsksTheDeviceNext) {
  const std::pair<const char*, std::function<void(const Device&)>> askers[] = {
      {"a copy", [](const Device& device) { kInput.to(device); }},
      {"memory", [](const Device& device) { device.open()->allocator().allocate(64); }},
      {"a stream", [](const Device& device) { Stream made(device); }},
  };
  for (const auto& [what, ask] : askers) {
    const Runtime runtime = start({{"good", "cpu"}});
    const Device device = runtime.device("good");
    sy_error fault{};
    EXPECT_THROW(device.open()->check_call(SY_DEVICE_LOST, fault, "copy"), Error);
    ask(device);
    EXPECT_EQ(device.open()->generation(), 0u) << "it is not time yet";
    sit_out_the_quarantine();
    ask(device);
    EXPECT_EQ(device.open()->generation(), 1u) << what;
  }
}

// Several wait for work and ask for memory while the device goes and comes back.
TEST(Recovery, BlocksNobodyWhoGivesMemoryBack) {
  const Runtime runtime = start({{"asynchronous", "cpu"}});
  const Device device = runtime.device("asynchronous");
  OpenDevice& open = *device.open();
  std::atomic<bool> is_over{false};
  std::thread other([&] {
    while (!is_over) open.allocator().reclaim();
  });
  for (int i = 0; i < 3; ++i) {
    sy_error fault{};
    EXPECT_THROW(open.check_call(SY_DEVICE_LOST, fault, "copy"), Error);
    while (open.quarantined()) {
      try {
        kInput.to(device);
      } catch (const Error&) {
        continue;  // lost under its hands
      }
    }
  }
  is_over = true;
  other.join();
  EXPECT_EQ(open.generation(), 3u);
}

// ---------------------------------------------------------------- what a lost device held

struct Lost : testing::Test {
  Runtime runtime = start({{"run_lost_with_memory", "cpu"}});
  Operation relu = runtime.operation("Relu");
  Device device = runtime.device("run_lost_with_memory");
  Tensor before = kInput.to(device);

  void lose() {
    relu(kInput);
    sit_out_the_quarantine();
    EXPECT_EQ(relu(kInput).device().name(), "run_lost_with_memory:0") << "it is back";
  }
};

TEST_F(Lost, TensorsSayThatTheyAreGone) {
  lose();
  for (int i = 0; i < 2; ++i) {
    const Error error = error_of([&] { before.to_vector<float>(); });
    EXPECT_EQ(error.kind(), ErrorKind::device_lost);
    EXPECT_EQ(error.device(), "run_lost_with_memory:0");
    EXPECT_THAT(error.what(), HasSubstr("run_lost_with_memory:0: the device failed and lost what"));
    EXPECT_THROW(relu(before), Error);
    EXPECT_THROW(before.fill_(1), Error);
    EXPECT_THROW(before.to(runtime.device("cpu")), Error);
    EXPECT_THROW(before.narrow(0, 0, 1).clone(), Error);
  }
}

TEST_F(Lost, NewTensorsAndOldHostValuesWork) {
  lose();
  before = Tensor();
  for (int i = 0; i < 5; ++i) {
    const Tensor after = relu(kInput.to(device));
    EXPECT_EQ(after.device().name(), "run_lost_with_memory:0");
    EXPECT_EQ(after.to_vector<float>(), (Floats{0, 2}));
    EXPECT_EQ(relu(kInput).to_vector<float>(), (Floats{0, 2}));
  }
}

TEST_F(Lost, StreamsOfUsersAreGone) {
  const Stream stream(device);
  lose();
  EXPECT_THROW(
      {
        const StreamScope scope(stream);
        relu(kInput);
      },
      Error);
  const Stream another(device);
  const StreamScope scope(another);
  EXPECT_EQ(relu(kInput).to_vector<float>(), (Floats{0, 2}));
}

// ---------------------------------------------------------------- after the enqueue

struct FailsLate : testing::Test {
  Runtime runtime = start({{"run_transient_late", "cpu"}});
  Operation relu = runtime.operation("Relu");
  Device device = runtime.device("run_transient_late");
};

TEST_F(FailsLate, WhatWasCompleteBeforeStaysReadable) {
  const Tensor x = kInput.to(device);
  const Tensor poisoned = relu(x);
  EXPECT_THROW(poisoned.to_vector<float>(), Error);
  EXPECT_EQ(x.to_vector<float>(), (Floats{-1, 2})) << "failed work only read it";
  const Tensor again = relu(x);
  EXPECT_EQ(again.device().name(), "run_transient_late:0");
  EXPECT_EQ(again.to_vector<float>(), (Floats{0, 2}));
  EXPECT_THROW(poisoned.to_vector<float>(), Error) << "what it wrote is lost";
  EXPECT_THROW(relu(poisoned).to_vector<float>(), Error);
}

TEST_F(FailsLate, WhatItReadMayBeWrittenTo) {
  const Tensor x = kInput.to(device);
  EXPECT_THROW(relu(x).to_vector<float>(), Error);
  x.fill_(3);
  EXPECT_EQ(x.to_vector<float>(), (Floats{3, 3}));
}

#if defined(__GLIBC__)
// The host keeps each, since tensors may name it.
TEST(FailedStreams, TakeLittleMemory) {
  const Runtime runtime = start({{"run_invalid_late", "cpu"}});
  const Operation relu = runtime.operation("Relu");
  const auto held = [] {
    const struct mallinfo2 memory = mallinfo2();
    return memory.uordblks + memory.hblkhd;
  };
  const auto fail = [&] { EXPECT_THROW(relu(kInput).to_vector<float>(), Error); };
  fail();
  const std::size_t before = held();
  for (int i = 0; i < 64; ++i) fail();
  EXPECT_LT(held(), before + 64 * 64'000);
}
#endif

struct Sticky : testing::Test {
  Runtime runtime = start({{"run_sticky", "cpu"}});
  Operation relu = runtime.operation("Relu");
  Device device = runtime.device("run_sticky");
};

TEST_F(Sticky, AnErrorAfterTheEnqueueSurfacesAtTheWait) {
  const Tensor poisoned = relu(kInput);  // enqueued: nobody knows yet
  EXPECT_EQ(poisoned.device().name(), "run_sticky:0");
  const Error error = error_of([&] { poisoned.to_vector<float>(); });
  EXPECT_EQ(error.kind(), ErrorKind::device_lost);
  EXPECT_STREQ(error.what(),
               "run_sticky:0: wait: the fake's run 1 fails; the first work that it concerns is "
               "Relu");
}

TEST_F(Sticky, SynchronizeSurfacesItToo) {
  relu(kInput);
  EXPECT_THROW(device.synchronize(), Error);
  EXPECT_NO_THROW(device.synchronize()) << "the stream is a fresh one";
}

TEST_F(Sticky, PoisonsWhatWasWrittenSinceAndWhatIsMadeOfIt) {
  const Tensor poisoned = relu(kInput);
  const Tensor follows = relu(poisoned);
  EXPECT_THROW(follows.to_vector<float>(), Error);
  EXPECT_THROW(poisoned.to_vector<float>(), Error);
  EXPECT_THROW(poisoned.to(runtime.device("cpu")), Error);
  EXPECT_THROW(runtime.operation("Exp")(poisoned), Error) << "elsewhere, either";
}

TEST(ForgottenFailure, IsRememberedByTheHost) {
  const Runtime runtime = start({{"run_forgotten", "cpu"}});
  const Operation relu = runtime.operation("Relu");
  const Tensor poisoned = relu(kInput);
  const Tensor follows = relu(poisoned);
  EXPECT_THROW(poisoned.to_vector<float>(), Error);
  EXPECT_THROW(poisoned.to_vector<float>(), Error);
  EXPECT_THROW(follows.to_vector<float>(), Error);
}

TEST_F(Sticky, TheDeviceIsQuarantinedAndComesBack) {
  const Tensor poisoned = relu(kInput);
  EXPECT_THROW(poisoned.to_vector<float>(), Error);
  EXPECT_EQ(relu(kInput).device().name(), "cpu:0");
  sit_out_the_quarantine();
  const Tensor again = relu(kInput);
  EXPECT_EQ(again.device().name(), "run_sticky:0");
  EXPECT_EQ(again.to_vector<float>(), (Floats{0, 2}));
}

TEST_F(Sticky, LookingAtThePoisonLaterHarmsNobody) {
  const Tensor poisoned = relu(kInput);
  EXPECT_THROW(poisoned.to_vector<float>(), Error);
  sit_out_the_quarantine();
  EXPECT_EQ(relu(kInput).device().name(), "run_sticky:0");
  EXPECT_THROW(poisoned.to_vector<float>(), Error) << "it stays what it is";
  EXPECT_EQ(relu(kInput).device().name(), "run_sticky:0")
      << "but says nothing about the device now";
}

TEST_F(Sticky, WhatTheHostStillHoldsReachesTheDeviceAfresh) {
  // The host's value was copied to the device and read by the work that failed.
  const Tensor host_value = floats({3}, {1, -2, 3});
  EXPECT_THROW(relu(host_value).to_vector<float>(), Error);
  sit_out_the_quarantine();
  const Tensor again = relu(host_value);
  EXPECT_EQ(again.device().name(), "run_sticky:0");
  EXPECT_EQ(again.to_vector<float>(), (Floats{1, 0, 3}));
}

// ---------------------------------------------------------------- memory

TEST(OutOfMemory, IsAnErrorOfItsOwnKind) {
  const Runtime runtime = start({{"out_of_memory"}});
  const Error error = error_of([&] { runtime.operation("Relu")(kInput); });
  EXPECT_EQ(error.kind(), ErrorKind::out_of_memory);
}

TEST(OutOfMemory, SendsTheCallToTheNextDevice) {
  const Runtime runtime = start({{"out_of_memory", "good"}});
  const Tensor made = runtime.operation("Relu")(kInput);
  EXPECT_EQ(made.device().name(), "good:0");
  EXPECT_EQ(made.to_vector<float>(), (Floats{0, 2}));
  EXPECT_EQ(runtime.fallbacks().at(0).code, "MEMORY");
}

TEST(OutOfMemory, OfADeviceThatOnlyStumbledIsNone) {
  const Runtime runtime = start({{"out_of_memory_once"}});
  EXPECT_EQ(runtime.operation("Relu")(kInput).to_vector<float>(), (Floats{0, 2}));
}

/// A second try would add to what the first one left.
TEST(OutOfMemory, IsNotTriedAgainWhereTheOutputLiesOnAnInput) {
  for (const bool in_place : {false, true}) {
    const Runtime runtime = start({{"run_out_of_memory_in_place"}});
    const RuntimeScope here(runtime);
    const Tensor x = kInput.to(runtime.device("run_out_of_memory_in_place"));
    const Tensor one = host_scalar(1.0F);
    if (in_place) {
      EXPECT_EQ(error_of([&] { x.add_(one); }).kind(), ErrorKind::out_of_memory);
    } else {
      EXPECT_EQ((x + one).to_vector<float>(), (Floats{0, 3}));
    }
  }
}

TEST(OutOfMemory, UnderTheConfiguredLimitNamesIt) {
  const Runtime runtime = Runtime::from_text(
      "[host]\nlog_level = \"error\"\nmemory_limit = \"1KiB\"\n" + plugin_section("good"));
  EXPECT_NO_THROW(runtime.operation("Relu")(counting({16})));
  const Error error = error_of([&] { runtime.operation("Relu")(counting({1000})); });
  EXPECT_EQ(error.kind(), ErrorKind::out_of_memory);
  EXPECT_THAT(error.what(), HasSubstr("raise host.memory_limit"));
}

}  // namespace
}  // namespace switchyard
