// What borrow() and view_host() take and give, as the compiler sees it; on any device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <ranges>
#include <span>
#include <switchyard/switchyard.hpp>
#include <type_traits>
#include <vector>

namespace switchyard {
namespace {

template <typename Elements>
concept IsLent = requires(Elements elements) {
  Tensor::borrow(elements, Dims{1});
};
static_assert(IsLent<std::span<float>> && IsLent<std::span<const bool>> && IsLent<float16*>);
static_assert(IsLent<std::span<const std::int64_t, 1>> && IsLent<const double*>);
static_assert(!IsLent<std::vector<float>>, "a span says that nothing is copied");
static_assert(!IsLent<std::span<char>> && !IsLent<void*> && !IsLent<float>);

template <typename Owner>
concept Keeps = std::is_convertible_v<Owner, MemoryOwner>;
static_assert(Keeps<std::shared_ptr<const int>> && Keeps<std::function<void()>>);
static_assert(Keeps<void (*)()> && !Keeps<void (*)(int)> && !Keeps<std::unique_ptr<int>>);
static_assert(std::ranges::contiguous_range<const HostView<float>>);
static_assert(std::is_same_v<decltype(Tensor().view_host<float>()), HostView<float>>);
static_assert(
    std::is_same_v<decltype(HostView<int>(Tensor().view_host<int>()).data()), const int*>);
static_assert(std::is_copy_constructible_v<Context>);
static_assert(!std::is_copy_constructible_v<ContextScope>);

TEST(Borrowed, IsReadOnAnyDevice) {
  std::vector<float> values = {1, 2, 3};
  const std::vector<float>& constants = values;
  int called = 0;
  {
    const Tensor x = Tensor::borrow(std::span(constants), {3}, [&called] { ++called; });
    EXPECT_EQ((x + 1).sum().item(), 9);
    EXPECT_THROW(x.add_(1), Error);
    EXPECT_EQ(x.to_vector<float>(), values);
    EXPECT_EQ(called, 0);
  }
  EXPECT_EQ(called, 1);
}

TEST(Borrowed, TakesAMovableDeleter) {
  auto values = std::make_unique<std::array<double, 2>>();
  double* first = values->data();
  const Tensor x = Tensor::borrow(
      first, {2}, [owned = std::shared_ptr<std::array<double, 2>>(std::move(values))] {});
  EXPECT_EQ(x.sum().item(), 0);
}

}  // namespace
}  // namespace switchyard
