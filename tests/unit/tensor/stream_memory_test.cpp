// Memory that one stream still reads while another lets it go, on devices that cache memory
// themselves.
#include <gtest/gtest.h>

#include <array>
#include <switchyard/streams.hpp>

#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

class StreamMemory : public testing::TestWithParam<const char*> {
 protected:
  Runtime runtime = start(
      {{GetParam()},
       "",
       GetParam() == std::string("mps") ? "[plugins.mps.options]\ndevice = \"software\"\n" : "",
       {"cpu"}});
  Device device = runtime.device(GetParam());
  Operation add = runtime.operation("Add"), product = runtime.operation("MatMul");

  // Keeps the current stream busy for a while.
  void delay() {
    Tensor matrix = floats({64, 64}, Floats(64 * 64, 0.01F)).to(device);
    for (int i = 0; i < 4; ++i) matrix = product(matrix, matrix);
  }
};

TEST_P(StreamMemory, IsNotUsedAgainWhileAnotherStreamReadsIt) {
  const Stream side(device);
  for (int i = 0; i < 5; ++i) {
    Tensor x = floats({4096}, Floats(4096, 1)).to(device), sum;
    {
      const StreamScope here(side);
      delay();
      sum = add(x, x);
    }
    x = Tensor();
    const Tensor next = floats({4096}, Floats(4096, 7)).to(device);
    EXPECT_EQ(sum.to_vector<float>(), Floats(4096, 2));
  }
}

TEST_P(StreamMemory, OfTheStreamThatLetsItGoIsUsedAgainAtOnce) {
  for (int i = 0; i < 5; ++i) {
    Tensor x = floats({4096}, Floats(4096, 1)).to(device);
    delay();
    const Tensor sum = add(x, x);
    x = Tensor();
    const Tensor next = floats({4096}, Floats(4096, 7)).to(device);
    EXPECT_EQ(sum.to_vector<float>(), Floats(4096, 2));
  }
}

#ifdef __linux__
const auto kStreamMemoryDevices = testing::Values("caching", "asynchronous", "mps");
#else
const auto kStreamMemoryDevices = testing::Values("caching", "asynchronous");
#endif
INSTANTIATE_TEST_SUITE_P(Devices, StreamMemory, kStreamMemoryDevices,
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace switchyard
