// Host memory that copies of a device know: its own between devices, and a caller's.
#include "device/host_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(HostMemory, IsTheDevicesOwnBetweenDevicesThatSeeNothingOfEachOther) {
  const Runtime runtime = start({{"host_memory", "opaque"}, "", "", {"cpu"}});
  const Device device = runtime.device("host_memory"), other = runtime.device("opaque");
  const Tensor there = counting({3, 5}).to(other);
  EXPECT_EQ(there.to(device).to_vector<float>(), counting({3, 5}).to_vector<float>());
  EXPECT_THAT(report_of(device), HasSubstr("1 copies of known host memory, 0 blocks known"));
}

TEST(HostMemory, OfAnyKindServesWhereTheDeviceHasNone) {
  const Runtime runtime = start({{"opaque"}, "", "", {"cpu"}});
  const CopyBuffer buffer(*runtime.device("opaque").open(), 1000);
  std::memset(buffer.data(), 7, 1000);
}

TEST(HostMemory, OfACallerIsRegisteredAsLongAsATensorHoldsIt) {
  const Runtime runtime = start({{"host_memory"}, "", "", {"cpu"}});
  const Device device = runtime.device("host_memory");
  const Floats values{1, -2, 3};
  bool is_kept = true;
  {
    const Tensor lent =
        Tensor::borrow(values.data(), {3}, [&] { is_kept = false; }, {.device = device});
    const Tensor there = lent.to(device);
    EXPECT_EQ(there.to_vector<float>(), values);
    EXPECT_THAT(report_of(device), HasSubstr("1 copies of known host memory, 1 blocks known"));
    EXPECT_TRUE(is_kept);
  }
  EXPECT_FALSE(is_kept);
  EXPECT_THAT(report_of(device), HasSubstr("0 blocks known"));
}

TEST(HostMemory, OfACallerIsLeftAloneByOtherDevices) {
  const Runtime runtime = start({{"opaque"}, "", "", {"cpu"}});
  const Device device = runtime.device("opaque");
  const Floats values{1, -2, 3};
  const Tensor lent = Tensor::borrow(values.data(), {3}, {}, {.device = device});
  EXPECT_EQ(lent.to(device).to_vector<float>(), values);
  EXPECT_THAT(report_of(device), Not(HasSubstr("known")));
}

}  // namespace
}  // namespace switchyard
