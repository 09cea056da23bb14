// Nobody waits for work that never came to the device.
#include "broken_device.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "abi/streams.hpp"
#include "runtime/device.hpp"
#include "streams_under_test.hpp"
#include "table.hpp"

namespace mps::runtime_tests {
namespace {

using testing::HasSubstr;

template <typename Action>
std::string seam_failure_of(Action action) {
  try {
    action();
  } catch (const seam::Failure& failure) {
    return failure.what();
  }
  return "nothing";
}

class BrokenStream : public StreamTest {
 protected:
  std::unique_ptr<Stream> make_broken_stream() {
    return std::make_unique<Stream>(broken_, memory_, memory_, CommitPolicy{});
  }

  Breakage breakage_;
  BrokenDevice broken_{device_, breakage_};
};

TEST_F(BrokenStream, ACommitThatFailsSticksAndCompletes) {
  const auto stream = make_broken_stream();
  bool was_called = false;
  const uint64_t number =
      stream->record(4, [&] { stream->afterwards([&] { was_called = true; }); });
  breakage_.commits = true;
  EXPECT_EQ(seam_failure_of([&] { stream->wait(number); }), "the cable is out");
  EXPECT_EQ(stream->progress()->completed, number);
  breakage_.commits = false;
  const uint64_t later = write(*stream, 5);
  EXPECT_EQ(seam_failure_of([&] { stream->wait(later); }), "the cable is out");
  EXPECT_FALSE(was_called);
  EXPECT_NE(read(), 5);
}

TEST_F(BrokenStream, EventsRiseThoughTheCommitFails) {
  const auto stream = make_broken_stream();
  const auto waiter = make_stream();
  const auto event = device_->event();
  write(*stream, 1);
  stream->signal(event, 1);
  waiter->wait_for(event, 1, stream->outcome());
  breakage_.commits = true;
  stream->flush();
  EXPECT_TRUE(event->wait(1, UINT64_MAX));
  EXPECT_EQ(seam_failure_of([&] { waiter->wait(write(*waiter, 2)); }), "the cable is out");
}

// Memory must not be taken for free while earlier work uses it.
TEST_F(BrokenStream, EarlierWorkIsNotSaidToBeDoneBeforeItIs) {
  const auto stream = make_broken_stream();
  Gate gate(*device_);
  gate.hold(*stream);
  const uint64_t held = write(*stream, 7);
  stream->flush();
  const uint64_t lost = write(*stream, 8);
  breakage_.commits = true;
  stream->flush();
  EXPECT_LT(stream->progress()->completed, held);
  gate.open();
  stream->settle();
  EXPECT_EQ(stream->progress()->completed, lost);
  EXPECT_EQ(read(), 7);
}

TEST_F(BrokenStream, WithoutACommandBufferNoNumberIsGiven) {
  const auto stream = make_broken_stream();
  breakage_.command_buffers = true;
  EXPECT_EQ(seam_failure_of([&] { write(*stream, 1); }), "none left");
  breakage_.command_buffers = false;
  EXPECT_EQ(write(*stream, 1), 1u);
  stream->wait(1);
  EXPECT_EQ(read(), 1);
}

// Through the table's slots, on a device that they do not know to be broken.
TEST_F(BrokenStream, AnEventThatCouldNotBeRecordedHoldsNobody) {
  Device device(std::make_shared<BrokenDevice>(device_, breakage_), Options{});
  auto stream_args = make_args<sy_create_stream_args>();
  stream_args.device = reinterpret_cast<sy_device>(&device);
  call(create_stream, stream_args);
  auto event_args = make_args<sy_create_event_args>();
  event_args.device = stream_args.device;
  call(create_event, event_args);
  auto args = make_args<sy_event_args>();
  args.event = event_args.event;
  args.stream = stream_args.stream;
  breakage_.command_buffers = true;
  EXPECT_EQ(record_event(&args, nullptr), SY_OUT_OF_MEMORY);
  breakage_.command_buffers = false;
  call(wait_event, args);  // returns: nothing was recorded
  call(record_event, args);
  call(wait_event, args);
  call(wait_for_event, args);
  call(destroy_event, args);
  auto gone = make_args<sy_stream_args>();
  gone.stream = stream_args.stream;
  call(destroy_stream, gone);
}

}  // namespace
}  // namespace mps::runtime_tests
