// Work of one stream that reads what another makes: the stream waits, and not the caller.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/streams.hpp>

#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

class StreamOrder : public testing::TestWithParam<const char*> {
 protected:
  Runtime runtime = start(
      {{GetParam()},
       "",
       GetParam() == std::string("mps") ? "[plugins.mps.options]\ndevice = \"software\"\n" : "",
       {"cpu"}});
  Device device = runtime.device(GetParam());
  Operation add = runtime.operation("Add");
  Stream side{device};

  // Doubles `steps` times on the side stream.
  Tensor doubled(Tensor x, int steps) {
    const StreamScope here(side);
    for (int i = 0; i < steps; ++i) x = add(x, x);
    return x;
  }
};

TEST_P(StreamOrder, ReadsWhatTheOtherStreamMakes) {
  for (int i = 0; i < 50; ++i) {
    const Tensor made = doubled(counting({3000}).to(device), 5);
    const Tensor here = add(made, made);
    EXPECT_EQ(here.to_vector<float>()[2999], 2999.0F * 64);
  }
}

TEST_P(StreamOrder, GoesBackAndForthBetweenStreams) {
  Tensor x = counting({3000}).to(device);
  for (int i = 0; i < 10; ++i) x = add(doubled(x, 1), doubled(x, 2));
  float expected = 2999;
  for (int i = 0; i < 10; ++i) expected *= 6;
  EXPECT_EQ(x.to_vector<float>()[2999], expected);
}

TEST_P(StreamOrder, WritesOverWhatTheOtherStreamStillReads) {
  for (int i = 0; i < 50; ++i) {
    Tensor x = counting({3000}).to(device);
    const Tensor made = doubled(x, 5);
    x.fill_(7);
    EXPECT_EQ(made.to_vector<float>()[2999], 2999.0F * 32);
    EXPECT_EQ(x.to_vector<float>()[2999], 7.0F);
  }
}

#ifdef __linux__
const auto kStreamOrderDevices = testing::Values("asynchronous", "no_events", "caching", "mps");
#else
const auto kStreamOrderDevices = testing::Values("asynchronous", "no_events", "caching");
#endif
INSTANTIATE_TEST_SUITE_P(Devices, StreamOrder, kStreamOrderDevices,
                         [](const auto& info) { return std::string(info.param); });

TEST(StreamOrderOfTheTemplate, TheCallerDoesNotWait) {
  const Runtime runtime = start(
      {{"template"}, "", "[plugins.template.options]\ndelay_microseconds = 50000\n", {"cpu"}});
  const Device device = runtime.device("template");
  const Operation add = runtime.operation("Add");
  const Stream side(device);
  bool returned_before = false;
  for (int attempt = 0; attempt < 20 && !returned_before; ++attempt) {
    Tensor made = counting({10}).to(device);
    {
      const StreamScope here(side);
      for (int i = 0; i < 4; ++i) made = add(made, made);
    }
    const Tensor here = add(made, made);
    returned_before = side.open().completed() < side.open().last_enqueued();
    EXPECT_EQ(here.to_vector<float>()[9], 9.0F * 32);
  }
  EXPECT_TRUE(returned_before);
}

TEST(StreamOrderOfFailedWork, ReadsFailToo) {
  const Runtime runtime = start({{"run_sticky", "cpu"}, "fallback = \"allow\"\n"});
  const Device device = runtime.device("run_sticky");
  const Operation add = runtime.operation("Add");
  const Stream side(device);
  Tensor made = counting({3}).to(device);
  {
    const StreamScope here(side);
    made = add(made, made);
  }
  EXPECT_THROW((void)add(made, made).to_vector<float>(), Error);
  EXPECT_EQ(add(counting({3}), counting({3})).to_vector<float>(), (Floats{0, 2, 4}));
}

}  // namespace
}  // namespace switchyard
