// Functions that write in place return the tensor itself, which lives as long as who holds it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/switchyard.hpp>
#include <type_traits>

namespace switchyard {
namespace {

using testing::Each;

static_assert(std::is_same_v<decltype(Tensor().add_(1)), Tensor>);
static_assert(std::is_same_v<decltype(Tensor().fill_(1)), Tensor>);
static_assert(std::is_same_v<decltype(Tensor().requires_grad_()), Tensor>);
static_assert(std::is_same_v<decltype(std::declval<const Tensor>() += Tensor(1)), Tensor>);

TEST(InPlace, ResultsOutliveTheTemporaryTheyWereCalledOn) {
  const Tensor& filled = zeros({1000}).fill_(2);
  const Tensor other = ones({1000});
  EXPECT_EQ(filled.sum().item(), 2000);
  EXPECT_EQ(other.sum().item(), 1000);
}

TEST(InPlace, ResultsShareTheElements) {
  const Tensor x = zeros({3});
  const Tensor y = x.add_(1).mul_(4);
  EXPECT_THAT(x.to_vector<float>(), Each(4));
  y.zero_();
  EXPECT_THAT(x.to_vector<float>(), Each(0));
}

TEST(MovedFrom, TensorsAreEmptyAndWhatTheyReplacedIsFree) {
  const Device device = current_device();
  Tensor large = zeros({1 << 20});
  Tensor small = zeros({1});
  const std::size_t before = device.memory().used_bytes;
  large = std::move(small);
  EXPECT_FALSE(small.defined());  // NOLINT: moved from, and empty by contract
  EXPECT_LE(device.memory().used_bytes + (4 << 20), before);
  EXPECT_EQ(large.size(), 1);
  Tensor& itself = large;
  large = std::move(itself);
  EXPECT_EQ(large.size(), 1) << "moved to itself";
}

TEST(InPlace, KeepsNumbersBeyondSignedOnes) {
  Tensor large = std::uint64_t{1} << 63;
  large *= 1;
  EXPECT_EQ(large.dtype(), DType::uint64);
  EXPECT_EQ(large.item<std::uint64_t>(), std::uint64_t{1} << 63);
  Tensor small = std::uint64_t{5};
  small -= 7;
  EXPECT_EQ(small.item<std::int64_t>(), -2);
}

}  // namespace
}  // namespace switchyard
