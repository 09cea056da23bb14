// Waiting for a device, and asking how far its work is.
#include <gtest/gtest.h>

#include <optional>
#include <switchyard/streams.hpp>

#include "tensor/small_input.hpp"

namespace switchyard {
namespace {

TEST(Synchronize, WaitsForEveryStreamOfTheDevice) {
  const Runtime runtime =
      start({{"template"}, "", "[plugins.template.options]\ndelay_microseconds = 2000\n", {"cpu"}});
  const Device device = runtime.device("template");
  const Operation relu = runtime.operation("Relu");
  const Stream side(device);
  Tensor own = relu(kInput), beside;
  {
    const StreamScope here(side);
    for (int i = 0; i < 10; ++i) beside = relu(kInput);
  }
  device.synchronize();
  EXPECT_GE(side.open().completed(), side.open().last_enqueued());
  {
    const StreamScope here(side);
    for (int i = 0; i < 10; ++i) own = relu(kInput);
    device.synchronize();  // inside of a scope too
  }
  EXPECT_GE(side.open().completed(), side.open().last_enqueued());
  OpenStream& first = current_stream(device).open();
  EXPECT_GE(first.completed(), first.last_enqueued());
}

struct SideFailure : testing::Test {
  Runtime runtime = start({{"run_sticky", "cpu"}});
  Device device = runtime.device("run_sticky");
  Operation relu = runtime.operation("Relu");
  Stream side{device};

  Tensor fail_beside() {
    const Tensor input = kInput.to(device);
    const StreamScope here(side);
    return relu(input);
  }
};

TEST_F(SideFailure, IsToldByTheDevice) {
  const Tensor poisoned = fail_beside();
  EXPECT_THROW(device.synchronize(), Error);
  EXPECT_NO_THROW(device.synchronize()) << "it has been told";
  EXPECT_THROW(side.synchronize(), Error) << "the stream stays failed";
}

TEST_F(SideFailure, IsNotToldTwice) {
  const Tensor poisoned = fail_beside();
  EXPECT_THROW(poisoned.to_vector<float>(), Error);
  EXPECT_NO_THROW(device.synchronize());
}

// A batch of the template is four enqueues, so that nothing of these begins by itself.
class Polling : public testing::TestWithParam<const char*> {
 protected:
  Runtime runtime = start(
      {{GetParam()},
       "",
       GetParam() == std::string("mps") ? "[plugins.mps.options]\ndevice = \"software\"\n" : "",
       {"cpu"}});
  Device device = runtime.device(GetParam());
  Tensor input = kInput.to(device);
  Stream stream{device};
  std::optional<Tensor> result;

  void work() {
    const StreamScope here(stream);
    result = runtime.operation("Relu")(input);
  }
};

TEST_P(Polling, AStreamComesToAnEnd) {
  work();
  while (!stream.query()) continue;
  EXPECT_TRUE(stream.query());
}

TEST_P(Polling, AnEventComesToAnEnd) {
  Event event;
  work();
  event.record(stream);
  while (!event.query()) continue;
  EXPECT_TRUE(event.query());
}

TEST_P(Polling, RecordingAnEventStartsTheWork) {
  Event event;
  work();
  event.record(stream);
  const std::uint64_t last = stream.open().last_enqueued();
  while (stream.open().completed() < last) continue;
  EXPECT_EQ(result->to_vector<float>(), (Floats{0, 2}));
}

#ifdef __linux__
const auto kPollingDevices = testing::Values("template", "asynchronous", "cpu", "mps");
#else
const auto kPollingDevices = testing::Values("template", "asynchronous", "cpu");
#endif
INSTANTIATE_TEST_SUITE_P(Devices, Polling, kPollingDevices,
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace switchyard
